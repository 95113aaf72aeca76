#pragma once
// The orders in force: kept in the store, known to every shard.
#include "base/clock.h"
#include "base/log.h"
#include "crawler/commits.h"
#include "crawler/crew.h"
#include "crawler/orders.h"
#include "crawler/store.h"

#include <memory>
#include <string>

namespace crawler {

/// On the main thread. References must outlive it.
class OrderBook {
 public:
  OrderBook(Store& store, Commits& commits, Crew& crew, base::Clock& clock, base::Log& log)
      : store_(store), commits_(commits), crew_(crew), clock_(clock), log_(log) {}

  /// Those of the last run, less what is over.
  void recall();
  const std::shared_ptr<const Orders>& orders() const { return orders_; }
  /// In force from now on, before anybody else asks: the next order begins from these.
  void put(Orders orders);
  /// `text`, of orders that were put, is durable when it returns. False: the store has failed.
  base::Async<bool> keep(std::string text, base::Executor executor);
  /// A pause whose instant has come is no order any more.
  void drop_expired(base::WallTime now);

 private:
  Store& store_;
  Commits& commits_;
  Crew& crew_;
  base::Clock& clock_;
  base::Log& log_;
  std::shared_ptr<const Orders> orders_ = std::make_shared<const Orders>();
};

}  // namespace crawler

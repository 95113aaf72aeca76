#include "crawler/order_book.h"

#include "crawler/keys.h"

namespace crawler {

void OrderBook::recall() {
  const auto text = store_.get(Table::meta, kOrdersKey);
  if (!text) return;
  auto read = Orders::parse(*text);
  if (!read) {
    base::Line line(base::Level::error, "order");
    line.text("why", "the orders of the last run cannot be read: give them again");
    log_.write(line, clock_.now().wall);
    return;
  }
  read->drop_expired(clock_.now().wall);
  orders_ = std::make_shared<const Orders>(std::move(*read));
}

void OrderBook::put(Orders orders) {
  orders_ = std::make_shared<const Orders>(std::move(orders));
  crew_.tell([in_force = orders_](Worker& worker) { worker.shard->set_orders(in_force); });
}

base::Async<bool> OrderBook::keep(std::string text, base::Executor executor) {
  Store::Batch batch(store_);
  batch.put(Table::meta, kOrdersKey, text);
  store_.write(batch);
  const bool kept = co_await commits_.durable(executor);
  co_return kept;
}

void OrderBook::drop_expired(base::WallTime now) {
  if (!orders_->expired(now)) return;
  Orders left = *orders_;
  left.drop_expired(now);
  put(std::move(left));
}

}  // namespace crawler

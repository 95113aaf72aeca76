#pragma once
// What the admin endpoint may ask of the daemon and order it to do. All of it is for the main thread.
#include "base/clock.h"
#include "base/log.h"
#include "config/config.h"
#include "crawler/commits.h"
#include "crawler/condition.h"
#include "crawler/crew.h"
#include "crawler/mail.h"
#include "crawler/orders.h"
#include "crawler/store.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace crawler {

class Control {
 public:
  Control() = default;
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;
  virtual ~Control() = default;

  virtual base::Executor executor() = 0;
  virtual base::Clock& clock() = 0;
  virtual base::Log& log() = 0;
  virtual Store& store() = 0;
  virtual Commits& commits() = 0;
  virtual Mail& mail() = 0;
  virtual Crew& crew() = 0;
  virtual const History& history() = 0;
  virtual std::shared_ptr<const config::Config> config() = 0;  ///< seeds and scope in force

  virtual CrawlState state() = 0;
  /// How the crawl is now. Nothing when a shard does not answer.
  virtual base::Async<std::optional<Condition>> condition() = 0;

  virtual const Orders& orders() = 0;
  /// They are in force, and durable, when it returns. False: the store has failed.
  virtual base::Async<bool> set_orders(Orders orders) = 0;
  /// One more seed is in force: its host is in scope. The caller has kept it, and offers it.
  virtual void add_seed(const config::Seed& seed) = 0;
  /// Visits under way end, and then the crawl.
  virtual void end(std::string_view why) = 0;
  struct Reloaded {
    std::vector<std::string> errors;  ///< what is wrong with the configuration; then nothing has changed
    std::vector<std::string> needs_restart;  ///< keys that have changed, and are not in force before
  };
  /// As SIGHUP.
  virtual Reloaded reload() = 0;
};

}  // namespace crawler

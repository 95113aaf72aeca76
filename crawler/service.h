#pragma once
// What a service manager is told about a crawl, and when. Belongs to the daemon's own loop.
#include "base/log.h"
#include "crawler/notify.h"
#include "crawler/shard.h"
#include "crawler/watchdog.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace crawler {

/// The daemon asks the shards and the store in turns and hands their answers over; this tells the manager.
/// Without a manager there is never a turn.
class Service {
 public:
  /// Between turns: how old a STATUS= may be.
  static constexpr base::Duration kEvery = std::chrono::seconds(5);
  /// Asked for at each turn of an end, so that a slow one is not taken for one that hangs ...
  static constexpr base::Duration kExtension = std::chrono::seconds(30);
  /// ... and the longest end: after that the limit of the unit holds.
  static constexpr base::Duration kEndMax = std::chrono::minutes(5);

  Service(const ServiceEnvironment& environment, base::Log& log);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// Before all others: how many shards there are.
  void begin(std::size_t shards);
  /// When look() has something to do; never, without a manager.
  base::TimePoint next() const { return next_; }
  /// Which parts to ask now: shards by their number, and after the last of them the store.
  std::vector<std::size_t> look(base::Now now);
  /// The first answer of a shard is what makes us ready; the last of a turn makes the STATUS=.
  void answered(std::size_t shard, Report report, base::Now now);
  void store_answered();

  /// Why no visit may begin; empty: they may.
  void hold(std::string_view why) { held_ = why; }
  void reloading();
  void reloaded();
  void stopping(std::string_view why);
  /// The loop has ended. From now until this object dies a thread asks for the time that what is left takes.
  void closing();

 private:
  void extend();
  void keep_extending();

  base::Log& log_;
  const Notify notify_;
  const std::optional<base::Duration> timeout_;
  std::optional<Watchdog> watchdog_;
  base::TimePoint next_ = base::TimePoint::max();
  std::size_t shards_ = 0;
  std::size_t answers_ = 0;  ///< of shards, in this turn
  Report total_;
  std::string held_;
  std::string ending_;
  bool ready_ = false;
  base::Duration extended_{};

  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace crawler

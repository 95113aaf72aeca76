#pragma once
// The archive: WARC files of what was fetched, with an index and a list of pages beside each. A record is on
// the disk before anybody calls its page done.
#include "base/async.h"
#include "base/clock.h"
#include "base/log.h"
#include "config/config.h"
#include "crawler/parcel.h"
#include "crawler/warc_file.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace crawler {

/// Where the WARC files of `config` are.
std::string archive_directory(const config::Config& config);

/// Writes what the shards pack, on a thread of its own that syncs once for all who wait at the same time. A
/// slow disk makes them wait, a full one too: it is tried again until there is room. Thread-safe.
class Archive {
 public:
  /// Between two tries on a disk that does not take records.
  static constexpr base::Duration kRetryEvery = std::chrono::seconds(1);

  /// Longest wait for others, so that one sync serves them all; what it takes comes on top.
  static constexpr base::Duration kWindow = std::chrono::milliseconds(5);

  struct Options {
    config::Archive config;
    std::string directory;
    std::string hostname;  ///< of this machine, for names of files
    /// Packs the first record of the file with this name, which says who made it.
    std::function<Parcel::Member(const std::string& name, base::WallTime at)> first_record;
    /// Called on the archive's thread when the disk does not take records (true), and when it does again.
    std::function<void(bool)> on_trouble;
    /// On the caller's thread, and one try only: virtual time knows no other.
    bool immediate = false;
  };

  /// Makes the folder, and completes what a run that crashed has left. `clock` and `log` must outlive it.
  /// Throws StartError.
  Archive(Options options, base::Clock& clock, base::Log& log);
  /// Completes the file under way.
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  /// Returns when the parcel is durable: where; nothing when the archive has given up.
  base::Async<std::optional<Place>> keep(base::Executor executor, Parcel parcel);
  /// Who waits for a disk that takes nothing is told so, now and from now on.
  void give_up();
  /// Ends the thread and completes the file under way; no executor is posted to from now on.
  void stop();

  std::uint64_t records() const { return records_.load(std::memory_order_relaxed); }
  std::uint64_t octets() const { return octets_.load(std::memory_order_relaxed); }  ///< written, packed

 private:
  struct Order {
    Parcel parcel;
    std::optional<Place> place;
    base::Executor executor;
    std::unique_ptr<base::Alarm> alarm;
  };
  using Orders = std::vector<std::shared_ptr<Order>>;

  void run();
  void carry_out(Orders& orders);
  std::error_code write(Orders& orders);
  std::error_code write_all_of(Orders& orders);
  std::error_code make_room(std::uint64_t octets);
  std::error_code begin_file();
  std::error_code end_file();
  bool is_old() const;
  void note(std::error_code error);

  const Options options_;
  base::Clock& clock_;
  base::Log& log_;
  std::optional<WarcFile> file_;  ///< the archive's thread only, as all of these
  base::TimePoint begun_{};
  std::uint64_t serial_ = 0;
  bool in_trouble_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  Orders waiting_;
  bool stopped_ = false;
  bool given_up_ = false;
  std::atomic<std::uint64_t> records_{0};
  std::atomic<std::uint64_t> octets_{0};
  std::thread thread_;
};

}  // namespace crawler

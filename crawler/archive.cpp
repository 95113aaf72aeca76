#include "crawler/archive.h"

#include "base/time_text.h"
#include "crawler/salvage.h"
#include "crawler/store.h"

#include <boost/asio/post.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sysexits.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

namespace crawler {
namespace {

/// Five digits of a name.
constexpr std::uint64_t kSerialMax = 100'000;

/// `20261121173000` of an instant.
std::string digits_of(base::WallTime at) {
  std::string digits;
  for (const char c : base::rfc3339(at).substr(0, 19)) {
    if (c >= '0' && c <= '9') digits += c;
  }
  return digits;
}

}  // namespace

std::string archive_directory(const config::Config& config) {
  return config.archive.directory.empty() ? config.storage.directory + "/archive" : config.archive.directory;
}

Archive::Archive(Options options, base::Clock& clock, base::Log& log)
    : options_(std::move(options)), clock_(clock), log_(log) {
  std::error_code error;
  std::filesystem::create_directories(options_.directory, error);
  if (error) {
    throw StartError(EX_CANTCREAT, "archive.directory: " + options_.directory + ": " + error.message());
  }
  // A folder that takes no files would make every page wait for ever.
  const std::string probe = options_.directory + "/.crawld-" + std::to_string(::getpid());
  const int file = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) {
    throw StartError(EX_CANTCREAT, "archive.directory: " + options_.directory +
                                       ": no file can be made there: " + last_error().message());
  }
  ::close(file);
  ::unlink(probe.c_str());
  salvage_all(options_.directory, log_, clock_.now().wall);
  if (!options_.immediate) thread_ = std::thread([this] { run(); });
}

Archive::~Archive() {
  stop();
}

void Archive::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(stopped_, true)) return;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (const std::error_code error = end_file()) note(error);  // the next run completes it
}

void Archive::give_up() {
  {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
  }
  changed_.notify_all();
}

base::Async<std::optional<Place>> Archive::keep(base::Executor executor, Parcel parcel) {
  const auto order = std::make_shared<Order>(Order{std::move(parcel), std::nullopt, executor, nullptr});
  if (!thread_.joinable()) {
    Orders one{order};
    if (write(one)) order->place.reset();
    co_return order->place;
  }
  order->alarm = clock_.alarm(executor);
  bool taken = false;
  {
    const std::lock_guard lock(mutex_);
    taken = !stopped_;
    if (taken) waiting_.push_back(order);
  }
  if (!taken) co_return std::nullopt;
  changed_.notify_one();
  co_await order->alarm->wait();
  co_return order->place;
}

void Archive::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait_for(lock, kRetryEvery, [this] { return stopped_ || !waiting_.empty(); });
    if (!waiting_.empty()) changed_.wait_for(lock, kWindow, [this] { return stopped_; });
    if (stopped_) return;
    Orders orders = std::exchange(waiting_, {});
    lock.unlock();
    if (is_old()) note(end_file());
    if (!orders.empty()) carry_out(orders);
    lock.lock();
  }
}

/// Until all is written, or somebody says that it is not worth waiting for.
void Archive::carry_out(Orders& orders) {
  while (true) {
    const std::error_code error = write(orders);
    note(error);
    if (!error) break;
    for (const auto& order : orders) order->place.reset();
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kRetryEvery, [this] { return stopped_ || given_up_; });
    if (stopped_ || given_up_) break;
  }
  for (auto& order : orders) {  // it dies where it is waited for, and its alarm with it: not here
    const base::Executor executor = order->executor;
    boost::asio::post(executor, [order = std::move(order)] { order->alarm->ring(); });
  }
  orders.clear();
}

/// All of them durably, or none as far as anybody is told.
std::error_code Archive::write(Orders& orders) {
  try {
    return write_all_of(orders);
  } catch (const std::bad_alloc&) {
    if (file_ && file_->cut_back()) file_.reset();
    return std::make_error_code(std::errc::not_enough_memory);
  }
}

std::error_code Archive::write_all_of(Orders& orders) {
  std::uint64_t records = 0;
  std::uint64_t octets = 0;
  std::error_code error;
  for (auto order = orders.begin(); !error && order != orders.end(); ++order) {
    error = make_room((*order)->parcel.octets());
    if (error) break;
    Place place;
    error = file_->append((*order)->parcel, place);
    (*order)->place = std::move(place);
    records += (*order)->parcel.members.size();
    octets += (*order)->parcel.octets();
  }
  if (!error && file_) error = file_->sync();
  if (error) {
    // What a failed fsync(2) has kept nobody knows: all since the last good one is cut off and written again.
    if (file_ && file_->cut_back()) file_.reset();
    return error;
  }
  records_ += records;
  octets_ += octets;
  return {};
}

/// A file that takes so many octets more.
std::error_code Archive::make_room(std::uint64_t octets) {
  constexpr std::uint64_t kFirstRecord = 1;
  const bool full = file_ && file_->records() > kFirstRecord &&
                    (is_old() || file_->size() + octets > options_.config.max_file_size ||
                     file_->index_size() > kIndexOctetsMax);
  if (full) {
    if (const std::error_code error = end_file()) return error;
  }
  return file_ ? std::error_code() : begin_file();
}

bool Archive::is_old() const {
  return file_ && clock_.now().steady - begun_ >= options_.config.max_file_age;
}

std::error_code Archive::begin_file() {
  const base::Now now = clock_.now();
  const std::string_view suffix = options_.config.packing == config::Packing::gzip ? "warc.gz" : "warc.zst";
  std::string name;
  do {
    name = fmt::format("{}-{}-{:05}-{}.{}", options_.config.prefix, digits_of(now.wall), serial_++,
                       options_.hostname, suffix);
  } while (WarcFile::exists(options_.directory, name) && serial_ < kSerialMax);
  file_.emplace(options_.directory, name, options_.config.pages);
  std::error_code error = file_->open();
  if (!error) {
    Parcel first;
    first.members.push_back(options_.first_record(name, now.wall));
    Place place;
    error = file_->append(first, place);
    if (!error) error = file_->sync();  // a file has its first record, or is not there
  }
  begun_ = now.steady;
  if (error) {
    file_->discard();
    file_.reset();
  } else {
    serial_ %= kSerialMax;
  }
  return error;
}

std::error_code Archive::end_file() {
  if (!file_) return {};
  std::error_code error;
  try {
    error = file_->close();
  } catch (const std::bad_alloc&) {
    error = std::make_error_code(std::errc::not_enough_memory);
  }
  base::Line line(error ? base::Level::error : base::Level::info, "archive");
  line.word("file", error ? "open" : "complete").text("name", file_->name());
  line.number("records", static_cast<std::int64_t>(file_->records()));
  line.number("octets", static_cast<std::int64_t>(file_->size()));
  if (error)
    line.text("why", error.message()).text("what", "its records are there; the next run completes it");
  log_.write(line, clock_.now().wall);
  // Whatever was done of it is done, and the rest is for salvage: nothing here is tried twice.
  const bool durable = file_->is_synced();
  if (error && !durable) return error;
  file_.reset();
  return {};
}

void Archive::note(std::error_code error) {
  const bool trouble = static_cast<bool>(error);
  if (trouble == in_trouble_) return;
  in_trouble_ = trouble;
  base::Line line(trouble ? base::Level::error : base::Level::info, "archive");
  line.text("directory", options_.directory);
  if (trouble) {
    line.text("why", error.message()).text("what", "pages wait until records can be written");
  } else {
    line.text("what", "records can be written again");
  }
  log_.write(line, clock_.now().wall);
  if (options_.on_trouble) options_.on_trouble(trouble);
}

}  // namespace crawler

#include "crawler/store.h"

#include "crawler/descriptors.h"
#include "crawler/keys.h"

#include <fcntl.h>
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/listener.h>
#include <rocksdb/options.h>
#include <rocksdb/perf_level.h>
#include <rocksdb/slice.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>
#include <sys/resource.h>
#include <sysexits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <vector>

namespace crawler {
namespace {

constexpr std::string_view kFormatKey = "format";
constexpr std::string_view kFormat = "crawld frontier 1";
constexpr std::array<const char*, kTables> kNames = {"default", "hosts", "queue", "urls",
                                                     "robots",  "sites", "due",   "contents"};
/// The log that is replayed after a kill stays below this, so that the start stays short.
constexpr std::uint64_t kReplayMax = std::uint64_t{64} * 1024 * 1024;

rocksdb::Slice slice(std::string_view octets) {
  return {octets.data(), octets.size()};
}

std::string_view view(const rocksdb::Slice& octets) {
  return {octets.data(), octets.size()};
}

/// The first key behind all that begin with `prefix`; empty when there is none.
std::string behind(std::string_view prefix) {
  std::string key(prefix.substr(0, prefix.find_last_not_of('\xff') + 1));
  if (!key.empty()) key.back() = static_cast<char>(static_cast<unsigned char>(key.back()) + 1);
  return key;
}

/// RocksDB counts each comparison of keys for whoever asks, and nobody does. To be said on each thread.
void count_nothing() {
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);
}

int open_files_max() {
  rlimit limit{};
  return store_files_max(getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0);
}

rocksdb::ColumnFamilyOptions table_options(Table table, std::uint64_t memory,
                                           const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions blocks;
  blocks.block_cache = cache;
  blocks.block_size = std::size_t{8} * 1024;
  blocks.cache_index_and_filter_blocks = true;  // so that they count against the limit
  blocks.pin_l0_filter_and_index_blocks_in_cache = true;
  blocks.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  blocks.partition_filters = true;
  // The queue and the calendar are read in order, never asked whether a key is there.
  if (table != Table::queue && table != Table::due) {
    blocks.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  }
  rocksdb::ColumnFamilyOptions options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(blocks));
  const bool large = table == Table::queue || table == Table::urls;
  options.write_buffer_size = std::clamp<std::uint64_t>(memory / (large ? 8 : 32), 1U << 20U, 64U << 20U);
  options.max_write_buffer_number = 4;
  // The rows of a page mostly go to one origin, those of a lane one behind the other: begin to look there.
  if (table == Table::queue) {
    options.memtable_insert_with_hint_prefix_extractor.reset(
        rocksdb::NewFixedPrefixTransform(kOriginKeyOctets + 1));
  } else if (table == Table::urls) {
    options.memtable_insert_with_hint_prefix_extractor.reset(
        rocksdb::NewFixedPrefixTransform(kOriginKeyOctets));
  }
  options.compression = rocksdb::kLZ4Compression;
  options.level_compaction_dynamic_level_bytes = true;
  // Rather more files to read for a while than a crawl that stands still.
  options.level0_file_num_compaction_trigger = 8;
  options.level0_slowdown_writes_trigger = 32;
  options.level0_stop_writes_trigger = 64;
  return options;
}

rocksdb::DBOptions db_options(const StoreOptions& asked) {
  rocksdb::DBOptions options;
  options.create_if_missing = !asked.read_only;
  options.create_missing_column_families = !asked.read_only;
  if (asked.env != nullptr) options.env = asked.env;
  options.max_open_files = asked.read_only ? -1 : open_files_max();
  options.max_background_jobs = 2;
  // Threads of its own to open tables, which it cannot do without when the system refuses them.
  options.max_file_opening_threads = 1;
  options.db_write_buffer_size = asked.memory * 3 / 8;
  options.max_total_wal_size = kReplayMax;
  options.bytes_per_sync = 1U << 20U;
  options.wal_bytes_per_sync = 1U << 20U;
  options.allow_fallocate = false;  // on a small disk what is reserved for later is what is missing now
  options.keep_log_file_num = 2;
  options.max_log_file_size = 1U << 20U;
  options.info_log_level = rocksdb::InfoLogLevel::WARN_LEVEL;
  return options;
}

int exit_code_of(const rocksdb::Status& status) {
  if (status.IsInvalidArgument() || status.IsNotSupported()) return EX_CONFIG;
  if (status.IsCorruption()) return EX_DATAERR;
  return EX_IOERR;
}

}  // namespace

struct Store::Impl {
  /// Errors of flushes and compactions, which nobody waits for.
  struct Listener final : rocksdb::EventListener {
    explicit Listener(Impl& owner) : impl(owner) {}
    void OnBackgroundError(rocksdb::BackgroundErrorReason, rocksdb::Status* status) override {
      impl.fail(*status);
    }
    /// Nothing is tried again behind our back; RocksDB 7.8 goes on with a log that it could not write
    /// (facebook/rocksdb#11643).
    void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status, bool* auto_recovery) override {
      *auto_recovery = false;
    }
    Impl& impl;
  };

  explicit Impl(StoreOptions asked) : options(std::move(asked)) {}
  ~Impl() {
    if (db && !options.read_only && !failed.load()) {
      for (rocksdb::ColumnFamilyHandle* table : tables) {
        if (!db->Flush(rocksdb::FlushOptions(), table).ok()) break;
      }
    }
    if (db) {
      for (rocksdb::ColumnFamilyHandle* table : tables) db->DestroyColumnFamilyHandle(table);
      db->Close().PermitUncheckedError();
    }
    if (!looking_place.empty()) {
      std::error_code ignored;
      std::filesystem::remove_all(looking_place, ignored);
    }
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void open();
  void check_format();
  bool note(const rocksdb::Status& status) {
    if (!status.ok()) fail(status);
    return status.ok();
  }
  void fail(const rocksdb::Status& status) {
    std::function<void(const std::string&)> tell;
    {
      const std::lock_guard lock(mutex);
      if (failed.load()) return;
      why = status.ToString();
      failed.store(true);
      tell = on_failure;
    }
    if (tell) tell(why);
  }
  /// A store of an older version that is only looked at may not have the newest ones.
  bool has(Table which) const { return static_cast<std::size_t>(which) < tables.size(); }
  rocksdb::ColumnFamilyHandle* table(Table which) const { return tables[static_cast<std::size_t>(which)]; }

  StoreOptions options;
  std::unique_ptr<rocksdb::Env> memory_env;
  std::string looking_place;
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> tables;
  std::mutex mutex;
  std::atomic<bool> failed{false};
  std::string why;
  std::function<void(const std::string&)> on_failure;
};

void Store::Impl::open() {
  const std::shared_ptr<rocksdb::Cache> cache = rocksdb::NewLRUCache(options.memory * 5 / 8);
  std::vector<rocksdb::ColumnFamilyDescriptor> wanted;
  for (std::size_t i = 0; i < kTables; ++i) {
    wanted.emplace_back(kNames[i], table_options(static_cast<Table>(i), options.memory, cache));
  }
  rocksdb::DBOptions how = db_options(options);
  std::vector<std::string> there;
  const bool lists = rocksdb::DB::ListColumnFamilies(how, options.directory, &there).ok();
  if (options.read_only && lists) {  // a store of a version that had fewer tables is looked at, too
    std::erase_if(wanted,
                  [&there](const auto& one) { return std::ranges::find(there, one.name) == there.end(); });
  }
  rocksdb::DB* opened = nullptr;
  rocksdb::Status status;
  if (options.read_only) {
    looking_place = (std::filesystem::temp_directory_path() / "crawld-XXXXXX").string();
    if (mkdtemp(looking_place.data()) == nullptr)
      throw StartError(EX_CANTCREAT, looking_place + ": cannot be made");
    status = rocksdb::DB::OpenAsSecondary(how, options.directory, looking_place, wanted, &tables, &opened);
  } else {
    how.listeners.push_back(std::make_shared<Listener>(*this));
    status = rocksdb::DB::Open(how, options.directory, wanted, &tables, &opened);
  }
  db.reset(opened);
  if (!status.ok()) {
    tables.clear();
    if (const auto owner = store_owner(options.directory)) {
      throw StartError(EX_TEMPFAIL, options.directory + ": in use by process " + std::to_string(*owner) +
                                        "; stop that one first");
    }
    throw StartError(exit_code_of(status), options.directory + ": cannot be opened: " + status.ToString() +
                                               "; nothing was changed");
  }
  check_format();
}

void Store::Impl::check_format() {
  std::string found;
  const rocksdb::Status status =
      db->Get(rocksdb::ReadOptions(), table(Table::meta), slice(kFormatKey), &found);
  if (status.ok() && found == kFormat) return;
  if (status.ok()) {
    throw StartError(EX_CONFIG, options.directory + ": written as `" + found + "`, and this version knows `" +
                                    std::string(kFormat) +
                                    "` only; use the version that wrote it, or export and import");
  }
  if (!status.IsNotFound())
    throw StartError(exit_code_of(status), options.directory + ": " + status.ToString());
  const std::unique_ptr<rocksdb::Iterator> any(db->NewIterator(rocksdb::ReadOptions(), table(Table::meta)));
  any->SeekToFirst();
  if (any->Valid() || options.read_only) {
    throw StartError(EX_CONFIG,
                     options.directory + ": not a store of crawld; choose another storage.directory");
  }
  rocksdb::WriteOptions durable;
  durable.sync = true;
  const rocksdb::Status written = db->Put(durable, table(Table::meta), slice(kFormatKey), slice(kFormat));
  if (!written.ok()) throw StartError(exit_code_of(written), options.directory + ": " + written.ToString());
}

struct Store::Batch::Impl {
  explicit Impl(const Store::Impl* owner) : store(owner) {}
  const Store::Impl* store;
  rocksdb::WriteBatch ops;
};

Store::Batch::Batch(const Store& store) : impl_(std::make_unique<Impl>(store.impl_.get())) {}
Store::Batch::~Batch() = default;

void Store::Batch::put(Table table, std::string_view key, std::string_view value) {
  impl_->ops.Put(impl_->store->table(table), slice(key), slice(value)).PermitUncheckedError();
}

void Store::Batch::erase(Table table, std::string_view key) {
  impl_->ops.Delete(impl_->store->table(table), slice(key)).PermitUncheckedError();
}

bool Store::Batch::empty() const {
  return impl_->ops.Count() == 0;
}

Store::Store(StoreOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {
  const std::string& directory = impl_->options.directory;
  if (impl_->options.read_only) raise_descriptor_limit();  // it keeps all tables open
  std::error_code failure;
  if (impl_->options.env == nullptr && impl_->options.read_only &&
      !std::filesystem::exists(directory, failure)) {
    throw StartError(EX_NOINPUT, directory + ": there is no frontier yet");
  }
  if (impl_->options.env == nullptr && !impl_->options.read_only) {
    std::filesystem::create_directories(directory, failure);
    if (failure) {
      throw StartError(EX_CANTCREAT,
                       "storage.directory: " + directory + " cannot be made: " + failure.message());
    }
  }
  try {
    impl_->open();
  } catch (const std::system_error& refused) {
    throw StartError(EX_OSERR, "the system refuses the store a thread (ulimit -u, TasksMax=): " +
                                   refused.code().message());
  }
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
  impl_->open();
}

Store Store::in_memory() {
  auto impl = std::make_unique<Impl>(StoreOptions{});
  impl->memory_env.reset(rocksdb::NewMemEnv(rocksdb::Env::Default()));
  impl->options.env = impl->memory_env.get();
  impl->options.directory = "/frontier";
  impl->options.memory = std::uint64_t{16} * 1024 * 1024;
  return Store(std::move(impl));
}

Store::Store(Store&&) noexcept = default;
Store::~Store() = default;

bool Store::write(Batch& batch) {
  if (failed()) return false;
  if (batch.empty()) return true;
  count_nothing();
  const bool ok = impl_->note(impl_->db->Write(rocksdb::WriteOptions(), &batch.impl_->ops));
  batch.impl_->ops.Clear();
  return ok;
}

bool Store::sync() {
  if (failed()) return false;
  if (impl_->memory_env) return true;  // nothing of it outlives the process
  return impl_->note(impl_->db->SyncWAL());
}

std::optional<std::string> Store::get(Table table, std::string_view key) const {
  if (!impl_->has(table)) return std::nullopt;
  count_nothing();
  std::string value;
  const rocksdb::Status status =
      impl_->db->Get(rocksdb::ReadOptions(), impl_->table(table), slice(key), &value);
  if (status.ok()) return value;
  if (!status.IsNotFound()) impl_->fail(status);
  return std::nullopt;
}

void Store::scan(Table table, std::string_view prefix, std::string_view from, const Visitor& visitor) const {
  if (!impl_->has(table)) return;
  const std::string end = behind(prefix);
  const rocksdb::Slice bound = slice(end);
  rocksdb::ReadOptions how;
  // What other origins have queued, and the marks of what was erased there, are none of the reader's
  // business.
  if (!end.empty()) how.iterate_upper_bound = &bound;
  const std::unique_ptr<rocksdb::Iterator> at(impl_->db->NewIterator(how, impl_->table(table)));
  for (at->Seek(slice(std::max(prefix, from))); at->Valid(); at->Next()) {
    if (!view(at->key()).starts_with(prefix) || !visitor(view(at->key()), view(at->value()))) return;
  }
  impl_->note(at->status());
}

std::string Store::failure() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->why;
}

bool Store::failed() const {
  return impl_->failed.load();
}

void Store::on_failure(std::function<void(const std::string&)> on_failure) {
  std::string known;
  {
    const std::lock_guard lock(impl_->mutex);
    known = impl_->why;
    impl_->on_failure = on_failure;
  }
  if (!known.empty() && on_failure) on_failure(known);
}

std::string Store::check_octets() const {
  const rocksdb::Status status = impl_->db->VerifyChecksum();
  return status.ok() ? std::string() : status.ToString();
}

std::uint64_t Store::disk_octets() const {
  std::uint64_t sum = 0;
  for (rocksdb::ColumnFamilyHandle* table : impl_->tables) {
    std::uint64_t octets = 0;
    if (impl_->db->GetIntProperty(table, rocksdb::DB::Properties::kTotalSstFilesSize, &octets)) sum += octets;
  }
  return sum;
}

std::optional<int> store_owner(const std::string& directory) {
  const int file = ::open((directory + "/LOCK").c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  const int failed = ::fcntl(file, F_GETLK, &lock);
  ::close(file);
  if (failed != 0 || lock.l_type == F_UNLCK) return std::nullopt;
  return lock.l_pid;
}

}  // namespace crawler

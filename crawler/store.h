#pragma once
// What the crawl must not forget, on disk: a few tables of ordered keys in one RocksDB instance. This file
// and store.cpp are the only ones that know which database it is; crawler/FORMAT.md tells what is in the
// tables.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace rocksdb {
class Env;
}

namespace crawler {

/// Each is ordered by its own keys. The numbers are part of the format.
enum class Table : std::uint8_t { meta, hosts, queue, urls, robots, sites, due, contents };
inline constexpr std::size_t kTables = 8;

/// The crawl cannot start. The message says why and what to do; `code` is of sysexits.h: 78 for what somebody
/// has to set otherwise, such as a format that this version does not know, 75 when another process has it
/// open, 74 when the disk does not answer.
class StartError : public std::runtime_error {
 public:
  StartError(int code, const std::string& what) : std::runtime_error(what), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

struct StoreOptions {
  std::string directory;
  std::uint64_t memory = std::uint64_t{128} * 1024 * 1024;  ///< octets for write buffers and cached blocks
  bool read_only = false;       ///< look on while another process may write; see Store
  rocksdb::Env* env = nullptr;  ///< tests only: another disk; must outlive the store
};

/// Reads and writes are thread-safe. A write is there for every reader when write() returns and survives the
/// end of the process; after sync() it also survives the end of the machine, together with all writes before
/// it. After the first error of the disk the store has failed: nothing is written any more and every call
/// says so, because nobody knows what the disk has kept (a second fsync that succeeds proves nothing).
class Store {
 public:
  /// Opens or makes the store. A read-only one sees what had been written when it was opened, also while a
  /// daemon writes. Throws StartError.
  explicit Store(StoreOptions options);
  /// A store without a directory, gone with the object: for one-shot tools and tests.
  static Store in_memory();
  /// Flushes, so that the next start has little to replay.
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) = delete;

  /// Changes that happen together or not at all.
  class Batch {
   public:
    explicit Batch(const Store& store);
    ~Batch();
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;
    void put(Table table, std::string_view key, std::string_view value);
    void erase(Table table, std::string_view key);
    bool empty() const;

   private:
    friend class Store;
    struct Impl;
    std::unique_ptr<Impl> impl_;
  };

  /// Writes the batch and empties it. False: the store has failed.
  bool write(Batch& batch);
  /// Blocks until all that was written before is durable. False: the store has failed.
  bool sync();
  /// Nothing when there is no such key, or when the store has failed.
  std::optional<std::string> get(Table table, std::string_view key) const;

  /// Called for each key that begins with `prefix` and is not less than `from`, in order, until it returns
  /// false. `from` may be empty. The views are valid during the call.
  using Visitor = std::function<bool(std::string_view key, std::string_view value)>;
  void scan(Table table, std::string_view prefix, std::string_view from, const Visitor& visitor) const;

  /// Why the store has failed; empty while it has not.
  std::string failure() const;
  bool failed() const;
  /// `on_failure` is called once, on the thread that met the error; at once when there has been one. An empty
  /// one takes the last back.
  void on_failure(std::function<void(const std::string&)> on_failure);

  /// Reads every octet that is stored and compares its checksums; empty when all is well.
  std::string check_octets() const;
  /// Octets of the files, roughly.
  std::uint64_t disk_octets() const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The process that has the store in `directory` open for writing; nothing when nobody has. Not to be called
/// in that process itself, whose lock it would end (fcntl(2), F_SETLK).
std::optional<int> store_owner(const std::string& directory);

}  // namespace crawler

#pragma once
// A disk for tests of what RocksDB keeps: it loses what was not synced, and fails when told.
#include "tests/support/lossy_files.h"

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/system_clock.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

namespace support {

enum class DiskFailure { io_error, no_space };  ///< EIO, ENOSPC

/// A folder of its own, with all files in it until it dies. Thread-safe but for lose_power(), and outlives
/// every database on it.
///
/// Modelled, as POSIX leaves it open (fsync(2), open(2), rename(2)):
/// - Octets are safe once Sync or Fsync of their file has returned well; RangeSync promises nothing. A power
///   loss leaves any part of the rest, whose last 4 KiB at most may be zeros or rubbish.
/// - New files, renames, links and deletions are safe once their directory has been synced; a power loss
///   undoes some of the others, either all from some point on or each by chance. The two names of a rename go
///   together.
/// - After a failed sync no later sync of that file makes anything safe: the kernel reports an error once and
///   drops the pages. A failed append leaves half of its octets.
/// - Opening a file for writing from its beginning counts as deleting it and making another.
/// Not modelled: the making of directories, LOCK, RocksDB's log for people (LOG); none of them is ever lost.
/// Refused: direct, mapped and random writes. Shortened: RocksDB's naps of a second after an error.
class LossyDisk {
 public:
  LossyDisk();
  ~LossyDisk();
  LossyDisk(const LossyDisk&) = delete;
  LossyDisk& operator=(const LossyDisk&) = delete;

  /// For Options::env; lives as long as the disk.
  rocksdb::Env* env() { return env_.get(); }
  /// An absolute path. Only what is written below it by env() can be lost.
  const std::string& folder() const { return folder_; }

  /// Appends, truncations, syncs of files and directories, new files, renames, links and deletions so far.
  std::uint64_t calls() const;
  /// The `k`-th such call from now on, 1 for the next, fails without effect; `for_good`: all after it as
  /// well. 0: none fails any more.
  void fail_call(std::uint64_t k, DiskFailure failure, bool for_good = false);
  /// From this instant nothing reaches the disk, and every such call fails; so a database that is closed now
  /// was cut off in the middle.
  void cut_power();
  /// Every database on this disk has been closed (its last writes count unless cut_power() came first). Draws
  /// what is left, and the power is back.
  void lose_power(std::uint64_t seed);

 private:
  class Disk;
  class File;
  class Directory;
  class ShortNaps;
  class Machine;

  std::string root_;
  std::string folder_;
  std::shared_ptr<Disk> disk_;
  std::unique_ptr<rocksdb::Env> on_disk_;
  std::unique_ptr<rocksdb::Env> env_;
};

/// The file system: asks for leave, does the real thing, remembers.
class LossyDisk::Disk final : public rocksdb::FileSystemWrapper {
 public:
  using IOStatus = rocksdb::IOStatus;
  using IOOptions = rocksdb::IOOptions;
  using FileOptions = rocksdb::FileOptions;
  using Debug = rocksdb::IODebugContext;

  explicit Disk(const std::string& hiding)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), files_(hiding) {}

  const char* Name() const override { return "LossyDisk"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result, Debug* debug) override;
  IOStatus ReopenWritableFile(const std::string& path, const FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* result, Debug* debug) override;
  IOStatus ReuseWritableFile(const std::string& path, const std::string& old, const FileOptions& options,
                             std::unique_ptr<rocksdb::FSWritableFile>* result, Debug* debug) override {
    return FileSystem::ReuseWritableFile(path, old, options, result, debug);  // a rename and a new file
  }
  IOStatus NewRandomRWFile(const std::string&, const FileOptions&, std::unique_ptr<rocksdb::FSRandomRWFile>*,
                           Debug*) override {
    return IOStatus::NotSupported("LossyDisk: random writes");
  }
  IOStatus NewMemoryMappedFileBuffer(const std::string&,
                                     std::unique_ptr<rocksdb::MemoryMappedFileBuffer>*) override {
    return IOStatus::NotSupported("LossyDisk: mapped writes");
  }
  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* result, Debug* debug) override;
  IOStatus DeleteFile(const std::string& path, const IOOptions& options, Debug* debug) override;
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      Debug* debug) override;
  IOStatus LinkFile(const std::string& from, const std::string& to, const IOOptions& options,
                    Debug* debug) override;
  IOStatus Truncate(const std::string& path, std::size_t size, const IOOptions& options,
                    Debug* debug) override;

 private:
  friend class LossyDisk;
  friend class LossyDisk::File;
  friend class LossyDisk::Directory;

  static std::string plain(const std::string& path) {
    std::string text = std::filesystem::path(path).lexically_normal();
    while (text.size() > 1 && text.back() == '/') text.pop_back();
    return text;
  }

  /// Every call that changes something begins here, under the mutex.
  IOStatus begin_call() {
    ++calls_;
    if (cut_) return IOStatus::IOError("the power is off");
    if (fail_at_ == 0 || calls_ < fail_at_ || (calls_ > fail_at_ && !for_good_)) return IOStatus::OK();
    return failure_ == DiskFailure::no_space ? IOStatus::NoSpace("a full disk, as told")
                                             : IOStatus::IOError("a failing disk, as told");
  }

  mutable std::mutex mutex_;
  LossyFiles files_;
  std::uint64_t calls_ = 0;
  std::uint64_t fail_at_ = 0;
  DiskFailure failure_ = DiskFailure::io_error;
  bool for_good_ = false;
  bool cut_ = false;
};

class LossyDisk::File final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  using IOStatus = rocksdb::IOStatus;
  using IOOptions = rocksdb::IOOptions;
  using Debug = rocksdb::IODebugContext;

  File(Disk& disk, LossyFilePtr file, std::unique_ptr<rocksdb::FSWritableFile> target)
      : FSWritableFileOwnerWrapper(std::move(target)), disk_(disk), file_(std::move(file)) {}

  IOStatus Append(const rocksdb::Slice& octets, const IOOptions& options, Debug* debug) override {
    const std::lock_guard lock(disk_.mutex_);
    const IOStatus leave = disk_.begin_call();
    const std::size_t part = leave.ok() ? octets.size() : disk_.cut_ ? 0 : octets.size() / 2;
    const IOStatus done = target()->Append({octets.data(), part}, options, debug);
    if (done.ok()) file_->written += part;
    return leave.ok() ? done : leave;
  }
  IOStatus Append(const rocksdb::Slice& octets, const IOOptions& options,
                  const rocksdb::DataVerificationInfo&, Debug* debug) override {
    return Append(octets, options, debug);
  }
  IOStatus Truncate(std::uint64_t size, const IOOptions& options, Debug* debug) override {
    const std::lock_guard lock(disk_.mutex_);
    if (IOStatus leave = disk_.begin_call(); !leave.ok()) return leave;
    IOStatus done = target()->Truncate(size, options, debug);
    if (!done.ok()) return done;
    file_->written = size;
    file_->durable = std::min(file_->durable, size);
    return done;
  }
  IOStatus Sync(const IOOptions&, Debug*) override { return sync(); }
  IOStatus Fsync(const IOOptions&, Debug*) override { return sync(); }
  IOStatus RangeSync(std::uint64_t, std::uint64_t, const IOOptions&, Debug*) override {
    return IOStatus::OK();
  }

 private:
  /// The machine below keeps its power: to remember is enough.
  IOStatus sync() {
    const std::lock_guard lock(disk_.mutex_);
    IOStatus leave = disk_.begin_call();
    if (!leave.ok()) file_->distrusted = true;
    if (!file_->distrusted) file_->durable = file_->written;
    return leave;
  }

  Disk& disk_;
  LossyFilePtr file_;
};

class LossyDisk::Directory final : public rocksdb::FSDirectoryWrapper {
 public:
  using IOStatus = rocksdb::IOStatus;

  Directory(Disk& disk, std::string path, std::unique_ptr<rocksdb::FSDirectory> target)
      : FSDirectoryWrapper(std::move(target)), disk_(disk), path_(std::move(path)) {}

  IOStatus Fsync(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override { return sync(); }
  IOStatus FsyncWithDirOptions(const rocksdb::IOOptions&, rocksdb::IODebugContext*,
                               const rocksdb::DirFsyncOptions&) override {
    return sync();
  }

 private:
  IOStatus sync() {
    const std::lock_guard lock(disk_.mutex_);
    IOStatus leave = disk_.begin_call();
    if (leave.ok()) disk_.files_.sync_folder(path_);
    return leave;
  }

  Disk& disk_;
  std::string path_;
};

/// RocksDB sleeps a second after a flush or a compaction that failed; tests make thousands fail.
class LossyDisk::ShortNaps final : public rocksdb::SystemClockWrapper {
 public:
  static constexpr int kMicrosecondsMax = 1'000;

  ShortNaps() : SystemClockWrapper(rocksdb::SystemClock::Default()) {}
  const char* Name() const override { return "ShortNaps"; }
  void SleepForMicroseconds(int micros) override {
    target_->SleepForMicroseconds(std::min(micros, kMicrosecondsMax));
  }
};

class LossyDisk::Machine final : public rocksdb::EnvWrapper {
 public:
  Machine(rocksdb::Env& on_disk, std::shared_ptr<Disk> disk) : EnvWrapper(&on_disk) {
    file_system_ = std::move(disk);
    system_clock_ = std::make_shared<ShortNaps>();
  }
  const char* Name() const override { return "LossyDisk::Machine"; }
};

inline rocksdb::IOStatus LossyDisk::Disk::NewWritableFile(const std::string& path, const FileOptions& options,
                                                          std::unique_ptr<rocksdb::FSWritableFile>* result,
                                                          Debug* debug) {
  if (options.use_direct_writes) return IOStatus::NotSupported("LossyDisk: direct writes");
  const std::lock_guard lock(mutex_);
  if (IOStatus leave = begin_call(); !leave.ok()) return leave;
  const std::string name = plain(path);
  if (const LossyFilePtr old = files_.find(name)) {
    files_.keep(name, *old);
    if (IOStatus gone = target_->DeleteFile(name, {}, debug); !gone.ok()) return gone;
  }
  IOStatus made = target_->NewWritableFile(name, options, result, debug);
  if (made.ok()) *result = std::make_unique<File>(*this, files_.create(name), std::move(*result));
  return made;
}

inline rocksdb::IOStatus LossyDisk::Disk::ReopenWritableFile(const std::string& path,
                                                             const FileOptions& options,
                                                             std::unique_ptr<rocksdb::FSWritableFile>* result,
                                                             Debug* debug) {
  if (options.use_direct_writes) return IOStatus::NotSupported("LossyDisk: direct writes");
  const std::lock_guard lock(mutex_);
  if (IOStatus leave = begin_call(); !leave.ok()) return leave;
  const std::string name = plain(path);
  LossyFilePtr file = files_.find(name);
  IOStatus opened = target_->ReopenWritableFile(name, options, result, debug);
  if (!opened.ok()) return opened;
  if (!file) file = files_.create(name);
  *result = std::make_unique<File>(*this, std::move(file), std::move(*result));
  return opened;
}

inline rocksdb::IOStatus LossyDisk::Disk::NewDirectory(const std::string& path, const IOOptions& options,
                                                       std::unique_ptr<rocksdb::FSDirectory>* result,
                                                       Debug* debug) {
  IOStatus opened = target_->NewDirectory(path, options, result, debug);
  if (opened.ok()) *result = std::make_unique<Directory>(*this, plain(path), std::move(*result));
  return opened;
}

inline rocksdb::IOStatus LossyDisk::Disk::DeleteFile(const std::string& path, const IOOptions& options,
                                                     Debug* debug) {
  const std::lock_guard lock(mutex_);
  if (IOStatus leave = begin_call(); !leave.ok()) return leave;
  const std::string name = plain(path);
  const LossyFilePtr file = files_.find(name);
  if (file) files_.keep(name, *file);
  IOStatus gone = target_->DeleteFile(name, options, debug);
  if (file && gone.ok()) files_.change({{name, nullptr}});
  return gone;
}

inline rocksdb::IOStatus LossyDisk::Disk::RenameFile(const std::string& from, const std::string& to,
                                                     const IOOptions& options, Debug* debug) {
  const std::lock_guard lock(mutex_);
  if (IOStatus leave = begin_call(); !leave.ok()) return leave;
  const std::string source = plain(from);
  const std::string target = plain(to);
  const LossyFilePtr file = files_.find(source);
  if (const LossyFilePtr old = files_.find(target); file && old) files_.keep(target, *old);
  IOStatus done = target_->RenameFile(source, target, options, debug);
  if (file && done.ok()) files_.change({{source, nullptr}, {target, file}});
  return done;
}

inline rocksdb::IOStatus LossyDisk::Disk::LinkFile(const std::string& from, const std::string& to,
                                                   const IOOptions& options, Debug* debug) {
  const std::lock_guard lock(mutex_);
  if (IOStatus leave = begin_call(); !leave.ok()) return leave;
  const LossyFilePtr file = files_.find(plain(from));
  IOStatus done = target_->LinkFile(plain(from), plain(to), options, debug);
  if (file && done.ok()) files_.change({{plain(to), file}});
  return done;
}

inline rocksdb::IOStatus LossyDisk::Disk::Truncate(const std::string& path, std::size_t size,
                                                   const IOOptions& options, Debug* debug) {
  const std::lock_guard lock(mutex_);
  if (IOStatus leave = begin_call(); !leave.ok()) return leave;
  const LossyFilePtr file = files_.find(plain(path));
  IOStatus done = target_->Truncate(plain(path), size, options, debug);
  if (file && done.ok()) {
    file->written = size;
    file->durable = std::min<std::uint64_t>(file->durable, size);
  }
  return done;
}

inline LossyDisk::LossyDisk() {
  // Memory will do: nothing here needs a disk that keeps anything, and a busy one would slow thousands of
  // small files down.
  const bool memory = std::filesystem::is_directory("/dev/shm");
  const std::filesystem::path place = memory ? "/dev/shm" : std::filesystem::temp_directory_path();
  std::string pattern = place / "crawld-disk.XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder for a lossy disk");
  root_ = pattern;
  folder_ = root_ + "/disk";
  std::filesystem::create_directory(folder_);
  std::filesystem::create_directory(root_ + "/hidden");
  disk_ = std::make_shared<Disk>(root_ + "/hidden");
  on_disk_ = rocksdb::NewCompositeEnv(disk_);
  env_ = std::make_unique<Machine>(*on_disk_, disk_);
}

inline LossyDisk::~LossyDisk() {
  env_.reset();
  on_disk_.reset();
  disk_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

inline std::uint64_t LossyDisk::calls() const {
  const std::lock_guard lock(disk_->mutex_);
  return disk_->calls_;
}

inline void LossyDisk::fail_call(std::uint64_t k, DiskFailure failure, bool for_good) {
  const std::lock_guard lock(disk_->mutex_);
  disk_->fail_at_ = k == 0 ? 0 : disk_->calls_ + k;
  disk_->failure_ = failure;
  disk_->for_good_ = for_good;
}

inline void LossyDisk::cut_power() {
  const std::lock_guard lock(disk_->mutex_);
  disk_->cut_ = true;
}

inline void LossyDisk::lose_power(std::uint64_t seed) {
  const std::lock_guard lock(disk_->mutex_);
  base::Random random(seed);
  disk_->files_.lose(random);
  disk_->fail_at_ = 0;
  disk_->cut_ = false;
}

}  // namespace support

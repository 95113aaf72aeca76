// The disk that tests of the store lean on: it does lose what nobody synced, and RocksDB survives what it
// does.
#include "tests/support/lossy_disk.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <rocksdb/listener.h>
#include <rocksdb/write_batch.h>

#include <set>

namespace {

using support::DiskFailure;
using support::LossyDisk;

constexpr std::uint64_t kPowerLosses = 160;
constexpr std::uint64_t kSeeds = 60;
constexpr std::size_t kValueOctets = 1'500;

// --- the disk by itself ---

std::unique_ptr<rocksdb::FSWritableFile> open_new(LossyDisk& disk, const std::string& name) {
  std::unique_ptr<rocksdb::FSWritableFile> file;
  const auto status =
      disk.env()->GetFileSystem()->NewWritableFile(disk.folder() + "/" + name, {}, &file, nullptr);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return file;
}

void write_file(LossyDisk& disk, const std::string& name, const std::string& octets, bool sync) {
  const auto file = open_new(disk, name);
  EXPECT_TRUE(file->Append(octets, {}, nullptr).ok());
  EXPECT_TRUE(!sync || file->Sync({}, nullptr).ok());
  EXPECT_TRUE(file->Close({}, nullptr).ok());
}

void sync_folder(LossyDisk& disk) {
  std::unique_ptr<rocksdb::FSDirectory> folder;
  ASSERT_TRUE(disk.env()->GetFileSystem()->NewDirectory(disk.folder(), {}, &folder, nullptr).ok());
  ASSERT_TRUE(folder->Fsync({}, nullptr).ok());
}

/// What is in the file; "absent" when there is none.
std::string content(LossyDisk& disk, const std::string& name) {
  std::string octets;
  const auto status = rocksdb::ReadFileToString(disk.env(), disk.folder() + "/" + name, &octets);
  return status.ok() ? octets : "absent";
}

/// What `name` holds after a power loss, over many disks on which `work` was done.
template <class Work>
std::set<std::string> outcomes(const std::string& name, Work work) {
  std::set<std::string> found;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    LossyDisk disk;
    work(disk);
    disk.lose_power(seed);
    found.insert(content(disk, name));
  }
  return found;
}

using Texts = std::set<std::string>;

TEST(LossyDisk, WhatWasSyncedStays) {
  EXPECT_EQ(outcomes("a",
                     [](LossyDisk& disk) {
                       write_file(disk, "a", "kept", true);
                       sync_folder(disk);
                     }),
            Texts{"kept"});
}

TEST(LossyDisk, ANameThatWasNotSyncedGoesOrStays) {
  EXPECT_EQ(outcomes("a", [](LossyDisk& disk) { write_file(disk, "a", "kept", true); }),
            (Texts{"absent", "kept"}));
}

TEST(LossyDisk, OctetsThatWereNotSyncedGoFromTheEndOrAreTorn) {
  std::size_t whole = 0;
  std::size_t shorter = 0;
  std::size_t torn = 0;
  for (const std::string& found : outcomes("a", [](LossyDisk& disk) {
         const auto file = open_new(disk, "a");
         EXPECT_TRUE(file->Append(std::string(100, 's'), {}, nullptr).ok());
         EXPECT_TRUE(file->Sync({}, nullptr).ok());
         EXPECT_TRUE(file->RangeSync(0, 200, {}, nullptr).ok());
         EXPECT_TRUE(file->Append(std::string(100, 'u'), {}, nullptr).ok());
         sync_folder(disk);
       })) {
    ASSERT_GE(found.size(), 100U);
    EXPECT_EQ(found.substr(0, 100), std::string(100, 's'));
    const bool clean = found.find_first_not_of('u', 100) == std::string::npos;
    ++(!clean ? torn : found.size() == 200 ? whole : shorter);
  }
  EXPECT_GT(shorter, 5U);
  EXPECT_GT(torn, 5U);
}

TEST(LossyDisk, ARenameThatWasNotSyncedIsUndoneWithBothNames) {
  const auto work = [](LossyDisk& disk) {
    write_file(disk, "current", "old", true);
    write_file(disk, "new", "new", true);
    sync_folder(disk);
    const std::string folder = disk.folder() + "/";
    ASSERT_TRUE(disk.env()->RenameFile(folder + "new", folder + "current").ok());
    ASSERT_EQ(content(disk, "current"), "new");
  };
  EXPECT_EQ(outcomes("current", work), (Texts{"old", "new"}));
  EXPECT_EQ(outcomes("new", work), (Texts{"new", "absent"}));
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    LossyDisk disk;
    work(disk);
    disk.lose_power(seed);
    EXPECT_EQ(content(disk, "current") == "new", content(disk, "new") == "absent");
  }
}

TEST(LossyDisk, ADeletionThatWasNotSyncedIsUndone) {
  const auto work = [](bool sync) {
    return [sync](LossyDisk& disk) {
      write_file(disk, "a", "kept", true);
      sync_folder(disk);
      ASSERT_TRUE(disk.env()->DeleteFile(disk.folder() + "/a").ok());
      if (sync) sync_folder(disk);
    };
  };
  EXPECT_EQ(outcomes("a", work(false)), (Texts{"absent", "kept"}));
  EXPECT_EQ(outcomes("a", work(true)), Texts{"absent"});
}

TEST(LossyDisk, AFileWrittenAnewMayBeTheOldOne) {
  EXPECT_EQ(outcomes("a",
                     [](LossyDisk& disk) {
                       write_file(disk, "a", "old", true);
                       sync_folder(disk);
                       write_file(disk, "a", "new", true);
                     }),
            (Texts{"old", "new"}));
}

TEST(LossyDisk, AfterAFailedSyncNoOtherMakesSafe) {
  const auto found = outcomes("a", [](LossyDisk& disk) {
    const auto file = open_new(disk, "a");
    sync_folder(disk);
    EXPECT_TRUE(file->Append("octets", {}, nullptr).ok());
    disk.fail_call(1, DiskFailure::io_error);
    EXPECT_TRUE(file->Sync({}, nullptr).IsIOError());
    EXPECT_TRUE(file->Sync({}, nullptr).ok());
  });
  EXPECT_TRUE(found.contains(""));
}

TEST(LossyDisk, TheCallThatIsToFailFailsAndNoOther) {
  LossyDisk disk;
  const auto file = open_new(disk, "a");
  const std::uint64_t before = disk.calls();
  disk.fail_call(2, DiskFailure::no_space);
  EXPECT_TRUE(file->Append("0123", {}, nullptr).ok());
  const auto full = file->Append("4567", {}, nullptr);
  EXPECT_TRUE(full.IsNoSpace()) << full.ToString();
  EXPECT_TRUE(file->Append("89", {}, nullptr).ok());
  EXPECT_EQ(content(disk, "a"), "01234589");  // a failed append may leave a part
  EXPECT_EQ(disk.calls() - before, 3U);

  disk.fail_call(1, DiskFailure::io_error, true);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(file->Append("x", {}, nullptr).IsIOError());
  disk.fail_call(0, DiskFailure::io_error);
  EXPECT_TRUE(file->Append("x", {}, nullptr).ok());

  disk.cut_power();
  EXPECT_FALSE(file->Append("y", {}, nullptr).ok());
  EXPECT_EQ(content(disk, "a"), "01234589x");
}

// --- RocksDB on it ---

std::string key_of(std::uint64_t n) {
  std::string key = std::to_string(n);
  return std::string(8 - key.size(), '0') + key;
}

/// RocksDB 7.8 that recovers by itself goes on with the writer that has failed. Who owns a database closes it
/// after the first error and opens it anew.
class NoRecovery final : public rocksdb::EventListener {
 public:
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status, bool* by_itself) override {
    *by_itself = false;
  }
};

/// A database small enough that tables, compactions and new logs come within a few writes.
class Database {
 public:
  explicit Database(LossyDisk& disk) : disk_(disk) {}

  rocksdb::Status open() {
    rocksdb::Options options;
    options.env = disk_.env();
    options.create_if_missing = true;
    options.listeners.push_back(std::make_shared<NoRecovery>());
    options.paranoid_checks = true;
    options.write_buffer_size = std::size_t{64} << 10U;
    options.level0_file_num_compaction_trigger = 2;
    options.max_total_wal_size = std::size_t{64} << 10U;
    rocksdb::DB* raw = nullptr;
    const auto status = rocksdb::DB::Open(options, disk_.folder() + "/db", &raw);
    db_.reset(raw);
    return status;
  }
  /// Its last writes count only with the power on.
  void close() { db_.reset(); }

  /// Batches of a few keys in a row; what a synced write has acknowledged is owed from then on.
  bool write(std::uint64_t count, bool sync) {
    rocksdb::WriteBatch batch;
    for (std::uint64_t i = 0; i < count; ++i) {
      batch.Put(key_of(next_ + i), std::string(kValueOctets, static_cast<char>('a' + (next_ + i) % 26)));
    }
    next_ += count;  // a failed write may be there or not
    rocksdb::WriteOptions options;
    options.sync = sync;
    if (!db_->Write(options, &batch).ok()) return false;
    for (std::uint64_t i = next_ - count; i < next_; ++i) written_.insert(i);
    if (sync) acknowledged_ = written_;
    return true;
  }

  /// Reads everything, and takes what is there as the new state. Returns acknowledged keys that are missing.
  std::uint64_t check() {
    std::set<std::uint64_t> found;
    const std::unique_ptr<rocksdb::Iterator> each(db_->NewIterator({}));
    for (each->SeekToFirst(); each->Valid(); each->Next()) found.insert(std::stoull(each->key().ToString()));
    EXPECT_TRUE(each->status().ok()) << each->status().ToString();
    std::uint64_t missing = 0;
    for (const std::uint64_t key : acknowledged_) missing += found.contains(key) ? 0U : 1U;
    for (const std::uint64_t key : written_) lost_ += found.contains(key) ? 0U : 1U;
    acknowledged_ = written_ = std::move(found);
    return missing;
  }

  std::uint64_t acknowledged() const { return acknowledged_.size(); }
  std::uint64_t lost() const { return lost_; }  ///< written well, not there at a check

 private:
  LossyDisk& disk_;
  std::unique_ptr<rocksdb::DB> db_;
  std::uint64_t next_ = 0;
  std::set<std::uint64_t> written_;
  std::set<std::uint64_t> acknowledged_;
  std::uint64_t lost_ = 0;
};

/// Power losses in a row on one disk. Returns how many written keys did not come back.
std::uint64_t lose_power_again_and_again(bool sync) {
  LossyDisk disk;
  Database database(disk);
  for (std::uint64_t seed = 1; seed <= kPowerLosses; ++seed) {
    const auto opened = database.open();
    EXPECT_TRUE(opened.ok()) << "seed " << seed << ": " << opened.ToString();
    if (!opened.ok()) return 0;
    EXPECT_EQ(database.check(), 0U) << "seed " << seed;
    base::Random random(seed);
    const std::uint64_t batches = random.below(40);
    for (std::uint64_t i = 0; i < batches; ++i) {
      const std::uint64_t count = 1 + random.below(5);
      EXPECT_TRUE(database.write(count, sync)) << "seed " << seed;
    }
    if (random.below(4) != 0) disk.cut_power();
    database.close();
    disk.lose_power(seed);
  }
  EXPECT_TRUE(database.open().ok());
  EXPECT_EQ(database.check(), 0U);
  EXPECT_GT(database.acknowledged(), 1'000U);
  return database.lost();
}

TEST(LossyDisk, NothingAcknowledgedIsLostWithThePower) {
  EXPECT_EQ(lose_power_again_and_again(true), 0U);
}

TEST(LossyDisk, WithoutSyncsSomethingIsLostWithThePower) {
  EXPECT_GT(lose_power_again_and_again(false), 1'000U);
}

/// The same few writes, of which `k` says which call fails. Returns how many calls there were.
std::uint64_t work_with_a_failure(std::uint64_t k, DiskFailure failure, bool for_good, bool power_loss) {
  LossyDisk disk;
  Database database(disk);
  const std::string where = "call " + std::to_string(k) + (for_good ? " and all after it" : "");
  EXPECT_TRUE(database.open().ok());
  EXPECT_TRUE(database.write(3, true));
  database.close();

  const std::uint64_t before = disk.calls();
  disk.fail_call(k, failure, for_good);
  if (database.open().ok()) {
    for (int i = 0; i < 24 && database.write(10, i % 2 == 0); ++i) {
    }
  }
  database.close();
  const std::uint64_t calls = disk.calls() - before;

  if (power_loss) disk.lose_power(k);
  disk.fail_call(0, failure);
  const auto opened = database.open();
  EXPECT_TRUE(opened.ok()) << where << ": " << opened.ToString();
  if (!opened.ok()) return calls;
  EXPECT_EQ(database.check(), 0U) << where;
  EXPECT_GE(database.acknowledged(), 3U);
  EXPECT_TRUE(database.write(1, true)) << where;
  return calls;
}

class LossyDiskFailure : public testing::TestWithParam<std::tuple<DiskFailure, bool, bool>> {};

TEST_P(LossyDiskFailure, WhateverCallFailsTheDatabaseOpensAgainWithWhatWasAcknowledged) {
  const auto [failure, for_good, power_loss] = GetParam();
  const std::uint64_t calls = work_with_a_failure(0, failure, for_good, power_loss);
  RecordProperty("calls", std::to_string(calls));
  ASSERT_GT(calls, 60U);
  for (std::uint64_t k = 1; k <= calls; ++k) {
    work_with_a_failure(k, failure, for_good, power_loss);
    if (HasFailure()) break;
  }
}

INSTANTIATE_TEST_SUITE_P(All, LossyDiskFailure,
                         testing::Values(std::tuple(DiskFailure::io_error, false, true),
                                         std::tuple(DiskFailure::io_error, true, true),
                                         std::tuple(DiskFailure::no_space, false, false),
                                         std::tuple(DiskFailure::no_space, true, true)));

}  // namespace

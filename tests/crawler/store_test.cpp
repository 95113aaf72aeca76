#include "crawler/store.h"

#include "tests/support/certificates.h"
#include "tests/support/lossy_disk.h"

#include <gtest/gtest.h>
#include <sysexits.h>

#include <string>
#include <vector>

namespace {

using crawler::StartError;
using crawler::Store;
using crawler::Table;

void put(Store& store, std::string_view key, std::string_view value) {
  Store::Batch batch(store);
  batch.put(Table::hosts, key, value);
  ASSERT_TRUE(store.write(batch));
}

int code_of(const crawler::StoreOptions& options, std::string* what = nullptr) {
  try {
    const Store store(options);
    return 0;
  } catch (const StartError& error) {
    if (what != nullptr) *what = error.what();
    return error.code();
  }
}

TEST(Store, KeepsWhatWasWrittenAndWalksItInOrder) {
  const support::TempFolder folder;
  const crawler::StoreOptions options{.directory = folder.path("f")};
  {
    Store store(options);
    put(store, "a1", "x");
    put(store, "b1", "z");
    put(store, "a2", "y");
    Store::Batch batch(store);
    batch.erase(Table::hosts, "a1");
    batch.put(Table::queue, "a1", "of another table");
    ASSERT_TRUE(store.write(batch));
    EXPECT_TRUE(batch.empty());
    EXPECT_TRUE(store.sync());
  }
  const Store store(options);
  EXPECT_FALSE(store.get(Table::hosts, "a1"));
  EXPECT_EQ(store.get(Table::hosts, "a2"), "y");
  EXPECT_EQ(store.get(Table::queue, "a1"), "of another table");
  std::string walked;
  const auto walk = [&walked](std::string_view key, std::string_view value) {
    walked += std::string(key) + "=" + std::string(value) + " ";
    return true;
  };
  store.scan(Table::hosts, "a", {}, walk);
  EXPECT_EQ(walked, "a2=y ");
  walked.clear();
  store.scan(Table::hosts, {}, "a3", walk);
  EXPECT_EQ(walked, "b1=z ");
  EXPECT_EQ(store.check_octets(), "");
  EXPECT_GT(store.disk_octets(), 0U);
}

TEST(Store, AnUnknownFormatIsRefusedAndLeftAsItIs) {
  const support::TempFolder folder;
  const crawler::StoreOptions options{.directory = folder.path("f")};
  {
    Store store(options);
    put(store, "k", "v");
    Store::Batch batch(store);
    batch.put(Table::meta, "format", "crawld frontier 2");
    ASSERT_TRUE(store.write(batch));
  }
  std::string what;
  EXPECT_EQ(code_of(options, &what), EX_CONFIG);
  EXPECT_NE(what.find("crawld frontier 2"), std::string::npos) << what;
  EXPECT_EQ(code_of(options), EX_CONFIG);  // still: nothing was reset
}

TEST(Store, WhatIsNoStoreIsRefused) {
  const support::TempFolder folder;
  {
    Store store({.directory = folder.path("f")});
    Store::Batch batch(store);
    batch.erase(Table::meta, "format");
    batch.put(Table::meta, "somebody", "else");
    ASSERT_TRUE(store.write(batch));
  }
  EXPECT_EQ(code_of({.directory = folder.path("f")}), EX_CONFIG);
  folder.write("file", "no folder");
  EXPECT_NE(code_of({.directory = folder.path("file")}), 0);
  EXPECT_EQ(code_of({.directory = folder.path("nowhere"), .read_only = true}), EX_NOINPUT);
}

TEST(Store, ADamagedFileIsNamedAndNothingIsThrownAway) {
  const support::TempFolder folder;
  { const Store store({.directory = folder.path("f")}); }
  folder.write("f/CURRENT", "MANIFEST-999999\n");
  std::string what;
  EXPECT_NE(code_of({.directory = folder.path("f")}, &what), 0);
  EXPECT_NE(what.find("nothing was changed"), std::string::npos) << what;
}

TEST(Store, OnePutsAndAnotherLooksOn) {
  const support::TempFolder folder;
  Store store({.directory = folder.path("f")});
  put(store, "k", "v");
  const Store watching({.directory = folder.path("f"), .read_only = true});
  EXPECT_EQ(watching.get(Table::hosts, "k"), "v");  // also what is only in the log yet
  put(store, "k", "w");
  EXPECT_EQ(watching.get(Table::hosts, "k"), "v");  // it sees what there was when it came
  EXPECT_EQ(Store({.directory = folder.path("f"), .read_only = true}).get(Table::hosts, "k"), "w");
}

TEST(Store, AfterAnErrorOfTheDiskNothingIsWrittenAnyMore) {
  support::LossyDisk disk;
  Store store({.directory = disk.folder() + "/f", .env = disk.env()});
  std::vector<std::string> told;
  store.on_failure([&told](const std::string& why) { told.push_back(why); });
  put(store, "before", "x");
  EXPECT_TRUE(store.sync());
  Store::Batch batch(store);
  batch.put(Table::hosts, "k", "v");
  ASSERT_TRUE(store.write(batch));
  disk.fail_call(1, support::DiskFailure::io_error);
  EXPECT_FALSE(store.sync());
  EXPECT_TRUE(store.failed());
  EXPECT_FALSE(store.sync());  // a second one would succeed and prove nothing
  batch.put(Table::hosts, "after", "v");
  EXPECT_FALSE(store.write(batch));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told.front(), store.failure());
  EXPECT_FALSE(store.get(Table::hosts, "after"));
}

TEST(Store, AFullDiskIsAFailureToo) {
  support::LossyDisk disk;
  Store store({.directory = disk.folder() + "/f", .env = disk.env()});
  disk.fail_call(1, support::DiskFailure::no_space);
  Store::Batch batch(store);
  batch.put(Table::hosts, "k", std::string(100'000, 'v'));
  EXPECT_FALSE(store.write(batch) && store.sync());
  EXPECT_NE(store.failure().find("space"), std::string::npos) << store.failure();
}

}  // namespace

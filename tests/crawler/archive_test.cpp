#include "crawler/archive.h"

#include "base/tasks.h"
#include "crawler/pack_exchange.h"
#include "crawler/salvage.h"
#include "crawler/warc_index.h"
#include "crawler/warc_reader.h"
#include "tests/support/manual_clock.h"
#include "tests/support/small_files.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace crawler {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

void write_file(const fs::path& path, std::string_view octets) {
  std::ofstream(path, std::ios::binary) << octets;
}

/// Every file below a folder that goes with the test, and an archive in it.
class ArchiveTest : public ::testing::Test {
 protected:
  ArchiveTest() {
    std::string name = (fs::temp_directory_path() / "crawld-archive.XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    config_.agent.contact = "ops@operator.net";
  }
  ~ArchiveTest() override {
    archive_.reset();
    fs::remove_all(folder_);
  }

  void open(bool immediate = true) {
    archive_.reset();
    Archive::Options options;
    options.config = config_.archive;
    options.directory = folder_.string();
    options.hostname = "here";
    options.first_record = [this](const std::string& file, base::WallTime at) {
      return pack_warcinfo(config_, "here", file, at, random_);
    };
    options.on_trouble = [this](bool trouble) {
      troubles_.push_back(trouble);
      if (trouble && when_full_) when_full_();
    };
    options.immediate = immediate;
    archive_.emplace(std::move(options), clock_, log_);
  }

  Parcel page(int number, std::size_t octets = 1000) {
    const auto url = *base::Url::parse("http://a.test/" + std::to_string(number));
    fetch::Outcome outcome;
    outcome.status = 200;
    outcome.headers.add("Content-Type", "text/html");
    outcome.wire.request = "GET / HTTP/1.1\r\n\r\n";
    outcome.wire.head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    while (outcome.body.size() < octets) outcome.body += std::to_string(random_.next());
    Exchange exchange{.url = url, .outcome = outcome, .begun = clock_.now().wall};
    exchange.metadata = {{"fate", "fetched"}};
    Parcel parcel = pack_exchange(config_.archive, exchange, random_);
    parcel.page = "{\"url\":\"" + std::string(url.text()) + "\"";
    return parcel;
  }

  std::optional<Place> keep(Parcel parcel) {
    std::optional<Place> place;
    bool done = false;
    boost::asio::io_context loop{1};
    Guard guard(loop.get_executor());  // the archive's thread answers when it likes
    base::Tasks tasks(loop.get_executor(), clock_, [](std::exception_ptr e) { std::rethrow_exception(e); });
    tasks.spawn(one(guard, std::move(parcel), place, done));
    loop.run_for(std::chrono::seconds(60));
    EXPECT_TRUE(done);
    return place;
  }
  using Guard = boost::asio::executor_work_guard<base::Executor>;
  base::Async<> one(Guard& guard, Parcel parcel, std::optional<Place>& place, bool& done) {
    const base::Executor executor = guard.get_executor();
    place = co_await archive_->keep(executor, std::move(parcel));
    done = true;
    guard.reset();
  }

  std::vector<std::string> files(std::string_view suffix) const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().string().ends_with(suffix)) found.push_back(entry.path().string());
    }
    std::ranges::sort(found);
    return found;
  }

  /// Everything about the file is as it has to be; how many pages are in it.
  static int pages_in(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::vector<std::string> problems;
    WarcReader reader(in, WarcReader::Look::all,
                      [&](const WarcProblem& problem) { problems.push_back(problem.what); });
    int pages = 0;
    int others = 0;
    while (const WarcEntry* entry = reader.next()) {
      const std::string type(entry->field("WARC-Type"));
      ++(type == "response" ? pages : others);
      EXPECT_TRUE(reader.finish().whole);
    }
    EXPECT_EQ(problems, std::vector<std::string>{}) << path;
    EXPECT_EQ(reader.whole_until(), fs::file_size(path));
    EXPECT_EQ(others, 1 + 2 * pages);  // warcinfo, request and metadata
    // The index beside it is what one makes of the file.
    std::ifstream again(path, std::ios::binary);
    WarcReader second(again, WarcReader::Look::structure, [](const WarcProblem&) {});
    std::vector<std::string> lines;
    index_records(second, fs::path(path).filename().string(),
                  [&](std::string line) { lines.push_back(std::move(line)); });
    std::ranges::sort(lines);
    std::string all;
    for (const std::string& line : lines) all += line;
    EXPECT_EQ(read_file(path + ".cdxj"), all);
    EXPECT_EQ(lines.size(), static_cast<std::size_t>(pages));
    const std::string list = read_file(path + ".pages.jsonl");
    EXPECT_EQ(std::ranges::count(list, '\n'), pages + 1);
    EXPECT_TRUE(list.starts_with(kPagesHeader));
    return pages;
  }

  config::Config config_;
  fs::path folder_;
  base::Random random_{1};
  support::ManualClock clock_{{base::TimePoint(std::chrono::hours(10)),
                               base::WallTime(std::chrono::sys_days(std::chrono::year(2026) / 3 / 1))}};
  std::vector<std::string> lines_;
  base::Log log_{lines_, base::Log::Format::text, base::Level::info};
  std::vector<bool> troubles_;  // of the archive's thread, until it has ended
  std::function<void()> when_full_;
  std::optional<Archive> archive_;
};

TEST_F(ArchiveTest, APlaceIsWhereTheRecordCanBeReadAndTheFileGetsItsNameAtTheEnd) {
  open();
  const auto first = keep(page(1));
  const auto second = keep(page(2));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->file, "crawld-20260301000000-00000-here.warc.gz");
  EXPECT_EQ(files(".warc.gz").size(), 0U);
  EXPECT_EQ(files(".warc.gz.open").size(), 1U);
  archive_.reset();
  ASSERT_EQ(files(".warc.gz").size(), 1U);
  EXPECT_EQ(files(".open").size(), 0U);
  const std::string path = files(".warc.gz")[0];
  EXPECT_EQ(pages_in(path), 2);
  std::ifstream in(path, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(second->offset));
  WarcReader reader(in, WarcReader::Look::all, [](const WarcProblem& p) { FAIL() << p.what; });
  EXPECT_EQ(reader.next()->field("WARC-Target-URI"), "http://a.test/2");
  EXPECT_EQ(reader.finish().length, second->length);
}

TEST_F(ArchiveTest, ANewFileIsBegunBySizeAndAParcelStaysTogether) {
  config_.archive.max_file_size = 10'000;
  open();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(keep(page(i, 3000)));
  ASSERT_TRUE(keep(page(99, 50'000)));  // larger than a file may be: it has one of its own
  archive_.reset();
  int pages = 0;
  for (const std::string& path : files(".warc.gz")) {
    const int here = pages_in(path);
    EXPECT_GE(here, 1);
    EXPECT_TRUE(here == 1 || fs::file_size(path) <= 10'000) << path;
    pages += here;
  }
  EXPECT_EQ(pages, 21);
  EXPECT_GT(files(".warc.gz").size(), 5U);
}

TEST_F(ArchiveTest, TwoThreadsOfWorkAndAFileOfZstd) {
  config_.archive.packing = config::Packing::zstd;
  config_.archive.digest = config::Digest::sha256;
  config_.archive.pages = false;
  open(false);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(keep(page(i)));
  EXPECT_EQ(archive_->records(), 15U);
  archive_.reset();
  ASSERT_EQ(files(".warc.zst").size(), 1U);
  EXPECT_EQ(files(".jsonl").size(), 0U);
  std::ifstream in(files(".warc.zst")[0], std::ios::binary);
  WarcReader reader(in, WarcReader::Look::all, [](const WarcProblem& p) { FAIL() << p.what; });
  while (reader.next() != nullptr) reader.finish();
  EXPECT_EQ(reader.records(), 16U);
}

TEST_F(ArchiveTest, WhateverACrashLeavesIsCutToItsLastWholeRecord) {
  open();
  std::vector<Place> places;
  for (int i = 0; i < 4; ++i) places.push_back(*keep(page(i, 300)));
  const std::string open_path = files(".warc.gz.open")[0];
  const std::string whole = read_file(open_path);
  const std::string index = read_file(files(".cdxj.open")[0]);
  const std::string pages = read_file(files(".jsonl.open")[0]);
  archive_.reset();
  const std::string path = open_path.substr(0, open_path.size() - 5);
  std::size_t cuts = 0;
  for (std::size_t cut = 0; cut <= whole.size(); cut += 61) {
    for (const bool index_lost : {false, true}) {
      for (const auto& entry : fs::directory_iterator(folder_)) fs::remove(entry.path());
      write_file(open_path, whole.substr(0, cut));
      write_file(path + ".cdxj.open", index_lost ? index.substr(0, index.size() / 3) : index);
      write_file(path + ".pages.jsonl.open", pages);
      salvage_all(folder_.string(), log_, clock_.now().wall);
      EXPECT_EQ(files(".open").size(), 0U) << cut;
      const bool exists = fs::exists(path);
      std::uint64_t octets = exists ? fs::file_size(path) : 0;
      EXPECT_LE(octets, cut);
      if (!exists) {
        EXPECT_EQ(files("").size(), cut == 0 ? 0U : 1U);
        if (cut > 0) {
          EXPECT_EQ(read_file(path + ".torn"), whole.substr(0, cut));
        }
        continue;
      }
      EXPECT_EQ(read_file(path), whole.substr(0, octets)) << "nothing but its end is touched";
      std::ifstream in(path, std::ios::binary);
      WarcReader reader(in, WarcReader::Look::all, [&](const WarcProblem& p) { FAIL() << cut << p.what; });
      while (reader.next() != nullptr) reader.finish();
      EXPECT_EQ(reader.whole_until(), octets);
      std::size_t kept = 0;
      for (const Place& place : places) kept += place.offset + place.length <= octets ? 1 : 0;
      const std::string lines = read_file(path + ".cdxj");
      EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(lines, '\n')), kept) << cut;
      const std::string list = read_file(path + ".pages.jsonl");
      EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(list, '\n')), kept + 1) << cut;
      ++cuts;
    }
  }
  EXPECT_GT(cuts, 50U);
}

TEST_F(ArchiveTest, AFileThatSomebodyWritesToIsLeftAlone) {
  open();
  ASSERT_TRUE(keep(page(1)));
  salvage_all(folder_.string(), log_, clock_.now().wall);
  EXPECT_EQ(files(".warc.gz.open").size(), 1U);
  ASSERT_TRUE(keep(page(2)));
  archive_.reset();
  EXPECT_EQ(pages_in(files(".warc.gz")[0]), 2);
}

TEST_F(ArchiveTest, WhatDoesNotFitIsNotThereAndTheNextThatFitsIs) {
  open();
  ASSERT_TRUE(keep(page(1, 500)));
  {
    const support::SmallFiles full(2500);
    EXPECT_FALSE(keep(page(2, 50'000)));
    EXPECT_FALSE(keep(page(3, 50'000)));
  }
  EXPECT_TRUE(keep(page(4, 500)));
  archive_.reset();
  ASSERT_EQ(files(".warc.gz").size(), 1U);
  EXPECT_EQ(pages_in(files(".warc.gz")[0]), 2);
}

TEST_F(ArchiveTest, AFullDiskIsWaitedForAndWhoWaitsIsServedWhenThereIsRoom) {
  open(false);
  ASSERT_TRUE(keep(page(1, 500)));
  auto full = std::make_unique<support::SmallFiles>(2500);
  when_full_ = [&full] { full.reset(); };
  const auto place = keep(page(2, 50'000));
  EXPECT_TRUE(place);
  archive_->stop();
  EXPECT_EQ(troubles_, (std::vector<bool>{true, false}));
  EXPECT_EQ(pages_in(files(".warc.gz")[0]), 2);
}

TEST_F(ArchiveTest, AFileIsNeverWrittenOverAnother) {
  open();
  ASSERT_TRUE(keep(page(1)));
  archive_.reset();
  const std::string first = read_file(files(".warc.gz")[0]);
  open();  // in the same second, counting from 0 again
  ASSERT_TRUE(keep(page(2)));
  archive_->stop();
  ASSERT_EQ(files(".warc.gz").size(), 2U);
  EXPECT_EQ(read_file(files(".warc.gz")[0]), first);
  for (const std::string& path : files(".warc.gz")) EXPECT_EQ(pages_in(path), 1);

  open();
  ASSERT_TRUE(keep(page(3)));
  const std::string open_path = files(".warc.gz.open")[0];
  const std::string path = open_path.substr(0, open_path.size() - 5);
  write_file(path, "somebody else's");
  archive_.reset();
  EXPECT_EQ(read_file(path), "somebody else's");
  EXPECT_EQ(files(".warc.gz.open").size(), 1U);  // its records are there
}

TEST_F(ArchiveTest, AnOldFileThatCannotBeClosedPausesNothingForEver) {
  config_.archive.max_file_age = std::chrono::seconds(1);
  open();
  ASSERT_TRUE(keep(page(1)));
  const std::string open_path = files(".warc.gz.open")[0];
  write_file(open_path.substr(0, open_path.size() - 5), "in the way");
  clock_.step(std::chrono::seconds(2));
  ASSERT_TRUE(keep(page(2)));  // goes to another file
  archive_->stop();
  EXPECT_TRUE(troubles_.empty());
  EXPECT_EQ(files(".warc.gz").size(), 2U);
}

}  // namespace
}  // namespace crawler

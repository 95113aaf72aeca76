// A log in a file: rotated by us, or by others.
#include "base/log.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using base::Level;
using base::Line;
using base::Log;

constexpr std::size_t kSize = 1000;

class LogFileTest : public ::testing::Test {
 protected:
  LogFileTest() {
    std::string pattern = fs::temp_directory_path() / "log_file_XXXXXX";
    folder = ::mkdtemp(pattern.data());
    path = folder + "/crawld.log";
  }
  ~LogFileTest() override { fs::remove_all(folder); }

  Log::Options options(std::uint32_t files) const {
    return {.file = path, .max_file_size = kSize, .max_files = files};
  }
  static void write(Log& log, std::int64_t from, std::int64_t to) {
    for (; from < to; ++from) log.write(Line(Level::info, "summary").number("n", from), {});
  }
  /// The `n` of each line.
  std::vector<std::int64_t> numbers(const std::string& name) const {
    std::vector<std::int64_t> out;
    std::ifstream in(folder + "/" + name);
    for (std::string line; std::getline(in, line);)
      out.push_back(std::stoll(line.substr(line.find("n=") + 2)));
    return out;
  }

  std::string folder;
  std::string path;
};

TEST_F(LogFileTest, IsRotatedBySize) {
  Log log(options(2));
  write(log, 0, 100);
  EXPECT_LE(fs::file_size(path), kSize);
  EXPECT_LE(fs::file_size(path + ".1"), kSize);
  EXPECT_TRUE(fs::exists(path + ".2"));
  EXPECT_FALSE(fs::exists(path + ".3"));
  std::vector<std::int64_t> last = numbers("crawld.log.1");
  const std::vector<std::int64_t> current = numbers("crawld.log");
  last.insert(last.end(), current.begin(), current.end());
  EXPECT_EQ(last.back(), 99);
  for (std::size_t i = 1; i < last.size(); ++i) EXPECT_EQ(last[i], last[i - 1] + 1);
  EXPECT_EQ(log.dropped(), 0U);
}

TEST_F(LogFileTest, IsLeftToOthersWithoutFiles) {
  Log log(options(0));
  write(log, 0, 100);
  EXPECT_GT(fs::file_size(path), kSize);
  EXPECT_EQ(numbers("crawld.log").size(), 100U);
  fs::rename(path, path + ".old");
  write(log, 100, 110);  // into the old one still
  EXPECT_TRUE(log.reopen());
  write(log, 110, 120);
  EXPECT_EQ(numbers("crawld.log.old").size(), 110U);
  EXPECT_EQ(numbers("crawld.log").front(), 110);
  EXPECT_EQ(numbers("crawld.log").size(), 10U);
}

TEST_F(LogFileTest, CountsWhatIsWrittenAndWhatIsLost) {
  ASSERT_TRUE(fs::exists("/dev/full"));
  Log log("/dev/full", Log::Format::json, Level::info);
  write(log, 0, 3);
  log.write(Line(Level::error, "store"), {});
  log.write(Line(Level::debug, "store"), {});
  EXPECT_EQ(log.dropped(), 4U);
  EXPECT_EQ(log.written(), (std::array<std::uint64_t, base::kLevels>{0, 0, 3, 0, 1}));
}

TEST_F(LogFileTest, EachLineIsThereWhenTheCallReturns) {
  Log log(options(2));
  write(log, 7, 8);
  EXPECT_EQ(numbers("crawld.log"), std::vector<std::int64_t>{7});
}

TEST_F(LogFileTest, ThatCannotBeOpenedIsAnError) {
  EXPECT_THROW(Log(folder + "/none/crawld.log", Log::Format::text, Level::info), std::runtime_error);
  Log log("", Log::Format::text, Level::info);
  EXPECT_FALSE(log.reopen());
}

TEST(LogStderr, LinesHaveAPriorityForTheJournal) {
  Log log(Log::Options{.prefixes = true});
  ::testing::internal::CaptureStderr();
  log.write(Line(Level::warning, "pause"), {});
  log.write(Line(Level::info, "resume"), {});
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "<4>1970-01-01T00:00:00.000Z warning pause\n<6>1970-01-01T00:00:00.000Z info resume\n");
}

}  // namespace

#include "base/rotating_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>
#include <thread>
#include <vector>

namespace {

using base::RotatingFile;
namespace fs = std::filesystem;

constexpr std::uint64_t kLarge = std::uint64_t{1} << 30U;

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

void put(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

class RotatingFileTest : public ::testing::Test {
 protected:
  RotatingFileTest() {
    std::string pattern = fs::temp_directory_path() / "rotating_file_XXXXXX";
    folder = ::mkdtemp(pattern.data());
    path = folder + "/crawl.log";
  }
  ~RotatingFileTest() override { fs::remove_all(folder); }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder)) found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }

  std::string folder;
  std::string path;
};

using Names = std::vector<std::string>;

TEST_F(RotatingFileTest, WritesWhenToldWhenTheBufferIsFullAndAtTheEnd) {
  std::string all;
  {
    RotatingFile file(path, kLarge, 1);
    file.append("one\n");
    EXPECT_EQ(contents(path), "");
    file.flush();
    EXPECT_EQ(contents(path), "one\n");
    const std::string line(RotatingFile::kBufferOctets / 2 - 1, 'x');
    file.append(line + "\n");
    EXPECT_EQ(contents(path), "one\n");
    file.append(line + "\n");
    all = "one\n" + line + "\n" + line + "\n";
    EXPECT_EQ(contents(path), all);
    file.append("last\n");
    EXPECT_EQ(file.dropped(), 0U);
  }
  EXPECT_EQ(contents(path), all + "last\n");
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0027U, 0U);
}

TEST_F(RotatingFileTest, RotatesAtItsEdgeAndKeepsSoMany) {
  RotatingFile file(path, 8, 2);
  file.append("1aa\n");
  file.append("1bb\n");
  file.flush();
  EXPECT_EQ(names(), Names{"crawl.log"});  // full to the last octet
  for (const char* line : {"2aa\n", "2bb\n", "3aaaaa\n", "4aaaaaaaaaaaa\n", "5aa\n"}) file.append(line);
  file.flush();
  EXPECT_EQ(names(), (Names{"crawl.log", "crawl.log.1", "crawl.log.2"}));
  EXPECT_EQ(contents(path), "5aa\n");
  EXPECT_EQ(contents(path + ".1"), "4aaaaaaaaaaaa\n");  // larger than a file may be, so alone
  EXPECT_EQ(contents(path + ".2"), "3aaaaa\n");
  EXPECT_EQ(file.dropped(), 0U);
}

TEST_F(RotatingFileTest, TheNextRunGoesOnAndDeletesWhatIsTooMany) {
  put(path, "1aa\n1bb\n");
  for (const char* number : {".1", ".2", ".3", ".4", ".6"}) put(path + number, number);
  {
    RotatingFile file(path, 12, 2);
    file.append("1cc\n");
    file.append("2aa\n");
  }
  EXPECT_EQ(names(), (Names{"crawl.log", "crawl.log.1", "crawl.log.2", "crawl.log.6"}));
  EXPECT_EQ(contents(path), "2aa\n");
  EXPECT_EQ(contents(path + ".1"), "1aa\n1bb\n1cc\n");
  EXPECT_EQ(contents(path + ".2"), ".1");
}

TEST_F(RotatingFileTest, AGapIsFilledAndNothingBehindItMoved) {
  put(path + ".1", "old");
  put(path + ".3", "third");
  RotatingFile file(path, 4, 9);
  file.append("1aa\n");
  file.append("2aa\n");
  EXPECT_EQ(contents(path + ".1"), "1aa\n");
  EXPECT_EQ(contents(path + ".2"), "old");
  EXPECT_EQ(contents(path + ".3"), "third");
}

TEST_F(RotatingFileTest, EndsTheLineThatACrashHasTorn) {
  const std::pair<const char*, const char*> rows[] = {
      {"", "next\n"}, {"whole\n", "whole\nnext\n"}, {"whole\nto", "whole\nto\nnext\n"}};
  for (const auto& [before, after] : rows) {
    put(path, before);
    {
      RotatingFile file(path, kLarge, 1);
      EXPECT_EQ(contents(path), before);
      file.append("next\n");
    }
    EXPECT_EQ(contents(path), after);
  }
  put(path, "to");
  {
    RotatingFile file(path, 6, 1);  // `to` + line end + `nex` + line end are seven
    file.append("nex\n");
  }
  EXPECT_EQ(contents(path), "nex\n");
  EXPECT_EQ(contents(path + ".1"), "to");
}

TEST_F(RotatingFileTest, CountsWhatAFullDiskDoesNotTake) {
  RotatingFile file("/dev/full", 16, 1);
  for (int i = 0; i < 100; ++i) file.append("a line\n");
  EXPECT_EQ(file.dropped(), 0U);
  file.flush();
  EXPECT_EQ(file.dropped(), 100U);
  file.append("a line\n");
  file.reopen();
  EXPECT_EQ(file.dropped(), 101U);
  EXPECT_FALSE(fs::exists("/dev/full.1"));
}

/// While it lives, files of this process cannot grow beyond `octets`: a disk that fills up within a line.
class SmallDisk {
 public:
  explicit SmallDisk(std::uint64_t octets) {
    before_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    rlimit small = limit_;
    small.rlim_cur = octets;
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, before_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  rlimit limit_{};
  void (*before_)(int) = nullptr;
};

TEST_F(RotatingFileTest, ALineOfWhichAPartWasWrittenIsEndedAndCounted) {
  RotatingFile file(path, kLarge, 1);
  {
    const SmallDisk disk(10);
    for (const char* line : {"1aa\n", "2aa\n", "3aa\n", "4aa\n"}) file.append(line);
    file.flush();
    file.append("5aa\n");
    file.flush();
  }
  EXPECT_EQ(contents(path), "1aa\n2aa\n3a");
  EXPECT_EQ(file.dropped(), 3U);
  file.append("6aa\n");
  file.flush();
  EXPECT_EQ(contents(path), "1aa\n2aa\n3a\n6aa\n");
  EXPECT_EQ(file.dropped(), 3U);
}

TEST_F(RotatingFileTest, ReopensWhatSomebodyHasRenamed) {
  RotatingFile file(path, kLarge, 1);
  file.append("old\n");
  fs::rename(path, path + "-20261121");
  file.append("also old\n");
  file.reopen();
  file.append("new\n");
  file.flush();
  EXPECT_EQ(contents(path + "-20261121"), "old\nalso old\n");
  EXPECT_EQ(contents(path), "new\n");
}

TEST_F(RotatingFileTest, AFolderThatIsGoneCostsLinesAndNothingElse) {
  RotatingFile file(path, kLarge, 1);
  fs::rename(folder, folder + "-away");
  file.reopen();
  file.append("lost\n");
  file.flush();
  EXPECT_EQ(file.dropped(), 1U);
  fs::rename(folder + "-away", folder);
  file.append("kept\n");
  file.flush();
  EXPECT_EQ(file.dropped(), 1U);
  EXPECT_EQ(contents(path), "kept\n");
  EXPECT_THROW(RotatingFile("/nowhere/crawl.log", kLarge, 1), std::system_error);
}

TEST_F(RotatingFileTest, WhenItCannotBeRotatedLinesGoOn) {
  fs::create_directories(path + ".1/full");
  RotatingFile file(path, 4, 1);
  for (const char* line : {"1aa\n", "2aa\n", "3aa\n"}) file.append(line);
  file.flush();
  EXPECT_EQ(contents(path), "1aa\n2aa\n3aa\n");
  fs::remove_all(path + ".1");
  file.append("4aa\n");
  file.flush();
  EXPECT_EQ(contents(path), "4aa\n");
  EXPECT_EQ(contents(path + ".1"), "1aa\n2aa\n3aa\n");
  EXPECT_EQ(file.dropped(), 0U);
}

TEST_F(RotatingFileTest, APipeThatNobodyReadsDoesNotHoldItUp) {
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  RotatingFile file(path, 16, 1);
  const std::string line(1023, 'x');
  for (int i = 0; i < 1000; ++i) file.append(line + "\n");
  file.flush();
  EXPECT_GT(file.dropped(), 0U);
  EXPECT_LT(file.dropped(), 1000U);
  EXPECT_EQ(names(), Names{"crawl.log"});
}

TEST_F(RotatingFileTest, LinesOfManyThreadsAreWholeAndAllThere) {
  constexpr int kThreads = 3;
  constexpr int kLines = 5000;
  constexpr std::uint64_t kOctets = 20'000;
  {
    RotatingFile file(path, kOctets, 1000);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        for (int i = 0; i < kLines; ++i) {
          file.append("thread " + std::to_string(thread) + " line " + std::to_string(i) + "\n");
          if (i % 100 == 0) file.flush();
          if (i % 1000 == 0) file.reopen();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(file.dropped(), 0U);
  }
  std::map<int, int> next;
  int files = 0;
  std::vector<std::string> paths{path};
  for (int number = 1; fs::exists(path + "." + std::to_string(number)); ++number) {
    paths.insert(paths.begin(), path + "." + std::to_string(number));
  }
  for (const std::string& each : paths) {
    ++files;
    EXPECT_LE(fs::file_size(each), kOctets);
    std::ifstream in(each);
    std::string word;
    int thread = 0;
    int line = 0;
    while (in >> word >> thread >> word >> line) ASSERT_EQ(line, next[thread]++) << each;
  }
  EXPECT_GT(files, 10);
  for (int thread = 0; thread < kThreads; ++thread) EXPECT_EQ(next[thread], kLines);
}

}  // namespace

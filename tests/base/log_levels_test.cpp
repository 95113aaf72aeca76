// Which lines are written: levels by module, and the table of events.
#include "base/log.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

namespace {

using base::Level;
using base::Line;
using base::Log;
using base::Module;
using Lines = std::vector<std::string>;

TEST(LogLevels, EachModuleHasItsOwn) {
  Lines lines;
  Log log(lines, Log::Format::text, Level::info);
  log.set_level(Module::visit, Level::debug);
  log.set_level(Module::robots, Level::error);
  EXPECT_TRUE(log.wants(Level::debug, "visit"));
  EXPECT_FALSE(log.wants(Level::trace, "visit"));
  EXPECT_FALSE(log.wants(Level::warning, "verdict"));
  EXPECT_TRUE(log.wants(Level::info, "an event that nobody knows"));
  for (const std::string_view event : {"visit", "robots", "verdict", "start"}) {
    log.write(Line(Level::debug, event), {});
  }
  EXPECT_EQ(lines, Lines{"1970-01-01T00:00:00.000Z debug visit"});
  log.set_level(std::nullopt, Level::warning);
  for (const Level level : log.levels()) EXPECT_EQ(level, Level::warning);
  EXPECT_FALSE(log.wants(Level::info, "visit"));
  log.set_level(Module::store, Level::trace);
  EXPECT_EQ(log.levels()[static_cast<std::size_t>(Module::store)], Level::trace);
}

TEST(LogLevels, LinesOfRequestsMayBeDebug) {
  const std::string path = ::testing::TempDir() + "log_levels_test.log";
  std::filesystem::remove(path);
  {
    Log log(Log::Options{.file = path, .visits = false});
    EXPECT_FALSE(log.wants(Level::info, "visit"));
    EXPECT_FALSE(log.wants(Level::info, "robots"));
    EXPECT_FALSE(log.wants(Level::info, "verdict"));
    EXPECT_TRUE(log.wants(Level::warning, "visit"));
    EXPECT_TRUE(log.wants(Level::info, "archive"));
    log.write(Line(Level::info, "visit").number("n", 1), {});
    log.set_level(Module::visit, Level::debug);
    log.write(Line(Level::info, "visit").number("n", 2), {});
    EXPECT_EQ(log.written()[static_cast<std::size_t>(Level::debug)], 1U);
    EXPECT_EQ(log.written()[static_cast<std::size_t>(Level::info)], 0U);
  }
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "1970-01-01T00:00:00.000Z debug visit n=2\n");
  std::filesystem::remove(path);
}

TEST(LogLevels, ChangeWhileOthersWrite) {
  Lines lines;
  Log log(lines, Log::Format::text, Level::error);  // nothing is written: only levels are shared
  std::thread writer([&] {
    for (int i = 0; i < 20'000; ++i) log.write(Line(Level::info, "visit"), {});
  });
  for (int i = 0; i < 20'000; ++i) log.set_level(Module::visit, i % 2 == 0 ? Level::warning : Level::error);
  writer.join();
  EXPECT_EQ(lines, Lines{});
  EXPECT_EQ(log.levels()[static_cast<std::size_t>(Module::visit)], Level::error);
}

TEST(LogLevels, WordsAreReadBack) {
  for (const Module module : base::kAllModules) {
    EXPECT_EQ(base::module_of(base::to_string(module)), module);
  }
  for (std::size_t i = 0; i < base::kLevels; ++i) {
    EXPECT_EQ(base::level_of(base::to_string(static_cast<Level>(i))), static_cast<Level>(i));
  }
  EXPECT_EQ(base::module_of("inherit"), std::nullopt);
  EXPECT_EQ(base::level_of("INFO"), std::nullopt);
}

/// Every `base::Line(level, "event")` of the program, so that none falls into the wrong module unseen.
TEST(LogEvents, AreAllInTheTable) {
  std::set<std::string> events;
  for (const std::string room : {"crawler", "fetch", "base"}) {
    for (const auto& file : std::filesystem::directory_iterator(CRAWLD_SOURCE "/" + room)) {
      std::ostringstream text;
      text << std::ifstream(file.path()).rdbuf();
      const std::string code = text.str();
      for (std::size_t at = code.find("base::Line"); at != std::string::npos;
           at = code.find("base::Line", at + 1)) {
        const std::size_t end = code.find(';', at);
        if (code.substr(at, end - at).find("base::Level::") == std::string::npos) continue;
        // Of `paused ? "pause" : "resume"` both.
        std::size_t quote = code.find('"', at);
        const std::size_t close = code.find(')', at);
        for (; quote < close; quote = code.find('"', quote + 1)) {
          const std::size_t until = code.find('"', quote + 1);
          events.insert(code.substr(quote + 1, until - quote - 1));
          quote = until;
        }
      }
    }
  }
  EXPECT_GT(events.size(), 12U);
  EXPECT_TRUE(events.contains("resume"));
  for (const std::string& event : events) {
    const base::Event found = base::event_of(event);
    EXPECT_TRUE(found.word.data() != event.data()) << event << " is not in base/log_events.cpp";
  }
}

TEST(LogEvents, HaveIdsThatTheManualLists) {
  std::ostringstream text;
  text << std::ifstream(CRAWLD_SOURCE "/deploy/man/crawld.8").rdbuf();
  std::set<std::string_view> ids;
  for (const std::string_view event : {"start", "ready", "reload", "pause", "resume", "drain", "stop",
                                       "memory", "bug", "watchdog", "store"}) {
    const std::string_view id = base::event_of(event).message_id;
    EXPECT_EQ(id.size(), 32U) << event;
    EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string_view::npos) << event;
    EXPECT_TRUE(ids.insert(id).second) << event;
    EXPECT_NE(text.str().find(id), std::string::npos) << event;
  }
}

}  // namespace

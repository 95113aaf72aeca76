#include "crawler/reload.h"

#include "config/keys.h"
#include "crawler/log_setup.h"

#include <gtest/gtest.h>

namespace {

using Keys = std::vector<std::string_view>;

TEST(Reload, NamesTheKeysThatNeedARestart) {
  const config::Config started;
  config::Config fresh;
  EXPECT_EQ(crawler::keys_for_restart(started, fresh), Keys{});
  fresh.scope.max_depth = 3;
  fresh.traps.max_parameters = 3;
  fresh.recrawl.enabled = false;
  fresh.log.level = "debug";
  fresh.log.levels.visit = "error";
  fresh.seeds.push_back({*base::Url::parse("http://a.test/"), "here:1"});
  EXPECT_EQ(crawler::keys_for_restart(started, fresh), Keys{}) << "all of these are taken up";
  fresh.threads = 3;
  fresh.log.format = config::LogFormat::json;
  fresh.log.visits = "off";
  fresh.politeness.hosts["a.test"].crawl_delay = std::chrono::seconds(1);
  EXPECT_EQ(crawler::keys_for_restart(started, fresh),
            (Keys{"politeness.hosts", "threads", "log.visits", "log.format"}));
}

TEST(Reload, KeepsSilentAboutNoKey) {
  std::size_t taken_up = 0;
  for (const auto& key : config::keys()) taken_up += crawler::taken_up_by_reload(key.spec.path) ? 1U : 0U;
  EXPECT_EQ(taken_up, 25U);  // of all others a change is named: whoever teaches SIGHUP more says so here
  EXPECT_FALSE(crawler::taken_up_by_reload("scope_of_something_else"));
}

TEST(LogSetup, LevelsAreThoseOfTheConfiguration) {
  config::Log config;
  config.level = "warning";
  config.levels.visit = "debug";
  base::Log log(crawler::log_options(config, false));
  crawler::apply_levels(log, config);
  for (const base::Module module : base::kAllModules) {
    EXPECT_EQ(log.levels()[static_cast<std::size_t>(module)],
              module == base::Module::visit ? base::Level::debug : base::Level::warning);
  }
  crawler::apply_levels(log, {});
  for (const base::Level level : log.levels()) EXPECT_EQ(level, base::Level::info);
}

TEST(LogSetup, WhatGoesToTheJournalHasPrioritiesAndNoLineForEachRequest) {
  config::Log config;
  using Format = base::Log::Format;
  EXPECT_TRUE(crawler::log_options(config, false).visits);
  EXPECT_FALSE(crawler::log_options(config, false).prefixes);
  EXPECT_EQ(crawler::log_options(config, false).format, Format::text);

  config.format = config::LogFormat::text;
  EXPECT_FALSE(crawler::log_options(config, true).visits);
  EXPECT_TRUE(crawler::log_options(config, true).prefixes);
  config.visits = "on";
  EXPECT_TRUE(crawler::log_options(config, true).visits);

  config = {};
  config.file = "/var/log/crawld/crawld.log";  // the journal gets nothing
  EXPECT_EQ(crawler::log_options(config, true).format, Format::text);
  EXPECT_TRUE(crawler::log_options(config, true).visits);
  EXPECT_FALSE(crawler::log_options(config, true).prefixes);
  config.visits = "off";
  EXPECT_FALSE(crawler::log_options(config, false).visits);

  config = {};
  config.format = config::LogFormat::journald;
  EXPECT_EQ(crawler::log_options(config, false).format, Format::journald);
  EXPECT_FALSE(crawler::log_options(config, false).visits);
  EXPECT_FALSE(crawler::log_options(config, false).prefixes);
}

}  // namespace

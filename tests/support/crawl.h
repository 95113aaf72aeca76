#pragma once
// A whole crawl in virtual time: shards, mail, address clocks and a FakeWeb on one event loop.
#include "crawler/opening.h"
#include "crawler/shard.h"
#include "tests/support/fake_web.h"
#include "tests/support/manual_clock.h"

#include <memory>
#include <string>
#include <vector>

namespace support {

class Crawl {
 public:
  /// 2026-03-01T00:00:00Z on the wall; the steady axis has its own origin.
  static base::Now midnight() {
    return {base::TimePoint(std::chrono::hours(1000)),
            base::WallTime(std::chrono::sys_days(std::chrono::year(2026) / 3 / 1))};
  }

  explicit Crawl(base::Now start = midnight()) : clock(start), web(clock, loop) {
    config.agent.contact = "mailto:crawler@tests.invalid";
    config.recrawl.enabled = false;
  }

  /// What is fetched is kept in WARC files in `directory`, until the crawl is destroyed or archive.reset().
  void keep_in(const std::string& directory) {
    crawler::Archive::Options options;
    options.config = config.archive;
    options.directory = directory;
    options.hostname = "here";
    options.first_record = [this](const std::string& name, base::WallTime at) {
      return crawler::pack_warcinfo(config, "here", name, at, chance);
    };
    options.immediate = true;
    archive = std::make_unique<crawler::Archive>(std::move(options), clock, log);
  }

  /// Builds the shards; `config` must be final. Each URL is a seed.
  void start(const std::vector<std::string>& seeds, std::size_t shard_count = 1) {
    for (const std::string& seed : seeds) config.seeds.push_back({*base::Url::parse(seed), "test"});
    addresses = std::make_unique<scheduler::AddressClocks>(config.politeness);
    std::vector<crawler::Shard*> pointers;
    for (std::size_t i = 0; i < shard_count; ++i) {
      const crawler::Frontier::Parts frontier{.store = *store,
                                              .secret = 99,
                                              .opened = clock.now().steady,
                                              .fresh = runs == 0,
                                              .memory = memory / shard_count,
                                              .partitions = crawler::partitions_of(i, shard_count),
                                              .scope = config.scope,
                                              .recrawl = config.recrawl,
                                              .traps = config.traps};
      shards.push_back(std::make_unique<crawler::Shard>(crawler::Shard::Parts{.executor = loop.get_executor(),
                                                                              .config = config,
                                                                              .clock = clock,
                                                                              .fetcher = web,
                                                                              .addresses = *addresses,
                                                                              .mail = mail,
                                                                              .commits = commits,
                                                                              .log = log,
                                                                              .frontier = frontier,
                                                                              .not_before = not_before,
                                                                              .seed = 7 + i,
                                                                              .archive = archive.get()}));
      pointers.push_back(shards.back().get());
    }
    ++runs;
    mail.open(pointers);
    mail.owe(static_cast<std::int64_t>(crawler::read_tally(*store).owed()));
    std::vector<crawler::Offer> offers;
    for (const config::Seed& seed : config.seeds) {
      offers.push_back({seed.url, {0, 0, seed.weight, crawler::How::seed, true}});
    }
    mail.send_offers(std::move(offers), {});
    for (auto& shard : shards) tasks.spawn(shard->run());
  }

  /// Lets `span` pass, or less when nothing is left to do.
  void run(base::Duration span) { clock.run(loop, clock.now().steady + span); }

  /// Ends the crawl: call it before the test does, so that every coroutine is over.
  void finish() {
    for (auto& shard : shards) shard->drain();
    clock.run(loop, clock.now().steady + std::chrono::hours(48));
  }

  std::vector<Seen> requests_to(const std::string& origin) const {
    std::vector<Seen> found;
    for (const Seen& seen : web.log) {
      if (seen.origin == origin) found.push_back(seen);
    }
    return found;
  }
  std::uint64_t fate(crawler::Fate fate) const {
    std::uint64_t sum = 0;
    for (const auto& shard : shards) sum += shard->report().counters.fates[static_cast<std::size_t>(fate)];
    return sum;
  }
  std::uint64_t bugs() const {
    std::uint64_t sum = 0;
    for (const auto& shard : shards) sum += shard->report().counters.bugs;
    return sum;
  }

  boost::asio::io_context loop{1};
  ManualClock clock;
  config::Config config;
  std::vector<std::string> lines;
  base::Log log{lines, base::Log::Format::text, base::Level::info};
  FakeWeb web;
  base::Random chance{3};
  std::unique_ptr<crawler::Archive> archive;
  std::size_t idles = 0;  ///< how often nothing was owed any more
  std::unique_ptr<crawler::Store> store = std::make_unique<crawler::Store>(crawler::Store::in_memory());
  crawler::Commits commits{*store, clock, crawler::Commits::Mode::immediate};
  std::uint64_t memory = std::uint64_t{64} * 1024 * 1024;  ///< of all shards
  base::TimePoint not_before{};
  std::size_t runs = 0;
  crawler::Mail mail{[this] { ++idles; }};
  std::unique_ptr<scheduler::AddressClocks> addresses;
  std::vector<std::unique_ptr<crawler::Shard>> shards;
  base::Tasks tasks{loop.get_executor(), clock,
                    [](std::exception_ptr escaped) { std::rethrow_exception(escaped); }};
};

/// A page whose body links to each of `hrefs`.
inline std::string page_with_links(const std::vector<std::string>& hrefs) {
  std::string body = "<!doctype html><title>t</title>";
  for (const std::string& href : hrefs) body += "<a href=\"" + href + "\">x</a>\n";
  return body;
}

}  // namespace support

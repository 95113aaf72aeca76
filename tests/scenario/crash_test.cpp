// A crawl that is cut off again and again, on a disk that loses what was not synced or fails in the middle.
// The witness is the web's own log: over all runs together no interval is broken, no page is lost, and no
// page is asked for before its site's robots.txt.
#include "crawler/opening.h"
#include "crawler/shard.h"
#include "tests/support/crawl.h"
#include "tests/support/lossy_disk.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>

namespace {

using namespace std::chrono_literals;

constexpr int kOrigins = 9;
constexpr int kAddresses = 3;
constexpr int kPages = 7;

/// What one process is: everything in it dies together.
struct Process {
  Process(const config::Config& config, support::ManualClock& clock, rocksdb::Env* env)
      : opening(crawler::open_frontier(
            config,
            [&clock] {
              return base::Machine{clock.now().steady.time_since_epoch(), clock.now().wall, "one boot", true};
            },
            99, env)),
        commits(*opening.store, clock, crawler::Commits::Mode::immediate),
        addresses(config.politeness),
        web(clock, loop),
        tasks(loop.get_executor(), clock,
              [](std::exception_ptr escaped) { std::rethrow_exception(std::move(escaped)); }) {
    const crawler::Frontier::Parts frontier{.store = *opening.store,
                                            .secret = opening.secret,
                                            .opened = opening.opened,
                                            .fresh = opening.fresh,
                                            .memory = std::uint64_t{16} * 1024 * 1024,
                                            .scope = config.scope,
                                            .recrawl = config.recrawl};
    shard.emplace(crawler::Shard::Parts{.executor = loop.get_executor(),
                                        .config = config,
                                        .clock = clock,
                                        .fetcher = web,
                                        .addresses = addresses,
                                        .mail = mail,
                                        .commits = commits,
                                        .log = log,
                                        .frontier = frontier,
                                        .not_before = opening.not_before,
                                        .seed = 3});
    mail.open({&*shard});
    std::vector<crawler::Offer> seeds;
    for (const config::Seed& seed : config.seeds) {
      seeds.push_back({seed.url, {.how = crawler::How::seed, .seed = true}});
    }
    mail.send_offers(std::move(seeds), {});
    tasks.spawn(shard->run());
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  boost::asio::io_context loop{1};
  std::vector<std::string> lines;
  base::Log log{lines, base::Log::Format::text, base::Level::error};
  crawler::Opening opening;
  crawler::Commits commits;
  scheduler::AddressClocks addresses;
  crawler::Mail mail{[] {}};
  std::optional<crawler::Shard> shard;
  support::FakeWeb web;
  base::Tasks tasks;
};

class Crashes : public ::testing::Test {
 protected:
  Crashes() {
    config.agent.contact = "mailto:crawler@tests.invalid";
    config.recrawl.enabled = false;
    config.storage.directory = disk.folder();
    config.storage.memory = std::uint64_t{64} * 1024 * 1024;
    for (int i = 0; i < kOrigins; ++i) {
      config.seeds.push_back({*base::Url::parse(origin(i) + "/p0"), "test"});
    }
  }

  static std::string origin(int i) { return "http://o" + std::to_string(i) + ".test"; }

  std::unique_ptr<Process> start() {
    auto process = std::make_unique<Process>(config, clock, disk.env());
    for (int i = 0; i < kOrigins; ++i) {
      process->web.add(origin(i), "192.0.2." + std::to_string(1 + i % kAddresses),
                       [](const std::string& target, base::Now, const fetch::Request&) {
                         support::Reply reply;
                         if (target == "/robots.txt") {
                           reply.body = "User-agent: *\nDisallow: /never\n";
                         } else {
                           const int page = std::stoi(target.substr(2));
                           std::vector<std::string> links{"/never"};
                           if (page + 1 < kPages) links.push_back("/p" + std::to_string(page + 1));
                           reply.body = support::page_with_links(links);
                         }
                         return reply;
                       });
    }
    process->web.watch = [this](const support::Seen& seen) { see(seen); };
    return process;
  }

  /// In the middle of whatever it does: no destructor of it runs, but the disk is free again.
  static void kill(std::unique_ptr<Process> process) {
    static auto& dead = *new std::vector<Process*>();  // reachable, so no leak
    process->opening.store.reset();
    dead.push_back(process.release());
  }

  void see(const support::Seen& seen) {
    ++requests;
    EXPECT_NE(seen.target, "/never");
    if (const auto last = by_origin.find(seen.origin); last != by_origin.end()) {
      EXPECT_GE(seen.start.steady - last->second, config.politeness.default_interval)
          << seen.origin << seen.target;
    }
    if (const auto last = by_address.find(seen.address); last != by_address.end()) {
      EXPECT_GE(seen.start.steady - last->second, config.politeness.per_address_interval) << seen.origin;
    }
    by_origin[seen.origin] = seen.start.steady;
    by_address[seen.address] = seen.start.steady;
    if (seen.target == "/robots.txt") {
      robots_asked.insert(seen.origin);
    } else {
      EXPECT_TRUE(robots_asked.contains(seen.origin)) << seen.origin << seen.target;
      ++pages[seen.origin + seen.target];
    }
  }

  /// The rest of the crawl, undisturbed; then every page was asked for.
  void finish() {
    auto process = start();
    clock.run(process->loop, clock.now().steady + 2h);
    EXPECT_EQ(process->opening.store->failure(), "");
    EXPECT_EQ(process->shard->report().urls.owed(), 0U);
    process->shard->drain();
    clock.run(process->loop, clock.now().steady + 1min);
    kill(std::move(process));
    EXPECT_EQ(pages.size(), std::size_t{kOrigins} * kPages);
  }
  int repeats() const {
    int sum = 0;
    for (const auto& [page, times] : pages) sum += times - 1;
    return sum;
  }

  support::LossyDisk disk;
  support::ManualClock clock{support::Crawl::midnight()};
  config::Config config;
  std::size_t requests = 0;
  std::map<std::string, base::TimePoint> by_origin;
  std::map<base::IpAddress, base::TimePoint> by_address;
  std::set<std::string> robots_asked;
  std::map<std::string, int> pages;
};

TEST_F(Crashes, KilledAtAnyInstantItLosesNothingAndBreaksNoInterval) {
  std::mt19937_64 chance(1);
  int crashes = 0;
  for (; crashes < 40 && pages.size() < std::size_t{kOrigins} * kPages; ++crashes) {
    auto process = start();
    clock.run(process->loop, clock.now().steady + std::chrono::milliseconds(chance() % 4'000));
    kill(std::move(process));
  }
  EXPECT_GE(crashes, 5);
  EXPECT_GT(requests, 20U);
  finish();
  EXPECT_LE(repeats(), crashes * kOrigins);
}

TEST_F(Crashes, APowerLossLosesNothingAndBreaksNoInterval) {
  std::mt19937_64 chance(2);
  int crashes = 0;
  for (; crashes < 40 && pages.size() < std::size_t{kOrigins} * kPages; ++crashes) {
    auto process = start();
    clock.run(process->loop, clock.now().steady + std::chrono::milliseconds(chance() % 4'000));
    disk.cut_power();
    kill(std::move(process));
    disk.lose_power(chance());
  }
  EXPECT_GE(crashes, 5);
  EXPECT_GT(requests, 20U);
  finish();
  EXPECT_LE(repeats(), crashes * kOrigins);
}

/// Every call of a short crawl fails once. After it nothing more is sent in that run; the next one opens.
TEST_F(Crashes, ACallThatFailsIsTheEndOfTheRunAndOfNothingElse) {
  const bool all = std::getenv("CRAWLD_ALL_CALLS") != nullptr;
  const std::uint64_t step = all ? 1 : 7;
  int failed_runs = 0;
  int refused_starts = 0;
  for (std::uint64_t k = 1; k < (all ? 400U : 200U); k += step) {
    disk.fail_call(k, support::DiskFailure::io_error);
    try {
      auto process = start();
      clock.run(process->loop, clock.now().steady + 3s);
      if (process->opening.store->failed()) {
        ++failed_runs;
        const std::size_t before = requests;
        clock.run(process->loop, clock.now().steady + 1min);
        EXPECT_EQ(requests, before) << "sent although the store had failed at call " << k;
      }
      kill(std::move(process));
    } catch (const crawler::StartError&) {
      ++refused_starts;
    }
    disk.fail_call(0, support::DiskFailure::io_error);
    disk.lose_power(k);
  }
  EXPECT_GE(failed_runs, 3);
  EXPECT_GE(refused_starts, 1);
  finish();
}

}  // namespace

#include "crawler/daemon.h"

#include "base/time_text.h"
#include "crawler/keys.h"
#include "crawler/opening.h"
#include "crawler/shard.h"
#include "crawler/space.h"
#include "crawler/summary.h"
#include "fetch/client.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <sys/resource.h>
#include <sysexits.h>

#include <atomic>
#include <csignal>
#include <random>
#include <thread>

namespace crawler {
namespace {

namespace asio = boost::asio;

constexpr base::Duration kSummaryEvery = std::chrono::minutes(1);
constexpr base::Duration kLookAtSpaceEvery = std::chrono::seconds(5);
/// Seeds that are handed on at a time, so that no shard is busy with them for long.
constexpr std::size_t kSeedsAtATime = 1'000;

/// Sockets need descriptors: as many as this process may have.
void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::uint64_t draw_seed() {
  std::random_device device;
  const std::uint64_t high = device();
  const std::uint64_t low = device();
  return (high << 32U) | low;
}

/// In which order and with which weight: other seeds are offered, the same ones are not offered again.
std::string digest_of(const std::vector<config::Seed>& seeds) {
  base::Hash128 digest;
  for (const config::Seed& seed : seeds) {
    const base::Hash128 next = base::keyed_hash(seed.url.text(), digest.low ^ seed.weight);
    digest = {digest.high ^ next.high, next.low};
  }
  return std::to_string(digest.high) + "/" + std::to_string(digest.low);
}

/// A thread, its event loop, its client and its shard.
struct Worker {
  Worker(const config::Config& config, std::shared_ptr<fetch::ConnectionBudget> budget, base::Clock& clock)
      : client(loop.get_executor(), config.network, config.user_agent(), std::move(budget)),
        root(loop.get_executor(), clock,
             [](std::exception_ptr escaped) { std::rethrow_exception(std::move(escaped)); }) {}

  asio::io_context loop{1};
  /// Also a shard that has come to its end takes what the others find, until all have.
  asio::executor_work_guard<base::Executor> open{loop.get_executor()};
  fetch::Client client;
  std::optional<Shard> shard;
  base::Tasks root;
  std::thread thread;
};

class Daemon {
 public:
  Daemon(const config::Config& config, const RunOptions& options, base::Log& log)
      : config_(config),
        options_(options),
        log_(log),
        begun_(base::SystemClock().now()),
        opening_(open_frontier(config, base::machine_now, draw_seed())),
        store_(*opening_.store),
        clock_(opening_.axis_offset),
        commits_(store_, clock_, Commits::Mode::grouped),
        space_(config.storage.pause_below, config.storage.resume_above),
        reserve_(config.storage.directory),
        current_(std::make_shared<const config::Config>(config)),
        addresses_(config.politeness),
        mail_([this] {
          if (options_.until_idle) asio::post(loop_, [this] { drain("nothing is owed"); });
        }),
        signals_(loop_, SIGTERM, SIGINT, SIGHUP),
        alarm_(clock_.alarm(loop_.get_executor())),
        tasks_(loop_.get_executor(), clock_,
               [](std::exception_ptr escaped) { std::rethrow_exception(std::move(escaped)); }) {
    store_.on_failure([this](const std::string& why) {
      asio::post(loop_, [this, why] { fail("the store has failed: " + why); });
    });
    start_workers();
    base::Line line(base::Level::info, "start");
    line.word("version", CRAWLD_VERSION).number("threads", static_cast<std::int64_t>(workers_.size()));
    line.number("seeds", static_cast<std::int64_t>(config.seeds.size()));
    line.text("user_agent", config.user_agent()).text("random_seed", std::to_string(seed_));
    line.text("storage", config.storage.directory);
    log_.write(line, clock_.now().wall);
  }

  int run() {
    start_ = last_summary_ = clock_.now();
    hear_signals();
    mail_.owe(1 + static_cast<std::int64_t>(opening_.tally.owed()));  // one more while seeds are handed on
    say_ready();
    offer_seeds(current_, 0);
    running_ = workers_.size();
    for (auto& worker : workers_) {
      worker->root.spawn(work(*worker));
      worker->thread = std::thread([&loop = worker->loop] { loop.run(); });
    }
    tasks_.spawn(keep_time());
    loop_.run();
    for (auto& worker : workers_) worker->thread.join();
    commits_.stop();
    write_summary();
    reserve_.release();  // the store may need the room to end in order
    if (!store_.failed()) close_in_order(store_, clock_.mark());
    store_.on_failure({});
    base::Line line(store_.failed() ? base::Level::error : base::Level::info, "stop");
    line.text("why", why_).number("owed", static_cast<std::int64_t>(total_.urls.owed()));
    log_.write(line, clock_.now().wall);
    return store_.failed() ? EX_IOERR : EX_OK;
  }

 private:
  void start_workers() {
    const std::size_t threads =
        config_.threads > 0 ? config_.threads : std::max(1U, std::thread::hardware_concurrency());
    auto budget = fetch::make_connection_budget(config_.network.max_connections);
    std::vector<Shard*> shards;
    for (std::size_t i = 0; i < threads; ++i) {
      workers_.push_back(std::make_unique<Worker>(config_, budget, clock_));
      Worker& worker = *workers_.back();
      Frontier::Parts frontier{.store = store_,
                               .secret = opening_.secret,
                               .opened = opening_.opened,
                               .fresh = opening_.fresh,
                               .memory = shards_memory(config_.storage) / threads,
                               .partitions = partitions_of(i, threads),
                               .scope = config_.scope,
                               .recrawl = config_.recrawl};
      worker.shard.emplace(
          Shard::Parts{.executor = worker.loop.get_executor(),
                       .config = config_,
                       .clock = clock_,
                       .fetcher = worker.client,
                       .addresses = addresses_,
                       .mail = mail_,
                       .commits = commits_,
                       .log = log_,
                       .frontier = frontier,
                       .not_before = opening_.not_before,
                       .seed = seed_ + i,
                       .visits_max = std::max<std::size_t>(1, config_.network.max_connections / threads)});
      shards.push_back(&*worker.shard);
    }
    mail_.open(std::move(shards));
  }

  base::Async<> work(Worker& worker) {
    co_await worker.shard->run();
    worker.client.close();
    asio::post(loop_, [this] {
      if (--running_ == 0) end();
    });
  }

  void say_ready() {
    const base::Now now = clock_.now();
    base::Line line(base::Level::info, "ready");
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(base::SystemClock().now().steady -
                                                                            begun_.steady);
    line.number("ms", took.count())
        .word("last_run", opening_.fresh      ? "none"
                          : opening_.in_order ? "ended"
                                              : "crashed");
    line.number("owed", static_cast<std::int64_t>(opening_.tally.owed()));
    line.number("again", static_cast<std::int64_t>(opening_.tally.again));
    line.number("seen", static_cast<std::int64_t>(opening_.tally.seen));
    line.number("origins", static_cast<std::int64_t>(opening_.tally.origins));
    if (opening_.moved > 0) line.number("moved", static_cast<std::int64_t>(opening_.moved));
    const base::Duration held = std::max(opening_.not_before - now.steady, base::Duration::zero());
    line.number("first_request_in_ms", std::chrono::ceil<std::chrono::milliseconds>(held).count());
    log_.write(line, now.wall);
  }

  /// Hands on the seeds of `config` from the one with number `next` on; those of the last run are known.
  void offer_seeds(const std::shared_ptr<const config::Config>& config, std::size_t next) {
    const std::vector<config::Seed>& seeds = config->seeds;
    if (next == 0) {
      const auto known = store_.get(Table::meta, kSeedsKey);
      if (known && *known == digest_of(seeds)) next = seeds.size();
    }
    if (next >= seeds.size()) {
      seeds_offered(*config);
      return;
    }
    std::vector<Offer> offers;
    const std::size_t end = std::min(seeds.size(), next + kSeedsAtATime);
    for (std::size_t i = next; i < end; ++i) {
      offers.push_back({seeds[i].url, {0, 0, seeds[i].weight, How::seed, true}});
    }
    mail_.send_offers(std::move(offers), [this, config, end] {
      asio::post(loop_, [this, config, end] { offer_seeds(config, end); });
    });
  }

  void seeds_offered(const config::Config& config) {
    Store::Batch batch(store_);
    batch.put(Table::meta, kSeedsKey, digest_of(config.seeds));
    store_.write(batch);
    mail_.owe(-1);
  }

  /// SIGHUP. What cannot be exchanged while the crawl runs is named.
  void reload() {
    const base::Now now = clock_.now();
    if (!options_.reload) return;
    auto read = options_.reload();
    if (const auto* const errors = std::get_if<std::vector<std::string>>(&read)) {
      for (const std::string& error : *errors) {
        base::Line line(base::Level::error, "reload");
        log_.write(line.word("result", "refused").text("error", error), now.wall);
      }
      return;
    }
    current_ = std::make_shared<const config::Config>(std::move(std::get<config::Config>(read)));
    for (auto& worker : workers_) {
      asio::post(worker->loop, [&shard = *worker->shard, config = current_] { shard.set_scope(*config); });
    }
    mail_.owe(1);
    offer_seeds(current_, 0);
    base::Line line(base::Level::info, "reload");
    line.word("result", "done").number("seeds", static_cast<std::int64_t>(current_->seeds.size()));
    line.text("applied", "seeds, scope, recrawl; everything else needs a restart");
    log_.write(line, now.wall);
  }

  /// Pauses the crawl while the disk is nearly full.
  void look_at_space() {
    space_next_ = clock_.now().steady + kLookAtSpaceEvery;
    const std::optional<std::uint64_t> free = free_octets(config_.storage.directory);
    if (!free) return;
    const bool before = space_.paused();
    const bool paused = space_.update(*free);
    if (!paused) reserve_.hold();
    if (paused == before) return;
    for (auto& worker : workers_) {
      asio::post(worker->loop, [&shard = *worker->shard, paused] {
        if (paused) {
          shard.pause();
        } else {
          shard.resume();
        }
      });
    }
    base::Line line(paused ? base::Level::warning : base::Level::info, paused ? "pause" : "resume");
    line.text("why", paused ? "the disk is nearly full" : "the disk has room again");
    line.text("directory", config_.storage.directory).number("free", static_cast<std::int64_t>(*free));
    line.number(
        paused ? "resumes_above" : "pauses_below",
        static_cast<std::int64_t>(paused ? config_.storage.resume_above : config_.storage.pause_below));
    log_.write(line, clock_.now().wall);
  }

  void fail(const std::string& why) {
    reserve_.release();
    base::Line line(base::Level::error, "store");
    log_.write(line.text("why", why), clock_.now().wall);
    drain(why);
  }

  void hear_signals() {
    signals_.async_wait([this](const boost::system::error_code& error, int signal) {
      if (error) return;
      if (signal == SIGHUP) {
        reload();
      } else if (draining_) {
        insist("second signal");
      } else {
        drain(signal == SIGTERM ? "SIGTERM" : "SIGINT");
      }
      hear_signals();
    });
  }

  void drain(std::string_view why) {
    if (draining_) return;
    draining_ = true;
    why_ = why;
    insist_at_ = clock_.now().steady + kGrace;
    base::Line line(base::Level::info, "drain");
    log_.write(line.text("why", why_), clock_.now().wall);
    for (auto& worker : workers_) asio::post(worker->loop, [&shard = *worker->shard] { shard.drain(); });
    alarm_->ring();
  }

  void insist(std::string_view why) {
    if (insisted_) return;
    insisted_ = true;
    base::Line line(base::Level::warning, "insist");
    log_.write(line.text("why", why), clock_.now().wall);
    for (auto& worker : workers_) asio::post(worker->loop, [&client = worker->client] { client.cancel(); });
  }

  void end() {
    signals_.cancel();
    for (auto& worker : workers_) worker->loop.stop();
    ended_ = true;
    alarm_->ring();
  }

  base::Async<> keep_time() {
    while (!ended_) {
      const base::Now now = clock_.now();
      if (options_.run_for && now.steady >= start_.steady + *options_.run_for) drain("time is up");
      if (draining_ && !insisted_ && now.steady >= insist_at_) insist("grace is over");
      if (now.steady >= space_next_) look_at_space();
      if (now.steady >= last_summary_.steady + kSummaryEvery) {
        keep_axis(store_, clock_.mark());
        gather_reports();
      }
      base::TimePoint until =
          std::min(space_next_, std::max(now.steady, last_summary_.steady) + kSummaryEvery);
      if (options_.run_for && !draining_) until = std::min(until, start_.steady + *options_.run_for);
      if (draining_ && !insisted_) until = std::min(until, insist_at_);
      co_await alarm_->wait_until(until);
    }
  }

  /// Asks every shard; the last answer writes the line.
  void gather_reports() {
    if (gathering_ > 0) return;  // a shard is busy: one line will speak for both minutes
    last_summary_ = clock_.now();
    gathering_ = workers_.size();
    total_ = {};
    for (auto& worker : workers_) {
      asio::post(worker->loop, [this, &shard = *worker->shard] {
        asio::post(loop_, [this, report = shard.report()]() mutable {
          add_report(total_, std::move(report));
          if (--gathering_ == 0) write_line();
        });
      });
    }
  }

  /// After the threads have ended; unless the minute line has just said it all.
  void write_summary() {
    if (counted_from_ && clock_.now().steady - counted_from_->steady < std::chrono::seconds(1)) return;
    total_ = {};
    for (auto& worker : workers_) add_report(total_, worker->shard->report());
    write_line();
  }

  void write_line() {
    const base::Now now = clock_.now();
    log_.write(summary_line(total_, before_, now.steady - counted_from_.value_or(start_).steady, now),
               now.wall);
    before_ = total_.counters;
    counted_from_ = now;
  }

  const config::Config& config_;
  const RunOptions options_;
  base::Log& log_;
  base::Now begun_;
  Opening opening_;
  Store& store_;
  base::SystemClock clock_;
  Commits commits_;
  SpaceGuard space_;
  Reserve reserve_;
  std::shared_ptr<const config::Config> current_;  ///< seeds and scope in force
  base::TimePoint space_next_{};
  const std::uint64_t seed_ = draw_seed();
  scheduler::AddressClocks addresses_;
  asio::io_context loop_{1};
  Mail mail_;
  std::vector<std::unique_ptr<Worker>> workers_;
  asio::basic_signal_set<base::Executor> signals_;
  std::unique_ptr<base::Alarm> alarm_;

  base::Now start_;
  base::Now last_summary_;
  std::optional<base::Now> counted_from_;
  base::TimePoint insist_at_;
  std::string why_;
  bool draining_ = false;
  bool insisted_ = false;
  bool ended_ = false;
  std::size_t running_ = 0;
  std::size_t gathering_ = 0;
  Report total_;
  Counters before_;
  base::Tasks tasks_;  ///< last: its coroutine uses all of the above
};

}  // namespace

int run_daemon(const config::Config& config, const RunOptions& options, base::Log& log) {
  raise_descriptor_limit();
  Daemon daemon(config, options, log);
  return daemon.run();
}

}  // namespace crawler

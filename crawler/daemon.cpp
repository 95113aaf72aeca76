#include "crawler/daemon.h"

#include "base/time_text.h"
#include "crawler/shard.h"
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

/// A thread, its event loop, its client and its shard.
struct Worker {
  Worker(const config::Config& config, std::shared_ptr<fetch::ConnectionBudget> budget, base::Clock& clock,
         scheduler::AddressClocks& addresses, Mail& mail, base::Log& log, std::uint64_t seed,
         std::uint64_t key, std::size_t visits_max)
      : client(loop.get_executor(), config.network, config.user_agent(), std::move(budget)),
        shard({loop.get_executor(), config, clock, client, addresses, mail, log, seed, key, visits_max}),
        root(loop.get_executor(), clock,
             [](std::exception_ptr escaped) { std::rethrow_exception(std::move(escaped)); }) {}

  asio::io_context loop{1};
  fetch::Client client;
  Shard shard;
  base::Tasks root;
  std::thread thread;
};

class Daemon {
 public:
  Daemon(const config::Config& config, const RunOptions& options, base::Log& log)
      : config_(config),
        options_(options),
        log_(log),
        addresses_(config.politeness),
        mail_([this] {
          if (options_.until_idle) asio::post(loop_, [this] { drain("nothing is owed"); });
        }),
        signals_(loop_, SIGTERM, SIGINT, SIGHUP),
        alarm_(clock_.alarm(loop_.get_executor())),
        tasks_(loop_.get_executor(), clock_,
               [](std::exception_ptr escaped) { std::rethrow_exception(std::move(escaped)); }) {
    const std::size_t threads =
        config.threads > 0 ? config.threads : std::max(1U, std::thread::hardware_concurrency());
    auto budget = fetch::make_connection_budget(config.network.max_connections);
    const std::uint64_t seed = draw_seed();
    const std::uint64_t key = draw_seed();
    const std::size_t visits_max = std::max<std::size_t>(1, config.network.max_connections / threads);
    std::vector<Shard*> shards;
    for (std::size_t i = 0; i < threads; ++i) {
      workers_.push_back(std::make_unique<Worker>(config, budget, clock_, addresses_, mail_, log, seed + i,
                                                  key, visits_max));
      shards.push_back(&workers_.back()->shard);
    }
    mail_.open(std::move(shards));
    base::Line line(base::Level::info, "start");
    line.word("version", CRAWLD_VERSION).number("threads", static_cast<std::int64_t>(threads));
    line.number("seeds", static_cast<std::int64_t>(config.seeds.size()));
    line.text("user_agent", config.user_agent()).text("random_seed", std::to_string(seed));
    log_.write(line, clock_.now().wall);
  }

  void run() {
    start_ = last_summary_ = clock_.now();
    hear_signals();
    offer_seeds();
    running_ = workers_.size();
    for (auto& worker : workers_) {
      worker->root.spawn(work(*worker));
      worker->thread = std::thread([&loop = worker->loop] { loop.run(); });
    }
    tasks_.spawn(keep_time());
    loop_.run();
    for (auto& worker : workers_) worker->thread.join();
    write_summary();
    base::Line line(base::Level::info, "stop");
    line.text("why", why_).number("owed", mail_.owed());
    log_.write(line, clock_.now().wall);
  }

 private:
  base::Async<> work(Worker& worker) {
    co_await worker.shard.run();
    worker.client.close();
    asio::post(loop_, [this] {
      if (--running_ == 0) end();
    });
    worker.loop.stop();
  }

  void offer_seeds() {
    std::vector<Offer> offers;
    offers.reserve(config_.seeds.size());
    for (const config::Seed& seed : config_.seeds) offers.push_back({seed.url, 0, 0, true});
    mail_.send_offers(nullptr, std::move(offers));
  }

  void hear_signals() {
    signals_.async_wait([this](const boost::system::error_code& error, int signal) {
      if (error) return;
      if (draining_) {
        insist("second signal");
      } else {
        drain(signal == SIGTERM ? "SIGTERM" : signal == SIGINT ? "SIGINT" : "SIGHUP");
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
    for (auto& worker : workers_) asio::post(worker->loop, [&shard = worker->shard] { shard.drain(); });
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
    ended_ = true;
    alarm_->ring();
  }

  base::Async<> keep_time() {
    while (!ended_) {
      const base::Now now = clock_.now();
      if (options_.run_for && now.steady >= start_.steady + *options_.run_for) drain("time is up");
      if (draining_ && !insisted_ && now.steady >= insist_at_) insist("grace is over");
      if (now.steady >= last_summary_.steady + kSummaryEvery) gather_reports();
      base::TimePoint until = std::max(now.steady, last_summary_.steady) + kSummaryEvery;
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
      asio::post(worker->loop, [this, &shard = worker->shard] {
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
    for (auto& worker : workers_) add_report(total_, worker->shard.report());
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
  base::SystemClock clock_;
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
  daemon.run();
  return EX_OK;
}

}  // namespace crawler

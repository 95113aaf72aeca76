#include "crawler/daemon.h"

#include "base/time_text.h"
#include "config/addresses.h"
#include "config/checks.h"
#include "crawler/admin_api.h"
#include "crawler/admin_json.h"
#include "crawler/admin_server.h"
#include "crawler/admin_socket.h"
#include "crawler/archive.h"
#include "crawler/control.h"
#include "crawler/crawl_log_file.h"
#include "crawler/keys.h"
#include "crawler/log_setup.h"
#include "crawler/lookout.h"
#include "crawler/machine.h"
#include "crawler/opening.h"
#include "crawler/order_book.h"
#include "crawler/pack_exchange.h"
#include "crawler/progress.h"
#include "crawler/reload.h"
#include "crawler/seeding.h"
#include "crawler/service.h"
#include "crawler/space.h"
#include "fetch/client.h"

#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <sysexits.h>

#include <csignal>
#include <random>

namespace crawler {
namespace {

namespace asio = boost::asio;

/// What people see of the crawl log is no older.
constexpr base::Duration kFlushEvery = std::chrono::seconds(1);
constexpr base::Duration kProgressEvery = std::chrono::seconds(1);
constexpr base::Duration kLookAtSpaceEvery = std::chrono::seconds(5);

std::uint64_t draw_seed() {
  std::random_device device;
  const std::uint64_t high = device();
  const std::uint64_t low = device();
  return (high << 32U) | low;
}

class Daemon final : public Control {
 public:
  /// `asked`: the configuration as it was read, before it was fitted to this machine.
  Daemon(const config::Config& config, const config::Config& asked, const RunOptions& options,
         Service& service, base::Log& log)
      : config_(config),
        asked_(asked),
        service_(service),
        options_(options),
        log_(log),
        begun_(base::SystemClock().now()),
        signals_(loop_, SIGTERM, SIGINT, SIGHUP),
        opening_(open_frontier(config, base::machine_now, draw_seed())),
        store_(*opening_.store),
        clock_(opening_.axis_offset),
        commits_(store_, clock_, Commits::Mode::grouped),
        space_(config.storage.pause_below, config.storage.resume_above),
        reserve_(config.storage.directory),
        hostname_(name_of_machine()),
        current_(std::make_shared<const config::Config>(config)),
        addresses_(config.politeness),
        mail_([this] {
          if (options_.until_idle) asio::post(loop_, [this] { drain("nothing is owed"); });
        }),
        crew_(loop_.get_executor(), clock_),
        order_book_(store_, commits_, crew_, clock_, log_),
        seeding_(loop_.get_executor(), store_, mail_),
        alarm_(clock_.alarm(loop_.get_executor())),
        api_(*this),
        tasks_(loop_.get_executor(), clock_,
               [](std::exception_ptr escaped) { std::rethrow_exception(std::move(escaped)); }) {
    signals_.add(SIGUSR1);
    store_.on_failure([this](const std::string& why) {
      asio::post(loop_, [this, why] { fail("the store has failed: " + why); });
    });
    if (config.crawl_log.format != config::CrawlLogFormat::off) crawl_log_.emplace(config);
    if (config.archive.enabled) open_archive();
    order_book_.recall();
    start_workers();
    lookout_.emplace(Lookout::Parts{.crew = crew_,
                                    .commits = commits_,
                                    .clock = clock_,
                                    .log = log_,
                                    .config = config_,
                                    .connections = *means_.connections,
                                    .archive = archive_ ? &*archive_ : nullptr,
                                    .crawl_log = crawl_log_ ? &*crawl_log_ : nullptr});
    if (admin_wanted(config)) {
      admin_.emplace(loop_.get_executor(), clock_, config, log,
                     [this](AdminRequest request) { return api_.answer(std::move(request)); });
    }
    base::Line line(base::Level::info, "start");
    line.word("version", CRAWLD_VERSION).number("threads", static_cast<std::int64_t>(crew_.size()));
    line.number("seeds", static_cast<std::int64_t>(config.seeds.size()));
    line.text("user_agent", config.user_agent()).text("random_seed", std::to_string(seed_));
    line.text("storage", config.storage.directory);
    if (archive_) line.text("archive", archive_directory(config));
    line.number("connections", config.network.max_connections);
    if (config.network.proxy.kind != config::Proxy::Kind::none) {
      line.text("proxy", config::proxy_text(config.network.proxy));
      const bool remote = config.network.proxy_names == config::ProxyNames::remote;
      line.word("names", remote ? "remote" : "local");
    }
    log_.write(line, clock_.now().wall);
  }

  int run() {
    start_ = clock_.now();
    lookout_->begin();
    reload_good_at_ = start_.wall;
    hear_signals();
    mail_.owe(1 + static_cast<std::int64_t>(opening_.tally.owed()));  // one more while seeds are handed on
    say_ready();
    current_ = std::make_shared<const config::Config>(seeding_.with_added(config_));
    crew_.tell([config = current_](Worker& worker) { worker.shard->set_scope(*config); });
    seeding_.offer(current_);
    running_ = crew_.size();
    service_.begin(crew_.size());
    crew_.start([this](asio::io_context& loop) { run_through(loop); });
    crew_.tell([this](Worker& started) { started.root.spawn(work(started)); });
    tasks_.spawn(keep_time());
    if (admin_) admin_->start();
    pause_or_resume();
    run_through(loop_);
    service_.closing();
    crew_.join();
    commits_.stop();
    if (archive_) archive_->stop();
    lookout_->last_line();
    reserve_.release();  // the store may need the room to end in order
    if (!store_.failed()) close_in_order(store_, clock_.mark());
    store_.on_failure({});
    base::Line line(store_.failed() ? base::Level::error : base::Level::info, "stop");
    line.text("why", why_).number("owed", static_cast<std::int64_t>(lookout_->total().urls.owed()));
    log_.write(line, clock_.now().wall);
    return store_.failed() ? EX_IOERR : EX_OK;
  }

 private:
  void open_archive() {
    Archive::Options options;
    options.config = config_.archive;
    options.directory = archive_directory(config_);
    options.hostname = hostname_;
    options.first_record = [this, random = base::Random(draw_seed())](const std::string& name,
                                                                      base::WallTime at) mutable {
      return pack_warcinfo(config_, hostname_, name, at, random);
    };
    options.on_trouble = [this](bool trouble) {
      asio::post(loop_, [this, trouble] {
        archive_waits_ = trouble;
        pause_or_resume();
      });
    };
    archive_.emplace(std::move(options), clock_, log_);
  }

  /// What a handler had no memory for is lost, and the rest goes on.
  void run_through(asio::io_context& loop) {
    while (true) {
      try {
        loop.run();
        return;
      } catch (const std::bad_alloc&) {
        log_.write(base::Line(base::Level::error, "memory").text("why", "there is none left"),
                   clock_.now().wall);
      }
    }
  }

  void start_workers() {
    const std::size_t threads = threads_of(config_);
    means_ = fetch::make_means(config_.network);
    if (const auto own = config::listen_address(config_.admin)) means_.own_port = own->port;
    std::vector<Shard*> shards;
    for (std::size_t i = 0; i < threads; ++i) {
      std::unique_ptr<Worker> made;
      try {
        made = std::make_unique<Worker>(config_, means_, clock_);
      } catch (const std::runtime_error& failed) {  // a file that it names, or an address that is not ours
        throw StartError(EX_CONFIG, failed.what());
      }
      Worker& worker = crew_.add(std::move(made));
      Frontier::Parts frontier{.store = store_,
                               .secret = opening_.secret,
                               .opened = opening_.opened,
                               .fresh = opening_.fresh,
                               .memory = shards_memory(config_.storage) / threads,
                               .partitions = partitions_of(i, threads),
                               .scope = config_.scope,
                               .recrawl = config_.recrawl,
                               .traps = config_.traps};
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
                       .visits_max = std::max<std::size_t>(1, config_.network.max_connections / threads),
                       .archive = archive_ ? &*archive_ : nullptr,
                       .crawl_log = crawl_log_ ? &*crawl_log_ : nullptr,
                       .number = i});
      worker.shard->set_orders(order_book_.orders());
      shards.push_back(&*worker.shard);
    }
    mail_.open(std::move(shards));
  }

  base::Async<> work(Worker& worker) {
    co_await worker.shard->run();
    worker.client.close();
    asio::post(loop_, [this] {
      if (--running_ == 0) finish();
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

  // --- What the admin endpoint asks.

  base::Executor executor() override { return loop_.get_executor(); }
  base::Clock& clock() override { return clock_; }
  base::Log& log() override { return log_; }
  Store& store() override { return store_; }
  Commits& commits() override { return commits_; }
  Mail& mail() override { return mail_; }
  Crew& crew() override { return crew_; }
  const History& history() override { return lookout_->history(); }
  std::shared_ptr<const config::Config> config() override { return current_; }
  const Orders& orders() override { return *order_book_.orders(); }
  void end(std::string_view why) override { drain(why); }
  void add_seed(const config::Seed& seed) override {
    config::Config more = *current_;
    more.seeds.push_back(seed);
    current_ = std::make_shared<const config::Config>(std::move(more));
    crew_.tell([config = current_](Worker& worker) { worker.shard->set_scope(*config); });
  }

  CrawlState state() override {
    if (store_.failed()) return CrawlState::store_failed;
    if (draining_) return CrawlState::draining;
    if (order_book_.orders()->crawl.holds(clock_.now().wall)) return CrawlState::paused;
    if (space_.paused()) return CrawlState::disk_full;
    return archive_waits_ ? CrawlState::archive_waits : CrawlState::running;
  }

  base::Async<std::optional<Condition>> condition() override {
    auto condition = co_await lookout_->condition();
    if (!condition) co_return std::nullopt;
    condition->state = state();
    condition->started = start_;
    condition->paused_until = order_book_.orders()->crawl.until;
    condition->reloaded = reloaded_;
    condition->reload_good = reload_good_;
    condition->reload_good_at = reload_good_at_;
    condition->orders = order_book_.orders()->size();
    co_return condition;
  }

  base::Async<bool> set_orders(Orders orders) override {
    const std::string text = orders.text();
    order_book_.put(std::move(orders));
    pause_or_resume();
    const base::Executor executor = loop_.get_executor();
    const bool kept = co_await order_book_.keep(text, executor);
    co_return kept;
  }

  static bool admin_wanted(const config::Config& config) {
    return !admin_socket_path(config).empty() || !config.admin.listen.empty();
  }

  /// SIGHUP. What cannot be exchanged while the crawl runs is named.
  Reloaded reload() override {
    const base::Now now = clock_.now();
    if (!options_.reload) return {{"this run has no configuration to read again"}, {}};
    reloaded_ = now.wall;
    service_.reloading();
    auto read = options_.reload();
    reload_good_ = std::holds_alternative<config::Config>(read);
    if (const auto* const errors = std::get_if<std::vector<std::string>>(&read)) {
      for (const std::string& error : *errors) {
        base::Line line(base::Level::error, "reload");
        log_.write(line.word("result", "refused").text("error", error), now.wall);
      }
      service_.reloaded();
      return {*errors, {}};
    }
    reload_good_at_ = now.wall;
    current_ = std::make_shared<const config::Config>(
        seeding_.with_added(std::move(std::get<config::Config>(read))));
    crew_.tell([config = current_](Worker& worker) { worker.shard->set_scope(*config); });
    mail_.owe(1);
    seeding_.offer(current_);
    apply_levels(log_, current_->log);
    Reloaded done;
    for (const std::string_view key : keys_for_restart(asked_, *current_)) {
      done.needs_restart.emplace_back(key);
      base::Line line(base::Level::warning, "reload");
      log_.write(line.word("result", "needs_restart").word("key", key), now.wall);
    }
    base::Line line(base::Level::info, "reload");
    line.word("result", "done").number("seeds", static_cast<std::int64_t>(current_->seeds.size()));
    line.text("applied", "seeds, scope, traps, recrawl, log.level, log.levels");
    log_.write(line, now.wall);
    service_.reloaded();
    return done;
  }

  /// SIGUSR1: somebody has renamed the logs.
  void reopen_logs() {
    if (crawl_log_) crawl_log_->reopen();
    base::Line line(base::Level::info, "reopen");
    line.word("log", log_.reopen() ? "true" : "false").word("crawl_log", crawl_log_ ? "true" : "false");
    log_.write(line, clock_.now().wall);
  }

  /// What the service manager wants to know of each part. A shard's answer is a sign that its loop turns.
  void ask_parts(base::Now now) {
    for (const std::size_t part : service_.look(now)) {
      if (part == crew_.size()) {
        tasks_.spawn(ask_store());
        continue;
      }
      asio::post(crew_.workers()[part]->loop, [this, part, &shard = *crew_.workers()[part]->shard] {
        Report report;
        try {
          report = shard.report();
        } catch (const std::bad_alloc&) {  // the answer is a sign of life without it too
        }
        asio::post(loop_, [this, part, report = std::move(report)]() mutable {
          service_.answered(part, std::move(report), clock_.now());
        });
      });
    }
  }

  base::Async<> ask_store() {
    co_await commits_.durable(loop_.get_executor());
    service_.store_answered();
  }

  /// Pauses the crawl while the disk is nearly full.
  void look_at_space() {
    space_next_ = clock_.now().steady + kLookAtSpaceEvery;
    std::string directory = config_.storage.directory;
    std::optional<std::uint64_t> free = free_octets(directory);
    if (archive_) {
      const std::optional<std::uint64_t> there = free_octets(archive_directory(config_));
      if (there && (!free || *there < *free)) {
        free = there;
        directory = archive_directory(config_);
      }
    }
    if (!free) return;
    const bool before = space_.paused();
    const bool paused = space_.update(*free);
    if (!paused) reserve_.hold();
    if (paused == before) return;
    pause_or_resume();
    base::Line line(paused ? base::Level::warning : base::Level::info, paused ? "pause" : "resume");
    line.text("why", paused ? "the disk is nearly full" : "the disk has room again");
    line.text("directory", directory).number("free", static_cast<std::int64_t>(*free));
    line.number(
        paused ? "resumes_above" : "pauses_below",
        static_cast<std::int64_t>(paused ? config_.storage.resume_above : config_.storage.pause_below));
    log_.write(line, clock_.now().wall);
  }

  /// No visit begins while there is no room, the archive takes nothing, or the operator says so.
  void pause_or_resume() {
    const bool ordered = order_book_.orders()->crawl.holds(clock_.now().wall);
    const bool pause = space_.paused() || archive_waits_ || ordered;
    held_by_order_ = ordered;
    service_.hold(space_.paused()  ? "the disk is nearly full"
                  : archive_waits_ ? "the archive takes nothing"
                  : ordered        ? "the operator has paused it"
                                   : "");
    crew_.tell([pause](Worker& worker) {
      if (pause) {
        worker.shard->pause();
      } else {
        worker.shard->resume();
      }
    });
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
      } else if (signal == SIGUSR1) {
        reopen_logs();
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
    service_.stopping(why_);
    crew_.tell([](Worker& worker) { worker.shard->drain(); });
    if (archive_ && archive_waits_) archive_->give_up();  // what waits for room is visited again
    alarm_->ring();
  }

  void insist(std::string_view why) {
    if (insisted_) return;
    insisted_ = true;
    base::Line line(base::Level::warning, "insist");
    log_.write(line.text("why", why), clock_.now().wall);
    crew_.tell([](Worker& worker) { worker.client.cancel(); });
    if (archive_) archive_->give_up();
  }

  /// No shard has anything to do any more.
  void finish() {
    signals_.cancel();
    if (admin_) admin_->close();
    crew_.stop();
    ended_ = true;
    alarm_->ring();
  }

  base::Async<> show_progress(base::Now now) {
    progress_next_ = now.steady + kProgressEvery;
    const auto seen = co_await condition();
    if (seen) options_.progress->show(json_of(*seen));
  }

  base::Async<> keep_time() {
    while (!ended_) {
      const base::Now now = clock_.now();
      if (options_.run_for && now.steady >= start_.steady + *options_.run_for) drain("time is up");
      if (draining_ && !insisted_ && now.steady >= insist_at_) insist("grace is over");
      if (now.steady >= space_next_) look_at_space();
      if (crawl_log_) crawl_log_->flush();
      if (held_by_order_ != order_book_.orders()->crawl.holds(now.wall)) pause_or_resume();
      if (now.steady >= service_.next()) ask_parts(now);
      if (options_.progress != nullptr && now.steady >= progress_next_) tasks_.spawn(show_progress(now));
      if (now.steady >= lookout_->next()) {
        keep_axis(store_, clock_.mark());
        order_book_.drop_expired(now.wall);
        tasks_.spawn(lookout_->sample());
      }
      base::TimePoint until = std::min({space_next_, service_.next(), lookout_->next()});
      if (options_.progress != nullptr) until = std::min(until, progress_next_);
      if (options_.run_for && !draining_) until = std::min(until, start_.steady + *options_.run_for);
      if (draining_ && !insisted_) until = std::min(until, insist_at_);
      if (crawl_log_) until = std::min(until, now.steady + kFlushEvery);
      co_await alarm_->wait_until(until);
    }
  }

  const config::Config& config_;
  const config::Config& asked_;
  Service& service_;
  const RunOptions options_;
  base::Log& log_;
  base::Now begun_;
  asio::io_context loop_{1};
  asio::basic_signal_set<base::Executor>
      signals_;  ///< until the store is closed: a second signal must not cut that short
  Opening opening_;
  Store& store_;
  base::SystemClock clock_;
  Commits commits_;
  SpaceGuard space_;
  Reserve reserve_;
  const std::string hostname_;
  std::optional<CrawlLog> crawl_log_;
  std::optional<Archive> archive_;
  bool archive_waits_ = false;
  std::shared_ptr<const config::Config> current_;  ///< seeds and scope in force
  base::TimePoint space_next_{};
  const std::uint64_t seed_ = draw_seed();
  scheduler::AddressClocks addresses_;
  Mail mail_;
  fetch::Means means_;
  Crew crew_;
  OrderBook order_book_;
  Seeding seeding_;
  std::optional<Lookout> lookout_;
  std::unique_ptr<base::Alarm> alarm_;
  AdminApi api_;
  std::optional<AdminServer> admin_;

  base::Now start_;
  std::optional<base::WallTime> reloaded_;
  base::WallTime reload_good_at_{};
  bool reload_good_ = true;
  base::TimePoint insist_at_;
  base::TimePoint progress_next_{};
  std::string why_;
  bool draining_ = false;
  bool insisted_ = false;
  bool ended_ = false;
  std::size_t running_ = 0;
  bool held_by_order_ = false;
  base::Tasks tasks_;  ///< last: its coroutine uses all of the above
};

}  // namespace

int run_daemon(const config::Config& config, const RunOptions& options, base::Log& log) {
  // Who reads our log may go, and a limit of file sizes (LimitFSIZE=) is a full disk: both are errors of a
  // write, and no reason to die.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGUSR1, SIG_IGN);  // until the daemon listens, there is nothing to open anew
  Service service(take_service_environment(), log);
  const config::Config fitting = within_descriptors(config);
  Daemon daemon(fitting, config, options, service, log);
  return daemon.run();
}

}  // namespace crawler

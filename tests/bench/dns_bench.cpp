// Look-ups of our resolver, asked of a name server on loopback that answers at once: so many under way at a
// time, of names that nobody knows and of names that are remembered. Look-ups per second are bounded by that
// server, which has a thread of its own; `us_cpu` is what a look-up (A and AAAA) costs the thread of the
// crawl, and `asked_again` counts lost questions.
#include "base/tasks.h"
#include "fetch/resolver.h"
#include "tests/support/dns_server.h"

#include <benchmark/benchmark.h>
#include <boost/asio/io_context.hpp>

#include <ctime>
#include <memory>
#include <string>

namespace {

constexpr std::size_t kBatch = 2'000;
constexpr std::size_t kKnown = 1'000;

support::DnsAnswer site(const std::string& /*name*/, bool v6) {
  support::DnsAnswer answer;
  answer.addresses.emplace_back(v6 ? "2001:db8::1" : "192.0.2.1");
  return answer;
}

double thread_us() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

class Asker {
 public:
  /// Names repeat after `names` look-ups.
  explicit Asker(std::size_t names) : names_(names) {
    config::Network network;
    network.nameservers.push_back({*base::IpAddress::parse("127.0.0.1"), server_.port()});
    resolver_ = std::make_shared<fetch::Resolver>(io_.get_executor(), clock_, network);
  }

  /// `count` look-ups, at most `under_way` at a time.
  void look_up(std::size_t count, std::size_t under_way) {
    end_ += count;
    for (std::size_t i = 0; i < under_way; ++i) tasks_.spawn(work());
    io_.restart();
    io_.run();
  }

  std::size_t looked_up() const { return next_; }
  std::size_t failed() const { return failed_; }
  int questions() const { return server_.questions(); }

 private:
  base::Async<> work() {
    while (next_ < end_) {
      std::string name = "www.site" + std::to_string(next_++ % names_) + ".example";
      const fetch::Addresses found = co_await resolver_->lookup(std::move(name));
      if (found.list.empty()) ++failed_;
    }
  }

  const std::size_t names_;
  std::size_t next_ = 0;
  std::size_t end_ = 0;
  std::size_t failed_ = 0;
  support::DnsServer server_{site};
  boost::asio::io_context io_{1};
  base::SystemClock clock_;
  base::Tasks tasks_{io_.get_executor(), clock_, [](const std::exception_ptr&) { std::terminate(); }};
  std::shared_ptr<fetch::Resolver> resolver_;
};

void look_up(benchmark::State& state, std::size_t names) {
  const auto under_way = static_cast<std::size_t>(state.range(0));
  Asker asker(names);
  asker.look_up(kKnown, under_way);
  const std::size_t before = asker.looked_up();
  const int questions = asker.questions();
  const double begin = thread_us();
  for (auto step : state) {
    static_cast<void>(step);
    asker.look_up(kBatch, under_way);
  }
  const auto count = static_cast<double>(asker.looked_up() - before);
  state.counters["us_cpu"] = (thread_us() - begin) / count;
  state.SetItemsProcessed(static_cast<std::int64_t>(count));
  const double asked = asker.questions() - questions;
  if (names > kKnown) state.counters["asked_again"] = asked - 2 * count;
  if (asker.failed() != 0 || (names <= kKnown && asked > 0))
    state.SkipWithError("not what was to be measured");
}

void DistinctNames(benchmark::State& state) {
  look_up(state, std::size_t{1} << 40U);
}
BENCHMARK(DistinctNames)->Arg(1)->Arg(32)->Arg(128)->UseRealTime()->Unit(benchmark::kMillisecond);

void KnownNames(benchmark::State& state) {
  look_up(state, kKnown);
}
BENCHMARK(KnownNames)->Arg(32)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace

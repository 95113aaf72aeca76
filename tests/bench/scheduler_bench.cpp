// What a decision costs, by the number of origins that wait; and what an origin weighs. In a host queue:
// next, sent, finish. In a calendar: the first one leaves and comes back.
#include "base/hash.h"
#include "scheduler/calendar.h"
#include "scheduler/host_queue.h"

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <string>

namespace {

using namespace std::chrono_literals;
using scheduler::AddressClocks;
using scheduler::Feedback;
using scheduler::Health;
using scheduler::HostQueue;

base::IpAddress address(std::size_t i) {
  base::IpAddress result;
  for (std::size_t octet = 0; octet < 4; ++octet)
    result.octets[octet] = static_cast<std::uint8_t>(i >> (8 * octet));
  return result;
}

/// `origins` origins on `addresses` addresses, all with work, after one visit each.
class Crawl {
 public:
  Crawl(std::size_t origins, std::size_t addresses, const config::Politeness& politeness)
      : clocks_(politeness), queue_(politeness, clocks_, random_) {
    const std::size_t before = mallinfo2().uordblks;
    for (std::size_t i = 0; i < origins; ++i) {
      const auto url = base::Url::parse("http://www.site" + std::to_string(i) + ".com/");
      queue_.wake(url.value().origin(), now_);
    }
    for (std::size_t i = 0; i < origins; ++i) {
      auto lease = queue_.next(now_);
      if (queue_.admit(*lease, address(i % addresses), now_)) {
        visit(std::move(*lease));
      } else {
        queue_.give_back(std::move(*lease), true, now_);
      }
      now_.steady += 1us;
      now_.wall += 1us;
    }
    octets_ = static_cast<double>(mallinfo2().uordblks - before) / static_cast<double>(origins);
  }

  void decide() {
    for (;;) {
      if (auto lease = queue_.next(now_)) return visit(std::move(*lease));
      const base::Duration wait = *queue_.next_due(now_) - now_.steady;
      now_.steady += wait;
      now_.wall += wait;
    }
  }

  double octets_per_origin() const { return octets_; }
  const HostQueue& queue() const { return queue_; }
  base::Now now() const { return now_; }

 private:
  void visit(scheduler::Lease lease) {
    queue_.sent(lease, now_.steady);
    queue_.finish(std::move(lease), Feedback{Health::ok, {}, now_.steady}, true, now_);
  }

  base::Now now_{base::TimePoint(1h), base::WallTime(24h * 20'000)};
  base::Random random_{1};
  AddressClocks clocks_;
  HostQueue queue_;
  double octets_ = 0;
};

void decide(benchmark::State& state, std::size_t addresses, const config::Politeness& politeness) {
  Crawl crawl(static_cast<std::size_t>(state.range(0)), addresses, politeness);
  for (auto step : state) {
    static_cast<void>(step);
    crawl.decide();
  }
  state.counters["octets_per_origin"] = crawl.octets_per_origin();
}

void OwnAddresses(benchmark::State& state) {
  decide(state, static_cast<std::size_t>(state.range(0)), {});
}
BENCHMARK(OwnAddresses)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);

void OneAddress(benchmark::State& state) {
  decide(state, 1, {});
}
BENCHMARK(OneAddress)->Arg(1'000)->Arg(100'000);

void WithSiteClocks(benchmark::State& state) {
  config::Politeness politeness;
  politeness.per_site_interval = 1s;
  decide(state, static_cast<std::size_t>(state.range(0)), politeness);
}
BENCHMARK(WithSiteClocks)->Arg(1'000)->Arg(100'000);

void CountOrigins(benchmark::State& state) {
  const Crawl crawl(static_cast<std::size_t>(state.range(0)), 1000, {});
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(crawl.queue().census(crawl.now()));
  }
}
BENCHMARK(CountOrigins)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

/// The first origin leaves and comes back at a later, random instant. `longest_us` is of a single call while
/// the calendar is filled and turns: on a machine that does other things as well, the least of some runs.
void CalendarTurn(benchmark::State& state) {
  const auto allocated = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
  const auto origins = static_cast<std::size_t>(state.range(0));
  const std::size_t before = allocated();
  base::Random random{1};
  scheduler::Calendar calendar;
  const auto later = [&random] { return base::Duration(random.below(3'600'000'000'000)); };
  std::chrono::nanoseconds longest{};
  const auto timed = [&longest](const auto& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    longest = std::max<std::chrono::nanoseconds>(longest, std::chrono::steady_clock::now() - start);
  };
  for (std::size_t i = 0; i < origins; ++i) {
    const std::string name = "http://www.site" + std::to_string(i) + ".com";
    const base::TimePoint due(later());
    timed([&] { calendar.put(base::keyed_hash(name, 1), static_cast<std::uint16_t>(i % 4096), due); });
  }
  const std::size_t octets = allocated() - before;
  const auto turn = [&] {
    const auto first = calendar.first();
    calendar.pop_first();
    calendar.put(first->origin, first->partition, first->due + later());
  };
  for (int i = 0; i < 100'000; ++i) timed(turn);
  for (auto step : state) {
    static_cast<void>(step);
    turn();
  }
  state.counters["octets_per_origin"] = static_cast<double>(octets) / static_cast<double>(origins);
  state.counters["longest_us"] = std::chrono::duration<double, std::micro>(longest).count();
  state.counters["decisions"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(CalendarTurn)->Arg(1'000)->Arg(100'000)->Arg(1'000'000)->Arg(10'000'000);

/// One reservation and start, with as many threads as share the clocks.
void Reservation(benchmark::State& state) {
  static AddressClocks clocks{config::Politeness{}};
  base::TimePoint now(1h);
  std::size_t i = static_cast<std::size_t>(state.thread_index()) << 20U;
  for (auto step : state) {
    static_cast<void>(step);
    const base::IpAddress taken = address((i & ~std::size_t{0xffff}) | (i & 0xffffU));
    i = (i & ~std::size_t{0xffff}) | ((i + 1) & 0xffffU);
    now += 1ms;
    if (!clocks.reserve(taken, now)) clocks.sent(taken, now);
  }
}
BENCHMARK(Reservation)->Threads(1)->Threads(2);

}  // namespace

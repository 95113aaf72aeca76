// The durable frontier: how many URLs a second one core offers and takes, new ones and repeats, and what they
// take on disk and in memory. Each row is one run on a fresh store below $CRAWLD_BENCH_DIR (or the folder for
// temporary files); 50 million URLs want about 5 GB there. Rows above 10 million run when CRAWLD_BENCH_LARGE
// is set.
#include "base/clock.h"
#include "crawler/frontier.h"
#include "crawler/opening.h"

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace {

using Seconds = std::chrono::duration<double>;

constexpr std::uint64_t kPage = 20;  ///< new URLs of a page, written together

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

double resident_mib() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  double resident = 0;
  file >> pages >> resident;
  return resident * 4096 / (1024.0 * 1024.0);
}

/// The URL with number `n`, as it comes out of pages with kPage new URLs each: four of five are of the page's
/// own host, the others of any. Hosts are of very different sizes, paths as long as they are on the web.
base::Url url_of(std::uint64_t n, std::uint64_t hosts) {
  const std::uint64_t of = n % 5 == 4 ? n : n / kPage;
  const std::uint64_t mixed = (of * 0x9e37'79b9'7f4a'7c15ULL) >> 11U;
  const std::uint64_t host = (mixed % hosts) * ((mixed >> 32U) % 8) / 8;
  return *base::Url::parse("https://www.site" + std::to_string(host) + ".example/articles/2026/11/section-" +
                           std::to_string(n % 97) + "/page-" + std::to_string(n) + ".html");
}

struct Place {
  explicit Place(std::uint64_t memory) {
    const char* const asked = std::getenv("CRAWLD_BENCH_DIR");
    std::string name =
        (asked != nullptr ? std::filesystem::path(asked) : std::filesystem::temp_directory_path()) /
        "crawld-bench-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) std::abort();
    directory = name;
    config.storage.directory = name;
    config.storage.memory = memory;
    open();
  }
  ~Place() {
    frontier.reset();
    opening.store.reset();
    std::filesystem::remove_all(directory);
  }
  void open() {
    opening = crawler::open_frontier(config, base::machine_now, 1);
    crawler::Frontier::Parts parts{.store = *opening.store,
                                   .secret = opening.secret,
                                   .opened = opening.opened,
                                   .fresh = opening.fresh,
                                   .memory = config.storage.memory / 16 * 9};
    parts.scope.max_urls_per_origin = UINT64_MAX;
    parts.scope.max_urls_per_domain = UINT64_MAX;
    parts.recrawl.enabled = false;
    frontier = std::make_unique<crawler::Frontier>(parts);
  }
  double disk_octets() const {
    double sum = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(directory)) {
      if (file.is_regular_file()) sum += static_cast<double>(file.file_size());
    }
    return sum;
  }

  config::Config config;
  std::string directory;
  crawler::Opening opening;
  std::unique_ptr<crawler::Frontier> frontier;
};

void offer_range(crawler::Frontier& frontier, std::uint64_t from, std::uint64_t to, std::uint64_t hosts) {
  for (std::uint64_t n = from; n < to; ++n) {
    frontier.offer({url_of(n, hosts), {.depth = static_cast<std::uint32_t>(n % 4)}}, base::TimePoint{});
    if (n % kPage == kPage - 1) frontier.commit();
  }
  frontier.commit();
}

/// Offers range(0) new URLs of range(1) hosts, offers a million of them again, closes, opens, and takes and
/// settles 100,000.
void Frontier(benchmark::State& state) {
  const auto urls = static_cast<std::uint64_t>(state.range(0));
  const auto hosts = static_cast<std::uint64_t>(state.range(1));
  if (urls > 10'000'000 && std::getenv("CRAWLD_BENCH_LARGE") == nullptr) {
    state.SkipWithError("set CRAWLD_BENCH_LARGE=1");
    return;
  }
  for ([[maybe_unused]] const auto turn : state) {
    Place place(std::uint64_t{512} * 1024 * 1024);
    const auto clock = [] { return std::chrono::steady_clock::now(); };

    double cpu = cpu_seconds();
    auto began = clock();
    offer_range(*place.frontier, 0, urls, hosts);
    const double offering = Seconds(clock() - began).count();
    state.counters["new/s"] = static_cast<double>(urls) / offering;
    state.counters["new_cpu_us"] = (cpu_seconds() - cpu) * 1e6 / static_cast<double>(urls);
    state.counters["resident_MiB"] = resident_mib();

    // Repeats are mostly of what was seen lately.
    const std::uint64_t repeats = 1'000'000;
    const std::uint64_t recent = std::min<std::uint64_t>(urls, 500'000);
    std::vector<base::Url> again;
    for (std::uint64_t n = 0; n < recent; ++n) again.push_back(url_of(urls - recent + n, hosts));
    began = clock();
    for (std::uint64_t n = 0; n < repeats; ++n) {
      place.frontier->offer({again[n % recent], {}}, base::TimePoint{});
    }
    state.counters["repeat/s"] = static_cast<double>(repeats) / Seconds(clock() - began).count();

    place.frontier.reset();
    began = clock();
    place.opening.store.reset();
    state.counters["close_s"] = Seconds(clock() - began).count();
    state.counters["octets/url"] = place.disk_octets() / static_cast<double>(urls);
    began = clock();
    place.open();
    state.counters["open_ms"] = Seconds(clock() - began).count() * 1e3;

    // Takes: many origins, some URLs of each, as the scheduler asks for them.
    std::string after;
    std::vector<crawler::DueRow> rows;
    place.frontier->due_rows(after, base::TimePoint::max(), 2'000, rows);
    std::vector<base::Origin> origins;
    cpu = cpu_seconds();
    began = clock();
    for (const crawler::DueRow& row : rows) {
      if (auto origin = place.frontier->hold(row)) origins.push_back(std::move(*origin));
    }
    std::uint64_t taken = 0;
    crawler::Ending fetched;
    fetched.status = 200;
    for (int round = 0; round < 50; ++round) {
      for (const base::Origin& origin : origins) {
        auto item = place.frontier->take(origin, base::TimePoint{});
        if (!item) continue;
        place.frontier->begin_request(origin);
        place.frontier->commit();
        place.frontier->end_request(origin, {});
        place.frontier->settle(std::move(*item), fetched, base::TimePoint{});
        place.frontier->commit();
        ++taken;
      }
    }
    state.counters["visit/s"] = static_cast<double>(taken) / Seconds(clock() - began).count();
    state.counters["visit_cpu_us"] =
        (cpu_seconds() - cpu) * 1e6 / static_cast<double>(std::max<std::uint64_t>(taken, 1));
  }
}
BENCHMARK(Frontier)
    ->Args({1'000'000, 10'000})
    ->Args({10'000'000, 100'000})
    ->Args({50'000'000, 500'000})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

}  // namespace

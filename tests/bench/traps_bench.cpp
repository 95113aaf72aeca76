#include "crawler/traps.h"

#include <benchmark/benchmark.h>

namespace {

void trap_of(benchmark::State& state, const std::string& target) {
  const base::Url url = base::Url::parse("https://www.example.com" + target).value();
  const config::Traps wide{8192, 4096, 4096, 4096, 1, 0};
  const config::Traps usual;
  const config::Traps& limits = target.size() > usual.max_url_length / 2 ? wide : usual;
  for (auto _ : state) benchmark::DoNotOptimize(crawler::trap_of(url, limits));
}
BENCHMARK_CAPTURE(trap_of, usual, "/articles/2026/05/some-article-name.html?from=list&page=2");
BENCHMARK_CAPTURE(trap_of, deep, "/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t");
BENCHMARK_CAPTURE(trap_of, worst, std::string(4000, '/'));

void strip(benchmark::State& state, const std::string& target) {
  const base::Url url = base::Url::parse("https://www.example.com" + target).value();
  const std::vector<std::string> patterns{"utm_*", "sessionid", "fbclid", "gclid"};
  for (auto _ : state) benchmark::DoNotOptimize(crawler::strip(url, patterns));
}
BENCHMARK_CAPTURE(strip, no_query, "/articles/2026/05/some-article-name.html");
BENCHMARK_CAPTURE(strip, nothing_to_strip, "/articles/some-article-name.html?from=list&page=2");
BENCHMARK_CAPTURE(strip, stripped,
                  "/articles/some-article-name.html?from=list&utm_source=x&utm_medium=y&page=2");

}  // namespace

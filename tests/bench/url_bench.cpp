#include "base/site.h"
#include "base/url.h"
#include "tests/bench/allocations.h"

#include <benchmark/benchmark.h>

#include <array>

namespace {

const base::Url kBase = base::Url::parse("https://www.example.com/articles/2026/index.html?page=2").value();

void resolve(benchmark::State& state, std::string_view reference) {
  for (auto _ : state) benchmark::DoNotOptimize(base::Url::resolve(reference, kBase));
}
BENCHMARK_CAPTURE(resolve, relative, "../2025/some-article-name.html");
BENCHMARK_CAPTURE(resolve, from_root, "/articles/2025/some-article-name.html?from=list");
BENCHMARK_CAPTURE(resolve, absolute, "https://cdn.example.org/articles/2025/some-article-name.html");
BENCHMARK_CAPTURE(resolve, query, "?page=3&sort=date");
BENCHMARK_CAPTURE(resolve, encoded, "/wiki/Caf\xC3\xA9_\xE6\x9D\xB1\xE4\xBA\xAC and more");
BENCHMARK_CAPTURE(resolve, international, "https://b\xC3\xBC\x63her.example/");
BENCHMARK_CAPTURE(resolve, refused, "javascript:void(0)");

/// Links as a page has them one after another, so that no branch is foretold from the last round: each is
/// resolved and in its normal form. `per_link` is the time of one.
void resolve_typical(benchmark::State& state) {
  constexpr std::array<std::string_view, 12> kLinks = {
      "/articles/2026/some-article-name.html",
      "/",
      "some-other-article.html",
      "https://www.example.com/articles/2025/some-article-name.html?from=list",
      "/about/",
      "../2025/some-article-name.html#comments",
      "https://cdn.example.org/assets/2026/11/picture-of-it.html",
      "?page=3&sort=date",
      "#top",
      "//social.example.net/share?url=https%3A%2F%2Fwww.example.com%2Farticles",
      "/tags/words%20and%20more/index.html?utm=1&page=2",
      "https://www.example.com/",
  };
  bench::measure(state, [&] {
    for (const std::string_view link : kLinks) benchmark::DoNotOptimize(base::Url::resolve(link, kBase));
  });
  state.counters["per_link"] =
      benchmark::Counter(static_cast<double>(kLinks.size()),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(resolve_typical);

void site_of(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(base::site_of("www.news.example.co.uk"));
}
BENCHMARK(site_of);

}  // namespace

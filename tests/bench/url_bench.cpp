#include "base/site.h"
#include "base/url.h"

#include <benchmark/benchmark.h>

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

void site_of(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(base::site_of("www.news.example.co.uk"));
}
BENCHMARK(site_of);

}  // namespace

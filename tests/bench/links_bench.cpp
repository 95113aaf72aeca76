#include "crawler/html_tokenizer.h"
#include "crawler/links.h"

#include <benchmark/benchmark.h>

namespace {

/// About 20 KB with 72 links, some of them twice, as pages of the web have them in the middle.
std::string typical_page() {
  std::string html =
      "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>A page</title>"
      "<link rel=canonical href=/a><script>var a = 1 < 2;" +
      std::string(3000, 'x') + "</script><style>" + std::string(1500, 'y') + "</style></head><body>";
  for (int i = 0; i < 72; ++i) {
    const std::string number = std::to_string(i % 60);
    html += "<div class=\"item item-" + number + "\" data-id='" + number +
            "'><h2><a class=\"title\" href=\"/articles/2026/" + number +
            "/some-article-name.html?from=list&amp;page=2\" title='Read on'>Article " + number +
            "</a></h2><p>Some words about it, <b>bold</b> and plain, up to the end of a sentence or "
            "two.</p><br></div>\n";
  }
  return html + "</body></html>";
}

const base::Url kUrl = base::Url::parse("https://www.example.com/articles/").value();

void tokenize(benchmark::State& state) {
  const std::string html = typical_page();
  for (auto _ : state) {
    crawler::HtmlTokenizer tokenizer(html);
    for (crawler::StartTag tag; tokenizer.next(tag);) benchmark::DoNotOptimize(tag);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(html.size()));
}
BENCHMARK(tokenize);

void read_page(benchmark::State& state) {
  const std::string html = typical_page();
  const std::vector<std::string> tokens = {"crawld"};
  for (auto _ : state) benchmark::DoNotOptimize(crawler::read_page(html, kUrl, tokens));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(html.size()));
}
BENCHMARK(read_page);

/// Mostly text, as the long tail of pages and documentation.
void tokenize_text(benchmark::State& state) {
  std::string html;
  for (int i = 0; i < 50; ++i) html += "<p>" + std::string(1500, 'w') + "<a href=/x>y</a></p>";
  for (auto _ : state) {
    crawler::HtmlTokenizer tokenizer(html);
    for (crawler::StartTag tag; tokenizer.next(tag);) benchmark::DoNotOptimize(tag);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(html.size()));
}
BENCHMARK(tokenize_text);

}  // namespace

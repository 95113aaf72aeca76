// Links of pages, beside what a tree builder (gumbo) and the SAX reader of libxml2 need for the same <a
// href>; and sitemaps.
#include "crawler/html_tokenizer.h"
#include "crawler/links.h"
#include "crawler/sitemap.h"
#include "tests/bench/allocations.h"

#include <benchmark/benchmark.h>

#ifdef CRAWLD_GUMBO
#include <gumbo.h>
#endif
#ifdef CRAWLD_LIBXML2
#include <libxml/HTMLparser.h>
#endif

#include <cstring>

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

void count(benchmark::State& state, const std::string& text) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

/// Mostly text, as the long tail of pages and documentation: 50 links in 78 KB.
std::string text_page() {
  std::string html = "<!DOCTYPE html><html><head><meta charset=utf-8><title>Words</title></head><body>\n";
  for (int i = 0; i < 50; ++i) {
    html += "<p>";
    for (int j = 0; j < 60; ++j) html += "some words, and a line end\n";
    html += "<a href=/x" + std::to_string(i) + ">y</a></p>\n";
  }
  return html;
}

/// One link behind 200 KB of script, which compares and shifts now and then.
std::string script_page() {
  std::string html = "<!DOCTYPE html><meta charset=utf-8><title>An application</title><script>\n";
  for (int i = 0; i < 2500; ++i) {
    html += "function f" + std::to_string(i) +
            "(a,b){return a<b?a:f(b,\"</b>\")}// words, words, and more of them\n";
  }
  return html + "</script><body><a href=/start>Start</a></body></html>";
}

/// Nothing but beginnings of tags: what a hostile page can make us look at, octet by octet.
std::string soup_page() {
  std::string html = "<!DOCTYPE html><meta charset=utf-8>";
  for (int i = 0; i < 8000; ++i) html += "<<a<b =c'</<!x><a/b=";
  return html;
}

void tokenize(benchmark::State& state, std::string (*page)()) {
  const std::string html = page();
  for (auto _ : state) {
    crawler::HtmlTokenizer tokenizer(html);
    for (crawler::StartTag tag; tokenizer.next(tag);) benchmark::DoNotOptimize(tag);
  }
  count(state, html);
}
BENCHMARK_CAPTURE(tokenize, typical, typical_page);
BENCHMARK_CAPTURE(tokenize, text, text_page);
BENCHMARK_CAPTURE(tokenize, script, script_page);
BENCHMARK_CAPTURE(tokenize, soup, soup_page);

void read_page(benchmark::State& state, std::string (*page)()) {
  const std::string html = page();
  const std::vector<std::string> tokens = {"crawld"};
  bench::measure(state, [&] { benchmark::DoNotOptimize(crawler::read_page(html, kUrl, tokens)); });
  count(state, html);
}
BENCHMARK_CAPTURE(read_page, typical, typical_page);
BENCHMARK_CAPTURE(read_page, text, text_page);
BENCHMARK_CAPTURE(read_page, script, script_page);
BENCHMARK_CAPTURE(read_page, soup, soup_page);

void read_page_with_embeds(benchmark::State& state) {
  const std::string html = typical_page();
  const crawler::PageOptions options{{"crawld"}, true};
  for (auto _ : state) benchmark::DoNotOptimize(crawler::read_page(html, "text/html", "", kUrl, options));
  count(state, html);
}
BENCHMARK(read_page_with_embeds);

/// Says nothing of its encoding, and has to be looked through: the costly case is one that is no UTF-8.
void read_page_of_unknown_charset(benchmark::State& state) {
  std::string html = typical_page();
  html.erase(html.find("<meta charset=utf-8>"), 20);
  for (std::size_t at = 0; (at = html.find("Some words", at)) != std::string::npos;)
    html.replace(at, 4, "\xF2\xE5\xF1\xF2");
  const crawler::PageOptions options{{"crawld"}, false};
  for (auto _ : state) benchmark::DoNotOptimize(crawler::read_page(html, "text/html", "", kUrl, options));
  count(state, html);
}
BENCHMARK(read_page_of_unknown_charset);

#ifdef CRAWLD_GUMBO
void gumbo(benchmark::State& state) {
  const std::string html = typical_page();
  for (auto _ : state) {
    GumboOutput* const output = gumbo_parse_with_options(&kGumboDefaultOptions, html.data(), html.size());
    benchmark::DoNotOptimize(output);
    gumbo_destroy_output(&kGumboDefaultOptions, output);
  }
  count(state, html);
}
BENCHMARK(gumbo);
#endif

#ifdef CRAWLD_LIBXML2
void libxml2_sax(benchmark::State& state) {
  const std::string html = typical_page();
  std::size_t found = 0;
  htmlSAXHandler handler{};
  handler.startElement = [](void* data, const xmlChar* name, const xmlChar** attributes) {
    if (std::strcmp(reinterpret_cast<const char*>(name), "a") != 0) return;
    for (; attributes != nullptr && *attributes != nullptr; attributes += 2) {
      if (std::strcmp(reinterpret_cast<const char*>(*attributes), "href") == 0)
        ++*static_cast<std::size_t*>(data);
    }
  };
  for (auto _ : state) {
    htmlParserCtxtPtr context = htmlCreatePushParserCtxt(
        &handler, &found, html.data(), static_cast<int>(html.size()), nullptr, XML_CHAR_ENCODING_UTF8);
    htmlParseChunk(context, "", 0, 1);
    htmlFreeParserCtxt(context);
  }
  if (found == 0) state.SkipWithError("no link found");
  count(state, html);
}
BENCHMARK(libxml2_sax);
#endif

std::string full_sitemap() {
  std::string xml =
      "<?xml version='1.0' encoding='UTF-8'?>\n<urlset "
      "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n";
  for (std::size_t i = 0; i < crawler::kSitemapEntriesMax; ++i) {
    xml += "<url><loc>https://www.example.com/articles/2026/" + std::to_string(i) +
           "/some-article-name.html</loc><lastmod>2026-08-01T09:00:00+02:00</lastmod><changefreq>weekly</"
           "changefreq>"
           "<priority>0.5</priority></url>\n";
  }
  return xml + "</urlset>\n";
}

void read_sitemap(benchmark::State& state) {
  const std::string xml = full_sitemap();
  for (auto _ : state) benchmark::DoNotOptimize(crawler::read_sitemap(xml, kUrl, "www.example.com"));
  count(state, xml);
}
BENCHMARK(read_sitemap);

}  // namespace

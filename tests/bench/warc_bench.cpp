#include "crawler/warc.h"

#include <benchmark/benchmark.h>

#include <random>
#include <string>

namespace {

constexpr std::size_t kPage = 20 * 1024;

/// Text that shrinks like a page: words of a small vocabulary in tags.
std::string page() {
  std::minstd_rand engine(1);
  std::string out = "<!doctype html><html><body>";
  while (out.size() < kPage) {
    out += "<p class=\"text\"><a href=\"/articles/" + std::to_string(engine() % 10'000) + "\">";
    for (int i = 0; i < 12; ++i) out += "word" + std::to_string(engine() % 2000) + ' ';
    out += "</a></p>\n";
  }
  out.resize(kPage);
  return out;
}

std::string picture() {
  std::minstd_rand engine(1);
  std::string out(kPage, '\0');
  for (char& c : out) c = static_cast<char>(engine() >> 8U);
  return out;
}

void pack(benchmark::State& state, crawler::Digest kind, crawler::Packing packing, bool packed) {
  const std::string body = packed ? picture() : page();
  crawler::WarcRecord record;
  record.type = "response";
  record.id = crawler::warc_id(1, 2);
  record.target = "http://www.example.com/articles/2026/index.html";
  record.content_type = "application/http;msgtype=response";
  record.fields = {{"WARC-IP-Address", "192.0.2.1"}};
  record.head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nServer: nginx\r\n\r\n";
  record.body = body;
  record.packed = packed;
  std::size_t size = 0;
  for (auto _ : state) {
    record.payload_digest = crawler::digest_text(kind, record.body);
    size = crawler::pack(record, kind, packing).size();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kPage));
  state.counters["octets"] = static_cast<double>(size);
}
using enum crawler::Digest;
using enum crawler::Packing;
BENCHMARK_CAPTURE(pack, gzip_sha1, sha1, gzip, false);
BENCHMARK_CAPTURE(pack, gzip_sha256, sha256, gzip, false);
BENCHMARK_CAPTURE(pack, zstd_sha1, sha1, zstd, false);
BENCHMARK_CAPTURE(pack, gzip_sha1_packed, sha1, gzip, true);
BENCHMARK_CAPTURE(pack, gzip_sha256_packed, sha256, gzip, true);
BENCHMARK_CAPTURE(pack, zstd_sha1_packed, sha1, zstd, true);

}  // namespace

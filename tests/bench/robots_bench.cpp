// robots.txt: parsing, and one check in small, usual, large and hostile files. ROBOTS.md §3 promises that no
// check takes 10 ms of CPU.
#include "robots/rules.h"

#include <benchmark/benchmark.h>

namespace {

using robots::Rules;

Rules read(const std::string& text) {
  const std::vector<std::string> tokens{"crawld"};
  return Rules::parse(text, tokens, {});
}

std::string everyone(const std::string& records) {
  return "User-agent: *\n" + records;
}

/// As many lines as a file may have; `line(i)` writes the i-th.
template <class Line>
std::string full(std::string text, Line line) {
  for (std::size_t i = 0;; ++i) {
    const std::string next = line(i);
    if (text.size() + next.size() > robots::kFileOctetsMax) return text;
    text += next;
  }
}

/// The i-th word over `alphabet`: aaaa, aaab, …
std::string word(std::size_t i, std::size_t size, std::string_view alphabet) {
  std::string out(size, alphabet[0]);
  for (std::size_t k = size; k-- > 0; i /= alphabet.size()) out[k] = alphabet[i % alphabet.size()];
  return out;
}

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";

/// Octets like random ones, without any order that a search could use.
std::string noise(std::size_t size, std::string_view alphabet) {
  std::string out = "/";
  std::uint64_t state = 88172645463325252ULL;
  while (out.size() < size) {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    out.push_back(alphabet[state % alphabet.size()]);
  }
  return out;
}

std::string median_file() {
  return everyone(
      "Disallow: /admin/\nDisallow: /cgi-bin/\nDisallow: /search\nDisallow: /*?sort=\nDisallow: "
      "/tmp/\nAllow: /tmp/open/\n"
      "Disallow: /login\nDisallow: /cart\nDisallow: /*.pdf$\nDisallow: /print/\nDisallow: /feed\nAllow: /\n"
      "Crawl-delay: 2\nSitemap: https://example.com/sitemap.xml\n");
}

struct Hostile {
  const char* name;
  std::string file;
  std::string target;
};

std::string nested(std::size_t i) {
  return "allow:*" + std::string(i + 1, 'a') + "*b\n";
}

std::vector<Hostile> hostile_files() {
  const std::string as = "/" + std::string(8190, 'a');
  const std::string quotes = "/" + std::string(8190, '"');  // three octets each in canonical form
  const std::string random = noise(8191, kLetters);
  const std::string version2 = everyone("Robot-version: 2.0\n");
  const auto stars = [](std::size_t count, std::string_view part, std::string_view end) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out.append(part);
    return out.append(end);
  };
  return {
      {"v1: /*a*a…b$, 9,000 times",
       full(everyone(""), [&](std::size_t) { return "Disallow: /" + stars(20, "*a", "*b$\n"); }), as},
      {"v1: /*a*a…*b, b at the front",
       full(everyone(""), [&](std::size_t) { return "Disallow: /" + stars(20, "*a", "*b\n"); }),
       "/b" + as.substr(2)},
      {"v1: all rules of three octets",
       full(everyone(""), [](std::size_t i) { return "allow:*" + word(i, 3, kLetters) + "\n"; }), random},
      {"v1: all rules x*y of two octets",
       full(everyone(""),
            [](std::size_t i) {
              return "allow:*" + word(i % 4356, 2, kLetters) + "*" + word(i / 7, 2, kLetters) + "~~\n";
            }),
       random},
      {"v1: suffixes of one another", full(everyone(""), nested), as},
      {"v1: suffixes, woken late",
       full(everyone(""), [](std::size_t i) { return "allow:*b*" + std::string(i + 1, 'a') + "*b\n"; }),
       "/" + std::string(2000, 'a') + "b" + std::string(6000, 'a')},
      {"v1: one octet and a star, over and over",
       full(everyone(""),
            [&](std::size_t i) { return "allow:" + stars(1000, "*a", "*" + word(i, 3, kLetters) + "\n"); }),
       as},
      {"v1: long segments that almost match",
       full(everyone(""),
            [](std::size_t i) { return "allow:*" + std::string(500, 'a') + word(i, 4, "ab") + "c\n"; }),
       as + "c"},
      {"v1: three octets for each, encoded",
       full(everyone(""),
            [](std::size_t i) { return "allow:*" + std::string(i % 40, '"') + word(i, 3, kLetters) + "\n"; }),
       quotes},
      {"v1: encoded suffixes",
       full(everyone(""), [](std::size_t i) { return "allow:*" + std::string(i + 1, '"') + "*b\n"; }),
       quotes},
      {"v1: encoded segments, random",
       full(everyone(""), [](std::size_t i) { return "allow:*" + noise(i % 200 + 2, "\"<>|") + "*b\n"; }),
       noise(8191, "\"<>|")},
      {"v1: all prefixes of one path",
       full(everyone(""), [](std::size_t i) { return "allow:/" + std::string(i, 'a') + "*b*c\n"; }), as},
      {"v1: 1,000 words, each with a star",
       full(everyone(""),
            [](std::size_t i) {
              return "Disallow: /*" + noise(60 + i % 7, "ab") + "*" + word(i, 8, "ab") + "\n";
            }),
       noise(8191, "ab")},
      {"v2: sets and stars",
       full(version2,
            [&](std::size_t i) {
              return "allow:/" + stars(10, "*[ab]a?", "*" + word(i, 3, kLetters) + "?*\n");
            }),
       random},
      {"v2: ? and sets that almost match",
       full(version2,
            [](std::size_t i) { return "allow:/*" + std::string(30, '?') + word(i, 6, "ab") + "[bc]*\n"; }),
       noise(8191, "ab")},
      {"v2: a??? … b over and over",
       full(version2,
            [&](std::size_t i) { return "allow:*a" + std::string(1500, '?') + word(i, 4, "ab") + "b*\n"; }),
       noise(8191, "ab")},
      {"v2: as many globs as fit",
       full(version2, [](std::size_t i) { return "allow:*" + word(i, 2, kLetters) + "?*\n"; }), random},
      {"v2: as many sets as fit",
       full(version2, [](std::size_t i) { return "allow:*[" + word(i, 3, kLetters) + "]b?Z*\n"; }), random},
  };
}

void BM_ParseMedianFile(benchmark::State& state) {
  const std::string file = median_file();
  for (auto _ : state) benchmark::DoNotOptimize(read(file));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(file.size()));
}
BENCHMARK(BM_ParseMedianFile);

void BM_ParseLargestFile(benchmark::State& state) {
  const std::string file =
      full(everyone(""), [](std::size_t i) { return "Disallow: /shop/" + word(i, 12, kLetters) + "/\n"; });
  for (auto _ : state) benchmark::DoNotOptimize(read(file));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(file.size()));
}
BENCHMARK(BM_ParseLargestFile)->Unit(benchmark::kMillisecond);

void check(benchmark::State& state, const std::string& file, const std::string& target) {
  const Rules rules = read(file);
  for (auto _ : state) benchmark::DoNotOptimize(rules.check(target));
}

void BM_CheckTinyFile(benchmark::State& state) {
  check(state, everyone("Disallow: /private/\n"), "/blog/2024/11/a-post.html");
}
BENCHMARK(BM_CheckTinyFile);

void BM_CheckMedianFile(benchmark::State& state) {
  check(state, median_file(), "/blog/2024/11/some-longer-title-of-a-post.html?page=2");
}
BENCHMARK(BM_CheckMedianFile);

void BM_CheckMedianFileEncodedTarget(benchmark::State& state) {
  check(state, median_file(), "/blog/caf%c3%a9/some-longer-title-of-a-post.html?page=2");
}
BENCHMARK(BM_CheckMedianFileEncodedTarget);

void BM_CheckTenThousandRules(benchmark::State& state) {
  std::string records;
  for (std::size_t i = 0; i < 10'000; ++i) records += "Disallow: /shop/" + word(i, 8, kLetters) + "/\n";
  check(state, everyone(records), "/shop/aaaaaaZk/things/42.html");
}
BENCHMARK(BM_CheckTenThousandRules);

void BM_CheckTenThousandRulesWithStars(benchmark::State& state) {
  std::string records;
  for (std::size_t i = 0; i < 10'000; ++i) records += "Disallow: /*/" + word(i, 8, kLetters) + "/\n";
  check(state, everyone(records), "/shop/aaaaaaZk2/things/42.html");
}
BENCHMARK(BM_CheckTenThousandRulesWithStars);

void BM_CheckHostile(benchmark::State& state) {
  static const std::vector<Hostile> files = hostile_files();
  const Hostile& one = files[static_cast<std::size_t>(state.range(0))];
  state.SetLabel(one.name);
  check(state, one.file, one.target);
}
BENCHMARK(BM_CheckHostile)
    ->DenseRange(0, static_cast<int>(hostile_files().size()) - 1)
    ->Unit(benchmark::kMillisecond);

void BM_ParseHostile(benchmark::State& state) {
  static const std::vector<Hostile> files = hostile_files();
  const Hostile& one = files[static_cast<std::size_t>(state.range(0))];
  state.SetLabel(one.name);
  for (auto _ : state) benchmark::DoNotOptimize(read(one.file));
}
BENCHMARK(BM_ParseHostile)
    ->DenseRange(0, static_cast<int>(hostile_files().size()) - 1)
    ->Unit(benchmark::kMillisecond);

}  // namespace

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

std::string times(std::size_t count, std::string_view part) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out.append(part);
  return out;
}

std::string bits(std::size_t i, std::size_t size) {
  return word(i * 2654435761U, size, "ab");
}

/// Every rule gets past the cheap tests: what it needs is there, only at the wrong place.
std::vector<Hostile> hostile_version1() {
  const std::string a = "/b" + std::string(8190, 'a');
  const std::string quotes = "/b" + std::string(8190, '"');  // three octets each in canonical form
  const std::string random = noise(8191, kLetters);
  const std::string late = "/b" + std::string(3000, 'a') + "zz" + std::string(5000, 'a');
  const std::string quotes_late = "/b" + std::string(3000, '"') + "zz" + std::string(5000, '"');
  const std::string all = everyone("");
  return {
      {"v1: /*a*a…*b$", full(all, [](std::size_t) { return "Disallow: /" + times(20, "*a") + "*b$\n"; }), a},
      {"v1: /*a*a…*b", full(all, [](std::size_t) { return "Disallow: /" + times(20, "*a") + "*b\n"; }), a},
      {"v1: 1,000 stars a rule", full(all, [](std::size_t) { return "allow:" + times(1000, "*a") + "*b\n"; }),
       a},
      {"v1: three octets each",
       full(all, [](std::size_t i) { return "allow:*" + word(i, 3, kLetters) + "\n"; }), random},
      {"v1: xy*zzz",
       full(all,
            [](std::size_t i) {
              return "allow:*" + word(i, 2, kLetters) + "*" + word(i / 7, 3, kLetters) + "\n";
            }),
       random},
      {"v1: x*y*z*ww",
       full(all, [](std::size_t i) { return "allow:" + times(1, "*a*b*c*") + word(i, 3, kLetters) + "\n"; }),
       random},
      {"v1: suffixes of one another",
       full(all, [](std::size_t i) { return "allow:*" + std::string(i + 1, 'a') + "*b\n"; }), a},
      {"v1: suffixes, woken late",
       full(all, [](std::size_t i) { return "allow:*zz*" + std::string(i + 1, 'a') + "*b\n"; }), late},
      {"v1: suffixes encoded, woken late",
       full(all, [](std::size_t i) { return "allow:*zz*" + std::string(i + 1, '"') + "*b\n"; }), quotes_late},
      {"v1: suffixes twice",
       full(all,
            [](std::size_t i) {
              return "allow:*" + std::string(i % 300 + 1, 'a') + "*" + std::string(i % 299 + 1, 'a') + "*b\n";
            }),
       a},
      {"v1: long segments",
       full(all, [](std::size_t i) { return "allow:*" + std::string(500, 'a') + bits(i, 12) + "b\n"; }), a},
      {"v1: long encoded segments",
       full(all, [](std::size_t i) { return "allow:*" + std::string(1800, '"') + bits(i, 12) + "b\n"; }),
       quotes},
      {"v1: encoded, random",
       full(all, [](std::size_t i) { return "allow:*" + noise(i % 200 + 2, "\"<>|") + "*b\n"; }),
       "/b" + noise(8190, "\"<>|")},
      {"v1: prefixes of one path",
       full(all, [](std::size_t i) { return "allow:/b" + std::string(i, 'a') + "*b*a\n"; }), a},
      {"v1: words of a and b",
       full(all,
            [](std::size_t i) {
              return "allow:*" + bits(i, 10) + "*" + bits(i / 3, 14) + "*" + bits(i / 5, 16) + "\n";
            }),
       noise(8191, "ab")},
      {"v1: words of a and b, encoded",
       full(all, [](std::size_t i) { return "allow:*" + noise(6 + i % 3, "\"|") + "*" + bits(i, 3) + "\n"; }),
       "/ab" + noise(8189, "\"|")},
  };
}

std::vector<Hostile> hostile_version2() {
  const std::string a = "/b" + std::string(8190, 'a');
  const std::string random = noise(8191, kLetters);
  const std::string binary = noise(8191, "ab");
  const std::string all = everyone("Robot-version: 2.0\n");
  return {
      {"v2: /*a?*a…*b", full(all, [](std::size_t) { return "Disallow: /" + times(20, "*a?") + "*b?\n"; }), a},
      {"v2: [ab]a? over and over",
       full(all,
            [](std::size_t i) {
              return "allow:/" + times(10, "*[ab]a?") + "*" + word(i, 3, kLetters) + "?*\n";
            }),
       random},
      {"v2: ? and sets",
       full(all, [](std::size_t i) { return "allow:/*" + std::string(30, '?') + bits(i, 28) + "[bc]*\n"; }),
       binary},
      {"v2: a???…",
       full(all, [](std::size_t i) { return "allow:*a" + std::string(1500, '?') + bits(i, 28) + "b*\n"; }),
       binary},
      {"v2: long runs",
       full(all, [](std::size_t i) { return "allow:*[ab]" + std::string(1900, 'a') + bits(i, 28) + "*\n"; }),
       a},
      {"v2: as many as fit",
       full(all, [](std::size_t i) { return "allow:*" + word(i, 3, kLetters) + "?*\n"; }), random},
      {"v2: as many sets as fit",
       full(all, [](std::size_t i) { return "allow:*[" + word(i, 3, kLetters) + "]b?Zz*\n"; }), random},
      {"v2: sets of everything",
       full(all, [](std::size_t i) { return "allow:*" + times(300, "[!z]") + bits(i, 28) + "*\n"; }), binary},
      {"v2: encoded",
       full(all, [](std::size_t i) { return "allow:*" + times(8, "?\"") + bits(i, 4) + "*\n"; }),
       "/ab" + noise(8189, "\"|")},
  };
}

std::vector<Hostile> hostile_files() {
  std::vector<Hostile> files = hostile_version1();
  for (Hostile& file : hostile_version2()) files.push_back(std::move(file));
  return files;
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

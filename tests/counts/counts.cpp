// What the daemon does most often, as instructions per operation: a number that a busy machine does not
// change. `crawld_counts` prints the cases; `valgrind --tool=callgrind --instr-atstart=no crawld_counts CASE`
// counts one, without what prepares it, and prints how many operations were counted. tests/counts/run.sh
// compares.
#include "crawler/links.h"
#include "robots/rules.h"
#include "scheduler/calendar.h"
#include "scheduler/host_queue.h"
#include "tests/support/robots_files.h"

#include <valgrind/callgrind.h>

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

namespace {

using namespace std::chrono_literals;

/// Makes the compiler believe that somebody reads `value`.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

/// Counts `times` operations, after one that meets cold tables.
template <class Operation>
std::size_t count(std::size_t times, Operation operation) {
  operation();
  CALLGRIND_START_INSTRUMENTATION;
  for (std::size_t i = 0; i < times; ++i) operation();
  CALLGRIND_STOP_INSTRUMENTATION;
  return times;
}

robots::Rules rules_of(std::string_view file) {
  static const std::vector<std::string> tokens{"crawld"};
  return robots::Rules::parse(file, tokens, {});
}

std::size_t parse(std::size_t times, const std::string& file) {
  return count(times, [&file] { keep(rules_of(file)); });
}

std::size_t check(std::size_t times, const std::string& file, const std::string& target) {
  const robots::Rules rules = rules_of(file);
  return count(times, [&] { keep(rules.check(target)); });
}

std::size_t resolve(std::string_view reference) {
  const auto base = base::Url::parse("https://www.example.com/articles/2026/index.html?page=2").value();
  return count(1'000, [&] { keep(base::Url::resolve(reference, base)); });
}

/// A page of 20 KB with 72 links, some of them twice.
std::size_t read_page() {
  std::string html =
      "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>What is new</title>"
      "<link rel=canonical href=/articles/><script>if (a < b) { run(); }" +
      std::string(3'000, 'x') + "</script></head><body>";
  for (int i = 0; i < 72; ++i) {
    const std::string number = std::to_string(i % 60);
    html += "<div class=\"item\" data-id='" + number + "'><h2><a class=\"title\" href=\"/articles/2026/" +
            number + "/some-article-name.html?from=list&amp;page=2\" title='Read on'>Article " + number +
            "</a></h2><p>A sentence or two about it, <b>bold</b> and plain.</p><br></div>\n";
  }
  html += "</body></html>";
  const auto url = base::Url::parse("https://www.example.com/articles/").value();
  const std::vector<std::string> tokens{"crawld"};
  return count(50, [&] { keep(crawler::read_page(html, url, tokens)); });
}

/// The next of 10,000 origins is leased, asked and put back. All of them wait for their interval.
std::size_t decide() {
  base::Now now{base::TimePoint(1h), base::WallTime(24h * 20'000)};
  base::Random random{1};
  const config::Politeness politeness;
  scheduler::AddressClocks clocks(politeness);
  scheduler::HostQueue queue(politeness, clocks, random);
  const auto visit = [&](scheduler::Lease lease) {
    queue.sent(lease, now.steady);
    queue.finish(std::move(lease), scheduler::Feedback{scheduler::Health::ok, {}, now.steady}, true, now);
  };
  constexpr std::size_t kOrigins = 10'000;
  for (std::size_t i = 0; i < kOrigins; ++i) {
    queue.wake(base::Url::parse("http://www.site" + std::to_string(i) + ".com/").value().origin(), now);
  }
  for (std::size_t i = 0; i < kOrigins; ++i) {
    base::IpAddress address;
    address.octets[0] = static_cast<std::uint8_t>(i);
    address.octets[1] = static_cast<std::uint8_t>(i >> 8U);
    auto lease = queue.next(now);
    if (queue.admit(*lease, address, now)) {
      visit(std::move(*lease));
    } else {
      queue.give_back(std::move(*lease), true, now);
    }
    now.steady += 1us;
    now.wall += 1us;
  }
  return count(5'000, [&] {
    for (;;) {
      if (auto lease = queue.next(now)) return visit(std::move(*lease));
      const base::Duration wait = *queue.next_due(now) - now.steady;
      now.steady += wait;
      now.wall += wait;
    }
  });
}

/// The first of 100,000 origins leaves the calendar and comes back at a later, random instant.
std::size_t turn_calendar() {
  base::Random random{1};
  scheduler::Calendar calendar;
  const auto later = [&random] { return base::Duration(random.below(3'600'000'000'000)); };
  for (std::size_t i = 0; i < 100'000; ++i) {
    const std::string name = "http://www.site" + std::to_string(i) + ".com";
    calendar.put(base::keyed_hash(name, 1), static_cast<std::uint16_t>(i % 4096), base::TimePoint(later()));
  }
  return count(20'000, [&] {
    const auto first = calendar.first();
    calendar.pop_first();
    calendar.put(first->origin, first->partition, first->due + later());
  });
}

/// A rule like `/*a*a*a…*b` on every line, and a target that nearly matches.
std::string hostile_file() {
  std::string rule = "Disallow: /";
  for (int i = 0; i < 20; ++i) rule += "*a";
  return robots_files::full(robots_files::everyone(""), [&rule](std::size_t) { return rule + "*b$\n"; });
}

struct Case {
  const char* name;
  const char* unit;
  std::size_t (*run)();  ///< returns how many units were counted
};

constexpr std::string_view kArticle = "/blog/2024/11/some-longer-title-of-a-post.html?page=2";

constexpr auto kCases = std::to_array<Case>({
    {"robots_parse_median", "octet",
     [] {
       const std::string file(robots_files::kMedian);
       return parse(100, file) * file.size();
     }},
    {"robots_parse_largest", "octet",
     [] {
       const std::string file = robots_files::largest();
       return parse(2, file) * file.size();
     }},
    {"robots_check_median", "check",
     [] { return check(1'000, std::string(robots_files::kMedian), std::string(kArticle)); }},
    {"robots_check_10000_rules", "check",
     [] { return check(1'000, robots_files::plain_rules(10'000), "/shop/aaaaaaZk/things/42.html"); }},
    {"robots_check_10000_stars", "check",
     [] { return check(20, robots_files::star_rules(10'000), "/shop/aaaaaaZk2/things/42.html"); }},
    {"robots_check_hostile", "check",
     [] { return check(2, hostile_file(), "/b" + std::string(8'190, 'a')); }},
    {"url_relative", "URL", [] { return resolve("../2025/some-article-name.html"); }},
    {"url_from_root", "URL", [] { return resolve("/articles/2025/some-article-name.html?from=list"); }},
    {"url_absolute", "URL",
     [] { return resolve("https://cdn.example.org/articles/2025/some-article-name.html"); }},
    {"url_encoded", "URL", [] { return resolve("/wiki/Caf\xC3\xA9_\xE6\x9D\xB1\xE4\xBA\xAC and more"); }},
    {"read_page", "page", read_page},
    {"scheduler_decision", "decision", decide},
    {"calendar_turn", "turn", turn_calendar},
});

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    for (const Case& one : kCases) std::printf("%s %s\n", one.name, one.unit);
    return 0;
  }
  for (const Case& one : kCases) {
    if (std::string_view(argv[1]) != one.name) continue;
    std::printf("%zu\n", one.run());
    return 0;
  }
  std::fprintf(stderr, "no such case: %s\n", argv[1]);
  return 64;
}

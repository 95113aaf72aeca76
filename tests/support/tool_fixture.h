#pragma once
// A store as a run leaves it, for the tests of the frontier's tools.
#include "base/site.h"
#include "crawler/codec.h"
#include "crawler/frontier_rows.h"
#include "crawler/frontier_tool.h"
#include "crawler/keys.h"
#include "crawler/opening.h"
#include "tests/support/frontier_fixture.h"

#include <gtest/gtest.h>

#include <functional>
#include <sstream>

namespace support {

using namespace std::chrono_literals;

/// No other process writes the store.
inline bool alone() {
  return false;
}

inline constexpr std::uint64_t kSecret = 0xfedcba9876543210U;
inline const base::WallTime kWall{std::chrono::sys_days(std::chrono::year(2026) / 3 / 1)};
inline const base::Now kNow{at(1000s), kWall};
inline const base::Origin kA = origin_of("http://a.test/");
inline const std::string kKeyOfA = crawler::host_key(kA, kSecret);

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// What a run leaves: URLs that are owed, tried in vain, visited and due again, on two origins of a domain
/// and on one of another.
inline void crawl_into(crawler::Store& store) {
  crawler::Store::Batch meta(store);
  std::string octets;
  crawler::Encoder(octets).u64(kSecret);
  meta.put(crawler::Table::meta, crawler::kSecretKey, octets);
  meta.put(crawler::Table::meta, crawler::kAxisKey,
           crawler::encode(base::AxisMark{kNow.steady, 5s, kNow.wall, "boot"}));
  meta.put(crawler::Table::meta, crawler::kSeedsKey, "1/2");
  meta.put(crawler::Table::meta, crawler::kSuffixesKey, base::suffix_list());
  octets.clear();
  crawler::Encoder(octets).time(kNow.steady);
  meta.put(crawler::Table::meta, crawler::kStoppedKey, octets);
  ASSERT_TRUE(store.write(meta));

  crawler::Frontier::Parts parts{.store = store, .secret = kSecret, .fresh = true};
  parts.memory = std::uint64_t{16} * 1024 * 1024;
  parts.recrawl = {true, 7 * 24h, 24h, 90 * 24h};
  crawler::Frontier frontier(parts);
  for (int i = 0; i < 6; ++i) frontier.offer(offer("http://a.test/" + std::to_string(i), 1), at(1s));
  frontier.offer(offer("http://a.test/seed"), at(1s));
  frontier.offer(offer("http://www.a.test/1", 2), at(2s));
  frontier.offer(offer("http://b.test/gone", 2), at(3s));
  ASSERT_TRUE(frontier.commit());

  frontier.hold(kA);
  crawler::Ending ending;
  ending.status = 200;
  ending.visited = 1'700'000'000;
  ending.digest = {1, 2};
  ending.etag = "\"not UTF-8: \xff\"";
  ending.last_modified = "Sun, 01 Mar 2026 00:00:00 GMT";
  frontier.settle(*frontier.take(kA, at(10s)), ending, at(10s));  // /seed
  frontier.settle(*frontier.take(kA, at(11s)), ending, at(11s));  // /0
  crawler::Item failed = *frontier.take(kA, at(12s));             // /1
  failed.attempts = 2;
  frontier.retry(std::move(failed), at(1060s));
  robots::Saved saved;
  saved.access = robots::Access::rules;
  saved.status = 200;
  saved.has_copy = true;
  saved.due = at(3600s);
  saved.first_5xx = at(7s);
  const std::string body = "User-agent: *\nDisallow: /\xe9t\xe9\n";
  frontier.keep_robots(kA, saved, &body);
  scheduler::HostState clocks;
  clocks.started = at(12s);
  clocks.paused_until = at(1252s);
  clocks.overloads = 3;
  clocks.latency = 20ms;
  frontier.begin_request(kA);
  frontier.end_request(kA, clocks);
  frontier.release(kA);

  const base::Origin b = origin_of("http://b.test/");
  frontier.hold(b);
  ending.fate = crawler::Fate::gone;
  ending.status = 404;
  parts.recrawl.enabled = false;
  frontier.set_options(parts.scope, parts.recrawl, {});
  frontier.settle(*frontier.take(b, at(20s)), ending, at(20s));
  frontier.begin_request(b);  // and then the machine died
  frontier.list(b, std::nullopt);
  frontier.release(b);
  frontier.keep_followed("www.b.test");
  ASSERT_TRUE(frontier.commit());
}

class FrontierTool : public ::testing::Test {
 protected:
  FrontierTool() { crawl_into(store_); }

  std::string verify(const crawler::Store& store, int code) {
    std::ostringstream out;
    EXPECT_EQ(crawler::verify_frontier(store, alone, false, out), code) << out.str();
    return out.str();
  }
  std::string verify(int code) { return verify(store_, code); }

  /// What verify finds after `damage`.
  std::string damaged(const std::function<void(crawler::Store::Batch&)>& damage) {
    EXPECT_EQ(verify(0), "3 origins, 9 URLs, 0 problems\n");
    crawler::Store::Batch batch(store_);
    damage(batch);
    EXPECT_TRUE(store_.write(batch));
    return verify(65);
  }
  std::string damaged_host(const std::function<void(crawler::HostRecord&)>& damage) {
    return damaged([&](crawler::Store::Batch& batch) {
      crawler::HostRecord record = host();
      damage(record);
      batch.put(crawler::Table::hosts, kKeyOfA, encode(record));
    });
  }

  crawler::HostRecord host(const std::string& key = kKeyOfA) {
    return crawler::decode_host(store_.get(crawler::Table::hosts, key).value()).value();
  }
  std::string tally_of_a() const { return crawler::tally_key(crawler::partition_of_key(kKeyOfA)); }
  static base::Hash128 hash(std::string_view url) { return base::keyed_hash(url, kSecret); }
  static std::string seen_key(std::string_view target) {
    return crawler::url_key(kKeyOfA, hash("http://a.test" + std::string(target)));
  }
  std::size_t rows(crawler::Table table, std::string_view prefix = {}) const {
    std::size_t count = 0;
    store_.scan(table, prefix, {}, [&count](auto, auto) { return ++count > 0; });
    return count;
  }
  /// The one row of this kind of http://a.test.
  std::string row(std::uint8_t kind) const {
    std::string found;
    store_.scan(crawler::Table::queue, kKeyOfA + static_cast<char>(kind), {},
                [&found](std::string_view key, auto) {
                  found = key;
                  return false;
                });
    EXPECT_NE(found, "");
    return found;
  }
  std::string exported(const crawler::Store& store, int code = 0) {
    std::ostringstream out;
    std::ostringstream talk;
    crawler::Carried carried;
    EXPECT_EQ(crawler::export_frontier(store, out, talk, carried), code) << talk.str();
    return out.str();
  }
  std::string exported() { return exported(store_); }

  std::string list(const crawler::ListQuestion& question, int code = 0) {
    std::ostringstream out;
    talk_.str("");
    EXPECT_EQ(crawler::list_frontier(store_, question, kNow, out, talk_), code);
    return out.str();
  }

  crawler::Store store_ = crawler::Store::in_memory();
  std::ostringstream talk_;
};

}  // namespace support

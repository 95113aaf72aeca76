#include "crawler/records.h"

#include "crawler/codec.h"
#include "crawler/keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace {

using namespace std::chrono_literals;
using namespace crawler;

base::TimePoint at(base::Duration since) {
  return base::TimePoint(since);
}

HostRecord a_host() {
  HostRecord host;
  host.origin = "https://www.a.test:8443";
  host.in_flight = true;
  host.clocks = {at(5s), at(-6s), base::TimePoint::max(), 3, 200, 1500us};
  host.accepted = 1'000'000'000'000;
  host.visits = 77;
  host.lanes = {{0, 1, 5}, {3, 0, 0}, {15, 1ULL << 40U, 1ULL << 41U}};
  host.later = {4, at(9s)};
  host.again = {0, at(0s)};
  host.listed = base::TimePoint::min();
  return host;
}

UrlRecord a_url() {
  UrlRecord url;
  url.target = "/a?b=%20";
  url.discovery = {7, 2, 10, How::redirect, true};
  url.fate = Fate::gone;
  url.status = 410;
  url.visited = 1'790'000'000;
  url.checked = at(3h);
  url.due = at(4h);
  url.interval = 7 * 24h;
  url.checks = 5;
  url.changes = 2;
  url.gone = 1;
  url.digest = {1, 2};
  url.etag = "\"x\"";
  url.last_modified = "Sat, 21 Nov 2026 08:00:00 GMT";
  url.reason = "dns_failure";
  return url;
}

robots::Saved a_standing() {
  robots::Saved saved;
  saved.access = robots::Access::stale_rules;
  saved.missing = robots::Missing::probed;
  saved.status = 503;
  saved.due = at(1h);
  saved.has_copy = true;
  saved.etag = "e";
  saved.last_modified = "m";
  saved.lifetime = 24h;
  saved.failures = 3;
  saved.first_failure = at(1s);
  saved.only_5xx_since = at(2s);
  return saved;
}

TEST(Records, ComeBackAsTheyWere) {
  const std::string host = encode(a_host());
  ASSERT_TRUE(decode_host(host));
  EXPECT_EQ(encode(*decode_host(host)), host);
  EXPECT_EQ(decode_host(host)->clocks, a_host().clocks);
  EXPECT_EQ(decode_host(host)->lanes[2].tail, 1ULL << 41U);
  EXPECT_EQ(decode_host(host)->listed, base::TimePoint::min());
  const std::string url = encode(a_url());
  ASSERT_TRUE(decode_url(url));
  EXPECT_EQ(encode(*decode_url(url)), url);
  EXPECT_EQ(decode_url(url)->discovery.how, How::redirect);
  EXPECT_EQ(decode_url(url)->etag, "\"x\"");
  EXPECT_EQ(decode_robots(encode(a_standing())), a_standing());
  const QueueRecord queued{{1, 2, 3, How::sitemap, false}, 4, true, "/x"};
  ASSERT_TRUE(decode_queue(encode(queued)));
  EXPECT_EQ(encode(*decode_queue(encode(queued))), encode(queued));
  const Tally tally{1, 2, 3, 4, 5};
  EXPECT_EQ(decode_tally(encode(tally)), tally);
  const base::AxisMark mark{at(1s), 2s, base::WallTime(3s), "boot"};
  ASSERT_TRUE(decode_axis(encode(mark)));
  EXPECT_EQ(encode(*decode_axis(encode(mark))), encode(mark));
  EXPECT_EQ(decode_site(encode(SiteRecord{300}))->accepted, 300U);
}

TEST(Records, AHostOfTheFirstLayoutIsReadWithoutItsYield) {
  const HostRecord host = a_host();
  std::string old = encode(host);
  const std::string yield = host.yield.encode();
  old.resize(old.size() - yield.size() - 1);  // its length is one octet
  old[0] = 1;
  const auto read = decode_host(old);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->origin, host.origin);
  EXPECT_EQ(encode(*read), encode(host));
}

TEST(Records, WhatASitemapSaysComesBack) {
  for (const std::string behalf : {"", "a.test"}) {
    for (const Changes changes : {Changes::unknown, Changes::daily, Changes::never}) {
      for (const bool flag : {false, true}) {
        QueueRecord record;
        record.target = "/map.xml";
        record.discovery = {
            .how = How::sitemap, .seed = flag, .sitemap = !flag, .changes = changes, .behalf = behalf};
        const auto back = decode_queue(encode(record));
        ASSERT_TRUE(back);
        EXPECT_EQ(back->target, "/map.xml");
        EXPECT_EQ(back->discovery.seed, flag);
        EXPECT_EQ(back->discovery.sitemap, !flag);
        EXPECT_EQ(back->discovery.changes, changes);
        EXPECT_EQ(back->discovery.behalf, behalf);
      }
    }
  }
}

TEST(Records, AContentComesBack) {
  const ContentRecord record{"http://a.test/", -5, "sha1:X"};
  const auto back = decode_content(encode(record));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->target, record.target);
  EXPECT_EQ(back->kept, -5);
  EXPECT_EQ(back->payload_digest, "sha1:X");
}

/// Cut short, with an octet more, or of a layout to come: refused, never guessed at.
TEST(Records, AnyOtherOctetsAreRefused) {
  const auto refuses = [](const std::string& octets, auto decode) {
    for (std::size_t size = 0; size < octets.size(); ++size) {
      EXPECT_FALSE(decode(octets.substr(0, size))) << size;
    }
    EXPECT_TRUE(decode(octets));
    EXPECT_FALSE(decode(octets + '\0'));
    EXPECT_FALSE(decode('\x7f' + octets.substr(1)));
  };
  refuses(encode(a_host()), [](const std::string& o) { return decode_host(o).has_value(); });
  refuses(encode(a_url()), [](const std::string& o) { return decode_url(o).has_value(); });
  refuses(encode(a_standing()), [](const std::string& o) { return decode_robots(o).has_value(); });
  refuses(encode(Tally{1, 2, 3, 4, 5}), [](const std::string& o) { return decode_tally(o).has_value(); });
}

TEST(Records, NoiseIsNeverMoreThanRefused) {
  std::mt19937_64 engine(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string octets = round % 2 == 0 ? encode(a_host()) : encode(a_url());
    for (int i = 0; i < 3; ++i) octets[engine() % octets.size()] = static_cast<char>(engine());
    (void)decode_host(octets);
    (void)decode_url(octets);
    (void)decode_queue(octets);
    (void)decode_robots(octets);
    (void)decode_axis(octets);
    (void)parse_queue_key(octets);
    (void)parse_due_key(octets);
  }
}

TEST(Records, LongValidatorsAreLeftOut) {
  UrlRecord url = a_url();
  url.etag.assign(512, 'x');
  EXPECT_EQ(decode_url(encode(url))->etag.size(), 512U);
  url.etag.assign(513, 'x');
  EXPECT_EQ(decode_url(encode(url))->etag, "");
}

TEST(Keys, AreInTheOrderOfWhatTheyMean) {
  const std::string a = origin_key(1, {9, 9});
  const std::string b = origin_key(2, {0, 0});
  const std::vector<std::string> ordered = {
      lane_key(a, 0, 0),
      lane_key(a, 0, 255),
      lane_key(a, 0, 256),
      lane_key(a, 1, 0),
      lane_key(a, 15, UINT64_MAX),
      timed_key(a, kLater, base::TimePoint::min(), {5, 5}),
      timed_key(a, kLater, at(-1s), {5, 5}),
      timed_key(a, kLater, at(0s), {0, 0}),
      timed_key(a, kLater, at(0s), {0, 1}),
      timed_key(a, kLater, base::TimePoint::max(), {0, 0}),
      timed_key(a, kAgain, at(0s), {0, 0}),
      lane_key(b, 0, 0),
  };
  EXPECT_TRUE(std::ranges::is_sorted(ordered));
  EXPECT_LT(due_key(at(1s), b), due_key(at(2s), a));
  const auto parsed = parse_queue_key(ordered[7]);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->kind, kLater);
  EXPECT_EQ(parsed->due, at(0s));
  EXPECT_EQ(partition_of_key(parsed->origin_key), 1);
  EXPECT_EQ(origin_of_key(parsed->origin_key), (base::Hash128{9, 9}));
  EXPECT_FALSE(parse_queue_key(a + '\x20' + "12345678"));
}

}  // namespace

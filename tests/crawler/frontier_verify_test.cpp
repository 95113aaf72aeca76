// `crawld frontier verify` on a store that was damaged by hand: one test for each kind of damage.
#include "tests/support/certificates.h"
#include "tests/support/tool_fixture.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <thread>

namespace {

using namespace std::chrono_literals;
using crawler::Store;
using crawler::Table;
using support::alone;
using support::at;
using support::kA;
using support::kKeyOfA;
using support::kNow;
using support::kSecret;
using support::kWall;
using support::lines_of;
using support::offer;
using support::origin_of;
using ::testing::HasSubstr;
using Json = nlohmann::json;
using Batch = crawler::Store::Batch;
using support::FrontierTool;

TEST_F(FrontierTool, VerifyFindsARowOfALaneThatIsMissing) {
  EXPECT_THAT(damaged([](Batch& batch) { batch.erase(Table::queue, crawler::lane_key(kKeyOfA, 1, 3)); }),
              HasSubstr("http://a.test: rows 3 to 3 of lane 1 are missing\n"));
}
TEST_F(FrontierTool, VerifyFindsTheLastRowOfALaneThatIsMissing) {
  EXPECT_THAT(damaged([](Batch& batch) { batch.erase(Table::queue, crawler::lane_key(kKeyOfA, 1, 5)); }),
              HasSubstr("http://a.test: rows 5 to 5 of lane 1 are missing\n"));
}
TEST_F(FrontierTool, VerifyFindsARowOutsideOfItsLane) {
  const auto row = store_.get(Table::queue, crawler::lane_key(kKeyOfA, 1, 3)).value();
  EXPECT_THAT(damaged([&](Batch& batch) { batch.put(Table::queue, crawler::lane_key(kKeyOfA, 1, 6), row); }),
              testing::AllOf(HasSubstr("row 6 is outside of lane 1: /3"),
                             HasSubstr("1 URLs stand in the queue more than once")));
}
TEST_F(FrontierTool, VerifyFindsARowOfALaneThatTheRecordDoesNotHave) {
  const auto row = store_.get(Table::queue, crawler::lane_key(kKeyOfA, 1, 3)).value();
  EXPECT_THAT(damaged([&](Batch& batch) { batch.put(Table::queue, crawler::lane_key(kKeyOfA, 9, 0), row); }),
              HasSubstr("row 0 is outside of lane 9"));
}
TEST_F(FrontierTool, VerifyFindsLanesOutOfOrder) {
  EXPECT_THAT(
      damaged_host([](crawler::HostRecord& record) { std::swap(record.lanes.front(), record.lanes.back()); }),
      HasSubstr("http://a.test: its lanes are out of order\n"));
}
TEST_F(FrontierTool, VerifyFindsGarbageInTheQueue) {
  EXPECT_THAT(
      damaged([](Batch& batch) { batch.put(Table::queue, crawler::lane_key(kKeyOfA, 1, 3), "garbage"); }),
      HasSubstr("http://a.test: row 3 of lane 1 cannot be read\n"));
}
TEST_F(FrontierTool, VerifyFindsGarbageAmongRetries) {
  const std::string key = row(crawler::kLater);
  EXPECT_THAT(damaged([&](Batch& batch) { batch.put(Table::queue, key, "garbage"); }),
              HasSubstr("a row of a URL to be tried again cannot be read\n"));
}
TEST_F(FrontierTool, VerifyFindsAKeyOfTheQueueThatIsNone) {
  EXPECT_THAT(damaged([](Batch& batch) { batch.put(Table::queue, kKeyOfA + "\x20key", ""); }),
              HasSubstr("http://a.test: a row has no readable key\n"));
}
TEST_F(FrontierTool, VerifyFindsATargetThatIsNone) {
  const std::string bad = encode(crawler::QueueRecord{{}, 0, false, "/a b"});
  EXPECT_THAT(damaged([&](Batch& batch) { batch.put(Table::queue, crawler::lane_key(kKeyOfA, 1, 3), bad); }),
              HasSubstr("a row holds no URL of this origin: /a b\n"));
}
TEST_F(FrontierTool, VerifyFindsARetryThatIsMissing) {
  const std::string key = row(crawler::kLater);
  const std::string found = damaged([&](Batch& batch) { batch.erase(Table::queue, key); });
  EXPECT_THAT(found, HasSubstr("http://a.test: 1 URLs are to be tried again, and 0 are there\n"));
  EXPECT_THAT(found, HasSubstr("1 URLs are seen, were never visited and are not owed\n"));
}
TEST_F(FrontierTool, VerifyFindsARetryUnderAnotherFingerprint) {
  const std::string key = row(crawler::kLater);
  const std::string value = store_.get(Table::queue, key).value();
  EXPECT_THAT(
      damaged([&](Batch& batch) {
        batch.erase(Table::queue, key);
        batch.put(Table::queue, crawler::timed_key(kKeyOfA, crawler::kLater, at(1060s), {1, 1}), value);
      }),
      HasSubstr("http://a.test/1: stands in the queue under another fingerprint\n"));
}
TEST_F(FrontierTool, VerifyFindsAFloorThatHidesARow) {
  EXPECT_THAT(damaged_host([](crawler::HostRecord& record) { record.later.floor += 1ns; }),
              HasSubstr("http://a.test: a URL that is to be tried again is due earlier than its record says "
                        "that any is\n"));
}
TEST_F(FrontierTool, VerifyFindsAnOwedUrlThatWasNotSeen) {
  const std::string found = damaged([](Batch& batch) { batch.erase(Table::urls, seen_key("/3")); });
  EXPECT_THAT(found, HasSubstr("http://a.test/3: is owed and not among the seen URLs\n"));
  EXPECT_THAT(found, HasSubstr("http://a.test: 7 URLs count against its budget, and 6 are there\n"));
}
TEST_F(FrontierTool, VerifyFindsAnOwedUrlThatWasVisited) {
  const std::string record = store_.get(Table::urls, seen_key("/0")).value();
  crawler::UrlRecord visited = crawler::decode_url(record).value();
  visited.target = "/3";
  visited.due.reset();
  EXPECT_THAT(damaged([&](Batch& batch) { batch.put(Table::urls, seen_key("/3"), encode(visited)); }),
              HasSubstr("http://a.test/3: is owed for the first time, and there is a record of a visit\n"));
}
TEST_F(FrontierTool, VerifyFindsARetryWhoseVisitIsNotRecorded) {
  const std::string key = row(crawler::kLater);
  crawler::QueueRecord record = crawler::decode_queue(store_.get(Table::queue, key).value()).value();
  record.known = true;
  EXPECT_THAT(damaged([&](Batch& batch) { batch.put(Table::queue, key, encode(record)); }),
              HasSubstr("http://a.test/1: is owed again, and there is no record of its visit\n"));
}
TEST_F(FrontierTool, VerifyFindsAPageThatIsOwedAndDueAgain) {
  crawler::QueueRecord owed = {{}, 1, true, "/0"};
  EXPECT_THAT(damaged([&](Batch& batch) {
                const auto key =
                    crawler::timed_key(kKeyOfA, crawler::kLater, at(2000s), hash("http://a.test/0"));
                batch.put(Table::queue, key, encode(owed));
              }),
              HasSubstr("http://a.test/0: is owed, and due again as well\n"));
}
TEST_F(FrontierTool, VerifyFindsARevisitThatIsNotInTheQueue) {
  const std::string key = row(crawler::kAgain);
  const std::string found = damaged([&](Batch& batch) { batch.erase(Table::queue, key); });
  EXPECT_THAT(found, HasSubstr("http://a.test/seed: is due again, and not in the queue\n"));
  EXPECT_THAT(found, HasSubstr("2 URLs are to be visited again, and 1 are there\n"));
}
TEST_F(FrontierTool, VerifyFindsARevisitAtAnotherInstant) {
  EXPECT_THAT(damaged([](Batch& batch) {
                const auto key =
                    crawler::timed_key(kKeyOfA, crawler::kAgain, at(9000s), hash("http://a.test/0"));
                batch.put(Table::queue, key, {});
              }),
              HasSubstr("http://a.test/0: is due again at another instant than its record says\n"));
}
TEST_F(FrontierTool, VerifyFindsARevisitWhoseRowIsNotEmpty) {
  const std::string key = row(crawler::kAgain);
  EXPECT_THAT(damaged([&](Batch& batch) { batch.put(Table::queue, key, "x"); }),
              HasSubstr("http://a.test: a row of a page that is due again is not empty\n"));
}
TEST_F(FrontierTool, VerifyFindsARevisitWithoutARecord) {
  EXPECT_THAT(damaged([](Batch& batch) {
                batch.put(Table::queue, crawler::timed_key(kKeyOfA, crawler::kAgain, at(9000s), {1, 1}), {});
              }),
              HasSubstr("http://a.test: a page is due again of which there is no record\n"));
}
TEST_F(FrontierTool, VerifyFindsGarbageAmongVisitedUrls) {
  EXPECT_THAT(damaged([](Batch& batch) { batch.put(Table::urls, seen_key("/0"), "garbage"); }),
              HasSubstr("http://a.test: the record of a visited URL cannot be read\n"));
}
TEST_F(FrontierTool, VerifyFindsAVisitedUrlUnderAnotherFingerprint) {
  const std::string record = store_.get(Table::urls, seen_key("/0")).value();
  EXPECT_THAT(damaged([&](Batch& batch) {
                batch.erase(Table::urls, seen_key("/0"));
                batch.put(Table::urls, crawler::url_key(kKeyOfA, {5, 5}), record);
              }),
              HasSubstr("http://a.test/0: stands under another fingerprint\n"));
}
TEST_F(FrontierTool, VerifyFindsASeenUrlThatIsLost) {
  EXPECT_THAT(damaged([](Batch& batch) { batch.put(Table::urls, seen_key("/lost"), {}); }),
              HasSubstr("http://a.test: 1 URLs are seen, were never visited and are not owed\n"));
}
TEST_F(FrontierTool, VerifyFindsAKeyOfAUrlThatIsNone) {
  EXPECT_THAT(damaged([](Batch& batch) { batch.put(Table::urls, kKeyOfA + "short", {}); }),
              HasSubstr("http://a.test: a seen URL has no readable key\n"));
}
TEST_F(FrontierTool, VerifyFindsAHostThatIsGone) {
  const std::string found = damaged([](Batch& batch) { batch.erase(Table::hosts, kKeyOfA); });
  EXPECT_THAT(found, HasSubstr("queue: a row belongs to no origin"));
  EXPECT_THAT(found, HasSubstr("urls: a row belongs to no origin"));
  EXPECT_THAT(found, HasSubstr("robots: a row belongs to no origin"));
  EXPECT_THAT(found, HasSubstr("due: a row leads to no origin"));
}
TEST_F(FrontierTool, VerifyFindsGarbageAmongHosts) {
  const std::string found = damaged([](Batch& batch) { batch.put(Table::hosts, kKeyOfA, "garbage"); });
  EXPECT_THAT(found, HasSubstr("hosts: an origin's record cannot be read"));
  EXPECT_THAT(found, HasSubstr("3 origins, 9 URLs, 1 problems\n"));  // its rows are not to blame
}
TEST_F(FrontierTool, VerifyFindsAKeyOfAHostThatIsNone) {
  EXPECT_THAT(damaged([](Batch& batch) { batch.put(Table::hosts, "short", ""); }),
              HasSubstr("hosts: not a key: 73686f7274\n"));
}
TEST_F(FrontierTool, VerifyFindsAHostUnderAnotherNameOrPartition) {
  EXPECT_THAT(damaged_host([](crawler::HostRecord& record) { record.origin = "http://c.test"; }),
              HasSubstr("http://c.test: stands under another fingerprint\n"));
  Batch batch(store_);
  crawler::HostRecord moved;
  moved.origin = "http://d.test";
  const base::Origin d = origin_of("http://d.test/");
  const auto right = crawler::partition_of_key(crawler::host_key(d, kSecret));
  const auto wrong = static_cast<std::uint16_t>((right + 1) % base::kPartitions);
  batch.put(Table::hosts, crawler::origin_key(wrong, hash(d.text())), encode(moved));
  store_.write(batch);
  EXPECT_THAT(verify(65), HasSubstr("http://d.test: stands in partition " + std::to_string(wrong) +
                                    " and would be looked for in " + std::to_string(right)));
}
TEST_F(FrontierTool, VerifyFindsAnOriginThatIsNone) {
  EXPECT_THAT(damaged_host([](crawler::HostRecord& record) { record.origin = "http://A.test"; }),
              HasSubstr("http://A.test: not an origin\n"));
}
TEST_F(FrontierTool, VerifyFindsAHostThatIsNotListed) {
  const base::TimePoint listed = host().listed.value();
  EXPECT_THAT(damaged([&](Batch& batch) { batch.erase(Table::due, crawler::due_key(listed, kKeyOfA)); }),
              HasSubstr("http://a.test: is not listed under the instant that its record says\n"));
}
TEST_F(FrontierTool, VerifyFindsAHostWithWorkThatNobodyWillLookAt) {
  const std::string found = damaged_host([](crawler::HostRecord& record) { record.listed.reset(); });
  EXPECT_THAT(found, HasSubstr("http://a.test: has URLs that wait, and is not listed to be looked at\n"));
}
TEST_F(FrontierTool, VerifyFindsAHostThatIsListedTwice) {
  EXPECT_THAT(damaged([](Batch& batch) { batch.put(Table::due, crawler::due_key(at(77s), kKeyOfA), {}); }),
              HasSubstr("http://a.test: is listed under an instant that its record does not say\n"));
}
TEST_F(FrontierTool, VerifyFindsARowOfDueThatLeadsNowhere) {
  EXPECT_THAT(damaged([](Batch& batch) { batch.put(Table::due, "garbage", {}); }),
              HasSubstr("due: a row leads to no origin, of key 67617262616765\n"));
}
TEST_F(FrontierTool, VerifyFindsARobotsTxtThatIsMissing) {
  EXPECT_THAT(damaged([](Batch& batch) { batch.erase(Table::robots, kKeyOfA + "b"); }),
              HasSubstr("http://a.test: its robots.txt is missing, which it had\n"));
}
TEST_F(FrontierTool, VerifyFindsGarbageInAStanding) {
  EXPECT_THAT(damaged([](Batch& batch) { batch.put(Table::robots, kKeyOfA + "s", "garbage"); }),
              HasSubstr("http://a.test: what its robots.txt said cannot be read\n"));
}
TEST_F(FrontierTool, VerifyFindsAKeyOfRobotsThatIsNone) {
  EXPECT_THAT(damaged([](Batch& batch) { batch.put(Table::robots, kKeyOfA + "x", ""); }),
              HasSubstr("http://a.test: a row of its robots.txt has no readable key\n"));
}
TEST_F(FrontierTool, VerifyFindsABudgetThatIsWrong) {
  EXPECT_THAT(damaged_host([](crawler::HostRecord& record) { --record.accepted; }),
              HasSubstr("http://a.test: 6 URLs count against its budget, and 7 are there\n"));
}
TEST_F(FrontierTool, VerifyFindsABudgetOfADomainThatIsTooLow) {
  const std::string found = damaged([](Batch& batch) {  // in the first partition and in the last
    batch.put(Table::sites, crawler::site_key("a.test"), encode(crawler::SiteRecord{7}));
    batch.erase(Table::sites, crawler::site_key("b.test"));
  });
  EXPECT_THAT(found, HasSubstr("a.test: 7 URLs count against the budget of the domain, and 8 are there\n"));
  EXPECT_THAT(found, HasSubstr("b.test: 0 URLs count against the budget of the domain, and 1 are there\n"));
}
TEST_F(FrontierTool, VerifyFindsGarbageAmongDomains) {
  const std::string found = damaged([](Batch& batch) {
    batch.put(Table::sites, crawler::site_key("a.test"), "garbage");
    batch.put(Table::sites, "x", encode(crawler::SiteRecord{7}));
  });
  EXPECT_THAT(found, HasSubstr("a.test: the record of the domain cannot be read\n"));
  EXPECT_THAT(found, HasSubstr("sites: a row has the wrong key: 78\n"));
}
TEST_F(FrontierTool, VerifyFindsATallyThatIsWrong) {
  crawler::Tally tally = crawler::decode_tally(store_.get(Table::meta, tally_of_a()).value()).value();
  EXPECT_EQ(tally, (crawler::Tally{2, 8, 5, 1, 2}));
  const std::string found = damaged([&](Batch& batch) {
    for (std::uint64_t* count : {&tally.origins, &tally.seen, &tally.queued, &tally.later, &tally.again})
      ++*count;
    batch.put(Table::meta, tally_of_a(), encode(tally));
  });
  EXPECT_THAT(found, HasSubstr("says 3 origins, and 2 are there\n"));
  EXPECT_THAT(found, HasSubstr("says 9 seen, and 8 are there\n"));
  EXPECT_THAT(found, HasSubstr("says 6 queued, and 5 are there\n"));
  EXPECT_THAT(found, HasSubstr("says 2 to be tried again, and 1 are there\n"));
  EXPECT_THAT(found, HasSubstr("says 3 to be visited again, and 2 are there\n"));
  EXPECT_THAT(found, HasSubstr("3 origins, 9 URLs, 5 problems\n"));
}
TEST_F(FrontierTool, VerifyFindsATallyThatIsMissingOrGarbage) {
  EXPECT_THAT(damaged([this](Batch& batch) { batch.erase(Table::meta, tally_of_a()); }),
              HasSubstr("says 0 origins, and 2 are there\n"));
  Batch batch(store_);
  batch.put(Table::meta, tally_of_a(), "garbage");
  store_.write(batch);
  EXPECT_THAT(verify(65), HasSubstr("meta: a tally cannot be read, of key 74616c6c792f"));
}
TEST_F(FrontierTool, VerifyFindsWhatIsWrongInMeta) {
  const std::string found = damaged([](Batch& batch) {
    batch.put(Table::meta, crawler::kAxisKey, "garbage");
    batch.put(Table::meta, crawler::kStoppedKey, "x");
  });
  EXPECT_THAT(found, HasSubstr("meta: the mark of the clocks is missing or cannot be read\n"));
  EXPECT_THAT(found, HasSubstr("meta: the end of the last run cannot be read\n"));
  EXPECT_THAT(found, HasSubstr(" 2 problems\n"));
  Batch batch(store_);
  batch.erase(Table::meta, crawler::kSecretKey);
  store_.write(batch);
  EXPECT_THAT(verify(65), HasSubstr("meta: the secret of the fingerprints is missing or cannot be read\n"));
}
TEST_F(FrontierTool, VerifyShowsTheFirstFindingsAndCountsTheOthers) {
  const std::string found = damaged([](Batch& batch) {
    for (int i = 0; i < 150; ++i)
      batch.put(Table::sites, "x" + std::to_string(i), encode(crawler::SiteRecord{0}));
  });
  EXPECT_EQ(lines_of(found).size(), crawler::kFindingsShown + 2);
  EXPECT_THAT(found, HasSubstr("and 50 more\n3 origins, 9 URLs, 150 problems\n"));
  std::ostringstream out;
  EXPECT_EQ(crawler::verify_frontier(store_, alone, true, out), 65);
  EXPECT_EQ(Json::parse(lines_of(out.str()).front())["where"], "sites");
  EXPECT_EQ(Json::parse(lines_of(out.str()).back())["problems"], 150);
}

/// Whatever a frontier does, and wherever its process dies, the store adds up.
TEST(FrontierVerify, FindsNothingInWhatAFrontierWrites) {
  std::uint64_t retries = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Store store = Store::in_memory();
    support::crawl_into(store);
    base::Random random(seed);
    crawler::Frontier::Parts parts{.store = store, .secret = kSecret, .memory = std::uint64_t{1} << 20U};
    parts.scope.max_urls_per_origin = 60;
    parts.recrawl = {true, 100s, 50s, 1000s};
    std::optional<crawler::Frontier> frontier(parts);
    base::TimePoint now = at(1000s);
    std::size_t visits = 0;
    for (int step = 0; step < 1'000; ++step) {
      now += std::chrono::seconds(random.below(20));
      const base::Origin origin =
          origin_of("http://" + std::string(1, static_cast<char>('a' + random.below(5))) + ".test/");
      switch (random.below(12)) {
        case 0: frontier.emplace(parts); break;  // what was not committed is lost
        case 1:
        case 2:
        case 3:
          for (int i = 0; i < 3; ++i) {
            const auto number = std::to_string(random.below(100));
            const auto depth = static_cast<std::uint32_t>(random.below(4));
            frontier->offer(offer(std::string(origin.text()) + "/" + number, depth), now);
          }
          frontier->commit();
          break;
        default:
          frontier->hold(origin);
          if (auto item = frontier->take(origin, now)) {
            ++visits;
            crawler::Ending ending;
            ending.digest = {1, random.below(2)};
            switch (random.below(6)) {
              case 0: frontier->put_back(std::move(*item)); break;
              case 1: frontier->forget(std::move(*item)); break;
              case 2:
              case 3:
                ++item->attempts;
                frontier->retry(std::move(*item), now + std::chrono::seconds(random.below(200)));
                break;
              default:
                if (random.below(3) == 0) ending.fate = crawler::Fate::gone;
                frontier->settle(std::move(*item), ending, now);
            }
          }
          frontier->list(origin, frontier->ready(origin, now) ? now : frontier->next_due(origin));
          frontier->release(origin);
          frontier->commit();
      }
      if (step % 100 != 99) continue;
      std::ostringstream found;
      ASSERT_EQ(crawler::verify_frontier(store, alone, false, found), 0) << "seed " << seed << '\n'
                                                                         << found.str();
    }
    EXPECT_GT(visits, 200U);
    EXPECT_GT(crawler::read_tally(store).again, 5U);
    retries += crawler::read_tally(store).later;

    std::stringstream lines;
    std::ostringstream again;
    std::ostringstream talk;
    crawler::Carried carried;
    Store copy = Store::in_memory();
    EXPECT_EQ(crawler::export_frontier(store, lines, talk, carried), 0);
    EXPECT_EQ(crawler::import_lines(copy, lines, "x", talk, carried), 0) << talk.str();
    EXPECT_EQ(crawler::export_frontier(copy, again, talk, carried), 0);
    EXPECT_TRUE(again.str() == lines.str());
    std::ostringstream found;
    EXPECT_EQ(crawler::verify_frontier(copy, alone, false, found), 0) << found.str();
  }
  EXPECT_GT(retries, 5U);
}

/// What a daemon writes meanwhile, flushes and new files included, is seen as it was at one moment.
TEST(FrontierVerify, FindsNothingWhileAFrontierWrites) {
  const support::TempFolder place;
  config::Storage storage;
  storage.directory = place.path();
  crawler::StoreOptions options;
  options.directory = crawler::frontier_directory(storage);
  options.memory = std::uint64_t{8} << 20U;
  Store store(std::move(options));
  support::crawl_into(store);
  std::atomic<bool> enough = false;
  std::atomic<std::uint64_t> visits = 0;
  std::thread writer([&] {
    crawler::Frontier::Parts parts{.store = store, .secret = kSecret, .memory = std::uint64_t{1} << 20U};
    parts.recrawl = {true, 1s, 1s, 1s};
    crawler::Frontier frontier(parts);
    for (std::uint64_t i = 0; !enough; ++i) {
      const base::TimePoint now = at(std::chrono::seconds(i));
      const base::Origin origin = origin_of("http://" + std::to_string(i % 50) + ".test/");
      for (std::uint64_t j = 0; j < 20; ++j) {
        const std::string target = "/" + std::string(500, 'x') + std::to_string((i * 20 + j) % 10'000);
        frontier.offer(offer(std::string(origin.text()) + target), now);
      }
      frontier.commit();
      frontier.hold(origin);
      for (int j = 0; j < 10; ++j) {
        auto item = frontier.take(origin, now);
        if (!item) break;
        frontier.settle(std::move(*item), {}, now);
        ++visits;
      }
      frontier.release(origin);
      frontier.commit();
    }
  });
  std::uint64_t last = 0;
  for (int i = 0; i < 12; ++i) {
    const std::uint64_t before = visits;
    const Store reader = crawler::open_to_read(storage);
    std::ostringstream found;
    EXPECT_EQ(crawler::verify_frontier(
                  reader, [] { return true; }, false, found),
              0)
        << i << '\n'
        << found.str().substr(0, 2'000);
    const std::uint64_t seen = crawler::read_tally(reader).seen;
    EXPECT_GE(seen, std::max(last, std::min<std::uint64_t>(before, 10'000)));
    last = seen;
  }
  enough = true;
  writer.join();
  EXPECT_GT(last, 1'000U);
  EXPECT_GT(store.disk_octets(), 0U);  // there were flushes
}

}  // namespace

#include "crawler/repartition.h"

#include "crawler/keys.h"
#include "tests/support/frontier_fixture.h"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using crawler::Table;
using support::at;

class Repartition : public support::FrontierFixture {
 protected:
  /// As if the origin had been stored under another list: all its rows under another partition.
  void misplace(const base::Origin& origin, std::uint16_t wrong) {
    const crawler::DueRow row = frontier().row_of(origin, at(0s));
    const std::string from = crawler::origin_key(row.partition, row.origin);
    const std::string to = crawler::origin_key(wrong, row.origin);
    crawler::Store::Batch batch(store_);
    for (const Table table : {Table::hosts, Table::queue, Table::urls, Table::robots}) {
      store_.scan(table, from, {}, [&](std::string_view key, std::string_view value) {
        batch.put(table, to + std::string(key.substr(from.size())), value);
        batch.erase(table, key);
        return true;
      });
    }
    const auto record = crawler::decode_host(*store_.get(Table::hosts, from));
    batch.erase(Table::due, crawler::due_key(*record->listed, from));
    batch.put(Table::due, crawler::due_key(*record->listed, to), {});
    const std::string tally = *store_.get(Table::meta, crawler::tally_key(row.partition));
    batch.put(Table::meta, crawler::tally_key(wrong), tally);
    batch.erase(Table::meta, crawler::tally_key(row.partition));
    ASSERT_TRUE(store_.write(batch));
  }
};

TEST_F(Repartition, AMisplacedOriginComesHomeWithEverything) {
  const base::Origin origin = support::origin_of("http://a.test/");
  for (int i = 0; i < 2'500; ++i) give("http://a.test/" + std::to_string(i), 0, at(5s));
  give("http://b.test/stays");
  const crawler::Tally before = frontier().tally();
  const auto home = frontier().row_of(origin, at(0s)).partition;
  misplace(origin, static_cast<std::uint16_t>(home + 1));
  reopen();
  EXPECT_EQ(crawler::repartition(store_), 1U);
  EXPECT_EQ(crawler::repartition(store_), 0U);
  reopen();
  EXPECT_EQ(frontier().tally(), before);
  EXPECT_EQ(listed(at(100s)), "http://b.test@0 http://a.test@5");
  EXPECT_EQ(give("http://a.test/7"), crawler::Offered::seen);
  frontier().hold(origin);
  EXPECT_EQ(frontier().take(origin, at(5s))->url.target(), "/0");
}

TEST_F(Repartition, CutOffInTheMiddleItIsDoneAgain) {
  const base::Origin origin = support::origin_of("http://a.test/");
  for (int i = 0; i < 50; ++i) give("http://a.test/" + std::to_string(i));
  const crawler::Tally before = frontier().tally();
  const crawler::DueRow row = frontier().row_of(origin, at(0s));
  const auto wrong = static_cast<std::uint16_t>(row.partition + 1);
  misplace(origin, wrong);
  // Some rows had been moved when the lights went out.
  crawler::Store::Batch batch(store_);
  int moved = 0;
  const std::string from = crawler::origin_key(wrong, row.origin);
  store_.scan(Table::queue, from, {}, [&](std::string_view key, std::string_view value) {
    batch.put(Table::queue,
              crawler::origin_key(row.partition, row.origin) + std::string(key.substr(from.size())), value);
    batch.erase(Table::queue, key);
    return ++moved < 20;
  });
  ASSERT_TRUE(store_.write(batch));
  EXPECT_EQ(crawler::repartition(store_), 1U);
  reopen();
  EXPECT_EQ(frontier().tally(), before);
  frontier().hold(origin);
  for (int i = 0; i < 50; ++i) {
    auto item = frontier().take(origin, at(0s));
    ASSERT_TRUE(item) << i;
    EXPECT_EQ(item->url.target(), "/" + std::to_string(i));
    frontier().settle(std::move(*item), ended(crawler::Fate::fetched), at(0s));
  }
}

}  // namespace

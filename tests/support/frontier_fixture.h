#pragma once
// A frontier on a store in memory, which can be dropped and opened again as after a crash.
#include "crawler/frontier.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

namespace support {

inline base::TimePoint at(base::Duration since) {
  return base::TimePoint(since);
}
inline base::Origin origin_of(std::string_view url) {
  return base::Url::parse(url)->origin();
}
inline crawler::Offer offer(std::string_view url, std::uint32_t depth = 0) {
  return {*base::Url::parse(url), {.depth = depth}};
}

class FrontierFixture : public ::testing::Test {
 protected:
  FrontierFixture()
      : store_(crawler::Store::in_memory()), parts_{.store = store_, .secret = 1, .fresh = true} {
    parts_.memory = std::uint64_t{16} * 1024 * 1024;
    parts_.recrawl.enabled = false;
    reopen();
    parts_.fresh = false;
  }

  /// What was not committed is lost, as with the process.
  void reopen(base::TimePoint opened = {}) {
    parts_.opened = opened;
    frontier_.emplace(parts_);
  }
  crawler::Frontier& frontier() { return *frontier_; }

  crawler::Offered give(std::string_view url, std::uint32_t depth = 0, base::TimePoint now = {}) {
    const crawler::Offered result = frontier().offer(offer(url, depth), now);
    EXPECT_TRUE(frontier().commit());
    return result;
  }
  static crawler::Ending ended(crawler::Fate fate) {
    crawler::Ending ending;
    ending.fate = fate;
    ending.status = fate == crawler::Fate::fetched ? 200 : 0;
    return ending;
  }
  /// Visits all that is ready; what was visited.
  std::string visits(const base::Origin& origin, base::TimePoint now) {
    std::string targets;
    frontier().hold(origin);
    while (auto item = frontier().take(origin, now)) {
      targets += (targets.empty() ? "" : " ") + std::string(item->url.target());
      frontier().settle(std::move(*item), ended(crawler::Fate::fetched), now);
      EXPECT_TRUE(frontier().commit());
    }
    frontier().release(origin);
    frontier().commit();
    return targets;
  }
  /// Origins with the second at which they should be looked at.
  std::string listed(base::TimePoint until) {
    std::string after;
    std::vector<crawler::DueRow> rows;
    EXPECT_EQ(frontier().due_rows(after, until, 100, rows), until);
    std::string text;
    for (const crawler::DueRow& row : rows) {
      const auto name = frontier().name_of(row);
      EXPECT_TRUE(name);
      text += (text.empty() ? "" : " ") + std::string(name ? name->text() : "?") + "@" +
              std::to_string(
                  std::chrono::duration_cast<std::chrono::seconds>(row.due.time_since_epoch()).count());
    }
    return text;
  }

  crawler::Store store_;
  crawler::Frontier::Parts parts_;
  std::optional<crawler::Frontier> frontier_;
};

}  // namespace support

#pragma once
// One origin in a robots::Cache, and words for what happens to it, in virtual time.
#include "robots/cache.h"

#include <gtest/gtest.h>

namespace robots {

using namespace std::chrono_literals;

inline constexpr base::TimePoint kStart{std::chrono::hours(10'000)};
inline constexpr const char* kBody = "User-agent: *\nDisallow: /x\n";

/// A cache, one origin that everything is about, and a clock that moves when told.
class CacheTest : public testing::Test {
 protected:
  base::Origin origin = base::Url::parse("http://a.test/")->origin();
  base::Random random{1};
  base::TimePoint now = kStart;
  config::Robots options;
  std::optional<Cache> made;

  Cache& cache() {
    if (!made) made.emplace(std::vector<std::string>{"crawld"}, options);
    return *made;
  }

  /// Asks now; the text of the URL asked for, or nothing.
  std::string ask() {
    const auto want = cache().want(origin, now, random);
    return want ? std::string(want->url.text()) : "";
  }
  void tell(Answer answer) { cache().learn(origin, std::move(answer), now, random); }
  void tell(int status, std::string body = "") {
    Answer answer;
    answer.status = status;
    answer.body = std::move(body);
    tell(std::move(answer));
  }
  void fetch(int status, std::string body = "") {
    ASSERT_NE(ask(), "");
    tell(status, std::move(body));
  }
  void redirect(int status, std::string location) {
    ASSERT_NE(ask(), "");
    Answer answer;
    answer.status = status;
    answer.location = std::move(location);
    tell(std::move(answer));
  }
  base::Duration wait() { return *cache().due(origin, now) - now; }
  void sleep() { now = std::max(now, *cache().due(origin, now)); }
  Access access() { return cache().access(origin); }
  bool allowed(std::string_view path) {
    return cache().check(*base::Url::parse(std::string(origin.text()).append(path)), now).decision.allowed;
  }
  std::string told() { return cache().explain(origin, now); }
};

}  // namespace robots

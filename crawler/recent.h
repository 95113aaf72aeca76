#pragma once
// The last visits, for people who look on.
#include "base/time.h"
#include "crawler/fate.h"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace crawler {

/// A visit that is over. Its texts come from strangers.
struct PastVisit {
  base::WallTime at{};
  std::string origin;
  std::string url;
  Fate fate = Fate::fetched;
  int status = 0;
  std::uint64_t octets = 0;
  base::Duration took{};
  std::uint64_t links = 0;
  std::string reason;  ///< why no answer came, in a word
};

/// One thread.
class Recent {
 public:
  static constexpr std::size_t kKept = 1'000;

  void add(PastVisit visit) {
    if (visits_.size() >= kKept) visits_.pop_front();
    visits_.push_back(std::move(visit));
  }
  /// The newest first; `origin` empty: of all.
  std::vector<PastVisit> last(std::size_t most, std::string_view origin = {}) const;
  /// What became of the last `most` visits of each origin, the newest first.
  std::map<std::string, std::vector<Fate>, std::less<>> fates(std::size_t most) const;

 private:
  std::deque<PastVisit> visits_;
};

}  // namespace crawler

#include "crawler/recent.h"

namespace crawler {

std::vector<PastVisit> Recent::last(std::size_t most, std::string_view origin) const {
  std::vector<PastVisit> found;
  for (auto visit = visits_.rbegin(); visit != visits_.rend() && found.size() < most; ++visit) {
    if (origin.empty() || visit->origin == origin) found.push_back(*visit);
  }
  return found;
}

std::map<std::string, std::vector<Fate>, std::less<>> Recent::fates(std::size_t most) const {
  std::map<std::string, std::vector<Fate>, std::less<>> found;
  for (auto visit = visits_.rbegin(); visit != visits_.rend(); ++visit) {
    std::vector<Fate>& own = found[visit->origin];
    if (own.size() < most) own.push_back(visit->fate);
  }
  return found;
}

}  // namespace crawler

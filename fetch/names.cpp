#include "fetch/names.h"

#include <algorithm>

namespace fetch {

const Addresses* Names::find(std::string_view name, base::TimePoint now) {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return nullptr;
  const auto entry = found->second;
  if (entry->until <= now) {
    forget(entry);
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, entry);
  return &entry->addresses;
}

void Names::store(std::string_view name, Addresses addresses, base::Duration ttl, base::TimePoint now) {
  if (const auto found = by_name_.find(name); found != by_name_.end()) forget(found->second);
  if (addresses.list.size() > kAddressesMax) addresses.list.resize(kAddressesMax);
  const bool negative = addresses.failure.error != Error::none;
  const base::Duration kept = negative ? kNegativeTtl : std::clamp(ttl, kTtlMin, kTtlMax);
  entries_.push_front({std::string(name), std::move(addresses), now + kept});
  by_name_.emplace(entries_.front().name, entries_.begin());
  if (entries_.size() > max_) forget(std::prev(entries_.end()));
}

void Names::forget(std::list<Entry>::iterator entry) {
  by_name_.erase(entry->name);
  entries_.erase(entry);
}

}  // namespace fetch

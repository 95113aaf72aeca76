#include "scheduler/origin_table.h"

#include "base/site.h"

#include <cassert>

namespace scheduler {

std::string_view Record::site() const {
  const std::string_view host = origin.host();
  return host.substr(host.size() - site_octets);
}

OriginTable::OriginTable() : records_(1), names_(0, Hash{&records_}, Equal{&records_}) {}

OriginTable::Id OriginTable::find(std::string_view origin) const {
  const auto found = names_.find(origin);
  return found == names_.end() ? kNone : *found;
}

OriginTable::Id OriginTable::add(const base::Origin& origin) {
  Id id = static_cast<Id>(records_.size());
  if (unused_.empty()) {
    records_.emplace_back();
  } else {
    id = unused_.back();
    unused_.pop_back();
  }
  Record& record = records_[id];
  record.origin = origin;
  const std::string site = base::site_of(origin.host());
  const bool tail = origin.host().ends_with(site);
  record.site_octets = static_cast<std::uint16_t>(tail ? site.size() : origin.host().size());
  const bool added = names_.insert(id).second;
  assert(added);
  static_cast<void>(added);
  return id;
}

void OriginTable::erase(Id id) {
  assert(id != kEnds && records_[id].idle_after == kEnds && records_[id].idle_before == kEnds);
  names_.erase(id);
  records_[id] = Record{};
  unused_.push_back(id);
}

void OriginTable::enter_idle(Id id) {
  Record& ends = records_[kEnds];
  Record& record = records_[id];
  record.idle_after = kEnds;
  record.idle_before = ends.idle_before;
  records_[ends.idle_before].idle_after = id;
  ends.idle_before = id;
  ++idle_count_;
}

void OriginTable::leave_idle(Id id) {
  Record& record = records_[id];
  records_[record.idle_before].idle_after = record.idle_after;
  records_[record.idle_after].idle_before = record.idle_before;
  record.idle_before = kEnds;
  record.idle_after = kEnds;
  --idle_count_;
}

}  // namespace scheduler

// One origin: its lanes, its waiting rows, its URLs, its robots.txt.
#include "base/hash.h"
#include "crawler/frontier_rows.h"
#include "crawler/frontier_verify.h"

#include <fmt/format.h>

#include <algorithm>

namespace crawler {

HostCheck::HostCheck(const Store& store, std::uint64_t secret, std::string_view key, const HostRecord* record,
                     Findings& findings)
    : store_(store), secret_(secret), key_(key), record_(record), findings_(findings) {
  if (record_ == nullptr) return;
  for (const LaneRecord& lane : record_->lanes) next_[lane.lane] = lane.head;
}

void count_row(const QueueKey& key, Tally& tally) {
  if (key.kind < kLanes) {
    ++tally.queued;
  } else {
    ++(key.kind == kLater ? tally.later : tally.again);
  }
}

void HostCheck::queue_row(std::string_view key, std::string_view value) {
  const std::optional<QueueKey> parsed = parse_queue_key(key);
  if (!parsed) {
    findings_.add(record_ != nullptr ? record_->origin : "queue", "a row has no readable key");
    return;
  }
  count_row(*parsed, tally_);
  if (record_ == nullptr) return;
  if (parsed->kind == kAgain) {
    if (!value.empty()) add("a row of a page that is due again is not empty");
    again_row(*parsed);
    return;
  }
  const std::optional<QueueRecord> row = decode_queue(value);
  if (parsed->kind == kLater) {
    if (!first_later_) first_later_ = parsed->due;
  } else {
    lane_row(*parsed, row.value_or(QueueRecord{}));
  }
  if (!row) {
    add(parsed->kind == kLater
            ? "a row of a URL to be tried again cannot be read"
            : fmt::format("row {} of lane {} cannot be read", parsed->number, parsed->kind));
    ++owed_unknown_;  // most are; it hides no other finding
    return;
  }
  owed_row(*parsed, *row);
}

void HostCheck::lane_row(const QueueKey& key, const QueueRecord& row) {
  const auto lane = std::ranges::find(record_->lanes, key.kind, &LaneRecord::lane);
  if (lane == record_->lanes.end() || key.number < lane->head || key.number >= lane->tail) {
    add(fmt::format("row {} is outside of lane {}: {}", key.number, key.kind, row.target));
    return;
  }
  if (key.number > next_[key.kind]) missing(*lane, next_[key.kind], key.number);
  next_[key.kind] = key.number + 1;
}

void HostCheck::missing(const LaneRecord& lane, std::uint64_t from, std::uint64_t to) {
  add(fmt::format("rows {} to {} of lane {} are missing", from, to - 1, lane.lane));
}

/// The URL of a row is among the seen ones, and visited as the row says.
void HostCheck::owed_row(const QueueKey& key, const QueueRecord& row) {
  if (!row.known) ++owed_unknown_;
  const base::Url url = url_of(record_->origin, row.target);
  if (url.empty()) {
    add("a row holds no URL of this origin: " + row.target);
    return;
  }
  const base::Hash128 fingerprint = base::keyed_hash(url.text(), secret_);
  if (key.kind == kLater && key.fingerprint != fingerprint)
    findings_.add(url.text(), "stands in the queue under another fingerprint");
  const auto seen = store_.get(Table::urls, url_key(key_, fingerprint));
  if (!seen) {
    findings_.add(url.text(), "is owed and not among the seen URLs");
  } else if (seen->empty() == row.known) {
    findings_.add(url.text(), row.known ? "is owed again, and there is no record of its visit"
                                        : "is owed for the first time, and there is a record of a visit");
  } else if (row.known) {
    const std::optional<UrlRecord> record = decode_url(*seen);
    if (record && record->due) findings_.add(url.text(), "is owed, and due again as well");
  }
}

void HostCheck::again_row(const QueueKey& key) {
  if (!first_again_) first_again_ = key.due;
  const auto seen = store_.get(Table::urls, url_key(key_, key.fingerprint));
  const std::optional<UrlRecord> record = seen ? decode_url(*seen) : std::nullopt;
  if (!record) {
    add("a page is due again of which there is no record");
  } else if (record->due != key.due) {
    findings_.add(record_->origin + record->target, "is due again at another instant than its record says");
  }
}

void HostCheck::url_row(std::string_view key, std::string_view value) {
  ++tally_.seen;
  if (record_ == nullptr) return;
  if (key.size() != kOriginKeyOctets + sizeof(base::Hash128)) {
    add("a seen URL has no readable key");
    return;
  }
  if (value.empty()) {
    ++unvisited_;
    return;
  }
  const std::optional<UrlRecord> record = decode_url(value);
  const base::Url url = record ? url_of(record_->origin, record->target) : base::Url();
  if (url.empty()) {
    add(record ? "a record holds no URL of this origin: " + record->target
               : std::string("the record of a visited URL cannot be read"));
    return;
  }
  const base::Hash128 fingerprint = base::keyed_hash(url.text(), secret_);
  if (key != url_key(key_, fingerprint)) findings_.add(url.text(), "stands under another fingerprint");
  if (record->due && !store_.get(Table::queue, timed_key(key_, kAgain, *record->due, fingerprint)))
    findings_.add(url.text(), "is due again, and not in the queue");
}

void HostCheck::robots_row(std::string_view key, std::string_view value) {
  if (record_ == nullptr) return;
  const std::string_view suffix = key.substr(kOriginKeyOctets);
  if (suffix == kBodySuffix) {
    has_body_ = true;
  } else if (suffix == kStandingSuffix) {
    const std::optional<robots::Saved> saved = decode_robots(value);
    if (!saved) add("what its robots.txt said cannot be read");
    needs_body_ = saved && saved->has_copy;
  } else {
    add("a row of its robots.txt has no readable key");
  }
}

Tally HostCheck::end() {
  if (record_ == nullptr) return tally_;
  for (const LaneRecord& lane : record_->lanes) {
    if (next_[lane.lane] < lane.tail) missing(lane, next_[lane.lane], lane.tail);
  }
  check_timed("to be tried again", record_->later, tally_.later, first_later_);
  check_timed("to be visited again", record_->again, tally_.again, first_again_);
  if (record_->accepted != tally_.seen)
    add(fmt::format("{} URLs count against its budget, and {} are there", record_->accepted, tally_.seen));
  if (unvisited_ > owed_unknown_)
    add(fmt::format("{} URLs are seen, were never visited and are not owed", unvisited_ - owed_unknown_));
  if (unvisited_ < owed_unknown_)
    add(fmt::format("{} URLs stand in the queue more than once", owed_unknown_ - unvisited_));
  const auto disorder = [](const LaneRecord& a, const LaneRecord& b) { return a.lane >= b.lane; };
  if (std::ranges::adjacent_find(record_->lanes, disorder) != record_->lanes.end())
    add("its lanes are out of order");
  const bool works = tally_.queued + tally_.later + tally_.again > 0;
  if (works && !record_->listed) add("has URLs that wait, and is not listed to be looked at");
  if (record_->listed && !store_.get(Table::due, due_key(*record_->listed, key_)))
    add("is not listed under the instant that its record says");
  if (needs_body_ && !has_body_) add("its robots.txt is missing, which it had");
  return tally_;
}

void HostCheck::check_timed(std::string_view name, const TimedRecord& said, std::uint64_t counted,
                            const std::optional<base::TimePoint>& first) {
  if (said.count != counted) add(fmt::format("{} URLs are {}, and {} are there", said.count, name, counted));
  if (first && said.floor > *first)
    add(fmt::format("a URL that is {} is due earlier than its record says that any is", name));
}

}  // namespace crawler

// URLs that an operator asks about, or wants visited again.
#include "crawler/frontier_host.h"

#include <limits>

namespace crawler {
namespace {

/// Rows of URLs that are to be tried again which one question looks at.
constexpr std::size_t kLaterLookedAt = 10'000;

}  // namespace

std::optional<Known> Frontier::known_url(const base::Url& url) const {
  const base::Hash128 fingerprint = base::keyed_hash(url.text(), secret_);
  const auto octets = store_.get(Table::urls, url_key(key_of(url.origin()), fingerprint));
  if (!octets) return std::nullopt;
  const std::optional<UrlRecord> record = octets->empty() ? std::nullopt : decode_url(*octets);
  if (!record) return Known{};
  return Known{record->fate, record->status, record->visited};
}

Requeued Frontier::requeue(const base::Url& url, base::TimePoint now) {
  commit();
  const base::Hash128 fingerprint = base::keyed_hash(url.text(), secret_);
  Host& host = get(url.origin());
  const std::string key = url_key(host.key, fingerprint);
  const auto octets = store_.get(Table::urls, key);
  if (!octets) return Requeued::unseen;
  std::optional<UrlRecord> record = octets->empty() ? std::nullopt : decode_url(*octets);
  if (!record) return Requeued::waits;
  if (record->due) {
    const bool hastened = hasten(host, fingerprint, std::numeric_limits<std::int64_t>::max(), now);
    return hastened ? Requeued::done : Requeued::waits;
  }
  if (in_later(host, fingerprint)) return Requeued::waits;
  record->due = enter_timed(host, kAgain, now, fingerprint, {});
  batch_.put(Table::urls, key, encode(*record));
  if (!host.record.listed || *host.record.listed > now) list(host, now);
  return Requeued::done;
}

/// It is to be tried again, or there are so many of those that it may be.
bool Frontier::in_later(const Host& host, const base::Hash128& fingerprint) const {
  if (host.record.later.count == 0) return false;
  if (host.record.later.count > kLaterLookedAt) return true;
  bool found = false;
  store_.scan(Table::queue, host.key, timed_key(host.key, kLater, base::TimePoint::min(), {}),
              [&](std::string_view row, std::string_view) {
                const auto parsed = parse_queue_key(row);
                if (!parsed || parsed->kind != kLater) return false;
                found = parsed->fingerprint == fingerprint;
                return !found;
              });
  return found;
}

}  // namespace crawler

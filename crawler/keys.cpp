#include "crawler/keys.h"

#include "base/site.h"
#include "crawler/codec.h"

namespace crawler {

std::string origin_key(std::uint16_t partition, const base::Hash128& origin) {
  std::string key;
  Encoder(key).u16(partition).hash(origin);
  return key;
}

std::uint16_t partition_of_key(std::string_view origin_key) {
  return Decoder(origin_key).u16();
}

base::Hash128 origin_of_key(std::string_view origin_key) {
  Decoder in(origin_key);
  in.u16();
  return in.hash();
}

std::string content_key(std::uint16_t partition, const base::Hash128& site, const base::Hash128& digest) {
  return url_key(origin_key(partition, site), digest);
}

std::string url_key(std::string_view origin_key, const base::Hash128& fingerprint) {
  std::string key(origin_key);
  Encoder(key).hash(fingerprint);
  return key;
}

std::string lane_key(std::string_view origin_key, std::uint8_t lane, std::uint64_t number) {
  std::string key(origin_key);
  Encoder(key).octet(lane).u64(number);
  return key;
}

std::string timed_key(std::string_view origin_key, std::uint8_t kind, base::TimePoint due,
                      const base::Hash128& fingerprint) {
  std::string key(origin_key);
  Encoder(key).octet(kind).time(due).hash(fingerprint);
  return key;
}

std::optional<QueueKey> parse_queue_key(std::string_view key) {
  if (key.size() <= kOriginKeyOctets) return std::nullopt;
  QueueKey parsed;
  parsed.origin_key = key.substr(0, kOriginKeyOctets);
  Decoder in(key.substr(kOriginKeyOctets));
  parsed.kind = in.octet();
  if (parsed.kind < kLanes) {
    parsed.number = in.u64();
  } else if (parsed.kind == kLater || parsed.kind == kAgain) {
    parsed.due = in.time();
    parsed.fingerprint = in.hash();
  } else {
    return std::nullopt;
  }
  if (!in.done()) return std::nullopt;
  return parsed;
}

std::string site_key(std::string_view site) {
  std::string key;
  Encoder(key).u16(static_cast<std::uint16_t>(base::partition_of(site)));
  key += site;
  return key;
}

std::string due_key(base::TimePoint due, std::string_view origin_key) {
  std::string key;
  Encoder(key).time(due);
  key += origin_key;
  return key;
}

std::optional<DueKey> parse_due_key(std::string_view key) {
  Decoder in(key);
  DueKey parsed;
  parsed.due = in.time();
  parsed.origin_key = in.rest();
  if (!in.good() || parsed.origin_key.size() != kOriginKeyOctets) return std::nullopt;
  return parsed;
}

std::string tally_key(std::uint16_t partition) {
  std::string key(kTallyPrefix);
  Encoder(key).u16(partition);
  return key;
}

}  // namespace crawler

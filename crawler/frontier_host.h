#pragma once
// An origin in memory, for frontier.cpp and frontier_urls.cpp alone.
#include "crawler/frontier.h"
#include "crawler/keys.h"

#include <list>

namespace crawler {

struct Frontier::Site {
  std::string name;
  SiteRecord record;
  std::uint32_t hosts = 0;  ///< in memory
  bool touched = false;
};

struct Frontier::Host {
  /// The URLs of a lane that are in memory: rows before `read`.
  struct Lane {
    Lane() = default;
    Lane(Lane&&) noexcept = default;
    Lane& operator=(Lane&&) noexcept = default;
    std::uint64_t read = 0;
    std::list<Item> items;
  };
  /// The same of the rows that wait for an instant: those up to the key `read`.
  struct Timed {
    std::string read;
    std::uint64_t unread = 0;
    base::TimePoint next{};  ///< none of the unread is due earlier
    std::list<Item> items;
  };

  std::string key;
  base::Origin origin;
  Site* site = nullptr;
  HostRecord record;
  std::vector<Lane> lanes;  ///< beside record.lanes
  Timed later;
  Timed again;
  bool taken = false;
  bool held = false;
  bool touched = false;
  bool loose = false;       ///< in the list of those that are not held
  bool changed = false;     ///< against the store
  bool fresh = false;       ///< the store does not know it, and there is nothing to tell
  bool again_next = false;  ///< whose turn it is, when both can
  std::size_t octets = 0;   ///< of memory, roughly

  /// No URL is in memory: all of them are to be read.
  void unread_all() {
    lanes.clear();
    lanes.resize(record.lanes.size());
    for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i].read = record.lanes[i].head;
    later = Timed();
    later.unread = record.later.count;
    later.next = record.later.floor;
    again = Timed();
    again.unread = record.again.count;
    again.next = record.again.floor;
  }
  TimedRecord& timed_record(std::uint8_t kind) { return kind == kLater ? record.later : record.again; }
  Timed& timed(std::uint8_t kind) { return kind == kLater ? later : again; }
  const Timed& timed(std::uint8_t kind) const { return kind == kLater ? later : again; }
  bool has_timed(std::uint8_t kind, base::TimePoint now) const {
    const Timed& rows = timed(kind);
    return !rows.items.empty() || (rows.unread > 0 && rows.next <= now);
  }
  /// The first lane that has a URL; lanes.size() when none has.
  std::size_t first_lane() const {
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      if (!lanes[i].items.empty() || lanes[i].read < record.lanes[i].tail) return i;
    }
    return lanes.size();
  }
  std::size_t lane_place(std::uint8_t lane);
};

/// Roughly, what a URL and an origin take in memory beside their text.
inline constexpr std::size_t kItemOctets = 256;
inline constexpr std::size_t kHostOctets = 1536;
/// An origin that is not held has no URL in memory.
inline constexpr std::size_t kLooseOctets = 1024;

inline std::size_t octets_of(const Item& item) {
  return kItemOctets + item.url.text().size() + (item.known ? sizeof(UrlRecord) : 0);
}

}  // namespace crawler

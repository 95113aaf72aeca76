#pragma once
// The links of one page while it is read: resolved, each once of its kind, within the limits of links.h.
#include "crawler/links.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace crawler {

class LinkSet {
 public:
  /// A reference in a document at `base`, or counts it as dropped. Of two that agree one that may be followed
  /// is enough.
  void add(std::string_view reference, const base::Url& base, LinkKind kind, bool nofollow);
  void add(Link link);
  /// Counts one that cannot even be looked at.
  void drop() { ++dropped_; }
  /// How many references there were, those without use included.
  std::size_t looked_at() const { return references_ + dropped_; }
  void give_to(Page& page) &&;

 private:
  struct Slot {
    std::uint32_t position = 0;  ///< + 1, in links_; 0 is free
    std::uint32_t hash = 0;      ///< of URL and kind: what differs need not be compared, nor hashed again
  };
  bool has_room();
  Slot& slot(const base::Url& url, LinkKind kind);
  void grow();

  std::vector<Link> links_;
  std::vector<Slot> slots_;  ///< open addressing, at most half full; a power of two of them, or none
  base::Url url_;            ///< the one that is looked at: its memory serves for all that are not kept
  std::size_t references_ = 0;
  std::size_t dropped_ = 0;
};

}  // namespace crawler

#include "crawler/link_set.h"

#include "base/hash.h"

#include <algorithm>

namespace crawler {

void LinkSet::add(std::string_view reference, const base::Url& base, LinkKind kind, bool nofollow) {
  if (!has_room()) return;
  auto url = base::Url::resolve(reference, base);
  if (!url) return drop();
  std::uint32_t& position = slot(*url, kind);
  if (position != 0) {
    Link& link = links_[position - 1];
    link.nofollow = link.nofollow && nofollow;
    return;
  }
  links_.push_back({std::move(*url), kind, nofollow});
  position = static_cast<std::uint32_t>(links_.size());
}

void LinkSet::add(Link link) {
  add(link.url.text(), link.url, link.kind, link.nofollow);
}

void LinkSet::give_to(Page& page) && {
  page.dropped += dropped_;
  page.links = std::move(links_);
  const auto canonical = std::find_if(page.links.begin(), page.links.end(),
                                      [](const Link& l) { return l.kind == LinkKind::canonical; });
  if (canonical != page.links.end()) page.canonical = canonical->url;
}

bool LinkSet::has_room() {
  if (links_.size() < kLinksMax && ++references_ <= kReferencesMax) return true;
  drop();
  return false;
}

/// Slot of the link like this one, or a free slot.
std::uint32_t& LinkSet::slot(const base::Url& url, LinkKind kind) {
  if (slots_.size() < 2 * (links_.size() + 1)) grow();
  const auto is_same = [&](const Link& link) { return link.kind == kind && link.url == url; };
  std::size_t i = place(url, kind);
  while (slots_[i] != 0 && !is_same(links_[slots_[i] - 1])) i = (i + 1) % slots_.size();
  return slots_[i];
}

std::size_t LinkSet::place(const base::Url& url, LinkKind kind) const {
  return static_cast<std::size_t>(base::secret_hash(url.text()) + static_cast<std::uint64_t>(kind)) %
         slots_.size();
}

void LinkSet::grow() {
  slots_.assign(std::max<std::size_t>(256, 4 * (links_.size() + 1)), 0);
  for (std::size_t position = 0; position < links_.size(); ++position) {
    std::size_t i = place(links_[position].url, links_[position].kind);
    while (slots_[i] != 0) i = (i + 1) % slots_.size();
    slots_[i] = static_cast<std::uint32_t>(position + 1);
  }
}

}  // namespace crawler

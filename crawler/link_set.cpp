#include "crawler/link_set.h"

#include "base/hash.h"

#include <algorithm>

namespace crawler {
namespace {

/// Room that is made at once: most pages have fewer links.
constexpr std::size_t kUsualLinks = 64;
constexpr std::size_t kSlotsMin = 256;

}  // namespace

void LinkSet::add(std::string_view reference, const base::Url& base, LinkKind kind, bool nofollow) {
  if (!has_room()) return;
  if (url_.assign(reference, base) != base::UrlError::ok) return drop();
  Slot& found = slot(url_, kind);
  if (found.position != 0) {
    Link& link = links_[found.position - 1];
    link.nofollow = link.nofollow && nofollow;
    return;
  }
  if (links_.empty()) links_.reserve(kUsualLinks);
  links_.push_back({url_, kind, nofollow});
  found.position = static_cast<std::uint32_t>(links_.size());
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

/// Slot of the link like this one, or a free slot with its hash.
LinkSet::Slot& LinkSet::slot(const base::Url& url, LinkKind kind) {
  if (slots_.size() < 2 * (links_.size() + 1)) grow();
  const auto hash = static_cast<std::uint32_t>(base::secret_hash(url.text()) + static_cast<unsigned>(kind));
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = hash & mask;
  for (; slots_[i].position != 0; i = (i + 1) & mask) {
    if (slots_[i].hash != hash) continue;
    const Link& link = links_[slots_[i].position - 1];
    if (link.kind == kind && link.url == url) return slots_[i];
  }
  slots_[i].hash = hash;
  return slots_[i];
}

void LinkSet::grow() {
  std::vector<Slot> before(std::max(kSlotsMin, 4 * slots_.size()));
  before.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : before) {
    if (slot.position == 0) continue;
    std::size_t i = slot.hash & mask;
    while (slots_[i].position != 0) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

}  // namespace crawler

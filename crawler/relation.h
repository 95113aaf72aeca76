#pragma once
// Words of rel, in HTML and in the Link header.
#include "crawler/links.h"

#include <string_view>

namespace crawler {

struct Relation {
  bool nofollow = false;
  bool canonical = false;
  bool alternate = false;
  bool next = false;
  bool prev = false;
  bool embeds = false;  ///< stylesheet, icon
  bool stylesheet = false;
};
Relation read_relation(std::string_view rel);

/// Calls `add(LinkKind)` for each kind of link that a link element or header with this relation is.
template <class Add>
void each_kind(const Relation& relation, Add add) {
  if (relation.canonical) add(LinkKind::canonical);
  if (relation.alternate && !relation.stylesheet) add(LinkKind::alternate);
  if (relation.next) add(LinkKind::next);
  if (relation.prev) add(LinkKind::prev);
  if (relation.embeds && !(relation.alternate && relation.stylesheet)) add(LinkKind::embed);
}

}  // namespace crawler

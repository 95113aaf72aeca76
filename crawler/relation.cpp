#include "crawler/relation.h"

#include "crawler/html_text.h"

namespace crawler {

Relation read_relation(std::string_view rel) {
  Relation out;
  for (std::string_view word = take_word(rel); !word.empty(); word = take_word(rel)) {
    if (same_word(word, "nofollow") || same_word(word, "ugc") || same_word(word, "sponsored"))
      out.nofollow = true;
    if (same_word(word, "canonical")) out.canonical = true;
    if (same_word(word, "alternate")) out.alternate = true;
    if (same_word(word, "next")) out.next = true;
    if (same_word(word, "prev") || same_word(word, "previous")) out.prev = true;
    if (same_word(word, "stylesheet")) out.stylesheet = out.embeds = true;
    if (same_word(word, "icon")) out.embeds = true;
  }
  return out;
}

}  // namespace crawler

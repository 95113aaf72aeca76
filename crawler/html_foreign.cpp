#include "crawler/html_foreign.h"

namespace crawler {

void ForeignContent::start(const ElementTraits& traits) {
  if (traits.element == Element::svg) return push(Border::svg);
  if (traits.element == Element::math) return push(Border::math);
  if (!inside()) return;
  const bool in_svg = open_[depth_ - 1] == Border::svg;
  if (in_svg ? traits.svg_html : traits.math_html) push(Border::html);
}

void ForeignContent::end(const ElementTraits& traits) {
  if (depth_ == 0) return;
  if (traits.element == Element::svg) return close(Border::svg);
  if (traits.element == Element::math) return close(Border::math);
  const bool ends_html = open_[depth_ - 1] == Border::html && (traits.svg_html || traits.math_html);
  if (ends_html) --depth_;
}

void ForeignContent::break_out() {
  while (inside()) --depth_;
}

void ForeignContent::push(Border border) {
  if (depth_ == open_.size()) {
    depth_ = 0;
    return;
  }
  open_[depth_++] = border;
}

void ForeignContent::close(Border border) {
  for (std::size_t i = depth_; i > 0; --i) {
    if (open_[i - 1] != border) continue;
    depth_ = i - 1;
    return;
  }
}

}  // namespace crawler

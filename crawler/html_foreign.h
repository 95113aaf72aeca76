#pragma once
// Whether a tag stands in HTML, or in SVG or MathML, where `<style/>` ends itself and `<title>` is no raw
// text. Knows only the elements at the borders; a page that nests them deeper than kForeignDepthMax counts as
// HTML.
#include "crawler/html_names.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace crawler {

inline constexpr std::size_t kForeignDepthMax = 64;

class ForeignContent {
 public:
  bool inside() const { return depth_ > 0 && open_[depth_ - 1] != Border::html; }
  /// Nothing is open: end() has nothing to do.
  bool empty() const { return depth_ == 0; }

  /// A start tag, not self-closing.
  void start(const ElementTraits& traits);
  void end(const ElementTraits& traits);
  /// A start tag of HTML in the midst of SVG or MathML ends them.
  void break_out();

 private:
  enum class Border : std::uint8_t { svg, math, html };
  void push(Border border);
  void close(Border border);

  std::array<Border, kForeignDepthMax> open_{};
  std::size_t depth_ = 0;
};

}  // namespace crawler

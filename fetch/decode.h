#pragma once
// Undoes Content-Encoding within limits. Pure; memory does not grow with what a bomb would become.
#include "fetch/coding.h"
#include "fetch/step.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fetch {

/// Codings one over another; more are an error.
inline constexpr std::size_t kCodingsMax = 2;
/// Encoded octets that are held back so that a body that is all there can be decoded at once, which is three
/// times faster; more are streamed.
inline constexpr std::size_t kHeldMax = 256 * 1024;
/// A body that unfolds beyond kRatioFree octets and to more than kRatioMax times what came is a bomb. Real
/// pages of that size stay under 60.
inline constexpr std::size_t kRatioFree = 1024 * 1024;
inline constexpr std::size_t kRatioMax = 100;
/// Octets that one coding may give to the next, for each octet that the body may have in the end.
inline constexpr std::size_t kBetweenFactor = 2;

/// Codings in the order in which they were applied. Nothing when one is unknown or there are too many.
/// Accepts names in any case, `x-gzip`, `identity`, and empty elements.
std::optional<std::vector<Coding>> parse_codings(std::string_view content_encoding);

class Decoder {
 public:
  enum class State {
    more,    ///< fine so far
    cut,     ///< there is more than `max`; the prefix is kept
    failed,  ///< see failure()
  };

  /// Decodes into body(), at most `max` octets.
  Decoder(std::vector<Coding> codings, std::size_t max);
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  /// The next encoded octets. After cut or failed, more octets change nothing.
  State feed(std::string_view octets);
  /// No more octets. Fails when a coded stream is not complete; a body of no octets is complete in any
  /// coding.
  State finish();
  /// No more octets, though there should be: the body is what can be made of those that came.
  State break_off();

  /// Empty after a failure.
  std::string& body();
  /// Only when failed: decode, or bomb when the octets unfold too far.
  const Step& failure() const;
  /// Octets of memory that body, held-back octets, windows and buffers take right now.
  std::size_t held() const;

 private:
  struct Chain;
  std::unique_ptr<Chain> chain_;
};

}  // namespace fetch

// Brotli (RFC 7932) as a coding stream. Large windows stay off, so a window is at most 16 MiB.
#include "fetch/coding.h"

#include <brotli/decode.h>

#include <new>

namespace fetch {
namespace {

class Brotli final : public CodingStream {
 public:
  Brotli() : state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {
    if (!state_) throw std::bad_alloc();
  }

  Step step(std::string_view& in, std::span<char>& out) override {
    if (over_) return in.empty() ? Step::hungry : Step::bad;
    std::size_t in_left = in.size();
    const auto* next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    std::size_t out_left = out.size();
    auto* next_out = reinterpret_cast<std::uint8_t*>(out.data());
    const auto result =
        BrotliDecoderDecompressStream(state_.get(), &in_left, &next_in, &out_left, &next_out, nullptr);
    in.remove_prefix(in.size() - in_left);
    out = out.subspan(out.size() - out_left);
    switch (result) {
      case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: return Step::hungry;
      case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: return Step::full;
      case BROTLI_DECODER_RESULT_SUCCESS: over_ = true; return in.empty() ? Step::hungry : Step::bad;
      case BROTLI_DECODER_RESULT_ERROR: break;
    }
    return Step::bad;
  }
  bool complete() const override { return over_; }

 private:
  struct Free {
    void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
  };
  std::unique_ptr<BrotliDecoderState, Free> state_;
  bool over_ = false;
};

}  // namespace

std::unique_ptr<CodingStream> make_brotli() {
  return std::make_unique<Brotli>();
}

}  // namespace fetch

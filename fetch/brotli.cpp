// Brotli (RFC 7932) as a coding stream, with a limit to its memory.
#include "fetch/coding.h"

#include <brotli/decode.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace fetch {
namespace {

/// A window of 4 MiB, which encoders use unless they are told otherwise, and tables. The decoder fills a
/// window before it lets anything out, so that a larger one would be full before any budget has seen an
/// octet; it takes less than the stream announces where the content is small.
constexpr std::size_t kMemoryMax = std::size_t{6} * 1024 * 1024;

struct Memory {
  std::size_t taken = 0;
  bool refused = false;
};

/// Memory for the decoder, each piece with its size in front so that what is taken can be counted.
constexpr std::size_t kSizeField = alignof(std::max_align_t);

void* take(void* opaque, std::size_t size) {
  auto& memory = *static_cast<Memory*>(opaque);
  if (size > kMemoryMax - memory.taken) {
    memory.refused = true;
    return nullptr;
  }
  auto* const piece = static_cast<char*>(std::malloc(kSizeField + size));
  if (piece == nullptr) return nullptr;
  memory.taken += size;
  std::memcpy(piece, &size, sizeof size);
  return piece + kSizeField;
}

void give_back(void* opaque, void* address) {
  if (address == nullptr) return;
  char* const piece = static_cast<char*>(address) - kSizeField;
  std::size_t size = 0;
  std::memcpy(&size, piece, sizeof size);
  static_cast<Memory*>(opaque)->taken -= size;
  std::free(piece);
}

class Brotli final : public CodingStream {
 public:
  Brotli() : state_(BrotliDecoderCreateInstance(&take, &give_back, &memory_)) {
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
      case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:  // said even when the output did not take all there was
        return BrotliDecoderHasMoreOutput(state_.get()) == BROTLI_TRUE ? Step::full : Step::hungry;
      case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: return Step::full;
      case BROTLI_DECODER_RESULT_SUCCESS: over_ = true; return in.empty() ? Step::hungry : Step::bad;
      case BROTLI_DECODER_RESULT_ERROR: break;
    }
    return memory_.refused ? Step::large : Step::bad;
  }
  bool complete() const override { return over_; }
  std::size_t memory() const override { return memory_.taken; }

 private:
  struct Free {
    void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
  };
  Memory memory_;  // outlives the state, which counts down when it goes
  std::unique_ptr<BrotliDecoderState, Free> state_;
  bool over_ = false;
};

}  // namespace

std::unique_ptr<CodingStream> make_brotli() {
  return std::make_unique<Brotli>();
}

}  // namespace fetch

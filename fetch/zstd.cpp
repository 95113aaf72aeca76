// Zstandard (RFC 8878) as a coding stream; a window is at most 8 MiB, as RFC 9659 asks of the web.
#include "fetch/coding.h"

#include <zstd.h>

#include <new>

namespace fetch {
namespace {

constexpr int kWindowLogMax = 23;

class Zstd final : public CodingStream {
 public:
  Zstd() : state_(ZSTD_createDCtx()) {
    if (!state_) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(state_.get(), ZSTD_d_windowLogMax, kWindowLogMax);
  }

  Step step(std::string_view& in, std::span<char>& out) override {
    while (!in.empty() || pending_) {
      ZSTD_inBuffer from{in.data(), in.size(), 0};
      ZSTD_outBuffer to{out.data(), out.size(), 0};
      const std::size_t result = ZSTD_decompressStream(state_.get(), &to, &from);
      if (ZSTD_isError(result) != 0) return Step::bad;
      in.remove_prefix(from.pos);
      out = out.subspan(to.pos);
      between_frames_ = result == 0;
      pending_ = out.empty() && !between_frames_;
      if (out.empty()) return Step::full;
    }
    return Step::hungry;
  }
  bool complete() const override { return between_frames_; }
  std::size_t memory() const override { return ZSTD_sizeof_DCtx(state_.get()); }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* state) const { ZSTD_freeDCtx(state); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> state_;
  bool between_frames_ = false;
  bool pending_ = false;  // the output was full, so more may be waiting inside
};

}  // namespace

std::unique_ptr<CodingStream> make_zstd() {
  return std::make_unique<Zstd>();
}

}  // namespace fetch

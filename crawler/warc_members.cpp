#define ZLIB_CONST
#include "crawler/warc_members.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <cstring>
#include <new>
#include <span>

namespace crawler {

class Unpacker {
 public:
  enum class Step {
    more,  ///< it has gone on, or wants more input
    end,   ///< of the member, and its checksums are right
    bad,   ///< why() says why
  };
  virtual ~Unpacker() = default;
  virtual void restart() = 0;
  /// Takes from the front of `in` and writes to the front of `out`; both become what is left.
  virtual Step run(std::string_view& in, std::span<char>& out) = 0;
  /// A member may begin with these octets.
  virtual bool begins(std::string_view octets) const = 0;
  /// These begin something that has no octets of its own and is no record.
  virtual bool skips(std::string_view /*octets*/) const { return false; }
  virtual std::string why() const = 0;
};

namespace {

constexpr std::size_t kMagic = 4;
constexpr std::string_view kZstdFrame = "\x28\xb5\x2f\xfd";
constexpr std::string_view kDictionaryFrame = "\x5d\x2a\x4d\x18";

class Gzip final : public Unpacker {
 public:
  Gzip() {
    if (inflateInit2(&state_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
  ~Gzip() override { inflateEnd(&state_); }

  void restart() override { inflateReset(&state_); }
  Step run(std::string_view& in, std::span<char>& out) override {
    state_.next_in = reinterpret_cast<const Bytef*>(in.data());
    state_.avail_in = static_cast<uInt>(in.size());
    state_.next_out = reinterpret_cast<Bytef*>(out.data());
    state_.avail_out = static_cast<uInt>(out.size());
    const int result = inflate(&state_, Z_NO_FLUSH);
    in.remove_prefix(in.size() - state_.avail_in);
    out = out.subspan(out.size() - state_.avail_out);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result == Z_STREAM_END) return Step::end;
    return result == Z_OK || result == Z_BUF_ERROR ? Step::more : Step::bad;
  }
  bool begins(std::string_view octets) const override { return octets.starts_with("\x1f\x8b"); }
  std::string why() const override {
    return fmt::format("a damaged gzip member ({})", state_.msg != nullptr ? state_.msg : "no data");
  }

 private:
  z_stream state_{};
};

class Zstd final : public Unpacker {
 public:
  Zstd() : state_(ZSTD_createDCtx()) {
    if (!state_) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(state_.get(), ZSTD_d_windowLogMax, kWarcWindowLogMax);
  }

  void restart() override { ZSTD_DCtx_reset(state_.get(), ZSTD_reset_session_only); }
  Step run(std::string_view& in, std::span<char>& out) override {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    result_ = ZSTD_decompressStream(state_.get(), &to, &from);
    in.remove_prefix(from.pos);
    out = out.subspan(to.pos);
    if (ZSTD_isError(result_) != 0) return Step::bad;
    return result_ == 0 ? Step::end : Step::more;
  }
  bool begins(std::string_view octets) const override {
    return octets.starts_with(kZstdFrame) || skips(octets);
  }
  bool skips(std::string_view octets) const override {
    return octets.size() >= kMagic && (octets[0] & 0xf0) == 0x50 &&
           octets.substr(1, 3) == kDictionaryFrame.substr(1);
  }
  std::string why() const override {
    switch (ZSTD_getErrorCode(result_)) {
      case ZSTD_error_dictionary_wrong: return "a zstd frame that needs a dictionary, which is not read here";
      case ZSTD_error_frameParameter_windowTooLarge: return "a zstd frame whose window is larger than 8 MiB";
      default: return fmt::format("a damaged zstd frame ({})", ZSTD_getErrorName(result_));
    }
  }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* state) const { ZSTD_freeDCtx(state); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> state_;
  std::size_t result_ = 0;
};

}  // namespace

WarcMembers::WarcMembers(std::istream& in, std::uint64_t offset)
    : in_(in),
      input_(kWarcPiece, '\0'),
      raw_(input_.data(), 0),
      raw_offset_(offset),
      begin_(offset),
      output_(kWarcPiece, '\0') {}
WarcMembers::~WarcMembers() = default;

void WarcMembers::fail(std::string why) {
  trouble_ = std::move(why);
  inside_ = false;
  ready_ = {};
}

/// Reads until raw_ has `octets`, at most kMagic or one when there are none, or the file ends.
bool WarcMembers::have(std::size_t octets) {
  if (raw_.size() >= octets) return true;
  const std::size_t kept = raw_.size();
  std::memmove(input_.data(), raw_.data(), kept);
  in_.read(input_.data() + kept, static_cast<std::streamsize>(input_.size() - kept));
  raw_ = std::string_view(input_).substr(0, kept + static_cast<std::size_t>(in_.gcount()));
  if (in_.bad()) {
    unreadable_ = true;
    fail("the file cannot be read");
  }
  return raw_.size() >= octets;
}

void WarcMembers::drop(std::size_t octets) {
  raw_.remove_prefix(octets);
  raw_offset_ += octets;
}

/// How the file is packed.
bool WarcMembers::look() {
  begun_ = true;
  have(kMagic);
  if (raw_.starts_with(kDictionaryFrame)) {
    fail("a file whose frames need the zstd dictionary at its beginning, which is not read here");
  } else if (raw_.starts_with("\x1f\x8b")) {
    unpacker_ = std::make_unique<Gzip>();
  } else if (Zstd frame; frame.begins(raw_)) {
    unpacker_ = std::make_unique<Zstd>();
  }
  return trouble_.empty();
}

bool WarcMembers::next() {
  const bool first = !begun_;
  if (first && !look()) return false;
  while (trouble_.empty()) {
    for (auto left = peek(); !left.empty(); left = peek()) take(left.size());
    if (!trouble_.empty() || !have(1) || (!packed() && !first)) return false;
    have(kMagic);
    if (!trouble_.empty()) return false;
    begin_ = raw_offset_;
    if (packed() && !unpacker_->begins(raw_)) {
      fail("neither a gzip member nor a zstd frame begins here");
      return false;
    }
    inside_ = true;
    if (!packed()) return true;
    unpacker_->restart();
    if (!unpacker_->skips(raw_)) return true;
  }
  return false;
}

std::string_view WarcMembers::peek() {
  if (!inside_ || !ready_.empty()) return ready_;
  if (!packed()) {
    inside_ = have(1);
    return raw_;
  }
  while (true) {
    std::string_view in = raw_;
    std::span<char> room(output_);
    const auto step = unpacker_->run(in, room);
    const bool stuck = in.size() == raw_.size() && room.size() == output_.size();
    drop(raw_.size() - in.size());
    ready_ = std::string_view(output_).substr(0, output_.size() - room.size());
    if (step == Unpacker::Step::bad) {
      fail(unpacker_->why());
    } else if (step == Unpacker::Step::end) {
      inside_ = false;
    } else if (stuck && (!raw_.empty() || !have(1)) && trouble_.empty()) {
      fail("the file ends within this member");
    }
    if (!inside_ || !ready_.empty()) return ready_;
  }
}

void WarcMembers::take(std::size_t octets) {
  if (packed())
    ready_.remove_prefix(octets);
  else
    drop(octets);
}

}  // namespace crawler

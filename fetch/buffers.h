#pragma once
// Read buffers of one thread, lent for one exchange.
#include <array>
#include <memory>
#include <vector>

namespace fetch {

/// One read takes up to this much; smaller buffers cost a system call for each piece.
inline constexpr std::size_t kBufferOctets = 64 * 1024;
/// Buffers kept for later; what is lent beyond that is freed when it comes back.
inline constexpr std::size_t kBuffersKept = 64;

class Buffers : public std::enable_shared_from_this<Buffers> {
 public:
  using Buffer = std::array<char, kBufferOctets>;

  /// A buffer that goes back at the end of its life.
  class Lent {
   public:
    explicit Lent(std::shared_ptr<Buffers> owner) : owner_(std::move(owner)), buffer_(owner_->take()) {}
    ~Lent() { owner_->give(std::move(buffer_)); }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;
    Buffer& operator*() { return *buffer_; }

   private:
    std::shared_ptr<Buffers> owner_;
    std::unique_ptr<Buffer> buffer_;
  };

  Buffers() { kept_.reserve(kBuffersKept); }
  std::size_t kept() const { return kept_.size(); }

 private:
  std::unique_ptr<Buffer> take() {
    if (kept_.empty()) return std::unique_ptr<Buffer>(new Buffer);  // not zeroed
    auto buffer = std::move(kept_.back());
    kept_.pop_back();
    return buffer;
  }
  void give(std::unique_ptr<Buffer> buffer) {
    if (kept_.size() < kBuffersKept) kept_.push_back(std::move(buffer));
  }
  std::vector<std::unique_ptr<Buffer>> kept_;
};

}  // namespace fetch

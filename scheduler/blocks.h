#pragma once
// An array for millions of small things: it grows block by block, so that growing neither copies nor doubles
// what is there.
#include <bit>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace scheduler {

/// References stay valid. Blocks of up to 64 KiB, each on a cache line. For plain values only.
template <class T>
class Blocks {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  std::size_t size() const { return size_; }
  std::size_t octets() const { return blocks_.size() * sizeof(Block); }  ///< of memory

  T& operator[](std::size_t i) { return blocks_[i / kPerBlock]->items[i % kPerBlock]; }
  const T& operator[](std::size_t i) const { return blocks_[i / kPerBlock]->items[i % kPerBlock]; }
  void push_back(const T& value) {
    const T copy = value;  // it may live in here
    if (size_ == blocks_.size() * kPerBlock) blocks_.push_back(std::make_unique<Block>());
    (*this)[size_++] = copy;
  }

 private:
  /// The largest power of two of which 64 KiB have room.
  static constexpr std::size_t kPerBlock = std::bit_floor(std::size_t{64} * 1024 / sizeof(T));
  struct alignas(64) Block {
    T items[kPerBlock];
  };

  std::vector<std::unique_ptr<Block>> blocks_;
  std::size_t size_ = 0;
};

}  // namespace scheduler

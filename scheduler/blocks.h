#pragma once
// An array for millions of small things: it grows block by block, so that growing neither copies nor doubles
// what is there.
#include <bit>
#include <cassert>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace scheduler {

/// References stay valid until their element is popped. Blocks of up to 64 KiB, each on a cache line; empty
/// ones stay until shrink_to_fit(). For plain values only: popping destroys nothing.
template <class T>
class Blocks {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// Elements that there is memory for.
  std::size_t capacity() const { return blocks_.size() * kPerBlock; }

  T& operator[](std::size_t i) { return blocks_[i / kPerBlock]->items[i % kPerBlock]; }
  const T& operator[](std::size_t i) const { return blocks_[i / kPerBlock]->items[i % kPerBlock]; }
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }
  T& back() { return (*this)[size_ - 1]; }
  const T& back() const { return (*this)[size_ - 1]; }

  void push_back(const T& value) {
    const T copy = value;  // it may live in here
    if (size_ == capacity()) blocks_.push_back(std::make_unique<Block>());
    (*this)[size_++] = copy;
  }
  void pop_back() {
    assert(size_ > 0);
    --size_;
  }
  /// Frees the blocks behind the last element.
  void shrink_to_fit() { blocks_.resize((size_ + kPerBlock - 1) / kPerBlock); }

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

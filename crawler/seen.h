#pragma once
// Which URLs were seen, as far as memory knows: in front of the store, which knows all of them. Most links of
// a page lead to what was seen before, and a look at the disk for each would cost more than all else.
#include "base/hash.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace crawler {

/// A bounded set of fingerprints that forgets when it is full, and knows where it has forgotten: elsewhere,
/// what it does not hold was never seen. 74 bits of each fingerprint count. It grows by linear hashing
/// (Litwin 1980), a few buckets with each insertion, so no call takes long. One thread.
class Seen {
 public:
  enum class Answer { yes, no, ask_store };

  /// `octets_max`: of memory; at least kOctetsMin are used. `complete`: nothing has been seen so far. False
  /// when the store holds URLs of an earlier run: what is not held has to be asked for until it is.
  Seen(std::uint64_t octets_max, bool complete);

  static constexpr std::size_t kOctetsMin = std::size_t{64} * 1024;

  Answer contains(const base::Hash128& fingerprint) const;
  /// The fingerprint is not held.
  void insert(const base::Hash128& fingerprint);
  /// It was not seen after all; nothing happens when it is not held.
  void erase(const base::Hash128& fingerprint);

  std::size_t octets() const;
  std::size_t held() const { return held_; }

 private:
  static constexpr std::size_t kSlots = 8;
  static constexpr unsigned kLeastBits = 10;
  static constexpr std::size_t kChunk = std::size_t{1} << kLeastBits;
  static constexpr std::size_t kSplitsPerInsert = 16;
  using Bucket = std::array<std::uint64_t, kSlots>;  ///< a cache line; the newest first, 0 is empty

  static std::uint64_t tag_of(const base::Hash128& fingerprint);
  std::size_t place(std::uint64_t hash) const;
  Bucket& bucket(std::size_t place) { return (*chunks_[place / kChunk])[place % kChunk]; }
  const Bucket& bucket(std::size_t place) const { return (*chunks_[place / kChunk])[place % kChunk]; }
  std::size_t buckets() const { return (std::size_t{1} << bits_) + split_; }
  void grow();
  void split_next();

  std::size_t buckets_max_;
  bool complete_;
  unsigned bits_ = kLeastBits;  ///< buckets before `split_` and their twins are found by one bit more
  std::size_t split_ = 0;
  bool growing_ = false;
  std::size_t held_ = 0;
  std::vector<std::unique_ptr<std::array<Bucket, kChunk>>> chunks_;
  std::vector<bool> forgot_;  ///< by bucket
};

}  // namespace crawler

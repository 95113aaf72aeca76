#pragma once
// How much memory bodies under way may take, over all threads, and each site of it.
#include "base/hash.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace fetch {

/// Octets of every body that nobody counts: network.max_connections bounds them, and pages of usual size
/// never compete with large ones.
inline constexpr std::size_t kBodyFree = 256 * 1024;
/// Accounts grow by so much at a time.
inline constexpr std::size_t kBodyStep = 256 * 1024;
/// One site gets this part of the budget at most.
inline constexpr std::uint64_t kSitePart = 8;
/// What a body may take while it is read, for each octet that it may have in the end: a string that grows is
/// there twice for a moment; and what decoders need.
inline constexpr std::uint64_t kBodyFactor = 2;
inline constexpr std::uint64_t kDecoderOctets = 32 * 1024 * 1024;

/// network.max_body_memory. Thread-safe.
class BodyBudget {
 public:
  /// At least one body of `body_max` octets fits.
  BodyBudget(std::uint64_t max, std::uint64_t body_max);
  bool try_take(std::uint64_t octets);
  void give(std::uint64_t octets) { taken_.fetch_sub(octets, std::memory_order_relaxed); }
  std::uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }
  std::uint64_t max() const { return max_; }
  std::uint64_t site_max() const { return site_max_; }

 private:
  const std::uint64_t max_;
  const std::uint64_t site_max_;
  std::atomic<std::uint64_t> taken_{0};
};

/// Octets taken by each site of one thread; no entry is 0.
using SiteOctets = base::StringMap<std::uint64_t>;

/// What one body takes; given back at the end of its life. Bound to one thread.
class BodyAccount {
 public:
  BodyAccount(std::shared_ptr<BodyBudget> budget, std::shared_ptr<SiteOctets> sites, std::string site);
  ~BodyAccount();
  BodyAccount(const BodyAccount&) = delete;
  BodyAccount& operator=(const BodyAccount&) = delete;

  /// The body takes `octets` now. False: the budget or the site's part of it has no room, and the account is
  /// as before.
  bool grow_to(std::uint64_t octets);
  std::uint64_t taken() const { return taken_; }

 private:
  const std::shared_ptr<BodyBudget> budget_;
  const std::shared_ptr<SiteOctets> sites_;
  const std::string site_;
  std::uint64_t taken_ = 0;
};

}  // namespace fetch

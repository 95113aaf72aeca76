#include "base/site.h"

#include "base/hash.h"

#include <libpsl.h>

#include <array>
#include <fstream>
#include <iterator>

namespace base {
namespace {

/// The newest list on the machine, else the one that came with the library. Loaded once, then only read.
const psl_ctx_t* public_suffixes() {
  static const psl_ctx_t* const list = [] {
    const psl_ctx_t* latest = psl_latest(nullptr);
    return latest != nullptr ? latest : psl_builtin();
  }();
  return list;
}

/// A host whose last label is a number is an IPv4 address: the URL parser leaves nothing else there.
bool is_address(std::string_view host) {
  return host.starts_with('[') || (!host.empty() && host.back() >= '0' && host.back() <= '9' &&
                                   host.find_first_not_of("0123456789.") == std::string_view::npos);
}

std::string looked_up(const std::string& host) {
  if (is_address(host) || public_suffixes() == nullptr) return host;
  const char* site = psl_registrable_domain(public_suffixes(), host.c_str());
  return site != nullptr ? std::string(site) : host;
}

struct Known {
  std::string host;  ///< without a final dot; empty: none
  std::string site;
};

/// The last answers of this thread, each in the one place that its host has. The links of a page are of a few
/// hosts, and each is asked for several times on its way; the list takes 0.8 µs each time. The answer of a
/// host is always the same, so that it does not matter which are held.
const std::string& known_site(std::string_view host) {
  constexpr std::size_t kPlaces = 256;
  thread_local std::array<Known, kPlaces> places;
  Known& known = places[secret_hash(host) % kPlaces];
  if (known.host != host) {
    known.site = looked_up(std::string(host));
    known.host = host;
  }
  return known.site;
}

/// Longest name that DNS knows. Others are looked up each time, so that the memory above has a bound.
constexpr std::size_t kNameOctetsMax = 253;

}  // namespace

std::string site_of(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  if (host.empty() || host.size() > kNameOctetsMax) return looked_up(std::string(host));
  return known_site(host);
}

std::string suffix_list() {
  const char* const built_in = psl_builtin_sha1sum();
  std::string id = built_in != nullptr ? built_in : "none";
  const char* const file = psl_dist_filename();
  std::ifstream list(file != nullptr ? file : "", std::ios::binary);
  const std::string octets{std::istreambuf_iterator<char>(list), {}};
  return id + "/" + std::to_string(stable_hash(octets));
}

std::uint32_t partition_of(std::string_view site) {
  return static_cast<std::uint32_t>(stable_hash(site) % kPartitions);
}

}  // namespace base

#include "base/site.h"

#include "base/hash.h"

#include <libpsl.h>

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

}  // namespace

std::string site_of(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  const std::string whole(host);
  if (is_address(host) || public_suffixes() == nullptr) return whole;
  const char* site = psl_registrable_domain(public_suffixes(), whole.c_str());
  return site != nullptr ? std::string(site) : whole;
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

// Octets from a damaged disk: every decoder refuses them, or reads a record that is written in the same way
// again.
#include "crawler/keys.h"
#include "crawler/records.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

template <class Decode>
void same_again(std::string_view octets, Decode decode) {
  const auto record = decode(octets);
  if (!record) return;
  const std::string written = crawler::encode(*record);
  const auto again = decode(written);
  if (!again || crawler::encode(*again) != written) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view octets(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 8) {
    case 0: same_again(octets, crawler::decode_host); break;
    case 1: same_again(octets, crawler::decode_queue); break;
    case 2: same_again(octets, crawler::decode_url); break;
    case 3: same_again(octets, crawler::decode_site); break;
    case 4: same_again(octets, crawler::decode_tally); break;
    case 5: same_again(octets, crawler::decode_robots); break;
    case 6: same_again(octets, crawler::decode_axis); break;
    default:
      (void)crawler::parse_queue_key(octets);
      (void)crawler::parse_due_key(octets);
      break;
  }
  return 0;
}

// First octet even: octets from a damaged disk, which are refused or read as what is written in the same way
// again. Odd: pages of a site, a line each; what comes of them stays small, and a brake has its reasons.
#include "crawler/yield.h"

#include <cstdlib>

namespace {

using crawler::Yield;

void check(bool holds) {
  if (!holds) std::abort();
}

void check_written(const Yield& yield) {
  const std::string written = yield.encode();
  check(written.size() <= Yield::kOctetsMax);
  const auto again = Yield::decode(written);
  check(again && again->encode() == written);
}

void crawl(std::string_view input, Yield yield, std::uint32_t brake_after) {
  while (!input.empty()) {
    const std::size_t end = input.find('\n');
    const std::string_view line = input.substr(0, end);
    input.remove_prefix(end == std::string_view::npos ? input.size() : end + 1);
    if (line.empty()) continue;
    const std::string target = '/' + std::string(line.substr(1));
    const auto times = static_cast<unsigned char>(line[0]) / 2U;
    for (unsigned i = 0; i < times; ++i) yield.note(target, line[0] % 2 != 0, brake_after);
    (void)yield.admit_query(target, times);
    if (const auto brake = yield.brake_of(target, brake_after)) {
      check(target.starts_with(brake->what) && brake->pages >= brake_after);
      check(brake->repeated <= brake->pages && brake->repeated * 100 >= brake->pages * 90);
    }
  }
  check_written(yield);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 != 0) {
    crawl(input, Yield(), data[0] / 2U);
  } else if (const auto yield = Yield::decode(input)) {
    check_written(*yield);
    crawl(
        "\x7f"
        "a/b/c?d\n\x7e"
        "a/b/c?d\n\x7f"
        "x\n",
        *yield, 3);
  }
  return 0;
}

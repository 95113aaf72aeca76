// The response reader: the same octets mean the same in any slices, nothing grows past its limit, what a
// correct server chunks comes back whole, and Beast is given nothing that it refuses.
#include "fetch/response.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

using fetch::Error;
using fetch::Response;

constexpr std::uint64_t kHeadMax = 512;
constexpr std::size_t kBodyMax = 1500;
constexpr std::size_t kInputMax = 8192;
/// What a body may take: itself in a string that grows, what is held back in another, and its decoders with
/// their pieces of output.
constexpr std::size_t kHeldAtMost = 2 * kBodyMax + fetch::kReservedMax + 2 * kInputMax + 1024 +
                                    fetch::kCodingsMax * (fetch::kCodingOctetsMax + 64 * 1024);

void must(bool holds) {
  if (!holds) std::abort();
}

/// Small numbers out of the input, again and again.
class Dice {
 public:
  explicit Dice(std::string_view octets) : octets_(octets) {}
  std::size_t next() {
    if (octets_.empty()) return 1;
    return static_cast<unsigned char>(octets_[at_++ % octets_.size()]);
  }

 private:
  std::string_view octets_;
  std::size_t at_ = 0;
};

void feed_all(Response& response, std::string_view octets, Dice& dice, bool sliced, unsigned ending) {
  while (!octets.empty()) {
    const std::size_t count = sliced ? std::min(octets.size(), dice.next() % 40 + 1) : octets.size();
    response.feed(octets.substr(0, count));
    octets.remove_prefix(count);
    must(response.held() <= kHeldAtMost);
  }
  if (ending == 1) response.end(true);
  if (ending == 2) response.end(false);
  must(response.held() <= kHeldAtMost);
}

bool decode_or_cut(const Response& response) {
  const Error error = response.failure().error;
  return error == Error::decode || error == Error::bomb || response.cut();
}

void check_bounds(Response& response, std::string& body) {
  body = response.take_body();
  must(response.held() < kHeldAtMost - kBodyMax);
  const Error error = response.failure().error;
  must(body.empty() || error == Error::none || error == Error::truncated);
  must(response.failure().detail != "not a response head");
  must(body.size() <= kBodyMax);
  must(!response.cut() || body.size() == kBodyMax);
  must(response.headers().all().size() <= fetch::kFieldsMax);
  std::size_t head = 0;
  for (const auto& header : response.headers().all()) head += header.name.size() + header.value.size();
  must(head <= kHeadMax);
  must((response.state() == Response::State::failed) == (error != Error::none));
  must(!response.reusable() || (response.state() == Response::State::done && !response.cut()));
}

void any_slices_mean_the_same(std::string_view input) {
  const unsigned ending = static_cast<unsigned char>(input[0]) % 3;
  Dice dice(input.substr(0, 16));
  const std::string_view octets = input.substr(1);
  Response whole(kHeadMax, kBodyMax);
  Response sliced(kHeadMax, kBodyMax);
  feed_all(whole, octets, dice, false, ending);
  feed_all(sliced, octets, dice, true, ending);
  std::string body_whole;
  std::string body_sliced;
  check_bounds(whole, body_whole);
  check_bounds(sliced, body_sliced);
  must(whole.status() == sliced.status());
  must(whole.headers().all().size() == sliced.headers().all().size());
  must(whole.octets() == sliced.octets());
  // A decoder may find corruption in the same call that fills the body, or one call later.
  if (decode_or_cut(whole) && decode_or_cut(sliced)) return;
  must(whole.state() == sliced.state());
  must(whole.failure().error == sliced.failure().error);
  must(whole.failure().detail == sliced.failure().detail);
  must(whole.reusable() == sliced.reusable());
  must(body_whole == body_sliced);
}

void chunks_come_back(std::string_view input) {
  Dice dice(input.substr(0, 16));
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string octets = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (std::string_view rest = input; !rest.empty();) {
    const std::size_t count = std::min(rest.size(), dice.next() + 1);
    octets += {kDigits[count >> 8U & 15U], kDigits[count >> 4U & 15U], kDigits[count & 15U]};
    if (dice.next() % 4 == 0) octets += ";x=" + std::string(dice.next() % 250, 'y');
    octets += "\r\n" + std::string(rest.substr(0, count)) + "\r\n";
    rest.remove_prefix(count);
  }
  octets += "0\r\n\r\n";
  Response response(kHeadMax, kBodyMax);
  feed_all(response, octets, dice, true, 0);
  must(response.state() == Response::State::done);
  must(response.cut() == (input.size() > kBodyMax));
  must(response.cut() || response.reusable());
  must(response.take_body() == input.substr(0, kBodyMax));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), std::min(size, kInputMax));
  if (input.empty()) return 0;
  any_slices_mean_the_same(input);
  chunks_come_back(input);
  return 0;
}

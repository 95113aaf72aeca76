// The decoder of content codings: bounded whatever comes, the same in any slices, and it gives back what zlib
// has coded.
#define ZLIB_CONST
#include "fetch/decode.h"

#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

using fetch::Coding;
using fetch::Decoder;

constexpr std::size_t kInputMax = 8192;

void must(bool holds) {
  if (!holds) std::abort();
}

struct Result {
  Decoder::State state = Decoder::State::more;
  std::string body;
};

enum class Ending { whole, broken_off };

Result decode(const std::vector<Coding>& codings, std::string_view octets, std::size_t max, std::size_t slice,
              Ending ending = Ending::whole) {
  // A string that grows, what is held back, and the decoders with their pieces of output.
  const std::size_t held_max =
      2 * max + 2 * kInputMax + 1024 + codings.size() * (fetch::kCodingOctetsMax + 64 * 1024);
  Decoder decoder(codings, max);
  Result result;
  while (!octets.empty() && result.state == Decoder::State::more) {
    const std::size_t count = std::min(slice, octets.size());
    result.state = decoder.feed(octets.substr(0, count));
    octets.remove_prefix(count);
    must(decoder.body().size() <= max);
    must(decoder.held() <= held_max);
  }
  if (result.state == Decoder::State::more)
    result.state = ending == Ending::whole ? decoder.finish() : decoder.break_off();
  must(decoder.held() <= decoder.body().capacity() + 100);
  result.body = std::move(decoder.body());
  must(result.body.size() <= max);
  must(result.state != Decoder::State::cut || result.body.size() == max);
  const fetch::Error error = decoder.failure().error;
  must((result.state == Decoder::State::failed) == (error != fetch::Error::none));
  must(error == fetch::Error::none || (result.body.empty() && !decoder.failure().detail.empty()));
  return result;
}

std::string coded(std::string_view text, int window_bits, int level) {
  z_stream stream{};
  must(deflateInit2(&stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<const Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  must(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

void any_slices_mean_the_same(std::string_view input, unsigned choice) {
  static constexpr Coding kAll[] = {Coding::gzip, Coding::deflate, Coding::brotli, Coding::zstd};
  static constexpr std::size_t kMax[] = {0, 1, 1000, 100'000};
  std::vector<Coding> codings{kAll[choice % 4]};
  if (choice & 4U) codings.push_back(kAll[choice >> 3U & 3U]);
  const std::size_t max = kMax[choice >> 5U & 3U];
  for (const Ending ending : {Ending::whole, Ending::broken_off}) {
    const Result whole = decode(codings, input, max, input.size() + 1, ending);
    for (const std::size_t slice : {std::size_t{1}, std::size_t{13}}) {
      const Result sliced = decode(codings, input, max, slice, ending);
      // A decoder may find corruption in the same call that fills the body, or one call later.
      if (whole.state != Decoder::State::more && sliced.state != Decoder::State::more) continue;
      must(whole.state == sliced.state);
      must(whole.body == sliced.body);
    }
  }
}

void what_was_coded_comes_back(std::string_view input, unsigned choice) {
  static constexpr int kWindows[] = {31, 15, -15};
  const int window = kWindows[choice % 3];
  const std::vector<Coding> codings{window == 31 ? Coding::gzip : Coding::deflate};
  std::string octets = coded(input, window, static_cast<int>(choice % 10));
  if (window == 31 && (choice & 64U)) octets += coded(input, window, 1);
  const std::string expected =
      window == 31 && (choice & 64U) ? std::string(input) + std::string(input) : std::string(input);
  const Result result = decode(codings, octets, expected.size(), choice % 50 + 1);
  must(result.state == Decoder::State::more);
  must(result.body == expected);
  const std::string_view part = std::string_view(octets).substr(0, octets.size() / 2);
  must(expected.starts_with(decode(codings, part, expected.size(), 7, Ending::broken_off).body));
  if (expected.empty()) return;
  must(decode(codings, octets, expected.size() - 1, choice % 50 + 1).state == Decoder::State::cut);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), std::min(size, kInputMax));
  if (input.empty()) return 0;
  const unsigned choice = static_cast<unsigned char>(input[0]);
  any_slices_mean_the_same(input.substr(1), choice);
  what_was_coded_comes_back(input.substr(1), choice);
  return 0;
}

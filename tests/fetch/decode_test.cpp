#include "fetch/decode.h"

#include "tests/support/encode.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>

namespace fetch {
namespace {

using support::gzip;
using support::zlib_coded;

constexpr std::size_t kMebi = 1024 * 1024;

struct Result {
  Decoder::State state = Decoder::State::more;
  std::string body;
  Error error = Error::none;
  std::string detail;
};

/// Decodes `octets` fed in slices.
Result decode(std::string_view codings, std::string_view octets, std::size_t max = 64 * kMebi,
              std::size_t slice = 64 * 1024) {
  Decoder decoder(parse_codings(codings).value(), max);
  Result result;
  for (std::size_t at = 0; at < octets.size() && result.state == Decoder::State::more; at += slice) {
    result.state = decoder.feed(octets.substr(at, slice));
  }
  if (result.state == Decoder::State::more) result.state = decoder.finish();
  result.body = std::move(decoder.body());
  result.error = decoder.failure().error;
  result.detail = decoder.failure().detail;
  return result;
}

/// Compresses about as well as a page does.
std::string page(std::size_t size) {
  std::mt19937 random(7);
  std::string text;
  while (text.size() < size) {
    text += "<p class=\"c" + std::to_string(random() % 1000) + "\">" + std::to_string(random()) + "</p>\n";
  }
  text.resize(size);
  return text;
}

/// Does not compress.
std::string noise(std::size_t size) {
  std::mt19937 random(11);
  std::string octets(size, '\0');
  for (char& c : octets) c = static_cast<char>(random());
  return octets;
}

std::string encode(std::string_view coding, std::string_view text) {
  if (coding == "gzip" || coding == "x-gzip") return gzip(text);
  if (coding == "deflate") return zlib_coded(text, 15);
  if (coding == "br") return support::brotli(text);
  if (coding == "zstd") return support::zstd(text);
  return std::string(text);
}

constexpr std::string_view kCodings[] = {"gzip", "deflate", "br", "zstd"};

TEST(Decode, ReadsEveryCodingInAnySlices) {
  for (const std::string_view coding : {"gzip", "x-gzip", "GZIP", "deflate", "br", "zstd", "identity", ""}) {
    const std::string lower = coding == "GZIP" ? "gzip" : std::string(coding);
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{100}, std::size_t{20'000}, std::size_t{700'000}}) {
      const std::string text = page(size);
      const std::string coded = encode(lower, text);
      for (const std::size_t slice : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, coded.size()}) {
        if (slice == 1 && size > 20'000) continue;
        const Result result = decode(coding, coded, 64 * kMebi, slice);
        ASSERT_EQ(result.state, Decoder::State::more) << coding << ' ' << size << ' ' << result.detail;
        ASSERT_EQ(result.body, text) << coding << ' ' << size << ' ' << slice;
      }
    }
  }
}

TEST(Decode, StreamsWhatIsTooLongToBeHeldBack) {
  const std::string text = noise(3 * kHeldMax);
  for (const std::string_view coding : kCodings) {
    const std::string coded = encode(coding, text);
    ASSERT_GT(coded.size(), kHeldMax);
    EXPECT_EQ(decode(coding, coded).body, text) << coding;
  }
}

TEST(Decode, ReadsDeflateWithAndWithoutItsWrapper) {
  const std::string text = page(5000);
  EXPECT_EQ(decode("deflate", zlib_coded(text, 15)).body, text);
  EXPECT_EQ(decode("deflate", zlib_coded(text, -15)).body, text);
  EXPECT_EQ(decode("deflate", zlib_coded(text, -15), kMebi, 1).body, text);
  EXPECT_EQ(decode("deflate", zlib_coded(text, 15, 0)).body, text);
}

TEST(Decode, ReadsStackedCodingsInReverseOrder) {
  const std::string text = page(30'000);
  EXPECT_EQ(decode("gzip, br", support::brotli(gzip(text))).body, text);
  EXPECT_EQ(decode("zstd,gzip", gzip(support::zstd(text)), kMebi, 3).body, text);
  EXPECT_EQ(decode("gzip, identity, gzip", gzip(gzip(text))).body, text);
}

TEST(Decode, RefusesUnknownAndTooManyCodings) {
  EXPECT_FALSE(parse_codings("compress"));
  EXPECT_FALSE(parse_codings("gzip, sdch"));
  EXPECT_FALSE(parse_codings("gzip, gzip, gzip"));
  EXPECT_FALSE(parse_codings("utf-8"));
  EXPECT_FALSE(parse_codings("gzip;q=1"));
  EXPECT_EQ(parse_codings(" , identity,").value().size(), 0U);
  EXPECT_EQ(parse_codings("gzip\t, Br ").value().size(), 2U);
}

TEST(Decode, ABodyOfNoOctetsIsCompleteInAnyCoding) {
  for (const std::string_view coding : kCodings) {
    const Result result = decode(coding, "");
    EXPECT_EQ(result.state, Decoder::State::more) << coding;
    EXPECT_EQ(result.body, "");
  }
}

TEST(Decode, KeepsExactlyMaxOctets) {
  const std::string text = page(10'000);
  for (const std::string_view coding : {"gzip", "deflate", "br", "zstd", "identity"}) {
    const std::string coded = encode(coding, text);
    for (const std::size_t slice : {std::size_t{1}, coded.size()}) {
      const Result whole = decode(coding, coded, text.size(), slice);
      EXPECT_EQ(whole.state, Decoder::State::more) << coding;
      EXPECT_EQ(whole.body, text) << coding;
      const Result cut = decode(coding, coded, text.size() - 1, slice);
      EXPECT_EQ(cut.state, Decoder::State::cut) << coding;
      EXPECT_EQ(cut.body, text.substr(0, text.size() - 1)) << coding;
      const Result none = decode(coding, coded, 0, slice);
      EXPECT_EQ(none.state, Decoder::State::cut) << coding;
      EXPECT_EQ(none.body, "") << coding;
    }
  }
}

TEST(Decode, TruncatedStreamsFail) {
  const std::string text = page(10'000);
  for (const std::string_view coding : kCodings) {
    const std::string coded = encode(coding, text);
    for (const std::size_t missing : {std::size_t{1}, std::size_t{5}, coded.size() / 2, coded.size() - 1}) {
      const Result result = decode(coding, std::string_view(coded).substr(0, coded.size() - missing));
      EXPECT_EQ(result.error, Error::decode) << coding << ' ' << missing;
      EXPECT_EQ(result.body, "") << coding;
    }
  }
}

TEST(Decode, CorruptStreamsFail) {
  const std::string text = page(10'000);
  for (const std::string_view coding : kCodings) {
    EXPECT_EQ(decode(coding, "this is no such thing").state, Decoder::State::failed) << coding;
  }
  for (const std::string_view coding : {"gzip", "deflate"}) {  // these carry a checksum
    std::string coded = encode(coding, text);
    coded[coded.size() - 6] = static_cast<char>(coded[coded.size() - 6] ^ 0x55);
    EXPECT_EQ(decode(coding, coded).state, Decoder::State::failed) << coding;
  }
}

TEST(Decode, GzipMembersFollowEachOther) {
  const std::string a = page(3000);
  const std::string b = page(50);
  for (const std::size_t slice : {std::size_t{1}, std::size_t{10'000}}) {
    EXPECT_EQ(decode("gzip", gzip(a) + gzip(b) + gzip("") + gzip(a), kMebi, slice).body, a + b + a);
  }
  EXPECT_EQ(decode("gzip", gzip(a) + gzip(b).substr(0, 30)).state, Decoder::State::failed);
}

TEST(Decode, GarbageBehindGzipIsIgnored) {
  const std::string text = page(3000);
  for (const std::string_view garbage :
       {std::string_view("\0\0\0\0", 4), std::string_view("\x1f"), std::string_view("\x1f\x1f\x8b"),
        std::string_view("<!-- cached -->")}) {
    for (const std::size_t slice : {std::size_t{1}, std::size_t{10'000}}) {
      const Result result = decode("gzip", gzip(text) + std::string(garbage), kMebi, slice);
      EXPECT_EQ(result.state, Decoder::State::more) << result.detail;
      EXPECT_EQ(result.body, text);
    }
  }
}

TEST(Decode, GzipHeadersWithEveryFieldAreRead) {
  const std::string text = page(100);
  const std::string plain = gzip(text);
  // FHCRC (wrong on purpose), FEXTRA, FNAME, FCOMMENT
  std::string named = plain.substr(0, 3) + '\x1c' + plain.substr(4, 6);
  named += std::string("\x02\x00xy", 4) + std::string("name\0", 5) + std::string("comment\0", 8) +
           plain.substr(10);
  EXPECT_EQ(decode("gzip", named).body, text);
  std::string wrong = plain.substr(0, 3) + '\x02' + plain.substr(4, 6) + "??" + plain.substr(10);
  EXPECT_EQ(decode("gzip", wrong).state, Decoder::State::failed);
}

TEST(Decode, ZstdWindowsEndAtEightMebi) {
  const std::string text = noise(40'000) + page(100'000) + noise(40'000);
  EXPECT_EQ(decode("zstd", support::zstd(text, 23)).body, text);
  EXPECT_EQ(decode("zstd", support::zstd(text, 24)).state, Decoder::State::failed);
}

TEST(Decode, ZstdFramesFollowEachOther) {
  const std::string a = page(3000);
  EXPECT_EQ(decode("zstd", support::zstd(a) + support::zstd(a), kMebi, 5).body, a + a);
}

/// A line of /proc/self/status in KiB.
long status_kib(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) return std::stol(line.substr(name.size() + 1));
  }
  return -1;
}

/// How far memory rose at its highest while `work` ran.
template <class Work>
long rise_kib(Work work) {
  std::ofstream("/proc/self/clear_refs") << "5";  // the high-water mark starts again
  const long before = status_kib("VmRSS");
  work();
  return status_kib("VmHWM") - before;
}

TEST(Decode, BombsFailWithoutTakingMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr long kRiseMax = 48 * 1024;  // freed memory waits in quarantine, or has a shadow
#else
  constexpr long kRiseMax = 20 * 1024;
#endif
  const std::string zeros(64 * kMebi, '\0');
  const std::string bombs[] = {gzip(zeros), zlib_coded(zeros, 15), support::brotli(zeros),
                               support::zstd(zeros)};
  for (const std::string& bomb : bombs) EXPECT_LT(bomb.size(), 200'000U);
  std::string hard;
  for (const std::string once = noise(kMebi); hard.size() < 50 * kMebi;) hard += once;
  const std::string control = zlib_coded(hard, 31, 0);
  for (std::size_t i = 0; i < std::size(bombs); ++i) {
    const long rise = rise_kib([&] {
      const Result result = decode(kCodings[i], bombs[i], 64 * kMebi);
      EXPECT_EQ(result.state, Decoder::State::failed) << kCodings[i];
      EXPECT_EQ(result.error, Error::bomb) << kCodings[i];
      EXPECT_EQ(result.detail, "the body unfolds too far") << kCodings[i];
      EXPECT_EQ(result.body, "");
    });
    EXPECT_LT(rise, kRiseMax) << kCodings[i];
  }
  EXPECT_GT(rise_kib([&] { EXPECT_EQ(decode("gzip", control).body.size(), hard.size()); }), kRiseMax)
      << "the measure sees what a body takes";
}

TEST(Decode, StackedBombsFailToo) {
  const std::string inner = gzip(std::string(100 * kMebi, '\0'));
  const std::string bomb = gzip(inner);
  EXPECT_LT(bomb.size(), 2000U);
  EXPECT_EQ(decode("gzip, gzip", bomb, 16 * kMebi).error, Error::bomb);
  // The first coding gives the second far more than will ever become a body: empty members.
  std::string empties;
  for (const std::string empty = gzip(""); empties.size() < 4 * kMebi;) empties += empty;
  const Result between = decode("gzip, gzip", gzip(empties), kMebi);
  EXPECT_EQ(between.error, Error::bomb);
  EXPECT_EQ(between.detail, "a coding unfolds too far");
}

TEST(Decode, ASmallLimitCutsABombBeforeItIsOne) {
  const std::string bomb = gzip(std::string(100 * kMebi, 'x'));
  const Result result = decode("gzip", bomb, 512'000);
  EXPECT_EQ(result.state, Decoder::State::cut);
  EXPECT_EQ(result.body, std::string(512'000, 'x'));
}

TEST(Decode, TheRatioHasItsEdgeAtAHundred) {
  // Stored noise sets the length of the coded form, zeros that of the body.
  const auto of_ratio = [](double ratio) {
    const std::string hard = noise(30'000);
    const std::size_t size = static_cast<std::size_t>(30'000 * ratio);
    return hard + std::string(size - hard.size(), '\0');
  };
  const std::string below = gzip(of_ratio(80));
  const std::string above = gzip(of_ratio(130));
  EXPECT_EQ(decode("gzip", below).state, Decoder::State::more);
  EXPECT_EQ(decode("gzip", above).error, Error::bomb);
  EXPECT_EQ(decode("gzip", gzip(std::string(kRatioFree, ' '))).state, Decoder::State::more)
      << "a body that small may be anything";
  EXPECT_EQ(decode("gzip", gzip(std::string(kRatioFree + 1, ' '))).error, Error::bomb);
}

/// What is decoded of `octets` when no more come.
Result decode_part(std::string_view codings, std::string_view octets, std::size_t max, std::size_t slice) {
  Decoder decoder(parse_codings(codings).value(), max);
  Result result;
  for (std::size_t at = 0; at < octets.size() && result.state == Decoder::State::more; at += slice)
    result.state = decoder.feed(octets.substr(at, slice));
  if (result.state == Decoder::State::more) result.state = decoder.break_off();
  result.body = std::move(decoder.body());
  result.error = decoder.failure().error;
  return result;
}

TEST(Decode, WhatBreaksOffIsDecodedAsFarAsItGoes) {
  for (const std::string& text : {page(20'000), noise(20'000), page(4 * kMebi)}) {
    for (const std::string_view coding : {"gzip", "deflate", "br", "zstd", "identity"}) {
      const std::string coded = encode(coding, text);
      for (const std::size_t part : {std::size_t{0}, std::size_t{1}, coded.size() / 2, coded.size()}) {
        for (const std::size_t slice : {std::size_t{997}, coded.size()}) {
          const Result result =
              decode_part(coding, std::string_view(coded).substr(0, part), 64 * kMebi, slice);
          ASSERT_EQ(result.state, Decoder::State::more) << coding << ' ' << part;
          ASSERT_TRUE(text.starts_with(result.body)) << coding << ' ' << part;
          const bool some = part >= coded.size() / 2 && (text.size() > kMebi || coding != "zstd");
          EXPECT_GE(result.body.size(), some ? text.size() / 10 : 0) << coding << " in large blocks";
          EXPECT_GE(result.body.size(), part < coded.size() ? 0 : text.size()) << coding;
        }
      }
    }
  }
}

TEST(Decode, WhatBreaksOffHasTheSameLimits) {
  const std::string text = page(10'000);
  const std::string coded = gzip(text);
  const std::string_view most = std::string_view(coded).substr(0, coded.size() - 1);
  EXPECT_EQ(decode_part("gzip", most, text.size(), 100).state, Decoder::State::more);
  const Result cut = decode_part("gzip", most, text.size() - 1, 100);
  EXPECT_EQ(cut.state, Decoder::State::cut);
  EXPECT_EQ(cut.body, text.substr(0, text.size() - 1));
  EXPECT_EQ(decode_part("gzip", gzip(std::string(kRatioFree + 1, ' ')), 64 * kMebi, 100).error, Error::bomb);
  EXPECT_EQ(decode_part("gzip", "this is no such thing", kMebi, 100).error, Error::decode);
}

TEST(Decode, HoldsWhatWasHeldBack) {
  const std::string coded = gzip(noise(3 * kHeldMax));
  Decoder decoder(parse_codings("gzip").value(), 64 * kMebi);
  decoder.feed(std::string_view(coded).substr(0, kHeldMax));
  EXPECT_GE(decoder.held(), kHeldMax);
  EXPECT_LT(decoder.held(), kHeldMax + kInflateOctets) << "nothing is decoded yet";
  decoder.feed(std::string_view(coded).substr(kHeldMax, 1));
  EXPECT_GE(decoder.held(), decoder.body().capacity() + kInflateOctets);
  EXPECT_GT(decoder.body().size(), kHeldMax / 2);
  EXPECT_LT(decoder.held(), decoder.body().capacity() + kInflateOctets + 64 * 1024)
      << "what was held back is decoded and gone";
  decoder.feed(std::string_view(coded).substr(kHeldMax + 1));
  EXPECT_EQ(decoder.finish(), Decoder::State::more);
  EXPECT_EQ(decoder.body().size(), 3 * kHeldMax);
  EXPECT_LT(decoder.held(), decoder.body().capacity() + 100) << "and the decoder, too";
}

std::string brotli_with_window(std::string_view text, int window_log) {
  std::size_t size = BrotliEncoderMaxCompressedSize(text.size());
  std::string out(size, '\0');
  EXPECT_EQ(BROTLI_TRUE, BrotliEncoderCompress(1, window_log, BROTLI_MODE_GENERIC, text.size(),
                                               reinterpret_cast<const std::uint8_t*>(text.data()), &size,
                                               reinterpret_cast<std::uint8_t*>(out.data())));
  out.resize(size);
  return out;
}

TEST(Decode, HoldsTheWindowsOfItsDecoders) {
  const auto window_of = [](std::string_view coding, std::string_view coded) {
    Decoder decoder(parse_codings(coding).value(), 64 * kMebi);
    EXPECT_EQ(decoder.feed(coded.substr(0, coded.size() - 1)), Decoder::State::more);
    const std::size_t window = decoder.held() - decoder.body().capacity();
    EXPECT_LT(window, kCodingOctetsMax) << coding;
    decoder.break_off();
    EXPECT_LT(decoder.held(), decoder.body().capacity() + 100) << coding;
    return window;
  };
  const std::string hard = noise(10 * kMebi);
  EXPECT_GT(window_of("zstd", support::zstd(hard, 23)), 8 * kMebi);
  EXPECT_LT(window_of("zstd", support::zstd(hard, 17)), kMebi);
  EXPECT_GT(window_of("br", brotli_with_window(hard, 22)), 4 * kMebi);
  EXPECT_LT(window_of("br", brotli_with_window(hard, 17)), kMebi);
}

TEST(Decode, ABrotliStreamGetsAWindowOf4MebiAndALargerOneOnlyOnPaper) {
  const std::string hard = noise(10 * kMebi);
  Decoder large(parse_codings("br").value(), 64 * kMebi);
  large.feed(brotli_with_window(hard, 24));
  EXPECT_EQ(large.finish(), Decoder::State::failed);
  EXPECT_EQ(large.failure().error, Error::bomb);
  EXPECT_EQ(large.failure().detail, "a coding wants too much memory");
  Decoder small(parse_codings("br").value(), 64 * kMebi);
  small.feed(brotli_with_window(hard.substr(0, 3 * kMebi), 24));
  EXPECT_EQ(small.finish(), Decoder::State::more) << "what is announced is not taken";
  EXPECT_EQ(small.body().size(), 3 * kMebi);
}

void* count_up(void* taken, unsigned items, unsigned size) {
  *static_cast<std::size_t*>(taken) += std::size_t{items} * size;
  return std::calloc(items, size);
}
void free_only(void* /*taken*/, void* address) {
  std::free(address);
}

TEST(Decode, TheEstimateForZlibIsNotTooSmall) {
  std::size_t taken = 0;
  z_stream stream{};
  stream.zalloc = &count_up;
  stream.zfree = &free_only;
  stream.opaque = &taken;
  ASSERT_EQ(inflateInit2(&stream, 31), Z_OK);
  std::string coded = gzip(page(200'000));
  std::string out(100'000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(coded.data());
  stream.avail_in = static_cast<uInt>(coded.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_NO_FLUSH), Z_OK);
  inflateEnd(&stream);
  EXPECT_LE(taken, kInflateOctets);
  EXPECT_GE(taken, kInflateOctets / 2);
}

}  // namespace
}  // namespace fetch

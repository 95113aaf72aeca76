#include "crawler/gzip_member.h"

#include "base/random.h"
#include "gtest/gtest.h"

#include <libdeflate.h>

#include <memory>

namespace crawler {
namespace {

/// What an independent reader finds; it has to be one member to the last octet.
std::string unpacked(const std::string& member, std::size_t size) {
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> state(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  std::string out(size, '\0');
  std::size_t read = 0;
  std::size_t written = 0;
  const libdeflate_result result = libdeflate_gzip_decompress_ex(state.get(), member.data(), member.size(),
                                                                 out.data(), out.size(), &read, &written);
  EXPECT_EQ(result, LIBDEFLATE_SUCCESS);
  EXPECT_EQ(read, member.size());
  out.resize(written);
  return out;
}

std::string random_octets(std::size_t size) {
  base::Random random(size + 1);
  std::string out;
  while (out.size() < size) out += static_cast<char>(random.below(256));
  return out;
}

std::string text_of(std::size_t size) {
  std::string out;
  while (out.size() < size)
    out += "outlink: http://a.test/page-" + std::to_string(out.size()) + " L a/@href\r\n";
  out.resize(size);
  return out;
}

TEST(GzipMember, IsOneMemberWhateverItHolds) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kGzipOctetsMin - 1, kGzipOctetsMin,
                                 kGzipOctetsMin + 1, std::size_t{65'536}, std::size_t{3'000'000}}) {
    for (const bool packed : {false, true}) {
      for (const std::string& octets : {text_of(size), random_octets(size), std::string(size, '\0')}) {
        EXPECT_EQ(unpacked(gzip_member(octets, packed), size), octets) << size << ' ' << packed;
      }
    }
  }
}

TEST(GzipMember, ShrinksWhatIsWorthIt) {
  constexpr std::size_t kMarks = 64;  // head, trailer and the borders of blocks
  const std::string text = text_of(20'000);
  EXPECT_LT(gzip_member(text, false).size(), text.size() / 2);
  EXPECT_GE(gzip_member(text, true).size(), text.size()) << "it is stored";
  const std::string brief = text.substr(0, kGzipOctetsMin - 1);
  EXPECT_GE(gzip_member(brief, false).size(), brief.size()) << "it is stored";
  EXPECT_LT(gzip_member(text.substr(0, kGzipOctetsMin), false).size(), kGzipOctetsMin);
  const std::string noise = random_octets(60'000);
  EXPECT_LE(gzip_member(noise, false).size(), noise.size() + kMarks);
}

}  // namespace
}  // namespace crawler

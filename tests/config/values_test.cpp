// Texts of single values: what is taken, what is refused, and the words that say so.
#include "config/values.h"

#include "config/suggest.h"
#include "tests/config/help.h"

namespace config {
namespace {

constexpr Bounds kAny{0, std::numeric_limits<std::int64_t>::max()};

TEST(Count, IsDecimalDigits) {
  EXPECT_EQ(read_count("0", kAny).value, 0U);
  EXPECT_EQ(read_count("9223372036854775807", kAny).value, 9223372036854775807U);
  for (const std::string_view text :
       {"", "010", "00", "+5", "-5", "1e3", "0x10", "1.0", "1_000", " 1", "1 ", "one", "٣"}) {
    EXPECT_NE(read_count(text, kAny).wrong, "") << text;
  }
}

TEST(Count, SaysWhatToWriteInstead) {
  const Bounds bounds{0, 256};
  EXPECT_EQ(read_count("010", bounds).wrong,
            "must be a whole number between 0 and 256, not \"010\": no leading zeros, which some programs "
            "read as octal");
  EXPECT_EQ(read_count("1_00", bounds).wrong,
            "must be a whole number between 0 and 256, not \"1_00\": write 100");
  EXPECT_EQ(read_count("1e3", bounds).wrong, "must be a whole number between 0 and 256, not \"1e3\"");
  EXPECT_EQ(read_count("99999999999999999999", bounds).wrong,
            "must be a whole number between 0 and 256, not \"99999999999999999999\": it is too large");
  EXPECT_EQ(read_count("257", bounds).wrong, "must be between 0 and 256, not 257");
  EXPECT_EQ(read_count("256", bounds).wrong, "");
}

TEST(Boolean, IsTrueOrFalse) {
  EXPECT_TRUE(read_boolean("true").value);
  EXPECT_EQ(read_boolean("false").wrong, "");
  EXPECT_EQ(read_boolean("yes").wrong, "must be true or false, not \"yes\" (did you mean \"true\"?)");
  EXPECT_EQ(read_boolean("Off").wrong, "must be true or false, not \"Off\" (did you mean \"false\"?)");
  EXPECT_EQ(read_boolean("maybe").wrong, "must be true or false, not \"maybe\"");
}

TEST(Real, IsDigitsWithAPoint) {
  EXPECT_EQ(read_real("0", {0, 10}).value, 0.0);
  EXPECT_EQ(read_real("2.5", {0, 10}).value, 2.5);
  EXPECT_EQ(read_real("10", {0, 10}).wrong, "");
  EXPECT_EQ(read_real("10.0001", {0, 10}).wrong, "must be between 0 and 10, not \"10.0001\"");
  for (const std::string_view text :
       {"", ".", ".5", "2.", "02", "1e1", "inf", "nan", "-1", "+1", "0,5", "1.2.3", "0x1"}) {
    EXPECT_NE(read_real(text, {0, 10}).wrong, "") << text;
  }
  EXPECT_EQ(read_real("0,5", {0, 10}).wrong, "must be a number between 0 and 10 like 2 or 0.5, not \"0,5\"");
}

TEST(Real, TextReadsBack) {
  for (const double value : {0.0, 1.0, 0.1, 2.5, 1.0 / 3.0, 1e-7, 999.999999999, 1000.0}) {
    EXPECT_EQ(read_real(real_text(value), {0, 1000}).value, value);
  }
  EXPECT_EQ(real_text(2.0), "2");
  EXPECT_EQ(real_text(0.0000001), "0.0000001");
}

Reading<std::optional<Duration>> duration(std::string_view text, bool off_allowed = false) {
  return read_duration(text, {Duration(1s).count(), Duration(1h).count()}, off_allowed);
}

TEST(DurationValue, HasAUnitAndBounds) {
  EXPECT_EQ(duration("1s").value, 1s);
  EXPECT_EQ(duration("1h").value, 1h);
  EXPECT_EQ(duration("59m59.5s").value, 59min + 59500ms);
  EXPECT_EQ(duration("999ms").wrong, "must be between 1s and 1h, not 999ms");
  EXPECT_EQ(duration("61m").wrong, "must be between 1s and 1h, not 1h1m");
  EXPECT_EQ(duration("0").wrong, "must be between 1s and 1h, not 0s");
  EXPECT_EQ(duration("10").wrong, "\"10\" has no unit: write 10s");
  EXPECT_EQ(duration("1.5").wrong, "\"1.5\" has no unit: write 1.5s");
  EXPECT_EQ(duration("-5s").wrong, "must be between 1s and 1h, not \"-5s\"");
  EXPECT_EQ(duration("5 min").wrong, "\"5 min\" is no duration: write it like 250ms, 10s, 5m, 1h30m or 30d");
  EXPECT_EQ(duration("").wrong, "\"\" is no duration: write it like 250ms, 10s, 5m, 1h30m or 30d");
}

TEST(DurationValue, OffIsAValueOnlyWhereItIsAllowed) {
  EXPECT_EQ(duration("off", true).wrong, "");
  EXPECT_EQ(duration("off", true).value, std::nullopt);
  EXPECT_EQ(duration("off").wrong, "must be between 1s and 1h, not \"off\": it cannot be switched off");
  EXPECT_EQ(duration("none", true).wrong, "must be between 1s and 1h or off, not \"none\": write off");
  EXPECT_EQ(duration("2h", true).wrong, "must be between 1s and 1h or off, not 2h");
}

TEST(Size, HasAUnit) {
  EXPECT_EQ(read_size("64KiB", kAny).value, 65536U);
  EXPECT_EQ(read_size("16MiB", kAny).value, 16U * 1024 * 1024);
  EXPECT_EQ(read_size("1GiB", kAny).value, 1024U * 1024 * 1024);
  EXPECT_EQ(read_size("512KB", kAny).value, 512'000U);
  EXPECT_EQ(read_size("3MB", kAny).value, 3'000'000U);
  EXPECT_EQ(read_size("2GB", kAny).value, 2'000'000'000U);
  EXPECT_EQ(read_size("7B", kAny).value, 7U);
  EXPECT_EQ(read_size("0", kAny).wrong, "");
  EXPECT_EQ(read_size("100", kAny).wrong,
            "\"100\" has no unit: write 100B, or use KiB, MiB, GiB, KB, MB, GB");
}

TEST(Size, SaysWhatToWriteInstead) {
  const auto wrong = [](std::string_view text) { return read_size(text, {1024, 1024 * 1024}).wrong; };
  const std::string form = " is no size: write it like 64KiB, 16MiB or 1GB";
  EXPECT_EQ(wrong("64K"), "\"64K\"" + form + " (did you mean \"64KiB\"?)");
  EXPECT_EQ(wrong("64kb"), "\"64kb\"" + form + " (did you mean \"64KB\"?)");
  EXPECT_EQ(wrong("1 mib"), "\"1 mib\"" + form + " (did you mean \"1MiB\"?)");
  EXPECT_EQ(wrong("64KiB "), "\"64KiB \"" + form);
  EXPECT_EQ(wrong("1.5MiB"), "\"1.5MiB\"" + form);
  EXPECT_EQ(wrong("big"), "\"big\"" + form);
  EXPECT_EQ(wrong("-1B"), "\"-1B\"" + form);
  EXPECT_EQ(wrong("064KiB"), "\"064KiB\"" + form);
  EXPECT_EQ(wrong("1023B"), "must be between 1KiB and 1MiB, not 1023B");
  EXPECT_EQ(wrong("1024B"), "");
  EXPECT_EQ(wrong("1MiB"), "");
  EXPECT_EQ(wrong("1048577B"), "must be between 1KiB and 1MiB, not 1048577B");
  EXPECT_NE(wrong("18014398509481985KiB"), "");  // 1 KiB modulo 2^64
  EXPECT_EQ(wrong("18446744073709551615GiB"), "must be between 1KiB and 1MiB, not 18446744073709551615GiB");
}

TEST(Size, TextReadsBack) {
  for (const std::uint64_t octets : {0ULL, 1ULL, 1000ULL, 1023ULL, 1024ULL, 1'000'000ULL, 1ULL << 30U,
                                     16ULL << 20U, 3'000'000'000ULL, 1025ULL}) {
    EXPECT_EQ(read_size(size_text(octets), kAny).value, octets) << size_text(octets);
  }
  EXPECT_EQ(size_text(65536), "64KiB");
  EXPECT_EQ(size_text(1ULL << 40U), "1TiB");
  EXPECT_EQ(size_text(3'000'000'000'000), "3TB");
  EXPECT_EQ(size_text(512'000), "500KiB");
  EXPECT_EQ(size_text(1'000'000), "1MB");
}

TEST(Choice, ListsTheWords) {
  constexpr std::string_view kWords[] = {"trace", "debug", "info"};
  EXPECT_EQ(read_choice("debug", kWords).value, 1U);
  EXPECT_EQ(read_choice("Debug", kWords).wrong,
            "must be trace, debug or info, not \"Debug\" (did you mean \"debug\"?)");
  EXPECT_EQ(read_choice("verbose", kWords).wrong, "must be trace, debug or info, not \"verbose\"");
}

TEST(Text, HasNoControlCharactersAndItsBoundsAreOctets) {
  EXPECT_EQ(read_text("abc", {1, 3}).value, "abc");
  EXPECT_EQ(read_text("abcd", {1, 3}).wrong, "has 4 octets, which is more than 3");
  EXPECT_EQ(read_text("", {1, 3}).wrong, "must not be empty");
  EXPECT_EQ(read_text("", {0, 3}).wrong, "");
  EXPECT_EQ(read_text("a\nb", {1, 3}).wrong, "\"a\\x0ab\" has a line end or control character in it");
}

TEST(Suggest, DistanceCountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", "acb"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("Max-Depth", "max_depth"), 0U);
}

TEST(Suggest, OnlyWhatIsNear) {
  constexpr std::string_view kWords[] = {"follow", "max_depth"};
  EXPECT_EQ(nearest("folow", kWords), "follow");
  EXPECT_EQ(nearest("depth_max", kWords), "");
  EXPECT_EQ(nearest("", kWords), "");
  EXPECT_EQ(nearest(std::string(kSuggestedOctetsMax + 1, 'f'), kWords), "");
}

TEST(Values, WordsOfTheArchive) {
  EXPECT_EQ(read_file_name("crawl-2_a.b", {1, 64}).wrong, "");
  for (const char* bad : {"", ".hidden", "a/b", "../x", "a b", "\u00fcber", "a\nb"}) {
    EXPECT_NE(read_file_name(bad, {1, 64}).wrong, "") << bad;
  }
  EXPECT_NE(read_file_name(std::string(65, 'a'), {1, 64}).wrong, "");

  EXPECT_EQ(read_parameter("utm_*").value, "utm_*");
  EXPECT_EQ(read_parameter("PHPSESSID").value, "PHPSESSID");
  for (const char* bad : {"", "*", "a=b", "a&b", "a*b", "a b", "%41"})
    EXPECT_NE(read_parameter(bad).wrong, "") << bad;

  EXPECT_EQ(read_media_type("Text/HTML").value, "text/html");
  EXPECT_EQ(read_media_type("image/*").value, "image/*");
  EXPECT_EQ(read_media_type("application/ld+json").wrong, "");
  for (const char* bad : {"", "html", "/html", "text/", "*/*", "text/h*", "text/html; charset=x", "a/b/c"}) {
    EXPECT_NE(read_media_type(bad).wrong, "") << bad;
  }

  EXPECT_EQ(read_status("200").value, "200");
  EXPECT_EQ(read_status("4XX").value, "4xx");
  for (const char* bad : {"", "0xx", "20", "2000", "2x0", "ok", "099"})
    EXPECT_NE(read_status(bad).wrong, "") << bad;
}

}  // namespace
}  // namespace config

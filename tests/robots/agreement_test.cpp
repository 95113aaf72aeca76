// Rules against the naive matcher, over small alphabets so that matches happen.
#include "base/random.h"
#include "tests/robots/rules_text.h"
#include "tests/support/naive_match.h"

#include <gtest/gtest.h>

namespace robots {
namespace {

/// Up to `most` pieces of `alphabet` behind `head`.
std::string some(std::string_view head, const std::vector<std::string_view>& alphabet, std::size_t most,
                 base::Random& random) {
  std::string out(head);
  const std::uint64_t pieces = random.below(most + 1);
  for (std::uint64_t i = 0; i < pieces; ++i) out += alphabet[random.below(alphabet.size())];
  return out;
}

struct Outcomes {
  int allowed = 0;
  int disallowed = 0;
};

Outcomes compare(bool version2, const std::vector<std::string_view>& rule_alphabet,
                 const std::vector<std::string_view>& url_alphabet, int files, std::uint64_t seed) {
  base::Random random(seed);
  Outcomes outcomes;
  for (int file = 0; file < files; ++file) {
    std::vector<naive::Rule> rules;
    std::string text = version2 ? "Robot-version: 2.0\n" : "";
    const std::uint64_t count = 1 + random.below(4);
    for (std::uint64_t i = 0; i < count; ++i) {
      const bool allow = random.below(3) == 0;
      const bool star = random.below(4) == 0;
      rules.push_back({allow, some(star ? "*" : "/", rule_alphabet, 7, random)});
      text += (allow ? "Allow: " : "Disallow: ") + rules.back().value + "\n";
    }
    const Rules ours = everyone(text);
    const naive::Group theirs(rules, version2);
    for (int i = 0; i < 50; ++i) {
      const std::string target = some("/", url_alphabet, 8, random);
      const bool expected = theirs.allows(target);
      const bool found = ours.check(target).allowed;
      EXPECT_EQ(found, expected) << text << target;
      if (found != expected) return {};
      ++(expected ? outcomes.allowed : outcomes.disallowed);
    }
  }
  return outcomes;
}

TEST(Agreement, Version1WithTheNaiveMatcherOverHalfAMillionPairs) {
  const Outcomes outcomes =
      compare(false, {"a", "b", "/", "*", "*", "$", "%2A", "%24", "%41", "A", "?", "'", "\xC3", "%2f", "C3"},
              {"a", "b", "/", "*", "$", "%2a", "A", "?", "'", "%C3", "%2F", "C3"}, 5'000, 1);
  EXPECT_GT(outcomes.allowed, 50'000);
  EXPECT_GT(outcomes.disallowed, 50'000);
  const Outcomes dense = compare(false, {"a", "b", "*", "*"}, {"a", "b"}, 5'000, 2);
  EXPECT_GT(dense.allowed, 50'000);
  EXPECT_GT(dense.disallowed, 50'000);
}

TEST(Agreement, Version2WithTheNaiveMatcherOverHalfAMillionPairs) {
  const Outcomes outcomes =
      compare(true,
              {"a", "b", "/", "*", "*", "?", "[ab]", "[!a]", "[", "]", "^", "-", "\\", "$", "\xC3", "%2F",
               "[%C2-%C4]", "[a-c/]", "[]-]"},
              {"a", "b", "/", "*", "$", "?", "[", "]", "^", "-", "%5C", "%C3", "%2F", "c"}, 5'000, 3);
  EXPECT_GT(outcomes.allowed, 20'000);
  EXPECT_GT(outcomes.disallowed, 20'000);
  const Outcomes dense =
      compare(true, {"a", "b", "*", "*", "?", "[ab]", "[!b]"}, {"a", "b", "%C3"}, 5'000, 4);
  EXPECT_GT(dense.allowed, 20'000);
  EXPECT_GT(dense.disallowed, 20'000);
}

/// So many rules that they are sorted by digits, with heads that differ early, late and not at all.
TEST(Agreement, FilesWithManyPlainRules) {
  base::Random random(6);
  Outcomes outcomes;
  for (int file = 0; file < 20; ++file) {
    std::vector<naive::Rule> rules;
    std::string text;
    const std::string folder = some("/", {"aa", "b"}, 6, random);
    for (int i = 0; i < 400; ++i) {
      const bool allow = random.below(2) == 0;
      std::string value = some(folder, {"a", "b", "aaaaaaaa", "%7e", "/"}, 6, random);
      if (random.below(8) == 0) value += "$";
      if (random.below(40) == 0) value = some("/", {"a", "b", "*"}, 6, random);
      rules.push_back({allow, value});
      text += (allow ? "Allow: " : "Disallow: ") + value + "\n";
    }
    const Rules ours = everyone(text);
    const naive::Group theirs(rules, false);
    for (int i = 0; i < 200; ++i) {
      const std::string target =
          some(random.below(10) == 0 ? "/" : folder, {"a", "b", "aaaaaaaa", "~", "/"}, 7, random);
      const bool expected = theirs.allows(target);
      ASSERT_EQ(ours.check(target).allowed, expected) << text << target;
      ++(expected ? outcomes.allowed : outcomes.disallowed);
    }
  }
  EXPECT_GT(outcomes.allowed, 1'000);
  EXPECT_GT(outcomes.disallowed, 1'000);
}

/// Enough rules and octets that the SegmentIndex decides.
TEST(Agreement, FilesWithManyStarRulesAndLongTargets) {
  base::Random random(5);
  Outcomes outcomes;
  for (int file = 0; file < 10; ++file) {
    std::vector<naive::Rule> rules;
    std::string text;
    for (int i = 0; i < 50; ++i) {
      const bool allow = random.below(2) == 0;
      std::string value = some("/", {"a", "a", "b"}, 4, random);
      const std::uint64_t stars = 1 + random.below(4);
      for (std::uint64_t k = 0; k < stars; ++k) {
        value += "*";
        value += some("", {"a", "a", "a", "b", "ab", "c"}, 9, random);
      }
      if (random.below(4) == 0) value += "$";
      rules.push_back({allow, value});
      text += (allow ? "Allow: " : "Disallow: ") + value + "\n";
    }
    const Rules ours = everyone(text);
    const naive::Group theirs(rules, false);
    for (int i = 0; i < 3; ++i) {
      std::string target = some("/", {"a", "b"}, 3, random);
      const std::uint64_t size = 4'000 + random.below(2'000);
      while (target.size() < size)
        target += random.below(40) == 0 ? 'b' : random.below(3'000) == 0 ? 'c' : 'a';
      const bool expected = theirs.allows(target);
      ASSERT_EQ(ours.check(target).allowed, expected) << text;
      ++(expected ? outcomes.allowed : outcomes.disallowed);
    }
  }
  EXPECT_GT(outcomes.allowed, 5);
  EXPECT_GT(outcomes.disallowed, 5);
}

}  // namespace
}  // namespace robots

#include "robots/segments.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <string>

namespace robots {
namespace {

struct Rule {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::size_t begin = 0;
  std::size_t limit = 0;
};

/// A text with segments, and rules over them.
struct File {
  std::string text;
  std::vector<Slice> segments;
  std::vector<Rule> rules;

  void add(const std::vector<std::string>& parts, std::size_t begin, std::size_t limit) {
    Rule rule{static_cast<std::uint32_t>(segments.size()), 0, begin, limit};
    for (const std::string& part : parts) {
      segments.push_back({static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(part.size())});
      text += part;
    }
    rule.last = static_cast<std::uint32_t>(segments.size());
    rules.push_back(rule);
  }

  bool matches(const Rule& rule, std::string_view target) const {
    std::size_t at = rule.begin;
    for (std::uint32_t i = rule.first; i < rule.last; ++i) {
      at = target.substr(0, rule.limit).find(segments[i].of(text), at);
      if (at == std::string_view::npos) return false;
      at += segments[i].size;
    }
    return true;
  }

  std::uint32_t walk(const SegmentIndex& index, std::string_view target, std::uint32_t best = kNone) const {
    SegmentIndex::Walk walk(index);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      walk.add(static_cast<std::uint32_t>(i), rules[i].first, rules[i].last, rules[i].begin, rules[i].limit);
    }
    return walk.run(target, best);
  }
};

std::string letters(std::size_t most, std::uint64_t alphabet, base::Random& random) {
  std::string out;
  const std::uint64_t size = 1 + random.below(most);
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::uint64_t letter = random.below(alphabet);
    out.push_back(static_cast<char>('a' + letter));
  }
  return out;
}

TEST(SegmentIndex, FindsTheFirstRuleThatLeftmostSearchFinds) {
  base::Random random(1);
  int found = 0;
  int missed = 0;
  for (int round = 0; round < 3'000; ++round) {
    const std::uint64_t alphabet = 1 + random.below(3);
    File file;
    const std::string target = letters(60, alphabet, random);
    const std::uint64_t rules = 1 + random.below(30);
    for (std::uint64_t i = 0; i < rules; ++i) {
      std::vector<std::string> parts;
      const std::uint64_t count = 1 + random.below(5);
      for (std::uint64_t k = 0; k < count; ++k) parts.push_back(letters(9, alphabet, random));
      const std::uint64_t begin = random.below(target.size());
      const std::uint64_t limit = begin + random.below(target.size() - begin + 1);
      file.add(parts, begin, limit);
    }
    const SegmentIndex index(file.text, file.segments, file.rules.size());
    std::uint32_t expected = kNone;
    for (std::size_t i = file.rules.size(); i-- > 0;) {
      if (file.matches(file.rules[i], target)) expected = static_cast<std::uint32_t>(i);
    }
    ASSERT_EQ(file.walk(index, target), expected);
    ASSERT_EQ(file.walk(index, target), expected) << "a walk leaves no trace";
    ASSERT_EQ(file.walk(index, target, 0), 0U) << "nothing outranks the best";
    ++(expected == kNone ? missed : found);
  }
  EXPECT_GT(found, 300);
  EXPECT_GT(missed, 300);
}

TEST(SegmentIndex, OneSegmentDoesNotServeTwiceInOneRule) {
  File file;
  file.add({"aba", "aba"}, 0, 100);
  const SegmentIndex index(file.text, file.segments, 1);
  EXPECT_EQ(file.walk(index, "/ababa"), kNone);
  EXPECT_EQ(file.walk(index, "/abaaba"), 0U);
}

TEST(SegmentIndex, ManySuffixesOfOneAnotherAreAllSeen) {
  File file;
  std::string longer;
  for (int i = 0; i < 300; ++i) {
    longer += 'a';
    file.add({longer, "b"}, 0, 10'000);
  }
  const SegmentIndex index(file.text, file.segments, file.rules.size());
  EXPECT_EQ(file.walk(index, "/a" + std::string("b")), 0U);
  EXPECT_EQ(file.walk(index, std::string(400, 'a')), kNone);
  SegmentIndex::Walk walk(index);
  for (std::uint32_t i = 250; i < 300; ++i) walk.add(i, file.rules[i].first, file.rules[i].last, 0, 10'000);
  EXPECT_EQ(walk.run(std::string(260, 'a') + 'b', kNone), 250U);
}

}  // namespace
}  // namespace robots

// What of YAML is read, what is refused, and where it says so.
#include "config/yaml_tree.h"

#include "config/text_check.h"
#include "tests/config/help.h"

namespace config {
namespace {

/// The errors of reading `text`, joined.
std::string refusal(std::string_view text, const YamlLimits& limits = {}) {
  Problems problems;
  const auto root = read_yaml(text, problems.add_file("f"), limits, problems);
  EXPECT_EQ(root.has_value(), !problems.any_error());
  std::string all;
  for (const std::string& line : problems.errors()) all += (all.empty() ? "" : "\n") + line;
  return all;
}

YamlNode tree(std::string_view text) {
  Problems problems;
  auto root = read_yaml(text, problems.add_file("f"), {}, problems);
  EXPECT_EQ(problems.errors(), Lines{});
  return root.value_or(YamlNode{});
}

TEST(YamlTree, EveryNodeKnowsItsPlace) {
  const YamlNode root = tree("a:\n  b: [1, \"two\"]\n\"c\": 'x'\nd:\ne: ~\n");
  ASSERT_EQ(root.keys.size(), 4U);
  const YamlNode& list = root.items[0].items[0];
  EXPECT_EQ(list.place.line, 2U);
  EXPECT_EQ(list.place.column, 6U);
  EXPECT_EQ(list.items[1].place.column, 10U);
  EXPECT_EQ(list.items[1].text, "two");
  EXPECT_TRUE(list.items[1].quoted);
  EXPECT_FALSE(list.items[0].quoted);
  EXPECT_EQ(root.items[2].kind, YamlNode::Kind::null);
  EXPECT_EQ(root.items[2].place.line, 4U);  // of its key, not of what follows
  EXPECT_EQ(root.items[3].place.line, 5U);
}

TEST(YamlTree, ColumnsCountOctetsAndAMarkOfByteOrderIsNone) {
  EXPECT_EQ(tree("{\xC3\xA9: x}").items[0].place.column, 6U);
  EXPECT_EQ(tree("\xEF\xBB\xBFkey: x\r\nb: y\r\n").items[1].place.column, 4U);
}

TEST(YamlTree, ScalarsAreNotConverted) {
  const YamlNode root = tree("[010, 1e3, yes, 0x10, .inf, 2001-01-01]");
  EXPECT_EQ(root.items[0].text, "010");
  EXPECT_EQ(root.items[1].text, "1e3");
  EXPECT_EQ(root.items[4].text, ".inf");
}

TEST(YamlTree, DuplicateKeysAreKept) {
  EXPECT_EQ(tree("a: 1\na: 2\n").keys.size(), 2U);
}

TEST(YamlTree, FiftyLevelsAreReadAndOneMoreIsNot) {
  const auto lists = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  EXPECT_EQ(refusal(lists(50)), "");
  EXPECT_EQ(refusal(lists(51)), "f:1:51: nested deeper than 50 levels");
  EXPECT_EQ(refusal(lists(100'000)), "f:1:51: nested deeper than 50 levels");
  std::string blocks;
  for (std::size_t i = 0; i < 51; ++i) blocks += std::string(i, ' ') + "a:\n";
  EXPECT_EQ(refusal(blocks), "f:51:51: nested deeper than 50 levels");
}

TEST(YamlTree, CountOfValuesIsBounded) {
  YamlLimits limits;
  limits.nodes = 4;
  EXPECT_EQ(refusal("[a, b, c]", limits), "");
  EXPECT_EQ(refusal("[a, b, c, d]", limits), "f:1:11: more than 4 values in one file");
}

TEST(YamlTree, AliasesAndTagsAreRefused) {
  const std::string why =
      "YAML anchors (&) and aliases (*) are refused: write the value out, or put a value that begins with & "
      "or * "
      "in quotes";
  EXPECT_EQ(refusal("a: &x 1\nb: *x\n"), "f:1:4: " + why);
  EXPECT_EQ(refusal("a: *x\n"), "f:1:4: " + why);
  EXPECT_EQ(refusal("a: 1\n*.example.com: 1\n"), "f:2:1: " + why);
  EXPECT_EQ(refusal("a: {<<: *x}\n"), "f:1:9: " + why);
  EXPECT_EQ(refusal("a: !!int 5\n"), "f:1:4: YAML tags are refused: remove \"tag:yaml.org,2002:int\"");
  EXPECT_EQ(refusal("a: ! 5\n"), "f:1:4: YAML tags are refused: remove \"!\"");
}

TEST(YamlTree, OneFileIsOneDocument) {
  EXPECT_EQ(refusal("---\na: 1\n...\n"), "");
  EXPECT_EQ(refusal("a: 1\n---\nb: 1\n"), "f:2:1: a second YAML document: one file holds one configuration");
  EXPECT_EQ(refusal("a: 1\n...\nb: 1\n"), "f:3:1: a second YAML document: one file holds one configuration");
}

// yaml-cpp 0.7 reads `a: "x` as the text `x` and whatever follows.
TEST(YamlTree, ForgottenQuoteDoesNotSwallowTheRest) {
  EXPECT_EQ(refusal("a: \"x\nb: 1\n"), "f:1:4: this quote is not closed in its line");
  EXPECT_EQ(refusal("a: 'it''s\n"), "f:1:4: this quote is not closed in its line");
  EXPECT_EQ(refusal("a: \"x\\\"\r\n"), "f:1:4: this quote is not closed in its line");
  EXPECT_EQ(refusal("\xC3\xA9: [\"\xC3\xA9\", \"x]\n"), "f:1:12: this quote is not closed in its line");
  EXPECT_EQ(refusal("a: 'it''s'\nb: \"x\\\"y\\\\\"\n"), "");
}

TEST(YamlTree, ValueStandsInOneLine) {
  EXPECT_EQ(refusal("a: x\n  y\n"), "f:1:4: this value goes on in the next line (is a ] or } missing?)");
  EXPECT_EQ(refusal("a: |\n  x\n"), "f:1:4: block texts (| and >) are refused: write the value in one line");
  EXPECT_EQ(refusal("a: >-\n  x\n"), "f:1:4: block texts (| and >) are refused: write the value in one line");
}

TEST(YamlTree, SyntaxErrorsHaveAPlaceAndAHint) {
  EXPECT_EQ(refusal("a: b: c\n"),
            "f:1:5: bad YAML: illegal map value (a colon inside a value needs quotes around the value; else "
            "check the "
            "indentation)");
  EXPECT_EQ(refusal("a: 1\nb: [1, 2\nc: 3\n"),
            "f:2:8: this value goes on in the next line (is a ] or } missing?)");
  EXPECT_TRUE(refusal("a: [1, 2]]\nc: 3\n").starts_with("f:1:10: bad YAML: "));
  EXPECT_TRUE(refusal("a: {b: 1\n").ends_with("(a [ or { is not closed)"));
  EXPECT_TRUE(refusal("a: @x\n").starts_with("f:1:4: bad YAML: "));
  EXPECT_TRUE(refusal("a: \"\\q\"\n").starts_with("f:1:7: bad YAML: ")) << refusal("a: \"\\q\"\n");
  EXPECT_TRUE(refusal("a: {b: 1}\n  c: 2\n").starts_with("f:2:3: bad YAML: "));
}

TEST(TextCheck, TabsInTheIndentationAreRefused) {
  EXPECT_EQ(refusal("a:\n\tb: 1\n"), "f:2:1: a tab in the indentation: YAML is indented with spaces");
  EXPECT_EQ(refusal("a:\n  \tb: 1\n\tc: 1\n"),
            "f:2:3: a tab in the indentation: YAML is indented with spaces (so are 1 more lines)");
  EXPECT_EQ(refusal("a:\n\t# comment\n \t \n  b:\t1\t# x\n"), "");
}

// yaml-cpp takes 0x04 for the end of the file.
TEST(TextCheck, ControlCharactersAreRefused) {
  EXPECT_EQ(refusal("a: 1\n\x04\nb: 2\n"), "f:2:1: control character 0x04: is this a text file?");
  EXPECT_EQ(refusal(std::string_view("a: 1\0", 5)), "f:1:5: control character 0x00: is this a text file?");
  EXPECT_EQ(refusal("a: 1\rb: 2\n"), "f:1:5: a carriage return without a line feed: end lines with LF");
  EXPECT_EQ(refusal("a: \x7F\n"), "f:1:4: control character 0x7F: is this a text file?");
}

TEST(TextCheck, Rfc3629_OnlyUtf8) {
  EXPECT_EQ(refusal("\xFF\xFE"
                    "a"),
            "f:1:1: octet 0xFF is not UTF-8: save the file as UTF-8");
  EXPECT_EQ(refusal("a: b\xFC"
                    "cher\n"),
            "f:1:5: octet 0xFC is not UTF-8: save the file as UTF-8");
  for (const std::string_view bad : {"\xC0\xAF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                                     "\xF4\x90\x80\x80", "\xC3", "\xE2\x82", "\x80", "\xF5\x80\x80\x80"}) {
    EXPECT_EQ(find_bad_utf8(bad), 0U);
  }
  EXPECT_EQ(find_bad_utf8("a\xC3\xA9\xE2\x82\xAC\xED\x9F\xBF\xF4\x8F\xBF\xBF"), std::string_view::npos);
}

// Inputs on which parsers recurse, backtrack or hoard.
TEST(YamlTree, HostileTextsAreRefusedSoon) {
  constexpr std::size_t kOctets = 100'000;
  for (const std::string_view piece :
       {"[", "{", "- ", "? ", "a: ", "[a,", "{a:", "\"", "!", "&a ", "| \n", ":", "@"}) {
    std::string text;
    while (text.size() < kOctets) text += piece;
    EXPECT_NE(refusal(text), "") << piece;
  }
}

}  // namespace
}  // namespace config

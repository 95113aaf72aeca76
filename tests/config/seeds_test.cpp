// Seeds in the configuration and in files.
#include "config/seeds.h"

#include "tests/config/help.h"

namespace config {
namespace {

Lines urls(const Config& config) {
  Lines all;
  for (const Seed& seed : config.seeds) all.emplace_back(seed.url.text());
  return all;
}

Lines places(const Config& config) {
  Lines all;
  for (const Seed& seed : config.seeds) all.push_back(seed.where);
  return all;
}

TEST(Seeds, InTheConfigurationAreNormalisedAndKnowTheirLine) {
  const Config config = good("seeds:\n  - HTTPS://Site.COM\n  - \"http://a.com:80/#x\"\n");
  EXPECT_EQ(urls(config), (Lines{"https://site.com/", "http://a.com/"}));
  EXPECT_EQ(places(config), (Lines{"c.yaml:2", "c.yaml:3"}));
}

TEST(Seeds, NoneAreNoErrorHere) {
  EXPECT_TRUE(good("threads: 1\n").seeds.empty());
  EXPECT_TRUE(good("seeds: []\n").seeds.empty());
}

TEST(Seeds, DuplicatesAreDroppedSilently) {
  const Config config =
      good("seeds: [https://a.com, https://b.com/, HTTPS://A.com/, \"https://a.com/#top\"]\n");
  EXPECT_EQ(urls(config), (Lines{"https://a.com/", "https://b.com/"}));
}

TEST(Seeds, BadOnesAreToldWithTheirPlace) {
  EXPECT_EQ(
      errors("seeds:\n  - site.com/x\n  - //site.com/\n  - ftp://site.com/\n  - \"https://a b/\"\n  - [x]\n  "
             "- ~\n"),
      (Lines{
          "c.yaml:2:5: seeds: \"site.com/x\" is no seed: " +
              make_error_code(base::UrlError::no_scheme).message() +
              " (did you mean \"https://site.com/x\"?)",
          "c.yaml:3:5: seeds: \"//site.com/\" is no seed: " +
              make_error_code(base::UrlError::no_scheme).message() + " (did you mean \"https://site.com/\"?)",
          "c.yaml:4:5: seeds: \"ftp://site.com/\" is no seed: " +
              make_error_code(base::UrlError::not_http).message(),
          "c.yaml:5:5: seeds: \"https://a b/\" has a blank in it: one URL in each line, blanks as %20",
          "c.yaml:6:5: seeds: each item must be a URL or \"file: pattern\"",
          "c.yaml:7:5: seeds: each item must be a URL or \"file: pattern\"",
      }));
  EXPECT_EQ(error("seeds: https://a.com/\n"),
            "c.yaml:1:8: seeds: must be a list: write \"- \" in front of \"https://a.com/\"");
  EXPECT_EQ(error("seeds: {file: x}\n"),
            "c.yaml:1:8: seeds: must be a list of URLs and files, not keys with values");
}

TEST(Seeds, HostWithPortIsNoScheme) {
  const std::string text = error("seeds: [\"site.com:8080/x\"]\n");
  EXPECT_TRUE(text.ends_with("(did you mean \"https://site.com:8080/x\"?)")) << text;
}

TEST(Seeds, SlipsInFileItemsAreExplained) {
  EXPECT_TRUE(error("seeds: [\"file:x.txt\"]\n")
                  .ends_with("(for a file of seeds write \"- file: pattern\", with a blank)"));
  EXPECT_EQ(error("seeds:\n  - files: x.txt\n"),
            "c.yaml:2:5: seeds: unknown key \"files\": an item is a URL or \"file: pattern\" (did you mean "
            "\"file\"?)");
  EXPECT_EQ(error("seeds:\n  - https: //a.com\n"),
            "c.yaml:2:5: seeds: unknown key \"https\": an item is a URL or \"file: pattern\"");
  EXPECT_EQ(error("seeds:\n  - file:\n"),
            "c.yaml:2:5: seeds: file must be the name of a file, or a pattern like seeds/*.txt");
  EXPECT_EQ(error("seeds:\n  - file: \"\"\n"),
            "c.yaml:2:5: seeds: file must be the name of a file, or a pattern like seeds/*.txt");
  EXPECT_EQ(error("seeds:\n  - file: \"a\\0b\"\n"), "c.yaml:2:11: seeds: no file matches \"a\\x00b\"");
}

Lines weights(const Config& config) {
  Lines all;
  for (const Seed& seed : config.seeds) all.push_back(std::to_string(seed.weight));
  return all;
}

TEST(SeedWeight, IsOneUnlessItIsWrittenBesideTheUrl) {
  const Config config = good(
      "seeds:\n"
      "  - https://a.com/\n"
      "  - {url: https://b.com/, weight: 10}\n"
      "  - weight: 1\n"
      "    url: \"HTTPS://C.com\"\n"
      "  - url: https://d.com/\n");
  EXPECT_EQ(urls(config), (Lines{"https://a.com/", "https://b.com/", "https://c.com/", "https://d.com/"}));
  EXPECT_EQ(weights(config), (Lines{"1", "10", "1", "1"}));
  EXPECT_EQ(places(config), (Lines{"c.yaml:2", "c.yaml:3", "c.yaml:5", "c.yaml:6"}));
}

TEST(SeedWeight, OfAUrlThatStandsTwiceIsTheFirst) {
  const Config config = good(
      "seeds: [{url: https://a.com/, weight: 3}, https://a.com/, https://b.com/,\n"
      "  {url: https://b.com/, weight: 9}]\n");
  EXPECT_EQ(weights(config), (Lines{"3", "1"}));
}

TEST(SeedWeight, SlipsAreExplained) {
  const auto wrong = [](const std::string& item) {
    const std::string text = error("seeds:\n  - " + item + "\n");
    return text.substr(text.find("seeds: ") + 7);
  };
  const std::string form = "write {url: URL, weight: 4}";
  EXPECT_EQ(wrong("{url: https://a.com/, weight: 0}"), "a weight must be between 1 and 10, not 0");
  EXPECT_EQ(wrong("{url: https://a.com/, weight: 11}"), "a weight must be between 1 and 10, not 11");
  EXPECT_EQ(wrong("{url: https://a.com/, weight: high}"),
            "a weight must be a whole number between 1 and 10, not \"high\"");
  EXPECT_EQ(wrong("{url: https://a.com/, weight: '4'}"), "a weight must be a number without quotes");
  EXPECT_EQ(wrong("{url: https://a.com/, weight: }"), "\"weight\" must be a single value");
  EXPECT_EQ(wrong("{url: [https://a.com/], weight: 4}"), "\"url\" must be a single value");
  EXPECT_EQ(wrong("{url: https://a.com/, wieght: 4}"),
            "\"wieght\" is no key of a seed: " + form + " (did you mean \"weight\"?)");
  EXPECT_EQ(wrong("{url: https://a.com/, file: x}"), "\"file\" is no key of a seed: " + form);
  EXPECT_EQ(wrong("{url: https://a.com/, url: https://b.com/}"),
            "\"url\" is written twice in one item: begin a new one with \"- \"");
  EXPECT_EQ(wrong("{weight: 4}"), "a weight without a URL: " + form);
  EXPECT_EQ(wrong("{file: x.txt, weight: 4}").substr(0, 17), "no file matches \"");
  EXPECT_NE(wrong("{file: x.txt, weight: 4}")
                .find("\nc.yaml:2:19: seeds: a file has no weight: write "
                      "\"weight=4\" after URLs in it, each in its line"),
            std::string::npos);
  EXPECT_TRUE(wrong("{url: site.com, weight: 4}").ends_with("(did you mean \"https://site.com\"?)"));
  EXPECT_EQ(error("seeds:\n  - url: https://a.com/\n    weight: 0\n").substr(0, 13), "c.yaml:3:13: ");
}

TEST(SeedWeight, InFilesOfBothKinds) {
  const Folder folder;
  folder.write("s.txt",
               "https://a.com/ weight=4\n  https://b.com/\t  weight=10   # a comment\r\nhttps://c.com/\n");
  folder.write("s.yaml", "- {url: https://d.com/, weight: 2}\n- https://e.com/\n");
  const Loaded loaded = read("seeds: [{file: s.txt}, {file: s.yaml}]\n", folder.path());
  EXPECT_EQ(loaded.errors, Lines{});
  EXPECT_EQ(urls(loaded.config), (Lines{"https://a.com/", "https://b.com/", "https://c.com/",
                                        "https://d.com/", "https://e.com/"}));
  EXPECT_EQ(weights(loaded.config), (Lines{"4", "10", "1", "2", "1"}));

  const std::string bad = folder.write("bad.txt",
                                       "https://a.com/ weight=11\n"
                                       " https://a.com/ weight 4\n"
                                       "https://a.com/ weight=4 x\n"
                                       "https://a.com/ 4\n"
                                       "site.com weight=4\n");
  const Lines lines = read("seeds: [{file: bad.txt}]\n", folder.path()).errors;
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0], bad + ":1:16: seeds: a weight must be between 1 and 10, not 11");
  EXPECT_EQ(lines[1], bad + ":2:17: seeds: \"weight 4\" is no weight: write it like weight=4");
  EXPECT_EQ(lines[2], bad + ":3:16: seeds: a weight must be a whole number between 1 and 10, not \"4 x\"");
  EXPECT_EQ(lines[3],
            bad + ":4:1: seeds: \"https://a.com/ 4\" has a blank in it: one URL in each line, blanks as %20");
  EXPECT_TRUE(lines[4].ends_with("(did you mean \"https://site.com\"?)")) << lines[4];
}

TEST(SeedFiles, TextHasCommentsBlankLinesAndAnyLineEnd) {
  const Folder folder;
  folder.write("s.txt",
               "\xEF\xBB\xBFhttps://a.com/\r\n"
               "\n"
               "# a comment\n"
               "  \thttps://b.com/#fragment   # stays a URL\n"
               "https://c.com/x#y\n"
               "\t \r\n"
               "https://d.com/");
  const Loaded loaded = read("seeds:\n  - file: s.txt\n", folder.path());
  EXPECT_EQ(loaded.errors, Lines{});
  EXPECT_EQ(urls(loaded.config),
            (Lines{"https://a.com/", "https://b.com/", "https://c.com/x", "https://d.com/"}));
  const std::string file = folder / "s.txt";
  EXPECT_EQ(places(loaded.config), (Lines{file + ":1", file + ":4", file + ":5", file + ":7"}));
}

TEST(SeedFiles, BadLinesAreToldWithFileLineAndColumn) {
  const Folder folder;
  const std::string file = folder.write(
      "s.txt", "https://a.com/\n  site.com#y # x\nhttps://a.com/ https://b.com/\nhttps://x.com/\x01\n");
  EXPECT_EQ(
      read("seeds:\n  - file: s.txt\n", folder.path()).errors,
      (Lines{
          file + ":2:3: seeds: \"site.com#y\" is no seed: " +
              make_error_code(base::UrlError::no_scheme).message() +
              " (did you mean \"https://site.com#y\"?)",
          file + ":3:1: seeds: \"https://a.com/ https://b.com/\" has a blank in it: one URL in each line, "
                 "blanks as %20",
          file + ":4:1: seeds: \"https://x.com/\\x01\" has a control character in it",
      }));
  folder.write("bom.txt", "\xEF\xBB\xBFsite.com\n");
  EXPECT_TRUE(
      read("seeds: [{file: bom.txt}]\n", folder.path()).errors.at(0).starts_with(folder / "bom.txt:1:4: "));
}

TEST(SeedFiles, YamlIsAListOfUrls) {
  const Folder folder;
  folder.write("s.yaml", "- https://a.com/\n- \"https://b.com/\"\n");
  folder.write("none.yml", "# nothing yet\n");
  const Loaded loaded = read("seeds: [{file: s.yaml}, {file: none.yml}]\n", folder.path());
  EXPECT_EQ(loaded.errors, Lines{});
  EXPECT_EQ(urls(loaded.config), (Lines{"https://a.com/", "https://b.com/"}));
  EXPECT_EQ(places(loaded.config)[1], folder / "s.yaml:2");

  folder.write("map.yaml", "seeds: [https://a.com/]\n");
  folder.write("more.yaml", "- file: s.yaml\n- site.com\n");
  folder.write("bad.yaml", "- [\n");
  const Lines lines =
      read("seeds: [{file: bad.yaml}, {file: map.yaml}, {file: more.yaml}]\n", folder.path()).errors;
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(lines[0].starts_with(folder / "bad.yaml:2:1: bad YAML: ")) << lines[0];
  EXPECT_EQ(lines[1], folder / "map.yaml:1:1: seeds: must be a YAML list of URLs, each after \"- \"");
  EXPECT_EQ(lines[2], folder / "more.yaml:1:3: seeds: each item must be a URL");
  EXPECT_TRUE(lines[3].starts_with(folder / "more.yaml:2:3: seeds: \"site.com\" is no seed: ")) << lines[3];
}

TEST(SeedFiles, PatternsAreRelativeToTheFolderAndSorted) {
  const Folder folder;
  folder.write("conf/seeds/b.txt", "https://b.com/\n");
  folder.write("conf/seeds/a.txt", "https://a.com/\n");
  folder.write("conf/seeds/B.txt", "https://upper-b.com/\n");
  folder.write("conf/seeds/c.md", "https://c.com/\n");
  const std::string path = folder.write(
      "conf/crawld.yaml", "agent: {contact: \"" + kContact + "\"}\nseeds:\n  - file: seeds/*.txt\n");
  const Loaded loaded = load_file(path);
  EXPECT_EQ(loaded.errors, Lines{});
  EXPECT_EQ(urls(loaded.config), (Lines{"https://upper-b.com/", "https://a.com/", "https://b.com/"}));
  const Loaded absolute = read("seeds: [{file: \"" + folder / "conf/seeds/c.*" + "\"}]\n", "/nonexistent");
  EXPECT_EQ(urls(absolute.config), (Lines{"https://c.com/"}));
}

TEST(SeedFiles, FolderNameIsNoPattern) {
  const Folder folder;
  folder.write("[x]*?/s.txt", "https://a.com/\n");
  folder.write("xyz/s.txt", "https://wrong.com/\n");
  EXPECT_EQ(urls(read("seeds: [{file: s.txt}]\n", folder / "[x]*?").config), (Lines{"https://a.com/"}));
}

TEST(SeedFiles, MissingOnesFoldersAndDevicesAreToldAtThePattern) {
  const Folder folder;
  std::filesystem::create_directory(folder / "sub.txt");
  EXPECT_EQ(
      read("seeds:\n  - file: none/*.txt\n  - file: sub.*\n  - file: /dev/null\n", folder.path()).errors,
      (Lines{
          "c.yaml:2:11: seeds: no file matches \"none/*.txt\" in \"" + folder.path() + "\"",
          "c.yaml:3:11: seeds: \"" + folder / "sub.txt" + "\": is a directory",
          "c.yaml:4:11: seeds: \"/dev/null\": is not a regular file",
      }));
}

// The limits, each at its edge.
class SeedLimit : public ::testing::Test {
 protected:
  Lines read_with(std::string_view yaml) {
    Problems problems;
    const auto list = read_yaml(yaml, problems.add_file("c.yaml"), {}, problems);
    seeds_.clear();
    if (list) read_seeds(*list, folder_.path(), seeds_, problems, limits_);
    return problems.errors();
  }

  Folder folder_;
  SeedLimits limits_;
  std::vector<Seed> seeds_;
};

TEST_F(SeedLimit, NumberOfSeedsCountsEachOnce) {
  limits_.seeds = 2;
  EXPECT_EQ(read_with("[https://a.com/, https://b.com/, https://a.com/]"), Lines{});
  EXPECT_EQ(read_with("[https://a.com/, https://b.com/, https://c.com/, bad]"),
            (Lines{"c.yaml:1:34: seeds: more than 2 seeds"}));
  EXPECT_EQ(seeds_.size(), 2U);
  folder_.write("s.txt", "https://a.com/\nhttps://b.com/\nhttps://c.com/\nbad\n");
  EXPECT_EQ(read_with("[{file: s.txt}, {file: s.txt}]"),
            (Lines{folder_ / "s.txt:3:1: seeds: more than 2 seeds"}));
}

TEST_F(SeedLimit, NumberOfFiles) {
  for (const char* name : {"a.txt", "b.txt", "c.txt"})
    folder_.write(name, std::string("https://") + name + "/\n");
  limits_.files = 3;
  EXPECT_EQ(read_with("[{file: \"*.txt\"}]"), Lines{});
  limits_.files = 2;
  EXPECT_EQ(read_with("[{file: \"*.txt\"}]"), (Lines{"c.yaml:1:9: seeds: more than 2 seed files"}));
  EXPECT_EQ(seeds_.size(), 2U);
}

TEST_F(SeedLimit, SizeOfFiles) {
  folder_.write("s.txt", "https://a.com/\n");
  folder_.write("s.yaml", "- https://b.com/\n");
  limits_.text_octets = 15;
  limits_.yaml_octets = 17;
  EXPECT_EQ(read_with("[{file: s.txt}, {file: s.yaml}]"), Lines{});
  EXPECT_EQ(seeds_.size(), 2U);
  limits_.text_octets = 14;
  limits_.yaml_octets = 16;
  EXPECT_EQ(read_with("[{file: s.txt}, {file: s.yaml}]"),
            (Lines{folder_ / "s.txt: seeds: larger than 14 octets, which is the limit",
                   folder_ / "s.yaml: cannot be read: larger than 16 octets, which is the limit"}));
}

TEST_F(SeedLimit, LengthOfALine) {
  limits_.line_octets = 14;
  folder_.write("s.txt", "https://a.com/   # this does not count\nhttps://b.com/x\n");
  EXPECT_EQ(read_with("[{file: s.txt}]"),
            (Lines{folder_ / "s.txt:2:1: seeds: a line longer than 14 octets"}));
  EXPECT_EQ(seeds_.size(), 1U);
}

}  // namespace
}  // namespace config

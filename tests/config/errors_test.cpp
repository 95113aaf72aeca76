// What an operator reads when a configuration is wrong: the whole line, place included.
#include "tests/config/help.h"

namespace config {
namespace {

TEST(Errors, AllOfAFileAreToldAtOnceInItsOrder) {
  EXPECT_EQ(errors("threads: many\n"
                   "politeness:\n"
                   "  default_intervall: 5s\n"
                   "  hard_minimum: 10\n"
                   "robots:\n"
                   "  grouping: sections\n"
                   "  max_redirects: 11\n"
                   "log: [text]\n"),
            (Lines{
                "c.yaml:1:10: threads: must be a whole number between 0 and 256, not \"many\"",
                "c.yaml:3:3: politeness.default_intervall: unknown key (did you mean \"default_interval\"?)",
                "c.yaml:4:17: politeness.hard_minimum: \"10\" has no unit: write 10s",
                "c.yaml:6:13: robots.grouping: must be section or rfc9309, not \"sections\" (did you mean "
                "\"section\"?)",
                "c.yaml:7:18: robots.max_redirects: must be between 0 and 10, not 11",
                "c.yaml:8:6: log: must be keys with values, not a list",
            }));
}

TEST(Errors, NoMoreThanTwoHundredAreToldAndTheRestIsCounted) {
  std::string yaml;
  for (int i = 0; i < 203; ++i) yaml += "unknown_" + std::to_string(i) + ": 1\n";
  const Lines all = errors(yaml);
  ASSERT_EQ(all.size(), 201U);
  EXPECT_EQ(all[199], "c.yaml:200:1: unknown_199: unknown key");
  EXPECT_EQ(all[200], "... and 3 more");
}

TEST(Errors, AreOneLineAndSafeToPrint) {
  EXPECT_EQ(error("\"a\\nb\\e[31m\": 1\n"), "c.yaml:1:1: a\\x0ab\\x1b[31m: unknown key");
  EXPECT_EQ(error("threads: \"\\r\\n\\0\"\n"), "c.yaml:1:10: threads: must be a number without quotes");
  EXPECT_EQ(error("robots: {grouping: \"\\u202Ex\"}\n"),
            "c.yaml:1:20: robots.grouping: must be section or rfc9309, not \"\\u{202e}x\"");
  const std::string cut = error("log: {level: " + std::string(5000, 'x') + "}\n");
  EXPECT_LT(cut.size(), 250U);
  EXPECT_NE(cut.find("(+4920)"), std::string::npos) << cut;
}

TEST(UnknownKey, NearestOfTheSectionIsSuggested) {
  EXPECT_EQ(error("scope: {folow: host}\n"),
            "c.yaml:1:9: scope.folow: unknown key (did you mean \"follow\"?)");
  EXPECT_EQ(error("robot: {}\n"), "c.yaml:1:1: robot: unknown key (did you mean \"robots\"?)");
  EXPECT_EQ(error("network: {timeout: {}}\n"),
            "c.yaml:1:11: network.timeout: unknown key (did you mean \"timeouts\"?)");
  EXPECT_EQ(error("network: {max-connections: 5}\n"),
            "c.yaml:1:11: network.max-connections: unknown key (did you mean \"max_connections\"?)");
  EXPECT_EQ(error("Threads: 5\n"), "c.yaml:1:1: Threads: unknown key (did you mean \"threads\"?)");
  EXPECT_EQ(error("entirely_different: 5\n"), "c.yaml:1:1: entirely_different: unknown key");
}

TEST(UnknownKey, OneThatBelongsElsewhereIsSentThere) {
  EXPECT_EQ(error("robots: {default_interval: 5s}\n"),
            "c.yaml:1:10: robots.default_interval: unknown key (\"default_interval\" belongs under "
            "\"politeness\")");
  EXPECT_EQ(error("connect: 5s\n"),
            "c.yaml:1:1: connect: unknown key (\"connect\" belongs under \"network.timeouts\")");
  EXPECT_EQ(error("timeouts: {dns: 5s}\n"),
            "c.yaml:1:1: timeouts: unknown key (\"timeouts\" belongs under \"network\")");
  EXPECT_EQ(error("politeness: {crawl_delay: 5s}\n"),
            "c.yaml:1:14: politeness.crawl_delay: unknown key (\"crawl_delay\" belongs under "
            "\"politeness.hosts.<host>\")");
  EXPECT_EQ(error("network: {threads: 5}\n"),
            "c.yaml:1:11: network.threads: unknown key (\"threads\" belongs at the top level)");
  EXPECT_EQ(error("max_conections: 5\n"),
            "c.yaml:1:1: max_conections: unknown key (did you mean \"network.max_connections\"?)");
}

TEST(UnknownKey, DottedPathIsToBeNested) {
  EXPECT_EQ(error("politeness.default_interval: 5s\n"),
            "c.yaml:1:1: politeness.default_interval: unknown key (write \"default_interval\" indented under "
            "\"politeness\")");
  EXPECT_EQ(error("network:\n  timeouts.dns: 5s\n"),
            "c.yaml:2:3: network.timeouts.dns: unknown key (write \"dns\" indented under "
            "\"network.timeouts\")");
}

TEST(UnknownKey, OfAHostIsNamedWithTheHost) {
  EXPECT_EQ(
      error("politeness:\n  hosts:\n    Site.com:\n      crawl-delay: 5s\n      per_site_interval: 1s\n"),
      "c.yaml:4:7: politeness.hosts.site.com.crawl-delay: unknown key (did you mean \"crawl_delay\"?)\n"
      "c.yaml:5:7: politeness.hosts.site.com.per_site_interval: unknown key (\"per_site_interval\" "
      "belongs under \"politeness\")");
}

TEST(DuplicateKey, NamesBothLines) {
  EXPECT_EQ(error("threads: 1\nlog: {}\nthreads: 2\n"),
            "c.yaml:3:1: threads: written twice, first in line 1");
  EXPECT_EQ(error("log:\n  level: info\n  level: info\n"),
            "c.yaml:3:3: log.level: written twice, first in line 2");
  EXPECT_EQ(error("politeness: {}\nlog: {}\n\"politeness\": {}\n"),
            "c.yaml:3:1: politeness: written twice, first in line 1");
  EXPECT_EQ(error("politeness:\n  hosts:\n    a.com: {crawl_delay: 1s, crawl_delay: 2s}\n    A.com: {}\n"),
            "c.yaml:3:30: politeness.hosts.a.com.crawl_delay: written twice, first in line 3\n"
            "c.yaml:4:5: politeness.hosts.a.com: written twice, first in line 3");
}

TEST(WrongType, SaysWhatIsExpectedAndWhatIsThere) {
  EXPECT_EQ(error("threads:\n  many: 1\n"), "c.yaml:2:3: threads: must be a number, not keys with values");
  EXPECT_EQ(error("politeness: 5s\n"),
            "c.yaml:1:13: politeness: must be keys with values, not a single value");
  EXPECT_EQ(error("network: {timeouts: {dns: [5s]}}\n"),
            "c.yaml:1:27: network.timeouts.dns: must be a duration like 10s, not a list");
  EXPECT_EQ(
      error("network: {nameservers: 192.0.2.1}\n"),
      "c.yaml:1:24: network.nameservers: must be a list of name servers, not a single value: write [ and ] "
      "around it");
  EXPECT_EQ(error("politeness: {hosts: [a.com]}\n"),
            "c.yaml:1:21: politeness.hosts: must be host names with their keys, not a list");
  EXPECT_EQ(error("politeness: {hosts: {a.com: 5s}}\n"),
            "c.yaml:1:29: politeness.hosts.a.com: must be keys with values, not a single value");
  EXPECT_EQ(error("? [a]\n: 1\n"), "c.yaml:1:3: a key must be a word, not a list");
  EXPECT_EQ(errors("- agent:\n- b\n"),
            (Lines{"c.yaml:1:1: must be keys with values, not a list",
                   "c.yaml:1:1: agent.contact: missing: set the https URL of a page about "
                   "this crawler, or a mail address; it is sent with every request, so "
                   "that site owners can reach you"}));
}

TEST(WrongType, NothingIsNoValue) {
  const std::string hint = "has no value: give it one, or remove the key to keep its default";
  EXPECT_EQ(
      error("threads:\nlog:\n  file: ~\nscope: null\n"),
      "c.yaml:1:1: threads: " + hint + "\nc.yaml:3:3: log.file: " + hint + "\nc.yaml:4:1: scope: " + hint);
  EXPECT_EQ(error("agent: {contact: x@operator.net}\nthreads\n"), "c.yaml:2:1: threads: " + hint);
  EXPECT_EQ(error("agent: {tokens: [a, ~], contact: x@operator.net}\n"),
            "c.yaml:1:21: agent.tokens: " + hint);
  EXPECT_EQ(error("politeness:\n  hosts:\n    a.com:\n"), "c.yaml:3:5: politeness.hosts.a.com: " + hint);
}

TEST(WrongType, NumbersAndBooleansStandWithoutQuotes) {
  EXPECT_EQ(error("threads: '4'\n"), "c.yaml:1:10: threads: must be a number without quotes");
  EXPECT_EQ(error("robots: {version2: \"true\"}\n"),
            "c.yaml:1:20: robots.version2: must be true or false without quotes");
  EXPECT_EQ(good("politeness: {default_interval: \"5s\"}\n").politeness.default_interval, 5s);
}

TEST(File, EmptyOneIsRefused) {
  for (const std::string_view text : {"", "\n", "# only a comment\n", "---\n", "\xEF\xBB\xBF", "null\n"}) {
    const Lines lines = load_text(text, "c.yaml", "").errors;
    ASSERT_EQ(lines.size(), 2U) << text;
    EXPECT_EQ(lines[0], "c.yaml:1:1: the file is empty");
    EXPECT_TRUE(lines[1].starts_with("c.yaml:1:1: agent.contact: missing: ")) << lines[1];
  }
}

TEST(File, MissingOneAndFolderAreNamed) {
  const Folder folder;
  EXPECT_EQ(load_file(folder / "none.yaml").errors,
            (Lines{folder / "none.yaml" + ": cannot be read: No such file or directory"}));
  EXPECT_EQ(load_file(folder.path()).errors, (Lines{folder.path() + ": cannot be read: Is a directory"}));
  const std::string path = folder.write("good.yaml", "agent: {contact: \"" + kContact + "\"}\n");
  EXPECT_EQ(load_file(path).errors, Lines{});
  EXPECT_EQ(load_file(path).config.agent.contact, kContact);
}

TEST(File, FourMebibytesAreReadAndOneOctetMoreIsNot) {
  const Folder folder;
  std::string text = "agent: {contact: \"" + kContact + "\"}\n#";
  text.append(4 * 1024 * 1024 - text.size(), 'x');
  EXPECT_EQ(load_text(text, "c.yaml", "").errors, Lines{});
  EXPECT_EQ(load_file(folder.write("c.yaml", text)).errors, Lines{});
  text += 'x';
  EXPECT_EQ(load_text(text, "c.yaml", "").errors,
            (Lines{"c.yaml: larger than 4194304 octets, which is the limit"}));
  EXPECT_EQ(load_file(folder.write("c.yaml", text)).errors,
            (Lines{folder / "c.yaml: cannot be read: larger than 4194304 octets, which is the limit"}));
}

TEST(Contact, MissingIsToldWhereAgentStands) {
  EXPECT_EQ(error("threads: 1\nagent:\n  tokens: [bot]\n"),
            "c.yaml:2:1: agent.contact: missing: set the https URL of a page about this crawler, or a mail "
            "address; "
            "it is sent with every request, so that site owners can reach you");
}

TEST(Errors, OfTheWholeFileStandWhereTheirKeyIs) {
  const Lines lines = errors("agent: {tokens: [bot]}\nunknown_key: 1\n");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[0].starts_with("c.yaml:1:1: agent.contact: missing: ")) << lines[0];
  EXPECT_EQ(lines[1], "c.yaml:2:1: unknown_key: unknown key");
}

TEST(Fit, RecrawlKeepsItsOrder) {
  EXPECT_EQ(error("recrawl: {min: 2d, initial: 2d, max: 2d}\n"), "");
  EXPECT_EQ(error("recrawl:\n  min: 2d\n  max: 47h\n"),
            "c.yaml:3:8: recrawl.max: must be 2d or more, which is recrawl.min, not 1d23h");
  EXPECT_EQ(
      error("recrawl:\n  initial: 1h\n"),
      "c.yaml:2:12: recrawl.initial: must be between 1d and 90d, which are recrawl.min and recrawl.max, "
      "not 1h");
  EXPECT_EQ(error("threads: 1\nrecrawl:\n  max: 5d\n"),
            "c.yaml:2:1: recrawl.initial: must be between 1d and 5d, which are recrawl.min and recrawl.max, "
            "not 7d");
}

TEST(Fit, SpaceToResumeIsNotLessThanSpaceToPause) {
  EXPECT_EQ(error("storage: {pause_below: 3GiB, resume_above: 3GiB}\n"), "");
  EXPECT_EQ(error("storage:\n  pause_below: 3GiB\n  resume_above: 3221225471B\n"),
            "c.yaml:3:17: storage.resume_above: must be 3GiB or more, which is storage.pause_below, not "
            "3221225471B");
  EXPECT_EQ(error("storage:\n  pause_below: 8GiB\n"),
            "c.yaml:1:1: storage.resume_above: must be 8GiB or more, which is storage.pause_below, not 4GiB");
}

TEST(Warnings, HardMinimumOfZeroIsOne) {
  const Loaded loaded = read(
      "politeness:\n"
      "  hard_minimum: 0s\n"
      "  hosts:\n"
      "    a.com: {hard_minimum: 0s, default_interval: 0s, latency_factor: 0}\n"
      "    b.com: {hard_minimum: 1ms}\n"
      "    c.com: {crawl_delay: 2h}\n");
  EXPECT_EQ(loaded.errors, Lines{});
  const std::string zero = "0 sets no lower limit to the pause between requests: only for sites of one's own";
  EXPECT_EQ(loaded.warnings, (Lines{
                                 "c.yaml:2:17: politeness.hard_minimum: " + zero,
                                 "c.yaml:4:27: politeness.hosts.a.com.hard_minimum: " + zero,
                                 "c.yaml:6:26: politeness.hosts.c.com.crawl_delay: counts as 1h, which is "
                                 "politeness.max_crawl_delay",
                             }));
  EXPECT_EQ(read("politeness: {hard_minimum: 1ms}\n").warnings, Lines{});
}

}  // namespace
}  // namespace config

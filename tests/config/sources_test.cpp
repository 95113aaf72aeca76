// Several sources of one configuration: included files, the environment, --set; and where each value is from.
#include "config/include.h"
#include "config/overrides.h"
#include "config/yaml_tree.h"
#include "tests/config/help.h"

namespace config {
namespace {

const std::string kMain = "agent: {contact: \"" + kContact + "\"}\n";

/// Reads `yaml` as a file of `folder`, with the contact in front.
Loaded with(const Folder& folder, const std::string& yaml, const Lines& environment, const Lines& settings) {
  return load({folder.write("c.yaml", kMain + yaml), environment, settings});
}

/// The errors of one setting over a good file.
Lines set_errors(const std::string& setting) {
  const Folder folder;
  return with(folder, "", {}, {setting}).errors;
}

Lines environment_errors(const std::string& variable) {
  const Folder folder;
  return with(folder, "", {variable}, {}).errors;
}

Lines hosts_of(const Config& config) {
  Lines names;
  for (const Seed& seed : config.seeds) names.emplace_back(seed.url.host());
  return names;
}

TEST(Overrides, LaterSourcesWin) {
  const Folder folder;
  const std::string yaml = "threads: 1\npoliteness: {default_interval: 1s, latency_factor: 1}\n";
  const Lines environment{"CRAWLD__politeness__default_interval=3s", "CRAWLD__threads=3"};
  EXPECT_EQ(with(folder, yaml, {}, {}).config.threads, 1U);
  EXPECT_EQ(with(folder, yaml, environment, {}).config.threads, 3U);
  const Loaded all = with(folder, yaml, environment, {"threads=4", "threads=5"});
  EXPECT_EQ(all.errors, Lines{});
  EXPECT_EQ(all.config.threads, 5U);
  EXPECT_EQ(all.config.politeness.default_interval, 3s);
  EXPECT_EQ(all.config.politeness.latency_factor, 1);
}

TEST(Overrides, AreReadAsTheFileIs) {
  const Folder folder;
  const Loaded loaded = with(
      folder, "network: {allow_addresses: [10.0.0.0/8]}\npoliteness: {hosts: {a.com: {crawl_delay: 1s}}}\n",
      {"CRAWLD__archive__statuses=[200, 4xx]"},
      {"network.allow_addresses=[192.168.0.0/16, \"fd00::/8\"]", "agent.user_agent=crawld/9: \"quoted\"",
       "network.proxy=", "politeness.rate_floor=off", "log.level=debug",
       "politeness.hosts.a.com.hard_minimum=3s", "politeness.hosts={\"*.b.com\": {latency_factor: 2}}",
       "recrawl={min: 2d, max: 20d}"});
  ASSERT_EQ(loaded.errors, Lines{});
  const Config& config = loaded.config;
  ASSERT_EQ(config.network.allow_addresses.size(), 2U);  // a list is replaced
  EXPECT_EQ(config.network.allow_addresses[0].text(), "192.168.0.0/16");
  EXPECT_EQ(config.agent.user_agent, "crawld/9: \"quoted\"");  // a text is not YAML
  EXPECT_EQ(config.politeness.rate_floor, std::nullopt);
  EXPECT_EQ(config.archive.statuses, (Lines{"200", "4xx"}));
  EXPECT_EQ(config.recrawl.max, 24h * 20);
  ASSERT_EQ(config.politeness.hosts.size(), 2U);
  EXPECT_EQ(config.politeness.hosts.at("a.com").crawl_delay, 1s);
  EXPECT_EQ(config.politeness.hosts.at("a.com").hard_minimum, 3s);
}

TEST(Overrides, SayWhatIsWrongAndWhere) {
  EXPECT_EQ(set_errors("threads=many"),
            (Lines{"--set threads: must be a whole number between 0 and 256, not \"many\""}));
  EXPECT_EQ(set_errors("politeness.default_intervall=5s"),
            (Lines{"--set politeness.default_intervall: unknown key (did you mean \"default_interval\"?)"}));
  EXPECT_EQ(
      set_errors("politness.default_interval=5s"),
      (Lines{"--set politness.default_interval: politness: unknown key (did you mean \"politeness\"?)"}));
  EXPECT_EQ(
      set_errors("default_interval=5s"),
      (Lines{"--set default_interval: unknown key (\"default_interval\" belongs under \"politeness\")"}));
  EXPECT_EQ(set_errors("threads.x=5"),
            (Lines{"--set threads.x: threads: must be a number, not keys with values"}));
  EXPECT_EQ(set_errors("politeness=5s"),
            (Lines{"--set politeness: must be keys with values, not a single value"}));
  EXPECT_EQ(set_errors("politeness.hosts.a.com.crawl_dela=5s"),
            (Lines{"--set politeness.hosts.a.com.crawl_dela: unknown key (did you mean \"crawl_delay\"?)"}));
  EXPECT_EQ(set_errors("network.allow_addresses=10.0.0.0/8"),
            (Lines{"--set network.allow_addresses: must be a list of address ranges, not a single value: "
                   "write [ and ] around it"}));
  EXPECT_EQ(set_errors("include=x.yaml"),
            (Lines{"--set include: only the file that crawld is started with may include others"}));
  EXPECT_EQ(set_errors("log.file=a\nb"),
            (Lines{"--set log.file: \"a\\x0ab\" has a line end or control character in it"}));
  EXPECT_EQ(set_errors("seeds=[https://a.com/, x]").size(), 1U);
  EXPECT_TRUE(set_errors("seeds=[")[0].starts_with("--set seeds: bad YAML: ")) << set_errors("seeds=[")[0];
  EXPECT_EQ(environment_errors("CRAWLD__robots__max_redirects=11"),
            (Lines{"environment CRAWLD__robots__max_redirects: must be between 0 and 10, not 11"}));
  EXPECT_EQ(
      environment_errors("CRAWLD__robots__max_redirect=1"),
      (Lines{"environment CRAWLD__robots__max_redirect: unknown key (did you mean \"max_redirects\"?)"}));
  EXPECT_EQ(environment_errors("CRAWLD__=1"), (Lines{"environment CRAWLD__: unknown key"}));
  EXPECT_EQ(environment_errors("CRAWLD__threads="),
            (Lines{"environment CRAWLD__threads: must be a whole number between 0 and 256, not \"\""}));
}

TEST(Overrides, AllErrorsOfAllSourcesAreToldAtOnce) {
  const Folder folder;
  const Loaded loaded =
      with(folder, "threads: x\n", {"CRAWLD__nonsense=1"}, {"log.level=loud", "recrawl.max=1h"});
  const std::string file = folder / "c.yaml";
  EXPECT_EQ(loaded.errors,
            (Lines{file + ":2:10: threads: must be a whole number between 0 and 256, not \"x\"",
                   "environment CRAWLD__nonsense: unknown key",
                   "--set log.level: must be trace, debug, info, warning or error, not \"loud\"",
                   "--set recrawl.max: must be 1d or more, which is recrawl.min, not 1h"}));
  ASSERT_EQ(loaded.told.size(), 4U);
  EXPECT_EQ(loaded.told[0].source, file);
  EXPECT_EQ(loaded.told[0].line, 2U);
  EXPECT_EQ(loaded.told[0].column, 10U);
  EXPECT_EQ(loaded.told[0].key, "threads");
  EXPECT_EQ(loaded.told[1].source, "environment CRAWLD__nonsense");
  EXPECT_EQ(loaded.told[1].line, 0U);
  EXPECT_EQ(loaded.told[2].message, "must be trace, debug, info, warning or error, not \"loud\"");
}

TEST(Overrides, GiveWhatTheFileLacks) {
  const Folder folder;
  EXPECT_EQ(load({folder.write("c.yaml", "threads: 1\n"), {}, {"agent.contact=" + kContact}}).errors,
            Lines{});
}

TEST(Include, FilesComeAfterTheMainOneInTheirOrder) {
  const Folder folder;
  folder.write("conf.d/20.yaml", "threads: 20\nseeds: [https://twenty.com/]\nagent: {tokens: [b]}\n");
  folder.write("conf.d/10.yaml",
               "threads: 10\npoliteness: {latency_factor: 10, hosts: {a.com: {hard_minimum: 7s}}}\n"
               "seeds: [https://ten.com/, https://main.com/, {file: list.txt}]\n");
  folder.write("conf.d/list.txt", "https://listed.com/\n");
  folder.write("conf.d/ignored.txt", "nonsense\n");
  folder.write("conf.d/30.yaml", "# nothing yet\n");
  const Loaded loaded = with(folder,
                             "include: conf.d/*.yaml\nthreads: 1\nseeds: [https://main.com/]\n"
                             "politeness: {hosts: {a.com: {crawl_delay: 5s}, b.com: {}}}\n",
                             {}, {});
  ASSERT_EQ(loaded.errors, Lines{});
  EXPECT_EQ(loaded.config.threads, 20U);
  EXPECT_EQ(loaded.config.politeness.latency_factor, 10);
  EXPECT_EQ(loaded.config.agent.tokens, Lines{"b"});
  EXPECT_EQ(hosts_of(loaded.config), (Lines{"main.com", "ten.com", "listed.com", "twenty.com"}));
  EXPECT_EQ(loaded.config.politeness.hosts.size(), 2U);
  EXPECT_EQ(loaded.config.politeness.hosts.at("a.com").crawl_delay, 5s);
  EXPECT_EQ(loaded.config.politeness.hosts.at("a.com").hard_minimum, 7s);
}

TEST(Include, ErrorsAreOfTheFileInWhichTheyStand) {
  const Folder folder;
  const std::string inner = folder.write("conf.d/a.yaml", "thread: 1\ninclude: b.yaml\n");
  const std::string main = folder / "c.yaml";
  EXPECT_EQ(with(folder, "include: [conf.d/a.yaml, conf.d/none.yaml, none/*.yaml]\nlog: 1\n", {}, {}).errors,
            (Lines{main + ":2:26: include: there is no file \"conf.d/none.yaml\"",
                   main + ":3:6: log: must be keys with values, not a single value",
                   inner + ":1:1: thread: unknown key (did you mean \"threads\"?)",
                   inner + ":2:1: include: only the file that crawld is started with may include others"}));
  EXPECT_EQ(with(folder, "include: [{a: b}]\n", {}, {}).errors,
            (Lines{main + ":2:11: include: must be the name of a file, a pattern like conf.d/*.yaml, or a "
                          "list of those"}));
  EXPECT_EQ(with(folder, "include: https://a.com/c.yaml\n", {}, {}).errors,
            (Lines{main + ":2:10: include: \"https://a.com/c.yaml\" is a URL: only files can be included"}));
  EXPECT_EQ(with(folder, "include: conf.d\n", {}, {}).errors,
            (Lines{folder / "conf.d" + ": cannot be read: is a directory"}));
}

TEST(Include, TextInMemoryHasNoFiles) {
  EXPECT_EQ(error("include: /etc/hostname\n"),
            "c.yaml:1:1: include: only the file that crawld is started with may include others");
}

TEST(Include, HasLimits) {
  const Folder folder;
  for (const std::string name : {"1", "2", "3"}) folder.write("d/" + name, "");
  const auto find = [&](const std::string& yaml, const IncludeLimits& limits) {
    Problems problems;
    const auto node = read_yaml(yaml, problems.add_file("f"), {}, problems);
    const auto files = included_files(*node, folder.path(), problems, limits);
    return std::make_pair(files.size(), problems.errors());
  };
  EXPECT_EQ(find("d/*", {1, 3}), std::make_pair(std::size_t{3}, Lines{}));
  EXPECT_EQ(find("[d/*, d/1]", {2, 3}), std::make_pair(std::size_t{3}, Lines{}));  // a file counts once
  EXPECT_EQ(find("d/*", {1, 2}), std::make_pair(std::size_t{2}, Lines{"f:1:1: include: more than 2 files"}));
  EXPECT_EQ(find("[d/1, d/2]", {1, 9}),
            std::make_pair(std::size_t{0}, Lines{"f:1:1: include: more than 1 patterns"}));
}

TEST(Include, HostsOfAllFilesTogetherAreBounded) {
  const Folder folder;
  const auto hosts = [](int from, int to) {
    std::string yaml = "politeness:\n  hosts:\n";
    for (int i = from; i < to; ++i) yaml += "    h" + std::to_string(i) + ".com: {}\n";
    return yaml;
  };
  folder.write("more", hosts(60'000, 100'000));
  const std::string first = "include: more\n" + hosts(0, 60'000);
  const Loaded loaded = with(
      folder, first, {}, {"politeness.hosts={h1.com: {crawl_delay: 1s}}", "politeness.hosts={new.com: {}}"});
  EXPECT_EQ(loaded.errors, (Lines{"--set politeness.hosts: more than 100000 hosts, all files together"}));
  EXPECT_EQ(loaded.config.politeness.hosts.size(), 100'000U);
  EXPECT_EQ(loaded.config.politeness.hosts.at("h1.com").crawl_delay, 1s);
}

TEST(Origins, EachValueKnowsItsSource) {
  const Folder folder;
  const std::string inner =
      folder.write("more.yaml", "threads: 2\npoliteness: {hosts: {a.com: {crawl_delay: 1s}}}\n");
  const Loaded loaded = with(folder,
                             "include: more.yaml\nthreads: 1\nseeds: [https://a.com/]\n"
                             "politeness: {hosts: {a.com: {latency_factor: 2}, b.com: {}}}\n",
                             {"CRAWLD__log__level=debug"}, {"log.format=json"});
  ASSERT_EQ(loaded.errors, Lines{});
  const std::string main = folder / "c.yaml";
  const std::string text = dump(loaded.config, &loaded.origins);
  for (const std::string& line : Lines{
           "  contact: \"" + kContact + "\"  # " + main + ":1:18\n",
           "  - \"https://a.com/\"  # " + main + ":4\n",
           "  latency_cap: 1m  # default\n",
           "    \"a.com\":\n      crawl_delay: 1s  # " + inner + ":2:43\n      latency_factor: 2  # " + main +
               ":5:46\n",
           "    \"b.com\": {}  # " + main + ":5:50\n",
           "threads: 2  # " + inner + ":1:10\n",
           "  level: debug  # environment CRAWLD__log__level\n",
           "  format: json  # --set log.format\n",
       }) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "in\n" << text;
  }
  const Loaded again = load_text(text, "dump", "");  // comments change nothing
  EXPECT_EQ(again.errors, Lines{});
  EXPECT_EQ(dump(again.config), dump(loaded.config));
}

TEST(Origins, NamesOfFilesCannotEndTheirComment) {
  const Folder folder;
  const std::string name = "a\nthreads: 9";
  const Loaded loaded = load({folder.write(name, kMain + "threads: 1\n")});
  const Loaded again = load_text(dump(loaded.config, &loaded.origins), "dump", "");
  EXPECT_EQ(again.errors, Lines{});
  EXPECT_EQ(again.config.threads, 1U);
}

TEST(Dump, LeavesOutSeedsThatTheReaderCouldNotTake) {
  Config config;
  config.agent.contact = kContact;
  for (int i = 0; i < 120'000; ++i)
    config.seeds.push_back({*base::Url::parse("https://a.com/" + std::to_string(i)), "f:1", 1});
  const std::string text = dump(config);
  EXPECT_LT(text.size(), YamlLimits{}.octets);
  const Loaded again = load_text(text, "dump", "");
  ASSERT_EQ(again.errors, Lines{});
  const std::size_t kept = again.config.seeds.size();
  EXPECT_GT(kept, 50'000U);
  EXPECT_LT(kept, 120'000U);
  EXPECT_NE(text.find("\n  # " + std::to_string(120'000 - kept) +
                      " more seeds are left out here; dump-config --json writes all of them\n"),
            std::string::npos);
  EXPECT_NE(dump_json(config).find("\"https://a.com/119999\""), std::string::npos);
}

TEST(TryFiles, ThatKeysNameIsAskedFor) {
  const Folder folder;
  const std::string secret = folder.write("secret", "x");
  Sources sources{folder.write("c.yaml", kMain + "network:\n  ca_file: " + (folder / "none.pem") + "\n")};
  sources.settings = {"network.proxy=http://me@p.com:1", "network.proxy_password_file=" + folder.path()};
  EXPECT_EQ(load(sources).errors, Lines{});
  sources.try_files = true;
  EXPECT_EQ(load(sources).errors, (Lines{folder / "c.yaml:3:12: network.ca_file: \"" + (folder / "none.pem") +
                                             "\" cannot be read: No such file or directory",
                                         "--set network.proxy_password_file: \"" + folder.path() +
                                             "\" cannot be read: is a directory"}));
  sources.settings = {"network.proxy=http://me@p.com:1", "network.proxy_password_file=" + secret,
                      "network.ca_file=" + secret};
  EXPECT_EQ(load(sources).errors, Lines{});
}

}  // namespace
}  // namespace config

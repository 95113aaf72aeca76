// The frontier's tools, on a store that a Frontier has written. verify is in frontier_verify_test.cpp.
#include "base/site.h"
#include "crawler/frontier_json.h"
#include "crawler/repartition.h"
#include "tests/support/certificates.h"
#include "tests/support/lossy_disk.h"
#include "tests/support/tool_fixture.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace {

using namespace std::chrono_literals;
using crawler::Store;
using crawler::Table;
using support::at;
using support::kA;
using support::kKeyOfA;
using support::kNow;
using support::kSecret;
using support::kWall;
using support::lines_of;
using support::offer;
using support::origin_of;
using ::testing::HasSubstr;
using Json = nlohmann::json;
using Batch = crawler::Store::Batch;
using support::FrontierTool;

// --- stats ---

TEST_F(FrontierTool, StatsCountsAndSaysHowTheLastRunEnded) {
  std::ostringstream out;
  EXPECT_EQ(
      crawler::show_stats(store_, "/var/x", std::nullopt, {at(1000s + 3h), kWall + 3h}, false, out, talk_),
      0);
  EXPECT_THAT(out.str(), HasSubstr("origins:   3\n"));
  EXPECT_THAT(out.str(), HasSubstr("seen:      9\n"));
  EXPECT_THAT(out.str(), HasSubstr("owed:      6 (5 never tried, 1 to be tried again)\n"));
  EXPECT_THAT(out.str(), HasSubstr("again:     2 to"));
  EXPECT_THAT(out.str(), HasSubstr("last run:  stopped in order 2026-03-01T00:00:00.000Z (3h ago)\n"));

  Batch batch(store_);
  batch.erase(Table::meta, crawler::kStoppedKey);
  store_.write(batch);
  out.str("");
  crawler::show_stats(store_, "/var/x", std::nullopt, kNow, false, out, talk_);
  EXPECT_THAT(out.str(),
              HasSubstr("did not stop in order; last seen alive 2026-03-01T00:00:00.000Z (now)\n"));
  out.str("");
  crawler::show_stats(store_, "/var/x", 4711, kNow, true, out, talk_);
  const Json told = Json::parse(out.str());
  EXPECT_EQ(told["running"], 4711);
  EXPECT_EQ(told["owed"], 6);
  EXPECT_EQ(told["stopped"], nullptr);
  EXPECT_EQ(told["format"], "crawld frontier 1");
}

TEST_F(FrontierTool, ThePresentGoesOnFromTheMark) {
  const base::Now same_boot = crawler::present_in(store_, {65s, kWall + 1000h, "boot"});
  EXPECT_EQ(same_boot.steady, at(1060s));
  EXPECT_EQ(same_boot.wall, kWall + 1000h);
  EXPECT_EQ(crawler::present_in(store_, {1s, kWall + 2h, "another", true}).steady, at(1000s + 2h));
}

// --- list ---

TEST_F(FrontierTool, ListsOrigins) {
  const std::string all = list({});
  EXPECT_EQ(lines_of(all).size(), 3U);
  EXPECT_THAT(
      all,
      HasSubstr("http://a.test  5 owed (1 to be tried again), 2 to be visited again, 7 accepted, 2 visits, "
                "looked at 16m39s ago\n"));
  const std::string owed = list({.owed = true});
  EXPECT_EQ(lines_of(owed).size(), 2U);
  EXPECT_THAT(owed, testing::Not(HasSubstr("b.test")));
  EXPECT_THAT(list({.done = true}), testing::StartsWith("http://b.test  0 owed"));
  EXPECT_EQ(lines_of(list({.limit = 2})).size(), 2U);
  EXPECT_THAT(talk_.str(), HasSubstr("--limit 0"));
  EXPECT_EQ(lines_of(list({.limit = 3})).size(), 3U);
  EXPECT_EQ(talk_.str(), "");
  for (const std::string& line : lines_of(list({.json = true})))
    EXPECT_TRUE(Json::parse(line).contains("owed"));
}

TEST_F(FrontierTool, ListsAnOriginAndItsUrlsInTheirOrder) {
  const std::string text = list({.origin = kA});
  EXPECT_THAT(text, HasSubstr("paused:    2026-03-01T00:04:12.000Z (in 4m12s)\n"));
  EXPECT_THAT(text, HasSubstr("started:   2026-02-28T23:43:32.000Z (16m28s ago)\n"));
  EXPECT_THAT(text, HasSubstr("ready:     never\n"));
  EXPECT_THAT(text, HasSubstr("rungs:     3 overloads, 0 failures\n"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "robots:    rules, status 200, 29 octets, asked for again 2026-03-01T00:43:20.000Z (in 43m20s)\n"));
  EXPECT_THAT(
      text,
      HasSubstr("http://a.test/1  owed, depth 1, link, 2 failed attempts, due in 1m\n"
                "http://a.test/2  owed, depth 1, link\n"
                "http://a.test/3  owed, depth 1, link\n"
                "http://a.test/4  owed, depth 1, link\n"
                "http://a.test/5  owed, depth 1, link\n"
                "http://a.test/seed  fetched 200, depth 0, link, checked 16m30s ago, 1 check, 0 changes, "
                "due in 6d23h43m30s\n"
                "http://a.test/0  fetched 200, depth 1, link, checked 16m29s ago, 1 check, 0 changes, "
                "due in 6d23h43m31s\n"));
  const auto urls = [this](crawler::ListQuestion question) {
    question.origin = kA;
    question.json = true;
    std::string found;
    for (const std::string& line : lines_of(list(question))) {
      if (const Json told = Json::parse(line); told.contains("url"))
        found += told["url"].get<std::string>().substr(13) + " ";
    }
    return found;
  };
  EXPECT_EQ(urls({.owed = true}), "/1 /2 /3 /4 /5 ");
  EXPECT_EQ(urls({.done = true}), "/seed /0 ");
  EXPECT_EQ(urls({.limit = 6}), "/1 /2 /3 /4 /5 /seed ");
  EXPECT_THAT(
      list({.origin = origin_of("http://b.test/x")}),
      HasSubstr(
          "http://b.test/gone  gone 404, depth 2, link, checked 16m20s ago, 1 check, 0 changes, not due\n"));
  EXPECT_EQ(list({.origin = origin_of("http://c.test/")}, 65), "");
  EXPECT_THAT(talk_.str(), HasSubstr("http://c.test: not in the frontier"));
}

// --- export and import ---

TEST_F(FrontierTool, AnExportComesBackAsItWas) {
  const std::string lines = exported();
  EXPECT_THAT(lines, HasSubstr(R"("due":[60000000000,"2026-03-01T00:01:00.000Z"])"));
  EXPECT_THAT(lines, HasSubstr(R"("secret":"fedcba9876543210")"));
  EXPECT_THAT(lines, HasSubstr(R"("etag":{"hex":)"));
  Store copy = Store::in_memory();
  std::istringstream in(lines);
  crawler::Carried carried;
  EXPECT_EQ(crawler::import_lines(copy, in, "x", talk_, carried), 0) << talk_.str();
  EXPECT_EQ(carried.origins, 3U);
  EXPECT_EQ(carried.urls, 9U);
  EXPECT_TRUE(exported(copy) == lines);
  EXPECT_EQ(verify(copy, 0), "3 origins, 9 URLs, 0 problems\n");
  for (std::size_t table = 0; table < crawler::kTables; ++table) {
    if (static_cast<Table>(table) == Table::contents)
      continue;  // belongs to the archive, not to the frontier
    const auto rows_of = [table](const Store& store) {
      std::map<std::string, std::string> rows;
      store.scan(static_cast<Table>(table), {}, {},
                 [&rows](auto key, auto value) { return rows.emplace(key, value).second; });
      return rows;
    };
    EXPECT_EQ(rows_of(copy), rows_of(store_)) << table;
    EXPECT_GE(rows_of(copy).size(), 2U) << table;
  }
}

TEST_F(FrontierTool, AnInstantOfAnyValueComesBack) {
  Batch batch(store_);
  crawler::HostRecord record = host();
  record.clocks.started = base::TimePoint::max();
  record.clocks.paused_until = base::TimePoint::min() + 1ns;
  batch.put(Table::hosts, kKeyOfA, encode(record));
  store_.write(batch);
  Store copy = Store::in_memory();
  std::istringstream in(exported());
  crawler::Carried carried;
  EXPECT_EQ(crawler::import_lines(copy, in, "x", talk_, carried), 0) << talk_.str();
  EXPECT_EQ(copy.get(Table::hosts, kKeyOfA), encode(record));
  EXPECT_NE(list({.origin = kA}), "");
}

/// Origins stand where the list of another machine has put them, until the next run moves them.
TEST_F(FrontierTool, AnotherSuffixListIsNoDamage) {
  const std::string elsewhere = std::string(1, static_cast<char>(kKeyOfA[0] ^ 1)) + kKeyOfA.substr(1);
  std::string lines = exported();
  const auto put = [&lines](const std::string& from, const std::string& to) {
    const std::size_t place = lines.find(from);
    ASSERT_NE(place, std::string::npos);
    lines.replace(place, from.size(), to);
  };
  put(Json(base::suffix_list()).dump(), "\"another\"");
  put("\"http://a.test\",\"partition\":" + std::to_string(crawler::partition_of_key(kKeyOfA)),
      "\"http://a.test\",\"partition\":" + std::to_string(crawler::partition_of_key(elsewhere)));
  Store copy = Store::in_memory();
  std::istringstream in(lines);
  crawler::Carried carried;
  ASSERT_EQ(crawler::import_lines(copy, in, "x", talk_, carried), 0) << talk_.str();
  EXPECT_TRUE(copy.get(Table::hosts, elsewhere));
  EXPECT_EQ(verify(copy, 0), "3 origins, 9 URLs, 0 problems\n");
  std::ostringstream out;
  EXPECT_EQ(crawler::list_frontier(copy, {.origin = kA}, kNow, out, talk_), 0);
  EXPECT_THAT(out.str(), HasSubstr("http://a.test/5"));
  EXPECT_EQ(crawler::forget_url(copy, *base::Url::parse("http://a.test/5"), false, out, talk_), 0);
  EXPECT_EQ(verify(copy, 0), "3 origins, 8 URLs, 0 problems\n");
  EXPECT_EQ(crawler::repartition(copy), 1U);
  Batch batch(copy);
  batch.put(Table::meta, crawler::kSuffixesKey, base::suffix_list());
  copy.write(batch);
  EXPECT_TRUE(copy.get(Table::hosts, kKeyOfA));
  EXPECT_EQ(verify(copy, 0), "3 origins, 8 URLs, 0 problems\n");
}

TEST_F(FrontierTool, ExportLeavesOutWhatCannotBeReadAndSaysSo) {
  Batch batch(store_);
  batch.put(Table::queue, crawler::lane_key(kKeyOfA, 1, 3), "garbage");
  store_.write(batch);
  std::ostringstream out;
  crawler::Carried carried;
  EXPECT_EQ(crawler::export_frontier(store_, out, talk_, carried), 65);
  EXPECT_EQ(talk_.str(),
            "http://a.test: a URL that is owed cannot be read and is left out\n1 records are left out\n");
  EXPECT_EQ(Json::parse(lines_of(out.str()).back())["urls"], 9);
}

TEST_F(FrontierTool, ABadLineIsNamedByItsNumber) {
  const std::vector<std::string> good = lines_of(exported());
  const auto import = [this](const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    std::istringstream in(text);
    Store copy = Store::in_memory();
    crawler::Carried carried;
    talk_.str("");
    const int code = crawler::import_lines(copy, in, "in", talk_, carried);
    EXPECT_EQ(crawler::read_secret(copy).has_value(), code == 0);  // half an import is no frontier
    EXPECT_TRUE(code == 0 || code == 65) << code;
    return talk_.str();
  };
  EXPECT_EQ(import(good), "");
  const auto changed = [&good](std::size_t number, const std::string& line) {
    auto lines = good;
    lines[number - 1] = line;
    return lines;
  };
  for (const std::size_t number : {std::size_t{1}, std::size_t{2}, std::size_t{4}, good.size()}) {
    const std::string place = "in:" + std::to_string(number) + ": ";
    EXPECT_THAT(import(changed(number, "{\"" + good[number - 1].substr(3))), testing::StartsWith(place));
    EXPECT_EQ(import(changed(number, "")), place + "no JSON from octet 1 on\n");
    EXPECT_THAT(import(changed(number, R"({"what":1})")), testing::StartsWith(place));
    EXPECT_THAT(import(changed(number, "[]")), testing::StartsWith(place));
  }
  auto lines = good;
  lines.erase(lines.begin() + 5);
  const std::string last = "in:" + std::to_string(lines.size()) + ": ";
  EXPECT_THAT(import(lines), testing::StartsWith(last + "end: another number of lines should come before"));
  lines.pop_back();
  EXPECT_EQ(import(lines), last + "the export ends before its last line\n");
  lines = good;
  lines.push_back(good[1]);
  EXPECT_EQ(import(lines), "in:" + std::to_string(lines.size()) + ": comes after the last line\n");
  EXPECT_EQ(import({}), "in:1: the export ends before its last line\n");
  for (const char* line : {R"({"seen":"022355db6ea952f398d7d55d16fdaf45"})", R"({"owed":"/1"})"}) {
    EXPECT_THAT(import({good[0], line}), testing::StartsWith("in:2: ")) << line;
  }
  EXPECT_THAT(import({R"({"crawld_frontier":2})"}), HasSubstr("in:1: an export of layout 2"));
}

/// Every field is needed, and every field is looked at.
TEST_F(FrontierTool, AFieldIsReadStrictly) {
  const std::vector<std::string> good = lines_of(exported());
  const crawler::FrontierJson json(crawler::FrontierJson::header(Json::parse(good[0])).mark);
  std::set<std::string> kinds;
  for (const std::string& text : good) {
    const crawler::Json line = crawler::Json::parse(text);
    const std::string kind = line.begin().key();
    const auto refused = [&](const crawler::Json& changed) {
      try {
        if (kind == "crawld_frontier") crawler::FrontierJson::header(changed);
        if (kind == "host") json.host(changed);
        if (kind == "owed") json.owed(changed);
        if (kind == "url") json.url(changed);
        if (kind == "robots") json.robots(changed);
        return false;
      } catch (const std::runtime_error& wrong) {
        EXPECT_STRNE(wrong.what(), "");
        return true;
      }
    };
    if (refused(line) || kind == "seen" || kind == "site" || kind == "followed" || kind == "end") continue;
    kinds.insert(kind);
    for (const auto& [key, value] : line.items()) {
      if (key == "mark") continue;  // for people
      crawler::Json changed = line;
      changed.erase(key);
      // Older exports have none.
      EXPECT_TRUE(refused(changed) || key == "yield") << key << " of " << text;
      std::vector<crawler::Json> others = {3e30, {{"hex", "0"}}, {{"hex", {{"hex", "00"}}}}, {"x"}};
      if (value.is_number()) others.emplace_back("1");
      if (value.is_number() && !key.ends_with("_ns") && key != "visited") others.emplace_back(-1);
      if (value.is_boolean() || (value.is_string() && key != "seeds" && key != "suffixes"))
        others.emplace_back(nullptr);
      for (const crawler::Json& other : others) {
        changed = line;
        changed[key] = other;
        EXPECT_TRUE(refused(changed)) << changed;
      }
    }
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"crawld_frontier", "host", "owed", "url", "robots"}));
}

TEST_F(FrontierTool, ALineHasALimit) {
  const auto import = [this](std::size_t octets) {
    std::istringstream in(std::string(octets, ' '));
    Store copy = Store::in_memory();
    crawler::Carried carried;
    talk_.str("");
    EXPECT_EQ(crawler::import_lines(copy, in, "in", talk_, carried), 65);
    return talk_.str();
  };
  EXPECT_THAT(import(crawler::kImportLineMax), HasSubstr("in:1: no JSON"));
  EXPECT_THAT(import(crawler::kImportLineMax + 1), HasSubstr("in:1: longer than 4194304 octets"));
}

class FrontierFolder : public FrontierTool {
 protected:
  FrontierFolder() { storage_.directory = place_.path(); }

  int import(const std::string& text) {
    std::istringstream in(text);
    crawler::Carried carried;
    talk_.str("");
    return crawler::import_frontier(storage_, in, "in", talk_, carried);
  }

  support::TempFolder place_;
  std::filesystem::path folder_ = place_.path();
  config::Storage storage_;
};

TEST_F(FrontierFolder, AnImportIsThereAsAWholeOrNotAtAll) {
  const std::string lines = exported();
  EXPECT_EQ(import(lines.substr(0, lines.size() / 2)), 65);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  std::filesystem::create_directory(folder_ / "frontier.importing");  // of an import that was killed
  std::ofstream(folder_ / "frontier.importing" / "CURRENT") << "garbage";
  EXPECT_EQ(import(lines), 0) << talk_.str();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "frontier.importing"));
  {
    const Store copy = crawler::open_to_read(storage_);
    EXPECT_TRUE(exported(copy) == lines);
    EXPECT_EQ(verify(copy, 0), "3 origins, 9 URLs, 0 problems\n");
  }
  EXPECT_EQ(import(lines), 73);
  EXPECT_THAT(talk_.str(), HasSubstr("there is a frontier already"));
  EXPECT_TRUE(exported(crawler::open_to_read(storage_)) == lines);
}

TEST_F(FrontierFolder, WhatIsReadIsAsItWasWhenItWasOpened) {
  ASSERT_EQ(import(exported()), 0);
  Store writer = crawler::open_to_change(storage_);
  const Store reader = crawler::open_to_read(storage_);
  EXPECT_EQ(crawler::forget_origin(writer, kA, false, talk_, talk_), 0);
  EXPECT_EQ(verify(reader, 0), "3 origins, 9 URLs, 0 problems\n");
  EXPECT_EQ(verify(crawler::open_to_read(storage_), 0), "3 origins, 2 URLs, 0 problems\n");
}

TEST_F(FrontierFolder, WithoutAFrontierThereIsNothingToOpen) {
  for (auto* open : {crawler::open_to_read, crawler::open_to_change}) {
    try {
      open(storage_);
      ADD_FAILURE();
    } catch (const crawler::StartError& failure) {
      EXPECT_EQ(failure.code(), 66);
      EXPECT_THAT(failure.what(), HasSubstr("there is no frontier yet"));
    }
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

// --- forget ---

class FrontierForget : public FrontierTool {
 protected:
  int forget(std::string_view url) {
    out_.str("");
    return crawler::forget_url(store_, *base::Url::parse(url), false, out_, talk_);
  }
  std::string told() const { return out_.str(); }

  std::ostringstream out_;
};

TEST_F(FrontierForget, AnOriginLosesItsUrlsAndKeepsItsManners) {
  const auto robots = store_.get(Table::robots, kKeyOfA + "s");
  EXPECT_EQ(crawler::forget_origin(store_, kA, false, out_, talk_), 0);
  EXPECT_EQ(told(), "http://a.test: 7 URLs forgotten, 5 of them owed\n");
  EXPECT_EQ(verify(0), "3 origins, 2 URLs, 0 problems\n");
  EXPECT_EQ(rows(Table::queue, kKeyOfA), 0U);
  EXPECT_EQ(rows(Table::urls, kKeyOfA), 0U);
  EXPECT_EQ(host().clocks.overloads, 3);
  EXPECT_EQ(host().visits, 2U);
  EXPECT_FALSE(host().listed);
  EXPECT_EQ(store_.get(Table::robots, kKeyOfA + "s"), robots);
  EXPECT_FALSE(store_.get(Table::meta, crawler::kSeedsKey));
  EXPECT_EQ(crawler::decode_site(store_.get(Table::sites, crawler::site_key("a.test")).value())->accepted,
            1U);

  crawler::Frontier::Parts parts{.store = store_, .secret = kSecret, .memory = std::uint64_t{16} << 20U};
  crawler::Frontier frontier(parts);
  EXPECT_EQ(frontier.offer(offer("http://a.test/3"), at(2000s)), crawler::Offered::queued);
  EXPECT_TRUE(frontier.commit());
  EXPECT_EQ(verify(0), "3 origins, 3 URLs, 0 problems\n");
  EXPECT_EQ(crawler::forget_origin(store_, origin_of("http://c.test/"), false, out_, talk_), 65);
  EXPECT_THAT(talk_.str(), HasSubstr("http://c.test: not in the frontier"));
}

TEST_F(FrontierForget, AUrlGoesFromWhereverItStands) {
  // In the middle of its lane, at its end, to be tried again, to be visited again, done with.
  for (const char* url :
       {"http://a.test/3", "http://a.test/5", "http://a.test/1", "http://a.test/0", "http://b.test/gone"}) {
    EXPECT_EQ(forget(url), 0) << url;
    EXPECT_THAT(told(), testing::StartsWith(std::string(url) + ": 1 URL forgotten, "));
    verify(0);
    EXPECT_EQ(forget(url), 65) << url;
  }
  EXPECT_EQ(verify(0), "3 origins, 4 URLs, 0 problems\n");
  EXPECT_FALSE(store_.get(Table::meta, crawler::kSeedsKey));
  EXPECT_EQ(forget("http://www.a.test/1"), 0);  // the last one of its origin
  EXPECT_EQ(told(), "http://www.a.test/1: 1 URL forgotten, 1 of them owed\n");
  EXPECT_FALSE(host(crawler::host_key(origin_of("http://www.a.test/"), kSecret)).listed);
  verify(0);

  crawler::Frontier::Parts parts{.store = store_, .secret = kSecret, .memory = std::uint64_t{16} << 20U};
  crawler::Frontier frontier(parts);
  frontier.hold(kA);
  std::string order;
  while (auto item = frontier.take(kA, at(2000s))) {
    order += std::string(item->url.target()) + " ";
    frontier.settle(std::move(*item), {}, at(2000s));
    frontier.commit();
  }
  EXPECT_EQ(order, "/2 /4 ");
}

TEST_F(FrontierForget, ManyUrlsGoInPiecesAndEachPieceLeavesAGoodStore) {
  crawler::Frontier::Parts parts{.store = store_, .secret = kSecret, .memory = std::uint64_t{16} << 20U};
  std::optional<crawler::Frontier> frontier(parts);
  for (std::uint32_t i = 0; i < 2500; ++i)
    frontier->offer(offer("http://a.test/many/" + std::to_string(i), i % 3), at(1s));
  frontier->commit();
  frontier.reset();
  EXPECT_EQ(crawler::forget_origin(store_, kA, true, out_, talk_), 0);
  EXPECT_EQ(Json::parse(told()), (Json{{"origin", "http://a.test"}, {"urls", 2507}, {"owed", 2505}}));
  EXPECT_EQ(verify(0), "3 origins, 2 URLs, 0 problems\n");
}

/// A machine that dies in the middle leaves a store that adds up, with a part of the URLs.
TEST(FrontierForgetting, SurvivesAPowerLossBetweenAnyTwoWrites) {
  std::set<std::size_t> left;
  bool done = false;
  for (std::uint64_t k = 1; !done; ++k) {
    ASSERT_LT(k, 50U);
    support::LossyDisk disk;
    crawler::StoreOptions options;
    options.directory = disk.folder() + "/frontier";
    options.memory = std::uint64_t{8} << 20U;
    options.env = disk.env();
    std::ostringstream talk;
    {
      Store store(options);
      support::crawl_into(store);
      crawler::Frontier frontier({.store = store, .secret = kSecret, .memory = std::uint64_t{16} << 20U});
      for (int i = 0; i < 2'500; ++i)
        frontier.offer(offer("http://a.test/many/" + std::to_string(i)), at(1s));
      ASSERT_TRUE(frontier.commit() && store.sync());
    }
    {
      Store store(options);
      disk.fail_call(k, support::DiskFailure::io_error, true);
      const int code = crawler::forget_origin(store, kA, false, talk, talk);
      done = code == 0;
      EXPECT_TRUE(done || code == 74) << talk.str();
      disk.cut_power();
    }
    disk.lose_power(k);
    Store store(options);
    std::ostringstream found;
    EXPECT_EQ(crawler::verify_frontier(store, support::alone, false, found), 0) << k << '\n' << found.str();
    std::size_t rows = 0;
    store.scan(Table::urls, kKeyOfA, {}, [&rows](auto, auto) { return ++rows > 0; });
    left.insert(rows);
    EXPECT_TRUE(!done || rows == 0) << rows;
  }
  EXPECT_GE(left.size(), 3U);  // nothing, all, and parts
}

}  // namespace

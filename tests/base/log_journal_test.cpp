// Entries as journald reads them.
#include "base/log_journal.h"

#include "base/escape.h"
#include "base/log.h"
#include "tests/support/datagrams.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <map>
#include <optional>

namespace {

using base::Level;
using base::Line;
using base::Log;
using Fields = std::multimap<std::string, std::string>;

/// Reads a datagram as journald does; nothing when it is malformed.
std::optional<Fields> parse(std::string_view octets) {
  Fields fields;
  while (!octets.empty()) {
    const std::size_t end = octets.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view first = octets.substr(0, end);
    octets.remove_prefix(end + 1);
    const std::size_t equals = first.find('=');
    if (equals != std::string_view::npos) {
      fields.emplace(first.substr(0, equals), first.substr(equals + 1));
      continue;
    }
    if (octets.size() < 8) return std::nullopt;
    std::uint64_t size = 0;
    for (unsigned i = 0; i < 8; ++i) {
      size |= std::uint64_t{static_cast<unsigned char>(octets[i])} << (8 * i);
    }
    octets.remove_prefix(8);
    if (octets.size() < size + 1 || octets[size] != '\n') return std::nullopt;
    fields.emplace(first, octets.substr(0, size));
    octets.remove_prefix(size + 1);
  }
  return fields;
}

std::string only(const Fields& fields, const std::string& key) {
  return fields.count(key) == 1 ? fields.find(key)->second : std::to_string(fields.count(key)) + " of " + key;
}

TEST(Journal, AnEntryHasAFieldForEachKey) {
  Line line(Level::warning, "pause");
  line.text("why", "the disk").word("fate", "retry").number("warc_offset", -7);
  const auto fields = parse(line.as_journal());
  ASSERT_TRUE(fields);
  EXPECT_EQ(only(*fields, "MESSAGE"), "pause why=\"the disk\" fate=retry warc_offset=-7");
  EXPECT_EQ(only(*fields, "PRIORITY"), "4");
  EXPECT_EQ(only(*fields, "SYSLOG_IDENTIFIER"), "crawld");
  EXPECT_EQ(only(*fields, "MESSAGE_ID"), "f0a299acbe9d1c07f871a30fd1effe73");
  EXPECT_EQ(only(*fields, "CRAWLD_EVENT"), "pause");
  EXPECT_EQ(only(*fields, "CRAWLD_WHY"), "the disk");
  EXPECT_EQ(only(*fields, "CRAWLD_FATE"), "retry");
  EXPECT_EQ(only(*fields, "CRAWLD_WARC_OFFSET"), "-7");
  EXPECT_EQ(fields->size(), 8U);
  EXPECT_EQ(parse(Line(Level::error, "visit").as_journal())->count("MESSAGE_ID"), 0U);
  EXPECT_EQ(only(*parse(Line(Level::error, "visit").as_journal()), "PRIORITY"), "3");
  EXPECT_EQ(only(*parse(Line(Level::debug, "visit").as_journal()), "PRIORITY"), "7");
}

TEST(Journal, NobodyForgesAField) {
  const std::string hostile = "http://a.test/\nPRIORITY=0\nMESSAGE=forged\x1b[31m\"";
  Line line(Level::info, "visit");
  line.text("url", hostile).word("word", "two\nlines=");
  const auto fields = parse(line.as_journal());
  ASSERT_TRUE(fields);
  EXPECT_EQ(only(*fields, "PRIORITY"), "6");
  EXPECT_EQ(only(*fields, "CRAWLD_URL"), base::escaped(hostile));
  EXPECT_EQ(only(*fields, "CRAWLD_WORD"), "two\nlines=");  // not even a word of ours can
  EXPECT_EQ(only(*fields, "MESSAGE").find("\x1b"), std::string::npos);
}

TEST(Journal, ValuesWithLineEndsHaveALength) {
  base::JournalEntry entry;
  entry.add("A", "x\n");
  EXPECT_EQ(entry.take(), std::string("A\n\x02\0\0\0\0\0\0\0x\n\n", 13));
  const std::string large(300, '\n');
  entry.add("B", large);
  EXPECT_EQ(only(*parse(entry.take()), "B"), large);
}

TEST(Journal, WhatDoesNotFitIsLeftOutAndSaidSo) {
  constexpr std::string_view kCut = "CRAWLD_CUT=1\n";
  base::JournalEntry entry;
  entry.add("A", std::string(base::kJournalEntryMax - kCut.size() - 3, 'x'));  // `A=` and the line end
  EXPECT_EQ(entry.take().size(), base::kJournalEntryMax - kCut.size());
  entry.add("A", std::string(base::kJournalEntryMax - kCut.size() - 2, 'x'));
  entry.add("B", "short");
  const auto fields = parse(entry.take());
  ASSERT_TRUE(fields);
  EXPECT_EQ(only(*fields, "B"), "short");
  EXPECT_EQ(only(*fields, "CRAWLD_CUT"), "1");
  EXPECT_EQ(fields->count("A"), 0U);
}

TEST(Journal, TheLargestLineOfAllIsOneDatagram) {
  Line line(Level::info, "visit");
  for (int i = 0; i < 40; ++i) line.text("url", std::string(4096, '\x01'));  // four octets each when escaped
  const std::string octets = line.as_journal();
  EXPECT_LE(octets.size(), base::kJournalEntryMax);
  const auto fields = parse(octets);
  ASSERT_TRUE(fields);
  EXPECT_LE(only(*fields, "MESSAGE").size(), base::kJournalMessageMax);
  EXPECT_TRUE(only(*fields, "MESSAGE").ends_with("…"));
  EXPECT_EQ(only(*fields, "CRAWLD_CUT"), "1");
  EXPECT_EQ(only(*fields, "CRAWLD_EVENT"), "visit");
}

TEST(Journal, TextIsCutBetweenCharacters) {
  EXPECT_EQ(base::cut_text("abcdef", 6), "abcdef");
  EXPECT_EQ(base::cut_text("abcdefg", 6), "abc…");
  EXPECT_EQ(base::cut_text("abäöü", 7), "abä…");  // `ö` would end at 6, where `…` has to begin at 4
}

TEST(Journal, ALogSendsToItsSocket) {
  const tests::Datagrams journal;
  Log log(Log::Options{.format = Log::Format::journald, .journal = journal.address()});
  log.write(Line(Level::info, "start").word("version", "1"), {});
  log.write(Line(Level::debug, "start"), {});
  const auto entries = journal.take();
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(only(*parse(entries[0]), "CRAWLD_VERSION"), "1");
  EXPECT_EQ(log.dropped(), 0U);
}

TEST(Journal, AFullOrLostOneHoldsNobodyUp) {
  std::optional<tests::Datagrams> journal(std::in_place);
  Log log(Log::Options{.format = Log::Format::journald, .journal = journal->address()});
  constexpr std::uint64_t kMany = 20'000;  // a socket takes some hundred
  for (std::uint64_t i = 0; i < kMany; ++i) log.write(Line(Level::info, "start"), {});
  const std::uint64_t taken = journal->take().size();
  EXPECT_GT(taken, 0U);
  EXPECT_GT(log.dropped(), 0U);
  EXPECT_EQ(taken + log.dropped(), kMany);
  log.write(Line(Level::info, "stop"), {});  // there is room again
  EXPECT_EQ(journal->take().size(), 1U);
  const std::uint64_t before = log.dropped();
  const std::string address = journal->address();
  journal.reset();
  log.write(Line(Level::info, "stop"), {});
  EXPECT_EQ(log.dropped(), before + 1);
  EXPECT_THROW(Log(Log::Options{.format = Log::Format::journald, .journal = address}), std::runtime_error);
}

TEST(Journal, StandardErrorIsItWhenTheEnvironmentSaysSo) {
  struct stat status {};
  ASSERT_EQ(::fstat(STDERR_FILENO, &status), 0);
  const std::string ours = std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
  ::setenv("JOURNAL_STREAM", ours.c_str(), 1);
  EXPECT_TRUE(base::stderr_is_journal());
  ::setenv("JOURNAL_STREAM", (ours + "1").c_str(), 1);  // inherited: of another descriptor
  EXPECT_FALSE(base::stderr_is_journal());
  ::unsetenv("JOURNAL_STREAM");
  EXPECT_FALSE(base::stderr_is_journal());
}

}  // namespace

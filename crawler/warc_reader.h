#pragma once
// Reads WARC files of versions 1.0 and 1.1, plain or packed by gzip or zstd, in bounded memory, and trusts
// nothing in them: every record may be a lie, and every file may be cut anywhere.
#include "crawler/head_text.h"
#include "crawler/warc_check.h"
#include "crawler/warc_members.h"

#include <cstdint>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

namespace crawler {

/// Longest header of a record, in octets.
inline constexpr std::size_t kWarcHeadMax = std::size_t{128} * 1024;
/// Fields of it that are kept.
inline constexpr std::size_t kWarcFieldsMax = 256;

/// A record's place and header.
struct WarcEntry {
  std::uint64_t offset = 0;  ///< where it, or the member it lies in, begins in the file
  /// Octets in the file, known after finish(): of the member, or when the file is not packed of header and
  /// block, as other indexers have it. 0 when the record shares its member.
  std::uint64_t length = 0;
  std::string head;     ///< as written, with the empty line
  std::string version;  ///< `1.1`
  FieldLines fields;
  std::uint64_t content_length = 0;
  bool whole = false;  ///< after finish(): all of it is there, and its frame is as it has to be

  std::string_view field(std::string_view name) const { return find_field(fields, name); }
};

struct WarcProblem {
  std::uint64_t offset = 0;  ///< of the record or member
  std::string what;          ///< may have octets of the file in it: escape it before it is shown
};

class WarcReader {
 public:
  /// What is looked at beside the structure: headers and digests, or nothing.
  enum class Look { all, structure };
  using Report = std::function<void(const WarcProblem&)>;

  /// Reads `in` from where it stands, which is `offset` in the file. Problems go to `report` as they are
  /// found: a few for each record at most.
  WarcReader(std::istream& in, Look look, Report report, std::uint64_t offset = 0);

  /// The next record, once finish() has been called for the one before, or as if it had; nullptr at the end
  /// of what can be read. A packed file is read on at its next member when a record is broken, a plain one is
  /// not.
  const WarcEntry* next();
  /// The next octets of the block, until the next call; none at its end.
  std::string_view read();
  /// Reads the record to its end and compares it with its header. The same entry as that of next().
  const WarcEntry& finish();

  std::uint64_t records() const { return records_; }
  /// Octets at the head of the file that are whole records and nothing else: what is worth keeping of a file
  /// that was cut.
  std::uint64_t whole_until() const { return whole_until_; }
  bool unreadable() const { return members_.unreadable(); }

 private:
  void report(std::string what);
  bool go_to_record();
  bool read_header();
  bool read_tail();
  void break_record(std::string what);
  bool skip_rest();

  WarcMembers members_;
  Look look_;
  Report report_;
  WarcEntry entry_;
  std::optional<WarcCheck> check_;
  std::uint64_t left_ = 0;  // octets of the block
  std::uint64_t records_ = 0;
  std::uint64_t whole_until_;
  bool open_ = false;     // a record is under way
  bool intact_ = true;    // nothing was broken so far
  bool entered_ = false;  // a member, of which no octet was taken yet
  bool alone_ = true;     // the record is the first of its member
  bool over_ = false;
  bool trouble_told_ = false;
};

}  // namespace crawler

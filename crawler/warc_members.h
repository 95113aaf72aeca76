#pragma once
// The octets of a WARC file, unpacked, one gzip member or zstd frame after another, in bounded memory. A file
// that is not packed is one member.
#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <string_view>

namespace crawler {

/// Octets that are read, or unpacked, at once.
inline constexpr std::size_t kWarcPiece = std::size_t{64} * 1024;
/// Largest window of a zstd frame, as a power of two: 8 MiB, which is what RFC 9659 asks of every decoder.
inline constexpr int kWarcWindowLogMax = 23;

/// Undoes one packing; see warc_members.cpp.
class Unpacker;

class WarcMembers {
 public:
  /// `in`: of which nothing was read yet, or up to the beginning of a member at `offset`.
  explicit WarcMembers(std::istream& in, std::uint64_t offset = 0);
  ~WarcMembers();
  WarcMembers(const WarcMembers&) = delete;
  WarcMembers& operator=(const WarcMembers&) = delete;

  /// Goes to the next member; what is left of the one at hand is unpacked, checked and dropped. False when
  /// there is none, or in trouble.
  bool next();
  /// The next unpacked octets of this member, until the next call; none when they were the last, which its
  /// checksums bear out, or in trouble.
  std::string_view peek();
  void take(std::size_t octets);

  bool packed() const { return unpacker_ != nullptr; }
  /// Octets of the file that are behind us: all that were taken when it is not packed, else those up to the
  /// end of this member, once peek() has found it.
  std::uint64_t offset() const { return raw_offset_; }
  /// Where this member begins.
  std::uint64_t begin() const { return begin_; }
  /// Why nothing more can be unpacked; empty when that is not so.
  const std::string& trouble() const { return trouble_; }
  /// The file itself could not be read; trouble() says so, too.
  bool unreadable() const { return unreadable_; }

 private:
  bool have(std::size_t octets);
  void drop(std::size_t octets);
  void fail(std::string why);
  bool look();

  std::istream& in_;
  std::unique_ptr<Unpacker> unpacker_;
  std::string input_;
  std::string_view raw_;  // the part of input_ that was read and not used
  std::uint64_t raw_offset_;
  std::uint64_t begin_;
  std::string output_;
  std::string_view ready_;  // the part of output_ that was unpacked and not taken
  std::string trouble_;
  bool begun_ = false;
  bool inside_ = false;
  bool unreadable_ = false;
};

}  // namespace crawler

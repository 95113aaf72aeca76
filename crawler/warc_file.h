#pragma once
// One WARC file while it is written, and what stands beside it: `NAME.open`, `NAME.cdxj.open`,
// `NAME.pages.jsonl.open`, which lose their last suffix when the file is complete.
#include "crawler/parcel.h"

#include <cstdint>
#include <string>
#include <system_error>
#include <vector>

namespace crawler {

inline constexpr std::string_view kOpenSuffix = ".open";
inline constexpr std::string_view kIndexSuffix = ".cdxj";
inline constexpr std::string_view kPagesSuffix = ".pages.jsonl";

/// The next file is begun when an index is as large as this: it is sorted in memory.
inline constexpr std::uint64_t kIndexOctetsMax = std::uint64_t{256} * 1024 * 1024;

/// The first line of a list of pages, in the format that WACZ files have (specs.webrecorder.net/wacz).
inline constexpr std::string_view kPagesHeader =
    "{\"format\":\"json-pages-1.0\",\"id\":\"pages\",\"title\":\"Pages\"}\n";

/// A descriptor that closes itself.
class File {
 public:
  File() = default;
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() { close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  File(File&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  File& operator=(File&& other) noexcept;
  void close();
  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

/// Writes all of `octets` at `offset`, however often write(2) has to be called.
std::error_code write_all(int descriptor, std::string_view octets, std::uint64_t offset);
/// Makes the names in `folder` durable.
std::error_code sync_folder(const std::string& folder);
/// Writes `path` whole and durable, or not at all.
std::error_code write_whole(const std::string& path, std::string_view octets);

/// Gives `from` the name `to`, never over a file that is there.
std::error_code rename_new(const std::string& from, const std::string& to);
/// What errno says.
std::error_code last_error();

/// Lines of `path` in the order of their octets, to `path` without kOpenSuffix.
std::error_code sort_index(const std::string& open_path);

/// Blocks; one thread. An error leaves the file as it is: cut_back() brings it to where the last sync() was.
class WarcFile {
 public:
  /// `name` as in the end: `….warc.gz`. With `pages` there is a list of pages beside it.
  WarcFile(std::string folder, std::string name, bool pages);

  /// Makes the files; they are locked (flock(2)) against salvage by others.
  std::error_code open();
  /// Takes back open(): the files go.
  void discard();
  /// At the end of the file, where it is written at the latest by sync().
  std::error_code append(const Parcel& parcel, Place& place);
  /// All that was appended is durable when this returns without error, and only then in the index.
  std::error_code sync();
  /// What was appended since the last sync() goes.
  std::error_code cut_back();
  /// sync(), sorts the index, and gives the files their names.
  std::error_code close();

  /// All that was appended is durable, and in the index.
  bool is_synced() const { return synced_ == size_ && index_lines_.empty() && page_lines_.empty(); }
  /// A file of this name is there, complete or open.
  static bool exists(const std::string& folder, const std::string& name);
  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t index_size() const { return index_size_; }
  std::uint64_t records() const { return records_; }

 private:
  std::string path(std::string_view suffix) const;
  std::error_code write_waiting();

  const std::string folder_;
  const std::string name_;
  const bool with_pages_;
  File file_;
  File index_;
  File pages_;
  std::uint64_t size_ = 0;
  std::uint64_t synced_ = 0;
  std::uint64_t records_ = 0;
  std::uint64_t synced_records_ = 0;
  std::uint64_t index_size_ = 0;
  std::uint64_t pages_size_ = 0;
  std::string waiting_;      // the last records, not written yet
  std::string index_lines_;  // of what was appended since the last sync()
  std::string page_lines_;
};

}  // namespace crawler

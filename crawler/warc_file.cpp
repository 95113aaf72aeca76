#include "crawler/warc_file.h"

#include "base/escape.h"
#include "crawler/cdxj.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <utility>

namespace crawler {
namespace {

/// So many octets of records are written at once.
constexpr std::size_t kWriteOctets = std::size_t{256} * 1024;

std::error_code make(const std::string& path, File& file) {
  file = File(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0640));
  return file ? std::error_code() : last_error();
}

std::error_code sync_data(int descriptor) {
  while (::fdatasync(descriptor) != 0) {
    if (errno != EINTR) return last_error();
  }
  return {};
}

std::error_code cut(int descriptor, std::uint64_t size) {
  while (::ftruncate(descriptor, static_cast<off_t>(size)) != 0) {
    if (errno != EINTR) return last_error();
  }
  return {};
}

}  // namespace

std::error_code last_error() {
  return {errno, std::generic_category()};
}

std::error_code rename_new(const std::string& from, const std::string& to) {
  const int failed = ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
  if (failed == 0) return {};
  if (errno != EINVAL && errno != ENOSYS) return last_error();
  // A file system that does not know how; another crawler in this very moment is all that could be missed.
  if (::access(to.c_str(), F_OK) == 0) return std::make_error_code(std::errc::file_exists);
  return std::rename(from.c_str(), to.c_str()) == 0 ? std::error_code() : last_error();
}

File& File::operator=(File&& other) noexcept {
  close();
  descriptor_ = std::exchange(other.descriptor_, -1);
  return *this;
}

void File::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

std::error_code write_all(int descriptor, std::string_view octets, std::uint64_t offset) {
  while (!octets.empty()) {
    const ssize_t count = ::pwrite(descriptor, octets.data(), octets.size(), static_cast<off_t>(offset));
    if (count < 0) {
      if (errno == EINTR) continue;
      return last_error();
    }
    octets.remove_prefix(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return {};
}

std::error_code sync_folder(const std::string& folder) {
  const File file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!file) return last_error();
  return ::fsync(file.get()) == 0 ? std::error_code() : last_error();
}

std::error_code write_whole(const std::string& path, std::string_view octets) {
  const std::string beside = path + ".new";
  ::unlink(beside.c_str());  // of a run that did not end in order
  File file;
  std::error_code error = make(beside, file);
  if (!error) error = write_all(file.get(), octets, 0);
  if (!error) error = sync_data(file.get());
  if (!error && std::rename(beside.c_str(), path.c_str()) != 0) error = last_error();
  if (error) ::unlink(beside.c_str());
  return error;
}

std::error_code sort_index(const std::string& open_path) {
  std::ifstream in(open_path, std::ios::binary);
  if (!in) return std::make_error_code(std::errc::io_error);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line) + '\n');
  if (in.bad()) return std::make_error_code(std::errc::io_error);
  std::ranges::sort(lines);
  std::string sorted;
  for (const std::string& line : lines) sorted += line;
  const std::string path = open_path.substr(0, open_path.size() - kOpenSuffix.size());
  if (const std::error_code error = write_whole(path, sorted)) return error;
  ::unlink(open_path.c_str());
  return {};
}

WarcFile::WarcFile(std::string folder, std::string name, bool pages)
    : folder_(std::move(folder)), name_(std::move(name)), with_pages_(pages) {}

std::string WarcFile::path(std::string_view suffix) const {
  return fmt::format("{}/{}{}{}", folder_, name_, suffix, kOpenSuffix);
}

std::error_code WarcFile::open() {
  if (const auto error = make(path(""), file_)) return error;
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) return last_error();
  std::error_code error = make(path(kIndexSuffix), index_);
  if (!error && with_pages_) {
    error = make(path(kPagesSuffix), pages_);
    page_lines_ = kPagesHeader;
  }
  if (!error) error = sync_folder(folder_);
  return error;
}

bool WarcFile::exists(const std::string& folder, const std::string& name) {
  for (const std::string_view suffix : {std::string_view(), kOpenSuffix, kIndexSuffix}) {
    if (::access(fmt::format("{}/{}{}", folder, name, suffix).c_str(), F_OK) == 0) return true;
  }
  return false;
}

void WarcFile::discard() {
  if (!file_) return;  // somebody else's, of the same name
  for (const std::string_view suffix : {std::string_view(), kIndexSuffix, kPagesSuffix}) {
    ::unlink(path(suffix).c_str());
  }
}

std::error_code WarcFile::append(const Parcel& parcel, Place& place) {
  place = {name_, size_, 0};
  bool indexed = false;
  for (const Parcel::Member& member : parcel.members) {
    if (waiting_.size() >= kWriteOctets) {
      if (const auto error = write_waiting()) return error;
    }
    waiting_ += member.octets;
    const std::uint64_t length = member.octets.size();
    if (member.index) {
      const Indexed& said = *member.index;
      const Capture capture{said.type, said.target, said.date, said.content_type, said.status, said.digest,
                            length,    size_,       name_};
      if (const auto line = cdxj_line(capture)) index_lines_ += *line;
    }
    if (!indexed && (member.index || place.length == 0)) {
      place.offset = size_;
      place.length = length;
      indexed = member.index.has_value();
    }
    size_ += length;
    ++records_;
  }
  if (with_pages_ && !parcel.page.empty()) {
    page_lines_ += fmt::format("{},\"filename\":{},\"offset\":{},\"length\":{}}}\n", parcel.page,
                               base::json_quoted(name_), place.offset, place.length);
  }
  return {};
}

std::error_code WarcFile::write_waiting() {
  if (const auto error = write_all(file_.get(), waiting_, size_ - waiting_.size())) return error;
  waiting_.clear();
  return {};
}

std::error_code WarcFile::sync() {
  if (const auto error = write_waiting()) return error;
  if (const auto error = sync_data(file_.get())) return error;
  // The index is behind the records at all times: a line in it is the promise that its record is there.
  if (const auto error = write_all(index_.get(), index_lines_, index_size_)) return error;
  if (with_pages_) {
    if (const auto error = write_all(pages_.get(), page_lines_, pages_size_)) return error;
  }
  synced_ = size_;
  synced_records_ = records_;
  index_size_ += std::exchange(index_lines_, {}).size();
  pages_size_ += std::exchange(page_lines_, {}).size();
  return {};
}

std::error_code WarcFile::cut_back() {
  size_ = synced_;
  records_ = synced_records_;
  waiting_.clear();
  index_lines_.clear();
  page_lines_ = pages_size_ == 0 ? kPagesHeader : std::string_view();
  if (const auto error = cut(file_.get(), size_)) return error;
  if (const auto error = cut(index_.get(), index_size_)) return error;
  return with_pages_ ? cut(pages_.get(), pages_size_) : std::error_code();
}

std::error_code WarcFile::close() {
  if (const auto error = sync()) return error;
  if (const auto error = sort_index(path(kIndexSuffix))) return error;
  if (with_pages_) {
    if (const auto error = sync_data(pages_.get())) return error;
    const std::string open_path = path(kPagesSuffix);
    if (const auto error = rename_new(open_path, open_path.substr(0, open_path.size() - kOpenSuffix.size())))
      return error;
  }
  const std::string open_path = path("");
  if (const auto error = rename_new(open_path, open_path.substr(0, open_path.size() - kOpenSuffix.size())))
    return error;
  return sync_folder(folder_);
}

}  // namespace crawler

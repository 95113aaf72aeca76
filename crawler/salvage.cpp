#include "crawler/salvage.h"

#include "crawler/warc_file.h"
#include "crawler/warc_index.h"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <vector>

namespace crawler {
namespace {

namespace fs = std::filesystem;

/// What a crash can have torn is what was being written. More than this is damage of another kind, and not
/// ours to cut off.
constexpr std::uint64_t kCutMax = std::uint64_t{1} << 30U;

/// The lines of `path` that were written whole; no file is no lines.
std::vector<std::string> whole_lines(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream in(path, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    if (!in.eof())
      lines.push_back(std::move(line) + '\n');  // at the end of the file the line feed is missing
  }
  return lines;
}

/// Where the record of a line ends; 0 when the line is none of ours.
std::uint64_t end_of_record(std::string_view line) {
  // A list of pages has objects alone; the key of an index may have a brace in it, and has no blank.
  const std::size_t brace = line.starts_with('{') ? 0 : line.find(" {");
  if (brace == std::string_view::npos) return 0;
  const auto said = nlohmann::json::parse(line.substr(brace), nullptr, false);
  if (!said.is_object()) return 0;
  const auto number = [&said](const char* key) -> std::uint64_t {
    const auto found = said.find(key);
    if (found == said.end()) return 0;
    if (found->is_number_unsigned()) return found->get<std::uint64_t>();
    if (!found->is_string()) return 0;  // an index has its numbers as texts
    const auto& text = found->get_ref<const std::string&>();
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  const std::uint64_t length = number("length");
  return length == 0 ? 0 : number("offset") + length;
}

struct Found {
  std::uint64_t records = 0;
  std::uint64_t octets = 0;
  std::uint64_t cut = 0;
  bool damaged = false;  ///< in a way that no crash explains
};

/// Drops the lines about records that are not there.
void keep_lines(std::vector<std::string>& lines, std::uint64_t octets) {
  std::erase_if(lines, [octets](const std::string& line) {
    if (line == kPagesHeader) return false;
    const std::uint64_t end = end_of_record(line);
    return end == 0 || end > octets;
  });
}

std::string joined(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line;
  return all;
}

/// `path` is the file without kOpenSuffix. Lines of the index are only written behind records that are
/// durable: what comes after the last of them is all that has to be read.
std::error_code mend(const std::string& path, int descriptor, std::uint64_t size, Found& found) {
  const std::string open_path = path + std::string(kOpenSuffix);
  const std::string index_path = path + std::string(kIndexSuffix) + std::string(kOpenSuffix);
  std::vector<std::string> index = whole_lines(index_path);
  const std::size_t written = index.size();
  keep_lines(index, size);
  if (index.size() != written) index.clear();  // not as it was written: all is read again
  std::uint64_t from = 0;
  for (const std::string& line : index) from = std::max(from, end_of_record(line));
  std::ifstream in(open_path, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(from));
  if (!in) return std::make_error_code(std::errc::io_error);
  WarcReader reader(
      in, WarcReader::Look::structure, [](const WarcProblem&) {}, from);
  index_records(reader, fs::path(path).filename().string(), [&](std::string line) {
    index.push_back(std::move(line));
    ++found.records;
  });
  if (reader.unreadable() || in.bad()) return std::make_error_code(std::errc::io_error);
  found.octets = std::max(reader.whole_until(), from);
  found.cut = size - found.octets;
  found.damaged = found.cut > kCutMax;
  if (found.damaged) return std::make_error_code(std::errc::io_error);
  if (found.octets == 0) {  // not even the first record: there is nothing to complete, and nobody's to delete
    ::unlink(index_path.c_str());
    ::unlink((path + std::string(kPagesSuffix) + std::string(kOpenSuffix)).c_str());
    if (size > 0) return rename_new(open_path, path + ".torn");
    return ::unlink(open_path.c_str()) == 0 ? std::error_code() : last_error();
  }
  if (::ftruncate(descriptor, static_cast<off_t>(found.octets)) != 0) return last_error();
  if (::fdatasync(descriptor) != 0) return last_error();
  std::ranges::sort(index);
  if (const auto error = write_whole(path + std::string(kIndexSuffix), joined(index))) return error;
  const std::string pages_path = path + std::string(kPagesSuffix) + std::string(kOpenSuffix);
  if (fs::exists(pages_path)) {
    std::vector<std::string> pages = whole_lines(pages_path);
    keep_lines(pages, found.octets);
    if (const auto error = write_whole(path + std::string(kPagesSuffix), joined(pages))) return error;
    ::unlink(pages_path.c_str());
  }
  if (const auto error = rename_new(open_path, path)) return error;
  ::unlink(index_path.c_str());
  return {};
}

void salvage(const std::string& open_path, base::Log& log, base::WallTime now) {
  const File file(::open(open_path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (file && ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return;  // somebody lives and writes to it
  Found found;
  std::error_code error = file ? std::error_code() : last_error();
  const std::uint64_t size = error ? 0 : fs::file_size(open_path, error);
  const std::string path = open_path.substr(0, open_path.size() - kOpenSuffix.size());
  if (!error) error = mend(path, file.get(), size, found);
  base::Line line(error ? base::Level::error : base::Level::warning, "archive");
  line.word("file", error ? "broken" : "salvaged").text("name", fs::path(path).filename().string());
  if (error) {
    line.text("why", found.damaged ? "it is damaged, and not only cut off" : error.message())
        .text("what", "it stays as it is; see crawld warc verify");
  } else {
    line.number("octets", static_cast<std::int64_t>(found.octets));
    line.number("cut", static_cast<std::int64_t>(found.cut));
    line.number("not_in_index", static_cast<std::int64_t>(found.records));
  }
  log.write(line, now);
}

}  // namespace

void salvage_all(const std::string& directory, base::Log& log, base::WallTime now) {
  std::vector<std::string> left;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const std::string path = entry.path().string();
    const bool is_warc = path.ends_with(".warc.gz.open") || path.ends_with(".warc.zst.open");
    if (is_warc) left.push_back(path);
  }
  std::ranges::sort(left);
  for (const std::string& path : left) salvage(path, log, now);
  if (!left.empty()) sync_folder(directory);
}

}  // namespace crawler

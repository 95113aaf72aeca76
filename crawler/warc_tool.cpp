#include "crawler/warc_tool.h"

#include "base/escape.h"
#include "crawler/cdxj.h"
#include "crawler/http_block.h"
#include "crawler/warc_index.h"
#include "crawler/warc_reader.h"
#include "fetch/decode.h"
#include "fetch/framing.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sysexits.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iostream>

namespace crawler {
namespace {

using Json = nlohmann::ordered_json;

/// Longest trailer section of chunks that is read over.
constexpr std::uint64_t kTrailerMax = 64 * 1024;

/// A file by its path.
class Input {
 public:
  explicit Input(const std::string& path, std::uint64_t offset = 0) : stdin_(path == "-") {
    if (stdin_) return;
    file_.open(path, std::ios::binary);
    if (offset > 0) file_.seekg(static_cast<std::streamoff>(offset));
  }
  bool good() const { return stdin_ || file_.good(); }
  std::istream& stream() { return stdin_ ? std::cin : file_; }

 private:
  bool stdin_;
  std::ifstream file_;
};

int cannot_read(const std::string& path, std::ostream& talk) {
  talk << "crawld: " << base::escaped(path) << ": cannot be read\n";
  return EX_NOINPUT;
}

std::string place(const std::string& path, const WarcProblem& problem) {
  return fmt::format("{}:{}: {}", base::escaped(path), problem.offset, base::escaped(problem.what));
}

/// The worse of two: not to have read a file outweighs to have found something in one.
int worse(int a, int b) {
  return std::max(a, b);
}

void write_line(const Json& json, std::ostream& out) {
  out << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

int verify(const std::string& path, bool json, std::ostream& out, std::ostream& talk) {
  Input input(path);
  if (!input.good()) return cannot_read(path, talk);
  std::uint64_t problems = 0;
  const auto report = [&](const WarcProblem& problem) {
    if (++problems > kWarcProblemsShown) return;
    if (json)
      write_line({{"file", path}, {"offset", problem.offset}, {"problem", problem.what}}, out);
    else
      out << place(path, problem) << '\n';
  };
  WarcReader reader(input.stream(), WarcReader::Look::all, report);
  while (reader.next() != nullptr) {
  }
  if (reader.unreadable()) return cannot_read(path, talk);
  if (json) {
    write_line({{"file", path},
                {"records", reader.records()},
                {"problems", problems},
                {"whole_until", reader.whole_until()}},
               out);
  } else {
    if (problems > kWarcProblemsShown) out << "and " << problems - kWarcProblemsShown << " more\n";
    out << fmt::format("{}: {} records, {} problems, whole up to octet {}\n", base::escaped(path),
                       reader.records(), problems, reader.whole_until());
  }
  return problems == 0 ? EX_OK : EX_DATAERR;
}

/// Problems of `path` go to `talk`, the first of them, and make `code` 65.
WarcReader::Report told(const std::string& path, std::ostream& talk, int& code) {
  return [&, count = std::uint64_t{0}](const WarcProblem& problem) mutable {
    code = worse(code, EX_DATAERR);
    if (++count <= kWarcProblemsShown) talk << "crawld: " << place(path, problem) << '\n';
  };
}

int index(const std::string& path, std::vector<std::string>& lines, std::ostream& talk) {
  Input input(path);
  if (!input.good()) return cannot_read(path, talk);
  const std::string filename = path.substr(path.rfind('/') + 1);
  int code = EX_OK;
  WarcReader reader(input.stream(), WarcReader::Look::structure, told(path, talk, code));
  index_records(reader, filename, [&lines](std::string line) { lines.push_back(std::move(line)); });
  return reader.unreadable() ? cannot_read(path, talk) : code;
}

/// Passes a payload on, without chunks and content codings.
class Payload {
 public:
  explicit Payload(const HttpBlock& http) {
    if (http.chunked()) framing_ = fetch::Framing::chunked(kTrailerMax);
    const auto codings = fetch::parse_codings(http.field("Content-Encoding"));
    if (!codings)
      problem_ = "a content coding that is not known here";
    else if (!codings->empty())
      decoder_.emplace(*codings, kWarcDecodedMax);
  }

  void add(std::string_view octets, std::ostream& out) {
    if (!framing_) return decode(octets, out);
    while (!octets.empty() && framing_->state() == fetch::Framing::State::more)
      decode(framing_->next(octets), out);
  }

  /// Empty, or why this is not the payload as it was meant.
  std::string end(std::ostream& out) {
    using State = fetch::Decoder::State;
    if (framing_ && framing_->state() != fetch::Framing::State::done) problem_ = "the chunks do not end";
    if (!decoder_) return problem_;
    const State state = decoder_->finish();
    out << decoder_->body();
    if (state == State::cut) return fmt::format("cut after {} octets", kWarcDecodedMax);
    return state == State::failed ? std::string(decoder_->failure().detail) : problem_;
  }

 private:
  void decode(std::string_view octets, std::ostream& out) {
    if (decoder_)
      decoder_->feed(octets);
    else
      out << octets;
  }

  std::optional<fetch::Framing> framing_;
  std::optional<fetch::Decoder> decoder_;
  std::string problem_;
};

/// The payload of the record that `reader` is at.
std::string show_payload(WarcReader& reader, const WarcEntry& entry, std::ostream& out) {
  const bool http = is_http(entry.field("Content-Type"));
  HttpBlock block;
  std::optional<Payload> payload;
  for (auto octets = reader.read(); !octets.empty(); octets = reader.read()) {
    if (!http) {
      out << octets;
      continue;
    }
    octets = block.payload(octets);
    if (!payload && block.parted()) payload.emplace(block);
    if (payload) payload->add(octets, out);
  }
  if (payload) return payload->end(out);
  return block.too_long() ? "an HTTP head that is too long" : "";
}

void show_headers(WarcReader& reader, const WarcEntry& entry, std::ostream& out) {
  out << entry.head;
  HttpBlock block;
  if (!is_http(entry.field("Content-Type"))) return;
  while (!block.parted() && !block.too_long()) {
    const std::string_view octets = reader.read();
    if (octets.empty()) break;
    block.payload(octets);
  }
  out << block.head();
}

void show_all(WarcReader& reader, const WarcEntry& entry, std::ostream& out) {
  out << entry.head;
  for (auto octets = reader.read(); !octets.empty(); octets = reader.read()) out << octets;
  if (reader.finish().whole) out << "\r\n\r\n";
}

}  // namespace

int verify_warcs(const std::vector<std::string>& paths, bool json, std::ostream& out, std::ostream& talk) {
  int code = EX_OK;
  for (const std::string& path : paths) code = worse(code, verify(path, json, out, talk));
  out.flush();
  return out ? code : EX_IOERR;
}

int index_warcs(const std::vector<std::string>& paths, std::ostream& out, std::ostream& talk) {
  int code = EX_OK;
  std::vector<std::string> lines;
  for (const std::string& path : paths) code = worse(code, index(path, lines, talk));
  std::sort(lines.begin(), lines.end());
  for (const std::string& line : lines) out << line;
  out.flush();
  return out ? code : EX_IOERR;
}

int show_warc(const WarcQuestion& question, std::ostream& out, std::ostream& talk) {
  const std::uint64_t offset = question.offset.value_or(0);
  Input input(question.path, offset);
  if (!input.good()) return cannot_read(question.path, talk);
  int code = EX_OK;
  WarcReader reader(input.stream(), WarcReader::Look::structure, told(question.path, talk, code), offset);
  while (const WarcEntry* entry = reader.next()) {
    std::string problem;
    if (question.payload)
      problem = show_payload(reader, *entry, out);
    else if (question.headers)
      show_headers(reader, *entry, out);
    else
      show_all(reader, *entry, out);
    if (!problem.empty()) {
      talk << "crawld: " << place(question.path, {entry->offset, problem}) << '\n';
      code = worse(code, EX_DATAERR);
    }
    reader.finish();
    if (question.offset || !out) break;
  }
  out.flush();
  if (!out) return EX_IOERR;
  return reader.unreadable() ? cannot_read(question.path, talk) : code;
}

}  // namespace crawler

// Whatever a file holds: the reader ends, holds no more than a piece of it, and what it calls whole is read
// as whole again. And whatever a record is made of: it comes back as it was written.
#include "crawler/cdxj.h"
#include "crawler/warc.h"
#include "crawler/warc_reader.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace {

using crawler::WarcReader;

void check(bool holds) {
  if (!holds) std::abort();
}

void read_file(std::string_view octets) {
  std::istringstream in{std::string(octets)};
  std::size_t problems = 0;
  std::size_t records = 0;
  std::uint64_t last = 0;
  WarcReader reader(in, WarcReader::Look::all, [&](const crawler::WarcProblem& problem) {
    check(problem.offset <= octets.size() && !problem.what.empty());
    ++problems;
  });
  while (const crawler::WarcEntry* entry = reader.next()) {
    ++records;
    check(entry->offset >= last && entry->offset < octets.size() &&
          entry->fields.size() <= crawler::kWarcFieldsMax);
    last = entry->offset;
    for (auto piece = reader.read(); !piece.empty(); piece = reader.read())
      check(piece.size() <= crawler::kWarcPiece);
    const crawler::WarcEntry& done = reader.finish();
    check(done.whole || problems > 0);
    check(done.offset + done.length <= octets.size());
    const crawler::Capture capture{done.field("WARC-Type"),
                                   done.field("WARC-Target-URI"),
                                   done.field("WARC-Date"),
                                   done.field("Content-Type"),
                                   200,
                                   done.field("WARC-Payload-Digest"),
                                   done.length,
                                   done.offset,
                                   "a.warc"};
    if (const auto line = crawler::cdxj_line(capture)) check(line->find('\n') == line->size() - 1);
  }
  check(records == reader.records() && reader.whole_until() <= octets.size());
  check(problems > 0 || reader.whole_until() == octets.size());
  if (reader.whole_until() == 0) return;
  std::istringstream head{std::string(octets.substr(0, reader.whole_until()))};
  WarcReader again(head, WarcReader::Look::structure, [](const auto&) {});
  while (again.next() != nullptr) {
  }
  check(again.whole_until() == reader.whole_until());
}

/// Takes a part of `input` off its front: an octet says how long.
std::string_view part(std::string_view& input) {
  const std::size_t length = input.empty() ? 0 : static_cast<unsigned char>(input.front());
  const std::string_view out = input.substr(std::min<std::size_t>(1, input.size())).substr(0, length);
  input.remove_prefix(std::min(input.size(), length + 1));
  return out;
}

void write_and_read(std::string_view input, crawler::Packing packing) {
  crawler::WarcRecord record;
  record.type = "metadata";
  record.id = "urn:x:" + std::to_string(input.size());
  record.target = part(input);
  record.fields = {{"X-Field", std::string(part(input))}};
  record.head = part(input);
  record.packed = input.size() % 2 == 0;
  record.body = input;
  record.payload_digest =
      crawler::digest_text(crawler::Digest::sha1, std::string(record.head) + std::string(record.body));
  const std::string one = crawler::pack(record, crawler::Digest::sha256, packing);
  std::istringstream in(one + one);
  WarcReader reader(in, WarcReader::Look::all, [](const auto&) { std::abort(); });
  for (int i = 0; i < 2; ++i) {
    check(reader.next() != nullptr);
    std::string block;
    for (auto piece = reader.read(); !piece.empty(); piece = reader.read()) block += piece;
    check(block == std::string(record.head) + std::string(record.body));
    check(reader.finish().length == one.size() &&
          reader.finish().offset == one.size() * static_cast<unsigned>(i));
    check(reader.finish().fields.size() == (record.target.empty() ? 7 : 8));
  }
  check(reader.next() == nullptr && reader.whole_until() == 2 * one.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  read_file(input);
  write_and_read(input, crawler::Packing::gzip);
  write_and_read(input, crawler::Packing::zstd);
  return 0;
}

// `crawld frontier import`: lines become tables again. Nothing is in its place before the last line was good.
#include "base/escape.h"
#include "base/site.h"
#include "crawler/codec.h"
#include "crawler/frontier_json.h"
#include "crawler/frontier_rows.h"
#include "crawler/frontier_tool.h"
#include "crawler/opening.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sysexits.h>
#include <unistd.h>

#include <filesystem>
#include <istream>
#include <ostream>
#include <stdexcept>
#include <vector>

namespace crawler {
namespace {

/// Octets of keys and values that are written at a time, roughly.
constexpr std::size_t kBatchOctets = std::size_t{1} << 20U;

/// The next line without its end; false at the end of the input. Throws when it is too long.
bool read_line(std::istream& in, std::string& line) {
  line.clear();
  std::streambuf& buffer = *in.rdbuf();
  for (int next = buffer.sbumpc(); next != std::char_traits<char>::eof(); next = buffer.sbumpc()) {
    if (next == '\n') return true;
    if (line.size() == kImportLineMax)
      throw std::runtime_error(fmt::format("longer than {} octets", kImportLineMax));
    line += static_cast<char>(next);
  }
  return !line.empty();
}

Json parse(const std::string& text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& wrong) {
    throw std::runtime_error(fmt::format("no JSON from octet {} on", wrong.byte));
  }
}

class Importer {
 public:
  Importer(Store& store, Carried& carried)
      : store_(store), batch_(store), carried_(carried), tallies_(base::kPartitions) {}

  /// All lines have been taken: from now on the store can be used.
  void finish() {
    if (!ended_) throw std::runtime_error("the export ends before its last line");
    for (std::size_t partition = 0; partition < tallies_.size(); ++partition) {
      if (tallies_[partition] == Tally{}) continue;
      put(Table::meta, tally_key(static_cast<std::uint16_t>(partition)), encode(tallies_[partition]));
    }
    put(Table::meta, kAxisKey, encode(header_.mark));
    std::string octets;
    if (header_.stopped) {
      Encoder(octets).time(*header_.stopped);
      put(Table::meta, kStoppedKey, octets);
    }
    if (header_.seeds) put(Table::meta, kSeedsKey, *header_.seeds);
    if (header_.suffixes) put(Table::meta, kSuffixesKey, *header_.suffixes);
    octets.clear();
    Encoder(octets).u64(header_.secret);
    put(Table::meta, kSecretKey, octets);
    flush();
  }

  void take(const std::string& text) {
    if (ended_) throw std::runtime_error("comes after the last line");
    const Json line = parse(text);
    if (!json_) {
      header_ = FrontierJson::header(line);
      json_.emplace(header_.mark);
    } else if (line.contains("owed")) {
      take_owed(line);
    } else if (line.contains("seen")) {
      put(Table::urls, url_key(host_key_, fields::fingerprint(line, "seen")), {});
      count_url();
    } else if (line.contains("url")) {
      take_url(line);
    } else if (line.contains("host")) {
      take_host(line);
    } else if (line.contains("robots")) {
      take_robots(line);
    } else if (line.contains("site")) {
      put(Table::sites, site_key(fields::text(line, "site")),
          encode(SiteRecord{fields::count(line, "accepted")}));
    } else if (line.contains("followed")) {
      put(Table::meta, std::string(kFollowedPrefix) + fields::text(line, "followed"), {});
    } else if (line.contains("end")) {
      take_end(line);
    } else {
      throw std::runtime_error("not a line of an export");
    }
    ++carried_.lines;
  }

 private:
  void take_host(const Json& line) {
    const auto [partition, record] = json_->host(line);
    origin_ = record.origin;
    host_key_ = origin_key(partition, base::keyed_hash(origin_, header_.secret));
    put(Table::hosts, host_key_, encode(record));
    if (record.listed) put(Table::due, due_key(*record.listed, host_key_), {});
    ++tally().origins;
    ++carried_.origins;
  }

  void take_owed(const Json& line) {
    const OwedRow row = json_->owed(line);
    const base::Hash128 fingerprint = fingerprint_of(row.record.target, "owed");
    put(Table::queue,
        row.kind == kLater ? timed_key(host_key_, kLater, row.due, fingerprint)
                           : lane_key(host_key_, row.kind, row.number),
        encode(row.record));
    ++(row.kind == kLater ? tally().later : tally().queued);
  }

  void take_url(const Json& line) {
    const UrlRecord record = json_->url(line);
    const base::Hash128 fingerprint = fingerprint_of(record.target, "url");
    put(Table::urls, url_key(host_key_, fingerprint), encode(record));
    count_url();
    if (!record.due) return;
    put(Table::queue, timed_key(host_key_, kAgain, *record.due, fingerprint), {});
    ++tally().again;
  }

  void take_robots(const Json& line) {
    const RobotsRow row = json_->robots(line);
    tally();  // there is an origin
    put(Table::robots, host_key_ + std::string(kStandingSuffix), encode(row.saved));
    if (row.body) put(Table::robots, host_key_ + std::string(kBodySuffix), *row.body);
  }

  void take_end(const Json& line) {
    if (fields::count(line, "end") != carried_.lines)
      fields::refuse("end",
                     fmt::format("another number of lines should come before, and {} did", carried_.lines));
    ended_ = true;
    --carried_.lines;  // the last one is not counted
  }

  Tally& tally() {
    if (host_key_.empty()) throw std::runtime_error("comes before the line of its host");
    return tallies_[partition_of_key(host_key_)];
  }

  void count_url() {
    ++tally().seen;
    ++carried_.urls;
  }

  base::Hash128 fingerprint_of(std::string_view target, std::string_view key) {
    const base::Url url = url_of(origin_, target);
    if (url.empty()) fields::refuse(key, "is not the target of a URL of this host, in normal form");
    return base::keyed_hash(url.text(), header_.secret);
  }

  void put(Table table, std::string_view key, std::string_view value) {
    batch_.put(table, key, value);
    octets_ += key.size() + value.size();
    if (octets_ >= kBatchOctets) flush();
  }

  void flush() {
    octets_ = 0;
    store_.write(batch_);  // a store that has failed says so at the end
  }

  Store& store_;
  Store::Batch batch_;
  std::size_t octets_ = 0;
  Carried& carried_;
  std::vector<Tally> tallies_;  ///< by partition
  ExportHeader header_;
  std::optional<FrontierJson> json_;  ///< after the header
  std::string origin_;                ///< whose rows come
  std::string host_key_;
  bool ended_ = false;
};

/// After this the name of the store is there, whatever happens to the machine.
bool sync_folder(const std::string& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return false;
  const bool done = ::fsync(folder) == 0;
  ::close(folder);
  return done;
}

}  // namespace

int import_lines(Store& store, std::istream& in, const std::string& name, std::ostream& talk,
                 Carried& carried) {
  carried = {};
  Importer importer(store, carried);
  std::uint64_t number = 0;
  try {
    std::string line;
    for (number = 1; !store.failed() && read_line(in, line); ++number) importer.take(line);
    if (!store.failed()) importer.finish();
  } catch (const std::exception& wrong) {
    talk << base::escaped(name) << ':' << number << ": " << base::escaped(wrong.what()) << '\n';
    return EX_DATAERR;
  }
  store.sync();
  return end_tool(EX_OK, store, talk, talk);
}

int import_frontier(const config::Storage& storage, std::istream& in, const std::string& name,
                    std::ostream& talk, Carried& carried) {
  namespace fs = std::filesystem;
  const std::string place = frontier_directory(storage);
  const std::string draft = place + ".importing";
  std::error_code failure;
  if (fs::exists(place, failure) && !fs::is_empty(place, failure)) {
    talk << base::escaped(place)
         << ": there is a frontier already; move it away or choose another storage.directory\n";
    return EX_CANTCREAT;
  }
  if (const auto owner = store_owner(draft))
    throw StartError(EX_TEMPFAIL, draft + ": in use by process " + std::to_string(*owner));
  fs::remove_all(draft, failure);  // what an import left that did not come to its end
  int code = EX_OK;
  {
    StoreOptions options;
    options.directory = draft;
    options.memory = storage.memory / 4;
    Store store(std::move(options));
    code = import_lines(store, in, name, talk, carried);
  }
  if (code == EX_OK) {
    fs::rename(draft, place, failure);
    if (!failure && sync_folder(storage.directory)) return EX_OK;
    talk << base::escaped(place) << ": cannot be put in its place"
         << (failure ? ": " + failure.message() : std::string()) << '\n';
    code = EX_IOERR;
  }
  fs::remove_all(draft, failure);
  return code;
}

}  // namespace crawler

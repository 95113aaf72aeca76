// `crawld frontier forget`: URLs go out of the tables with all that counts them. Each batch leaves a store
// that verify finds nothing in, whatever happens to the process between two of them.
#include "base/site.h"
#include "crawler/frontier_rows.h"
#include "crawler/frontier_tool.h"
#include "crawler/keys.h"
#include "crawler/opening.h"

#include <sysexits.h>

#include <algorithm>
#include <ostream>
#include <vector>

namespace crawler {
namespace {

/// Rows that go at a time.
constexpr std::size_t kRowsAtATime = 1'000;

struct Forgotten {
  std::uint64_t urls = 0;
  std::uint64_t owed = 0;
};

void less(std::uint64_t& count) {
  if (count > 0) --count;
}

/// One origin's URLs, going.
class Forgetter {
 public:
  Forgetter(Store& store, const base::Origin& origin)
      : store_(store), batch_(store), origin_(origin), secret_(read_secret(store).value_or(0)) {
    key_ = find_host(store, origin);
    if (const auto octets = store.get(Table::hosts, key_)) host_ = decode_host(*octets);
    site_key_ = site_key(base::site_of(origin.host()));
    if (const auto octets = store.get(Table::sites, site_key_))
      site_ = decode_site(*octets).value_or(SiteRecord{});
    if (const auto octets = store.get(Table::meta, tally_key(partition_of_key(key_))))
      tally_ = decode_tally(*octets).value_or(Tally{});
  }

  /// There is a record of the origin, and it can be read.
  bool known() const { return host_.has_value(); }

  Forgotten all() {
    each_piece(Table::queue, [this](const std::string& key, const std::string& value) {
      const std::optional<QueueKey> parsed = parse_queue_key(key);
      batch_.erase(Table::queue, key);
      if (!parsed) return;
      leave_queue(*parsed);
      if (const auto fingerprint = fingerprint_of(*parsed, value)) leave_urls(*fingerprint);
    });
    each_piece(Table::urls, [this](const std::string& key, const std::string& value) {
      batch_.erase(Table::urls, key);
      leave_content(value);
      leave_counts();
    });
    host_->lanes.clear();
    host_->later = {};
    host_->again = {};
    host_->accepted = 0;
    end();
    return forgotten_;
  }

  /// Nothing is forgotten when `url` was never seen.
  Forgotten one(const base::Url& url) {
    const base::Hash128 fingerprint = base::keyed_hash(url.text(), secret_);
    const auto seen = store_.get(Table::urls, url_key(key_, fingerprint));
    if (!seen) return forgotten_;
    const std::optional<UrlRecord> record = decode_url(*seen);
    if (record && record->due) {
      const std::string row = timed_key(key_, kAgain, *record->due, fingerprint);
      batch_.erase(Table::queue, row);
      leave_queue(*parse_queue_key(row));
    } else {
      leave_owed(fingerprint);
    }
    leave_urls(fingerprint);
    end();
    return forgotten_;
  }

 private:
  std::optional<base::Hash128> fingerprint_of(const QueueKey& key, std::string_view value) const {
    if (key.kind >= kLanes) return key.fingerprint;
    const std::optional<QueueRecord> row = decode_queue(value);
    const base::Url url = row ? url_of(origin_.text(), row->target) : base::Url();
    if (url.empty()) return std::nullopt;
    return base::keyed_hash(url.text(), secret_);
  }

  /// All rows of the origin in `table`, each once; what was done with a piece of them is written at its end.
  template <class Visit>
  void each_piece(Table table, const Visit& visit) {
    std::string from;
    std::vector<std::pair<std::string, std::string>> piece;
    do {
      piece.clear();
      store_.scan(table, key_, from, [&](std::string_view key, std::string_view value) {
        if (key == from) return true;
        piece.emplace_back(key, value);
        return piece.size() < kRowsAtATime;
      });
      for (const auto& [key, value] : piece) visit(key, value);
      if (!piece.empty()) from = piece.back().first;
      save();
    } while (piece.size() == kRowsAtATime && !store_.failed());
  }

  /// The row of a URL that is owed. A lane has no gaps: its last row takes the place.
  void leave_owed(const base::Hash128& fingerprint) {
    std::optional<std::string> found;
    store_.scan(Table::queue, key_, {}, [&](std::string_view key, std::string_view value) {
      const std::optional<QueueKey> parsed = parse_queue_key(key);
      if (parsed && parsed->kind != kAgain && fingerprint_of(*parsed, value) == fingerprint) found = key;
      return !found;
    });
    if (!found) return;
    const QueueKey row = *parse_queue_key(*found);
    batch_.erase(Table::queue, *found);
    const auto lane = std::ranges::find(host_->lanes, row.kind, &LaneRecord::lane);
    if (row.kind == kLater || lane == host_->lanes.end()) {
      leave_queue(row);
      return;
    }
    if (lane->tail == lane->head) return;
    const std::string last = lane_key(key_, lane->lane, --lane->tail);
    if (const auto octets = last != *found ? store_.get(Table::queue, last) : std::nullopt) {
      batch_.put(Table::queue, *found, *octets);
      batch_.erase(Table::queue, last);
    }
    less(tally_.queued);
    ++forgotten_.owed;
  }

  /// A row went from its end of the queue.
  void leave_queue(const QueueKey& row) {
    if (row.kind == kAgain) {
      less(host_->again.count);
      less(tally_.again);
      return;
    }
    ++forgotten_.owed;
    if (row.kind == kLater) {
      less(host_->later.count);
      less(tally_.later);
      return;
    }
    less(tally_.queued);
    const auto lane = std::ranges::find(host_->lanes, row.kind, &LaneRecord::lane);
    if (lane != host_->lanes.end() && row.number >= lane->head && row.number < lane->tail)
      lane->head = row.number + 1;
  }

  void leave_urls(const base::Hash128& fingerprint) {
    const std::string key = url_key(key_, fingerprint);
    const auto octets = store_.get(Table::urls, key);
    if (!octets) return;
    batch_.erase(Table::urls, key);
    leave_content(*octets);
    leave_counts();
  }

  /// That the site has shown this body is forgotten with the URL where it did first.
  void leave_content(const std::string& url) {
    const std::optional<UrlRecord> record = decode_url(url);
    if (!record || record->digest == base::Hash128{}) return;
    const base::Hash128 site = base::keyed_hash(base::site_of(origin_.host()), secret_);
    const std::string key = content_key(partition_of_key(key_), site, record->digest);
    const auto octets = store_.get(Table::contents, key);
    const std::optional<ContentRecord> content = octets ? decode_content(*octets) : std::nullopt;
    if (content && content->target == std::string(origin_.text()) + record->target)
      batch_.erase(Table::contents, key);
  }

  void leave_counts() {
    ++forgotten_.urls;
    less(tally_.seen);
    less(host_->accepted);
    less(site_.accepted);
  }

  /// Without URLs there is nothing to look at; the seeds may lead here again.
  void end() {
    const bool waits = owed_of(*host_) > 0 || host_->again.count > 0;
    if (host_->listed && !waits) {
      batch_.erase(Table::due, due_key(*host_->listed, key_));
      host_->listed.reset();
    }
    batch_.erase(Table::meta, kSeedsKey);
    save();
    store_.sync();
  }

  void save() {
    batch_.put(Table::hosts, key_, encode(*host_));
    batch_.put(Table::sites, site_key_, encode(site_));
    batch_.put(Table::meta, tally_key(partition_of_key(key_)), encode(tally_));
    store_.write(batch_);
  }

  Store& store_;
  Store::Batch batch_;
  base::Origin origin_;
  std::uint64_t secret_;
  std::string key_;
  std::optional<HostRecord> host_;
  std::string site_key_;
  SiteRecord site_;
  Tally tally_;
  Forgotten forgotten_;
};

int tell(const Store& store, std::string_view what, std::string_view text, const Forgotten& forgotten,
         bool json, std::ostream& out, std::ostream& talk) {
  if (store.failed()) return end_tool(EX_IOERR, store, out, talk);
  if (json) {
    nlohmann::ordered_json line;
    line[what] = text;
    line["urls"] = forgotten.urls;
    line["owed"] = forgotten.owed;
    write_line(line, out);
  } else {
    out << text << ": " << forgotten.urls << (forgotten.urls == 1 ? " URL" : " URLs") << " forgotten, "
        << forgotten.owed << " of them owed\n";
  }
  return end_tool(EX_OK, store, out, talk);
}

}  // namespace

int forget_origin(Store& store, const base::Origin& origin, bool json, std::ostream& out,
                  std::ostream& talk) {
  Forgetter forgetter(store, origin);
  if (!forgetter.known()) {
    talk << origin.text() << ": not in the frontier\n";
    return end_tool(EX_DATAERR, store, out, talk);
  }
  const Forgotten forgotten = forgetter.all();
  return tell(store, "origin", origin.text(), forgotten, json, out, talk);
}

int forget_url(Store& store, const base::Url& url, bool json, std::ostream& out, std::ostream& talk) {
  Forgetter forgetter(store, url.origin());
  const Forgotten forgotten = forgetter.known() ? forgetter.one(url) : Forgotten{};
  if (forgotten.urls == 0) {
    talk << url.text() << ": not in the frontier\n";
    return end_tool(EX_DATAERR, store, out, talk);
  }
  return tell(store, "url", url.text(), forgotten, json, out, talk);
}

}  // namespace crawler

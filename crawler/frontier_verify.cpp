// `crawld frontier verify`: the store as a whole. One origin's rows are in frontier_verify_host.cpp.
#include "crawler/frontier_verify.h"

#include "base/escape.h"
#include "base/site.h"
#include "crawler/codec.h"
#include "crawler/frontier_fields.h"
#include "crawler/frontier_rows.h"
#include "crawler/frontier_tool.h"
#include "crawler/opening.h"

#include <fmt/format.h>
#include <sysexits.h>

#include <map>
#include <ostream>
#include <vector>

namespace crawler {
namespace {

class Verifier {
 public:
  Verifier(const Store& store, Findings& findings)
      : store_(store),
        findings_(findings),
        secret_(read_secret(store)),
        moves_(suffixes_differ(store)),
        counted_(base::kPartitions),
        queue_(store, Table::queue),
        urls_(store, Table::urls),
        robots_(store, Table::robots) {}

  void run(const std::function<bool()>& live) {
    const std::string broken = live() ? std::string() : store_.check_octets();
    if (!broken.empty() && !live()) findings_.add("files", broken);
    check_meta();
    store_.scan(Table::hosts, {}, {}, [this](std::string_view key, std::string_view value) {
      check_host(key, value);
      return true;
    });
    check_sites_of(base::kPartitions);
    check_strays();
    check_due();
    check_sites();
    check_tallies();
    if (store_.failed()) findings_.add("files", store_.failure());
  }

  std::uint64_t origins() const { return origins_; }
  std::uint64_t urls() const { return seen_; }

 private:
  void check_meta() {
    const auto secret = store_.get(Table::meta, kSecretKey);
    if (!secret || secret->size() != sizeof(std::uint64_t))
      findings_.add("meta", "the secret of the fingerprints is missing or cannot be read");
    const auto axis = store_.get(Table::meta, kAxisKey);
    if (!axis || !decode_axis(*axis))
      findings_.add("meta", "the mark of the clocks is missing or cannot be read");
    const auto stopped = store_.get(Table::meta, kStoppedKey);
    if (stopped && stopped->size() != sizeof(std::uint64_t))
      findings_.add("meta", "the end of the last run cannot be read");
  }

  void check_host(std::string_view key, std::string_view value) {
    if (key.size() != kOriginKeyOctets || partition_of_key(key) >= base::kPartitions) {
      findings_.add("hosts", "not a key: " + fields::hex_of(key));
      return;
    }
    ++origins_;
    const std::uint16_t partition = partition_of_key(key);
    check_sites_of(partition);
    const std::optional<HostRecord> record = decode_host(value);
    if (!record) findings_.add("hosts", "an origin's record cannot be read, of key " + fields::hex_of(key));
    if (record) check_name(key, *record);

    HostCheck host(store_, secret_.value_or(0), key, record ? &*record : nullptr, findings_);
    queue_.visit(
        key, [&](auto row, auto octets) { host.queue_row(row, octets); },
        [this](auto row, auto) { stray("queue", row); });
    urls_.visit(
        key, [&](auto row, auto octets) { host.url_row(row, octets); },
        [this](auto row, auto) { stray("urls", row); });
    robots_.visit(
        key, [&](auto row, auto octets) { host.robots_row(row, octets); },
        [this](auto row, auto) { stray("robots", row); });
    const Tally tally = host.end();
    counted_[partition] += tally;
    seen_ += tally.seen;
  }

  /// An origin is found under its name, or never again. Partitions and domains follow the suffix list.
  void check_name(std::string_view key, const HostRecord& record) {
    const base::Origin origin = origin_of(record.origin);
    if (origin.text().empty()) {
      findings_.add(record.origin, "not an origin");
      return;
    }
    const std::string expected = host_key(origin, secret_.value_or(0));
    if (!key.ends_with(std::string_view(expected).substr(sizeof(std::uint16_t)))) {
      findings_.add(record.origin, "stands under another fingerprint");
    } else if (moves_) {
      return;
    } else if (key == expected) {
      accepted_[base::site_of(origin.host())] += record.accepted;
    } else {
      findings_.add(record.origin, fmt::format("stands in partition {} and would be looked for in {}",
                                               partition_of_key(key), partition_of_key(expected)));
    }
  }

  /// Rows after those of the last origin.
  void check_strays() {
    queue_.rest([this](auto row, auto) { stray("queue", row); });
    urls_.rest([this](auto row, auto) { stray("urls", row); });
    robots_.rest([this](auto row, auto) { stray("robots", row); });
  }

  void stray(std::string_view table, std::string_view key) {
    findings_.add(table, "a row belongs to no origin, of key " + fields::hex_of(key));
    if (key.size() < kOriginKeyOctets || partition_of_key(key) >= base::kPartitions) return;
    Tally& tally = counted_[partition_of_key(key)];
    if (table == "queue") {
      if (const auto parsed = parse_queue_key(key)) count_row(*parsed, tally);
    } else if (table == "urls") {
      ++tally.seen;
      ++seen_;
    }
  }

  /// Each row leads to an origin that names it, so none is listed twice.
  void check_due() {
    store_.scan(Table::due, {}, {}, [this](std::string_view key, std::string_view) {
      const std::optional<DueKey> parsed = parse_due_key(key);
      const auto octets = parsed ? store_.get(Table::hosts, parsed->origin_key) : std::nullopt;
      if (!octets) {
        findings_.add("due", "a row leads to no origin, of key " + fields::hex_of(key));
        return true;
      }
      const std::optional<HostRecord> record = decode_host(*octets);
      if (record && record->listed != parsed->due)
        findings_.add(record->origin, "is listed under an instant that its record does not say");
      return true;
    });
  }

  /// The origins of all partitions before `partition` have been visited.
  void check_sites_of(std::uint32_t partition) {
    if (partition == partition_) return;
    partition_ = partition;
    for (const auto& [site, accepted] : accepted_) {
      const auto octets = store_.get(Table::sites, site_key(site));
      const std::uint64_t said = octets ? decode_site(*octets).value_or(SiteRecord{}).accepted : 0;
      if (said < accepted)
        findings_.add(site, fmt::format("{} URLs count against the budget of the domain, and {} are there",
                                        said, accepted));
    }
    accepted_.clear();
  }

  void check_sites() {
    store_.scan(Table::sites, {}, {}, [this](std::string_view key, std::string_view value) {
      const std::string_view site = key.substr(std::min(key.size(), sizeof(std::uint16_t)));
      if (key != site_key(site)) findings_.add("sites", "a row has the wrong key: " + fields::hex_of(key));
      if (!decode_site(value)) findings_.add(site, "the record of the domain cannot be read");
      return true;
    });
  }

  void check_tallies() {
    std::vector<bool> told(counted_.size());
    store_.scan(Table::meta, kTallyPrefix, {}, [&](std::string_view key, std::string_view value) {
      const std::string_view number = key.substr(kTallyPrefix.size());
      const std::uint16_t partition = Decoder(number).u16();
      const std::optional<Tally> tally = decode_tally(value);
      if (number.size() != sizeof(partition) || partition >= counted_.size() || !tally) {
        findings_.add("meta", "a tally cannot be read, of key " + fields::hex_of(key));
        return true;
      }
      told[partition] = true;
      compare(partition, *tally);
      return true;
    });
    for (std::size_t partition = 0; partition < counted_.size(); ++partition) {
      if (!told[partition]) compare(partition, {});
    }
  }

  void compare(std::size_t partition, const Tally& said) {
    const Tally& found = counted_[partition];
    const auto check = [&](std::string_view what, std::uint64_t a, std::uint64_t b) {
      if (a != b)
        findings_.add("meta", fmt::format("the tally of partition {} says {} {}, and {} are there", partition,
                                          a, what, b));
    };
    check("origins", said.origins, found.origins);
    check("seen", said.seen, found.seen);
    check("queued", said.queued, found.queued);
    check("to be tried again", said.later, found.later);
    check("to be visited again", said.again, found.again);
  }

  const Store& store_;
  Findings& findings_;
  std::optional<std::uint64_t> secret_;
  bool moves_;                  ///< the next run has yet to move origins to where they belong
  std::vector<Tally> counted_;  ///< by partition
  OriginRows queue_;
  OriginRows urls_;
  OriginRows robots_;
  std::uint32_t partition_ = 0;                    ///< that is being visited
  std::map<std::string, std::uint64_t> accepted_;  ///< by site, of that partition
  std::uint64_t origins_ = 0;
  std::uint64_t seen_ = 0;
};

}  // namespace

void Findings::add(std::string_view where, std::string_view what) {
  if (++count_ > kFindingsShown) return;
  if (json_) {
    write_line({{"where", where}, {"problem", what}}, out_);
  } else {
    out_ << base::escaped(where) << ": " << base::escaped(what) << '\n';
  }
}

void OriginRows::visit(std::string_view origin, const Visitor& row, const Visitor& stray) {
  if (ended_) return;
  ended_ = true;
  store_.scan(table_, {}, next_, [&](std::string_view key, std::string_view value) {
    const std::string_view of = key.substr(0, kOriginKeyOctets);
    if (!origin.empty() && of > origin) {
      next_ = key;
      ended_ = false;
      return false;
    }
    (origin.empty() || of == origin ? row : stray)(key, value);
    return true;
  });
}

int verify_frontier(const Store& store, const std::function<bool()>& live, bool json, std::ostream& out) {
  Findings findings(json, out);
  Verifier verifier(store, findings);
  verifier.run(live);
  if (json) {
    write_line({{"origins", verifier.origins()}, {"urls", verifier.urls()}, {"problems", findings.count()}},
               out);
  } else {
    if (findings.count() > kFindingsShown) out << "and " << findings.count() - kFindingsShown << " more\n";
    out << verifier.origins() << " origins, " << verifier.urls() << " URLs, " << findings.count()
        << " problems\n";
  }
  out.flush();
  if (!out) return EX_IOERR;
  return findings.count() == 0 ? EX_OK : EX_DATAERR;
}

}  // namespace crawler

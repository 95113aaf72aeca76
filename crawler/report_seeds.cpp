// `crawld report seeds`.
#include "base/escape.h"
#include "base/hash.h"
#include "base/time_text.h"
#include "crawler/frontier_rows.h"
#include "crawler/opening.h"
#include "crawler/report.h"

#include <fmt/format.h>
#include <sysexits.h>

#include <ostream>

namespace crawler {
namespace {

using Json = nlohmann::ordered_json;

/// What is known of a seed. `why`: for people, when it is not fetched.
struct Told {
  std::string state;  ///< a fate, `owed` or `unknown`
  int status = 0;
  std::optional<base::WallTime> when{};
  std::string why{};
};

class SeedsReport {
 public:
  SeedsReport(const Store& store, base::Now now, bool json, std::ostream& out)
      : store_(store), now_(now), secret_(read_secret(store).value_or(0)), json_(json), out_(out) {}

  void write(const config::Seed& seed) {
    const Told told = look_up(seed.url);
    if (json_) {
      Json line{{"kind", "seed"}, {"seed", seed.url.text()}, {"where", seed.where}, {"state", told.state}};
      line["status"] = told.status;
      line["time"] = told.when ? Json(base::rfc3339(*told.when)) : Json(nullptr);
      if (!told.why.empty()) line["why"] = told.why;
      write_line(line, out_);
      return;
    }
    out_ << base::escaped(seed.url.text(), base::kUrlOctetsMax) << "  " << told.state;
    if (told.status != 0) out_ << ' ' << told.status;
    if (told.when) out_ << ' ' << base::rfc3339(*told.when);
    if (!told.why.empty()) out_ << ": " << base::escaped(told.why);
    out_ << '\n';
  }

 private:
  Told look_up(const base::Url& seed) const {
    const std::string key = find_host(store_, seed.origin());
    const auto octets = store_.get(Table::hosts, key);
    const auto host = octets ? decode_host(*octets) : std::nullopt;
    if (octets && !host) return {"unknown", 0, {}, "its origin's record cannot be read"};
    const base::Hash128 fingerprint = base::keyed_hash(seed.text(), secret_);
    const auto row = host ? store_.get(Table::urls, url_key(key, fingerprint)) : std::nullopt;
    if (!row) return {"unknown", 0, {}, "no run has taken it up yet"};
    const bool tried = !row->empty();
    const auto record = tried ? decode_url(*row) : std::nullopt;
    if (tried && !record) return {"unknown", 0, {}, "its record cannot be read"};
    if (!record) return {"owed", 0, {}, why_owed(key, *host, fingerprint)};
    return {std::string(to_string(record->fate)), record->status,
            base::WallTime(std::chrono::seconds(record->visited)), record->reason};
  }

  std::string why_owed(const std::string& key, const HostRecord& host, const base::Hash128& seed) const {
    if (const auto again = tried_again(key, seed)) return *again;
    if (host.clocks.paused_until > now_.steady) {
      return fmt::format("its host is paused until {} ({} overloads, {} failures)",
                         instant_text(host.clocks.paused_until, now_), host.clocks.overloads,
                         host.clocks.failures);
    }
    const auto octets = store_.get(Table::robots, key + std::string(kStandingSuffix));
    const auto standing = octets ? decode_robots(*octets) : std::nullopt;
    if (!standing || standing->access == robots::Access::unknown) return "robots.txt has not been read yet";
    if (standing->access == robots::Access::defer) {
      return fmt::format("robots.txt cannot be had (status {}); asked for again {}", standing->status,
                         instant_text(standing->due, now_));
    }
    if (host.in_flight) return "a request to its origin is under way, or was when the last run was killed";
    return fmt::format("its turn has not come; its origin owes {} URLs", owed_of(host));
  }

  /// It has failed before, and waits.
  std::optional<std::string> tried_again(const std::string& key, const base::Hash128& seed) const {
    std::optional<std::string> found;
    std::size_t looked = 0;
    store_.scan(Table::queue, key + static_cast<char>(kLater), {},
                [&](std::string_view row, std::string_view value) {
                  const auto parsed = parse_queue_key(row);
                  if (parsed && parsed->fingerprint == seed) {
                    const auto record = decode_queue(value);
                    found = fmt::format("it has failed {} times and is tried again {}",
                                        record ? record->attempts : 0, instant_text(parsed->due, now_));
                  }
                  return !found && ++looked < kReportRetriesMax;
                });
    return found;
  }

  const Store& store_;
  const base::Now now_;
  const std::uint64_t secret_;
  const bool json_;
  std::ostream& out_;
};

}  // namespace

int report_seeds(const Store& store, const config::Config& config, base::Now now, std::uint64_t limit,
                 bool json, std::ostream& out, std::ostream& talk) {
  SeedsReport report(store, now, json, out);
  std::uint64_t shown = 0;
  for (const config::Seed& seed : config.seeds) {
    if (limit > 0 && shown == limit) {
      talk << "there are more; --limit 0 shows all\n";
      break;
    }
    report.write(seed);
    ++shown;
  }
  return end_tool(EX_OK, store, out, talk);
}

}  // namespace crawler

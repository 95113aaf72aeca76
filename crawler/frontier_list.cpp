// `crawld frontier list`.
#include "base/escape.h"
#include "base/time_text.h"
#include "crawler/frontier_rows.h"
#include "crawler/frontier_tool.h"
#include "crawler/keys.h"
#include "crawler/opening.h"
#include "robots/cache.h"

#include <fmt/format.h>
#include <sysexits.h>

#include <ostream>

namespace crawler {
namespace {

using Json = nlohmann::ordered_json;

/// The lines that are still to be written.
class Limit {
 public:
  explicit Limit(std::uint64_t lines) : left_(lines), limited_(lines > 0) {}
  /// False: this line is one too many.
  bool take() {
    if (limited_ && left_ == 0) return !(cut_ = true);
    --left_;
    return true;
  }
  bool cut() const { return cut_; }

 private:
  std::uint64_t left_;
  bool limited_;
  bool cut_ = false;
};

std::string counted(std::uint64_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

Json counts_json(const HostRecord& host, base::Now now) {
  Json out;
  out["origin"] = host.origin;
  out["owed"] = owed_of(host);
  out["later"] = host.later.count;
  out["again"] = host.again.count;
  out["accepted"] = host.accepted;
  out["visits"] = host.visits;
  out["listed"] = host.listed ? instant_json(*host.listed, now) : Json(nullptr);
  return out;
}

std::string counts_text(const HostRecord& host) {
  return fmt::format("{} owed ({} to be tried again), {} to be visited again, {} accepted, {}", owed_of(host),
                     host.later.count, host.again.count, host.accepted, counted(host.visits, "visit"));
}

void list_origins(const Store& store, const ListQuestion& question, base::Now now, Limit& limit,
                  std::ostream& out, std::ostream& talk) {
  store.scan(Table::hosts, {}, {}, [&](std::string_view, std::string_view value) {
    const std::optional<HostRecord> host = decode_host(value);
    if (!host) {
      talk << "an origin's record cannot be read; see `crawld frontier verify`\n";
      return true;
    }
    const bool owed = owed_of(*host) > 0;
    if ((question.owed && !owed) || (question.done && owed)) return true;
    if (!limit.take()) return false;
    if (question.json) {
      write_line(counts_json(*host, now), out);
    } else {
      out << base::escaped(host->origin) << "  " << counts_text(*host);
      if (host->listed) out << ", looked at " << distance_text(*host->listed, now);
      out << '\n';
    }
    return true;
  });
}

/// One origin: what is known of it, then its URLs.
class OriginList {
 public:
  OriginList(const Store& store, const ListQuestion& question, base::Now now, Limit& limit, std::ostream& out)
      : store_(store), question_(question), now_(now), limit_(limit), out_(out) {}

  void write(const std::string& key, HostRecord host) {
    key_ = key;
    host_ = std::move(host);
    if (question_.json) {
      write_line(about_json(), out_);
    } else {
      write_about();
    }
    const bool owed = !question_.done;
    const bool done = !question_.owed;
    const bool more = (!owed || (rows_of(kLater) && lanes())) && (!done || rows_of(kAgain));
    if (more && done) resting();
  }

 private:
  std::optional<robots::Saved> standing() const {
    const auto octets = store_.get(Table::robots, key_ + std::string(kStandingSuffix));
    return octets ? decode_robots(*octets) : std::nullopt;
  }
  std::size_t robots_octets() const {
    return store_.get(Table::robots, key_ + std::string(kBodySuffix)).value_or("").size();
  }

  Json about_json() const {
    Json out = counts_json(host_, now_);
    const scheduler::HostState& clocks = host_.clocks;
    out["in_flight"] = host_.in_flight;
    out["started"] = instant_json(clocks.started, now_);
    out["ready_from"] = instant_json(clocks.ready_from, now_);
    out["paused_until"] = instant_json(clocks.paused_until, now_);
    out["overloads"] = clocks.overloads;
    out["failures"] = clocks.failures;
    out["latency_s"] = std::chrono::duration<double>(clocks.latency).count();
    out["lanes"] = Json::array();
    for (const LaneRecord& lane : host_.lanes) {
      out["lanes"].push_back({{"lane", lane.lane}, {"head", lane.head}, {"tail", lane.tail}});
    }
    out["robots"] = nullptr;
    if (const auto saved = standing()) {
      out["robots"] = {{"access", robots::to_string(saved->access)},
                       {"status", saved->status},
                       {"due", instant_json(saved->due, now_)},
                       {"octets", robots_octets()}};
    }
    return out;
  }

  void write_about() const {
    const scheduler::HostState& clocks = host_.clocks;
    out_ << "origin:    " << base::escaped(host_.origin) << '\n';
    out_ << "URLs:      " << counts_text(host_) << '\n';
    out_ << "looked at: " << (host_.listed ? instant_text(*host_.listed, now_) : "when it has work") << '\n';
    out_ << "started:   " << instant_text(clocks.started, now_);
    out_ << (host_.in_flight ? ", and a request may be under way\n" : "\n");
    out_ << "ready:     " << instant_text(clocks.ready_from, now_) << '\n';
    out_ << "paused:    " << instant_text(clocks.paused_until, now_) << '\n';
    out_ << "rungs:     " << counted(clocks.overloads, "overload") << ", "
         << counted(clocks.failures, "failure") << '\n';
    out_ << "latency:   " << base::duration_text(clocks.latency) << '\n';
    for (const LaneRecord& lane : host_.lanes) {
      out_ << fmt::format("lane {:<2}    {} owed, numbers {} to {}\n", lane.lane, lane.tail - lane.head,
                          lane.head, lane.tail);
    }
    const auto saved = standing();
    if (!saved) {
      out_ << "robots:    never asked for\n";
    } else {
      out_ << fmt::format("robots:    {}, status {}, {} octets, asked for again {}\n",
                          robots::to_string(saved->access), saved->status, robots_octets(),
                          instant_text(saved->due, now_));
    }
  }

  /// Rows that wait for an instant, the first one first. False: the limit is reached.
  bool rows_of(std::uint8_t kind) {
    bool more = true;
    const std::string prefix = key_ + static_cast<char>(kind);
    store_.scan(Table::queue, prefix, {}, [&](std::string_view key, std::string_view value) {
      const auto parsed = parse_queue_key(key);
      if (!parsed) return true;
      if (kind == kLater) {
        if (const auto row = decode_queue(value)) more = owed(*row, nullptr, parsed->due);
      } else if (const auto octets = store_.get(Table::urls, url_key(key_, parsed->fingerprint))) {
        if (const auto record = decode_url(*octets)) more = visited(*record);
      }
      return more;
    });
    return more;
  }

  bool lanes() {
    bool more = true;
    const std::string after = key_ + static_cast<char>(kLanes);
    store_.scan(Table::queue, key_, {}, [&](std::string_view key, std::string_view value) {
      if (key >= after) return false;
      const auto parsed = parse_queue_key(key);
      const auto row = decode_queue(value);
      if (parsed && row) more = owed(*row, &*parsed, {});
      return more;
    });
    return more;
  }

  /// Visited, and not to be visited again by themselves.
  void resting() {
    store_.scan(Table::urls, key_, {}, [this](std::string_view, std::string_view value) {
      const auto record = decode_url(value);
      return !record || record->due || visited(*record);
    });
  }

  /// `lane`: null when it waits for `due`.
  bool owed(const QueueRecord& row, const QueueKey* lane, base::TimePoint due) {
    if (!limit_.take()) return false;
    if (question_.json) {
      Json line = url_json(row.target, "owed", row.discovery);
      line["attempts"] = row.attempts;
      line["known"] = row.known;
      if (lane != nullptr) {
        line["lane"] = lane->kind;
        line["number"] = lane->number;
      } else {
        line["due"] = instant_json(due, now_);
      }
      write_line(line, out_);
      return true;
    }
    write_url(row.target, "owed");
    write_discovery(row.discovery);
    if (row.attempts > 0) out_ << ", " << counted(row.attempts, "failed attempt");
    if (row.known) out_ << ", visited before";
    if (lane == nullptr) out_ << ", due " << distance_text(due, now_);
    out_ << '\n';
    return true;
  }

  bool visited(const UrlRecord& record) {
    if (!limit_.take()) return false;
    if (question_.json) {
      Json line = url_json(record.target, "done", record.discovery);
      line["fate"] = to_string(record.fate);
      line["status"] = record.status;
      line["checked"] = instant_json(record.checked, now_);
      line["due"] = record.due ? instant_json(*record.due, now_) : Json(nullptr);
      line["checks"] = record.checks;
      line["changes"] = record.changes;
      if (!record.reason.empty()) line["reason"] = record.reason;
      write_line(line, out_);
      return true;
    }
    write_url(record.target, to_string(record.fate));
    if (record.status != 0) out_ << ' ' << record.status;
    write_discovery(record.discovery);
    out_ << ", checked " << distance_text(record.checked, now_) << ", " << counted(record.checks, "check")
         << ", " << counted(record.changes, "change");
    if (!record.reason.empty()) out_ << ", " << base::escaped(record.reason);
    out_ << (record.due ? ", due " + distance_text(*record.due, now_) : ", not due") << '\n';
    return true;
  }

  Json url_json(const std::string& target, std::string_view state, const Discovery& discovery) const {
    Json out;
    out["url"] = host_.origin + target;
    out["state"] = state;
    out["depth"] = discovery.depth;
    out["how"] = to_string(discovery.how);
    return out;
  }

  void write_url(const std::string& target, std::string_view what) const {
    out_ << base::escaped(host_.origin + target, base::kUrlOctetsMax) << "  " << what;
  }
  void write_discovery(const Discovery& discovery) const {
    out_ << ", depth " << discovery.depth << ", " << to_string(discovery.how);
  }

  const Store& store_;
  const ListQuestion& question_;
  base::Now now_;
  Limit& limit_;
  std::ostream& out_;
  std::string key_;
  HostRecord host_;
};

}  // namespace

int list_frontier(const Store& store, const ListQuestion& question, base::Now now, std::ostream& out,
                  std::ostream& talk) {
  Limit limit(question.limit);
  int code = EX_OK;
  if (!question.origin) {
    list_origins(store, question, now, limit, out, talk);
  } else {
    const std::string key = find_host(store, *question.origin);
    const auto octets = store.get(Table::hosts, key);
    auto host = octets ? decode_host(*octets) : std::nullopt;
    if (host) {
      OriginList(store, question, now, limit, out).write(key, std::move(*host));
    } else if (!store.failed()) {
      talk << question.origin->text() << (octets ? ": its record cannot be read" : ": not in the frontier")
           << '\n';
      code = EX_DATAERR;
    }
  }
  if (limit.cut()) talk << "there are more; --limit 0 shows all\n";
  return end_tool(code, store, out, talk);
}

}  // namespace crawler

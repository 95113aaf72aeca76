// `crawld report host`: every request to one host, and that each was in order.
#include "base/escape.h"
#include "base/hash.h"
#include "base/site.h"
#include "base/time_text.h"
#include "base/url.h"
#include "crawler/codec.h"
#include "crawler/frontier_rows.h"
#include "crawler/report.h"

#include <fmt/format.h>
#include <sysexits.h>

#include <algorithm>
#include <ostream>
#include <set>

namespace crawler {
namespace {

using Json = nlohmann::ordered_json;
using std::chrono::milliseconds;

/// Runs that are told apart.
constexpr std::size_t kRunsMax = 10'000;

std::string counted(std::uint64_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

double milliseconds_of(base::Duration span) {
  return std::chrono::duration<double, std::milli>(span).count();
}

/// Why the request was allowed, for people; empty when the log does not say.
std::string allowed_by(const LogLine& line) {
  if (line.fate == "robots") {
    if (!line.purpose.empty()) return line.purpose + ": is a 5xx of robots.txt meant for all?";
    return line.behalf.empty() ? "it is robots.txt" : "a redirect made it the robots.txt of " + line.behalf;
  }
  if (!line.rule.empty()) {
    return fmt::format("{} (line {}, group {})", line.rule, line.rule_line, line.group);
  }
  if (!line.group.empty()) return fmt::format("no rule of group {} is about it", line.group);
  if (line.robots == "allow_all") return "there is no robots.txt";
  return line.robots.empty() ? "" : "no group of robots.txt is about us";
}

/// From the start of one request to that of the next one to the same origin.
struct Gap {
  std::int64_t ms = 0;
  bool exact = false;  ///< on the steady axis, and not by a wall clock that may have been set between
};

class HostReport {
 public:
  HostReport(const HostQuestion& question, std::ostream& out) : question_(question), out_(out) {}

  void take(const LogLine& line) {
    if (line.url.find(question_.host) == line.url.npos) return;
    const auto url = base::Url::parse(line.url);
    if (!url || url->host() != question_.host) return;
    const bool shown = wanted(line.begun.value_or(line.logged));
    if (line.fate == "disallowed" && shown) ++disallowed_;
    if (!line.begun) return;
    std::optional<Gap> gap;
    if (line.asked()) gap = gap_of(line, url->origin_text());
    if (shown) show(line, gap);
  }

  int end(const LogFiles& log, const std::optional<UnderWay>& marks) {
    if (question_.json) {
      write_line(summary(log, marks), out_);
    } else {
      tell(log, marks);
    }
    return violations_ > 0 ? EX_DATAERR : EX_OK;
  }

  bool crowded() const { return crowded_; }

 private:
  struct Last {
    base::WallTime begun{};
    std::optional<std::int64_t> axis_ms;
  };

  bool wanted(base::WallTime at) const {
    return (!question_.since || at >= *question_.since) && (!question_.until || at < *question_.until);
  }

  std::optional<Gap> gap_of(const LogLine& line, std::string_view origin) {
    const Last now{*line.begun, line.axis_ms};
    const auto found = last_.find(origin);
    if (found == last_.end()) {
      if (last_.size() < kReportOriginsMax) {
        last_.emplace(origin, now);
      } else {
        crowded_ = true;
      }
      return std::nullopt;
    }
    const Last before = std::exchange(found->second, now);
    // A store that was made anew has begun an axis of its own.
    if (before.axis_ms && now.axis_ms && *now.axis_ms >= *before.axis_ms) {
      return Gap{*now.axis_ms - *before.axis_ms, true};
    }
    return Gap{std::chrono::duration_cast<milliseconds>(now.begun - before.begun).count(), false};
  }

  void judge(const LogLine& line, const Gap& gap) {
    if (!shortest_ || gap.ms < shortest_->ms) {
      shortest_ = gap;
      its_interval_ = line.interval;
    }
    if (!gap.exact || !line.interval) {
      ++unjudged_;
      return;
    }
    // Both ends were cut to milliseconds, so a gap may look shorter by less than one.
    if (gap.ms < std::chrono::floor<milliseconds>(*line.interval).count()) ++violations_;
  }

  void show(const LogLine& line, const std::optional<Gap>& gap) {
    const bool asked = line.asked();
    if (asked) {
      ++requests_;
      first_ = std::min(first_.value_or(*line.begun), *line.begun);
      last_begun_ = std::max(last_begun_.value_or(*line.begun), *line.begun);
      if (!line.run.empty() && runs_.size() < kRunsMax) runs_.insert(line.run);
      if (allowed_by(line).empty()) ++unexplained_;
    } else {
      ++unsent_;
    }
    if (gap) judge(line, *gap);
    if (question_.json) {
      write_line(request_json(line, gap), out_);
    } else {
      write_request(line, gap);
    }
  }

  Json request_json(const LogLine& line, const std::optional<Gap>& gap) const {
    Json out{{"kind", "request"}, {"time", base::rfc3339(*line.begun)}, {"method", "GET"}, {"url", line.url}};
    out["sent"] = line.asked();
    out["status"] = line.status;
    out["octets"] = line.octets;
    out["ms"] = line.took_ms;
    out["fate"] = line.fate;
    if (!line.error.empty()) out["error"] = line.error;
    out["gap_ms"] = gap ? Json(gap->ms) : Json(nullptr);
    out["interval_ms"] = line.interval ? Json(milliseconds_of(*line.interval)) : Json(nullptr);
    out["reason"] = line.reason;
    out["robots"] = line.robots;
    out["group"] = line.group;
    out["rule"] = line.rule;
    out["line"] = line.rule_line;
    if (!line.behalf.empty()) out["behalf"] = line.behalf;
    out["allowed_by"] = allowed_by(line);
    if (!line.run.empty()) out["run"] = line.run;
    return out;
  }

  void write_request(const LogLine& line, const std::optional<Gap>& gap) const {
    out_ << base::rfc3339(*line.begun) << "  GET " << base::escaped(line.url, base::kUrlOctetsMax) << "  ";
    if (line.asked()) {
      out_ << fmt::format("{}, {} octets, {} ms", line.status, line.octets, line.took_ms);
    } else {
      out_ << "nothing was sent";
    }
    if (!line.error.empty()) out_ << ", " << base::escaped(line.error);
    if (gap) out_ << ", gap " << base::duration_text(milliseconds(gap->ms));
    if (line.interval) {
      out_ << ", interval " << base::duration_text(*line.interval) << " (" << base::escaped(line.reason)
           << ')';
    }
    const std::string why = allowed_by(line);
    out_ << "  " << (why.empty() ? "no rule in the log" : base::escaped(why)) << '\n';
  }

  Json summary(const LogFiles& log, const std::optional<UnderWay>& marks) const {
    const auto instant = [](const std::optional<base::WallTime>& at) {
      return at ? Json(base::rfc3339(*at)) : Json(nullptr);
    };
    Json out{{"kind", "summary"}, {"host", question_.host}, {"requests", requests_}, {"unsent", unsent_}};
    out["first"] = instant(first_);
    out["last"] = instant(last_begun_);
    out["shortest_gap_ms"] = shortest_ ? Json(shortest_->ms) : Json(nullptr);
    out["its_interval_ms"] = its_interval_ ? Json(milliseconds_of(*its_interval_)) : Json(nullptr);
    out["violations"] = violations_;
    out["gaps_not_judged"] = unjudged_;
    out["without_rule"] = unexplained_;
    out["disallowed"] = disallowed_;
    out["runs"] = runs_.size();
    out["complete_since"] = instant(log.first());
    out["rotation_may_have_deleted"] = log.full();
    out["unreadable"] = log.unreadable();
    if (marks) {
      out["running"] = marks->running;
      out["under_way"] = marks->origins;
    }
    return out;
  }

  void tell(const LogFiles& log, const std::optional<UnderWay>& marks) const {
    out_ << counted(requests_, "request") << " to " << question_.host;
    if (first_) {
      out_ << fmt::format(" from {} to {} ({})", base::rfc3339(*first_), base::rfc3339(*last_begun_),
                          base::duration_text(std::chrono::floor<milliseconds>(*last_begun_ - *first_)));
    }
    if (shortest_) {
      out_ << ", the shortest gap " << base::duration_text(milliseconds(shortest_->ms));
      if (its_interval_) out_ << " where the interval was " << base::duration_text(*its_interval_);
    }
    out_ << fmt::format(", {}.\n", counted(violations_, "violation"));
    if (unsent_ > 0) out_ << counted(unsent_, "attempt") << " came to no request.\n";
    if (disallowed_ > 0) out_ << counted(disallowed_, "URL") << " not asked for, because of robots.txt.\n";
    if (unjudged_ > 0) out_ << counted(unjudged_, "gap") << " could not be judged: no interval in the log.\n";
    if (unexplained_ > 0) out_ << "Of " << counted(unexplained_, "request") << " the log has no rule.\n";
    tell_bounds(log, marks);
  }

  /// How far it can be relied on.
  void tell_bounds(const LogFiles& log, const std::optional<UnderWay>& marks) const {
    if (log.first()) {
      out_ << "Complete from " << base::rfc3339(*log.first()) << " on";
      out_ << (log.full() ? "; rotation may have deleted older lines.\n" : ".\n");
    } else {
      out_ << "The log is empty.\n";
    }
    if (log.unreadable() > 0) out_ << counted(log.unreadable(), "line") << " could not be read.\n";
    if (runs_.size() > 1) {
      out_ << fmt::format(
          "{} runs: what was under way when one of them was killed, at most one request to "
          "each origin, has no line.\n",
          runs_.size());
    }
    if (!marks) return;
    for (const std::string& origin : marks->origins) {
      out_ << (marks->running ? "A request is under way or was lost with the last run: "
                              : "A request was under way when the last run was killed: ")
           << base::escaped(origin) << ".\n";
    }
  }

  const HostQuestion& question_;
  std::ostream& out_;
  base::StringMap<Last> last_;  ///< by origin
  bool crowded_ = false;
  std::uint64_t requests_ = 0;
  std::uint64_t unsent_ = 0;
  std::uint64_t disallowed_ = 0;
  std::uint64_t violations_ = 0;
  std::uint64_t unjudged_ = 0;
  std::uint64_t unexplained_ = 0;
  std::optional<base::WallTime> first_;
  std::optional<base::WallTime> last_begun_;
  std::optional<Gap> shortest_;
  std::optional<base::Duration> its_interval_;
  std::set<std::string> runs_;
};

}  // namespace

UnderWay under_way(const Store& store, const std::string& host, bool running) {
  UnderWay marks{running, {}};
  // All origins of a host are in one partition, unless another public suffix list has made it another.
  std::string partition;
  if (!suffixes_differ(store)) {
    const auto root = base::Url::parse("http://" + host + "/");
    if (root) partition = host_key(root->origin(), 0).substr(0, sizeof(std::uint16_t));
  }
  store.scan(Table::hosts, partition, {}, [&](std::string_view, std::string_view value) {
    const auto record = decode_host(value);
    if (!record || !record->in_flight) return true;
    const base::Origin origin = origin_of(record->origin);
    if (!origin.text().empty() && origin.host() == host) marks.origins.push_back(record->origin);
    return marks.origins.size() < kReportOriginsMax;
  });
  return marks;
}

int report_host(LogFiles& log, const HostQuestion& question, const std::optional<UnderWay>& marks,
                std::ostream& out, std::ostream& talk) {
  HostReport report(question, out);
  log.read([&report](const LogLine& line) { report.take(line); }, talk);
  const int code = report.end(log, marks);
  if (report.crowded()) {
    talk << "the host has more than " << kReportOriginsMax << " origins; gaps of the others are not known\n";
  }
  out.flush();
  if (out) return code;
  talk << "the output cannot be written\n";
  return EX_IOERR;
}

}  // namespace crawler

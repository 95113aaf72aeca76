// `crawld report status|mime|hosts|fates|errors`.
#include "base/escape.h"
#include "base/hash.h"
#include "base/time_text.h"
#include "base/url.h"
#include "crawler/fate.h"
#include "crawler/frontier_rows.h"
#include "crawler/report.h"

#include <fmt/format.h>
#include <sysexits.h>

#include <algorithm>
#include <array>
#include <ostream>

namespace crawler {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kOthers = "others";
constexpr std::string_view kUnknown = "unknown";
constexpr int kErrorsFrom = 400;

/// Lines with one key. Of strangers there is nothing in it but the key, and one URL for errors.
struct Row {
  std::uint64_t lines = 0;
  std::uint64_t requests = 0;
  std::uint64_t octets = 0;
  base::WallTime last = base::WallTime::min();
  std::string example;
  std::array<std::uint32_t, kFates + 1> fates{};  ///< by Fate; the last is robots.txt
};

std::string_view word_of(Tallied what) {
  switch (what) {
    case Tallied::status: return "status";
    case Tallied::mime: return "mime";
    case Tallied::hosts: return "host";
    case Tallied::fates: return "fate";
    case Tallied::errors: return "error";
  }
  return {};
}

std::string_view fate_word(std::size_t number) {
  return number < kFates ? to_string(static_cast<Fate>(number)) : "robots";
}

template <class Number>
void add(Number& sum, Number more) {
  if (__builtin_add_overflow(sum, more, &sum)) sum = std::numeric_limits<Number>::max();
}

/// What `line` counts for; empty when it does not.
std::string key_of(Tallied what, const LogLine& line) {
  switch (what) {
    case Tallied::status: return std::to_string(line.status);
    case Tallied::mime: return line.status <= 0 ? "" : line.mime.empty() ? "no-type" : line.mime;
    case Tallied::hosts: {
      const auto url = base::Url::parse(line.url);
      return std::string(url ? url->host() : kUnknown);
    }
    case Tallied::fates: return line.fate.empty() ? std::string(kUnknown) : line.fate;
    case Tallied::errors: break;
  }
  if (!line.error.empty()) return line.error;
  const bool failed = line.fate == "retry" || line.fate == "given_up" || line.fate == "refused";
  return failed && line.status >= kErrorsFrom ? fmt::format("status_{}", line.status) : "";
}

class TallyReport {
 public:
  TallyReport(Tallied what, std::uint64_t limit, bool json, std::ostream& out)
      : what_(what), limit_(limit), json_(json), out_(out) {}

  void take(const LogLine& line) {
    const std::string key = key_of(what_, line);
    if (key.empty()) return;
    auto found = rows_.find(key);
    if (found == rows_.end() && rows_.size() < (what_ == Tallied::hosts ? kReportHostsMax : kReportKeysMax)) {
      found = rows_.emplace(key, Row()).first;
    }
    const bool new_here = found == rows_.end();
    if (new_here) ++others_lines_;
    Row& row = new_here ? others_ : found->second;
    ++row.lines;
    if (line.asked()) ++row.requests;
    add(row.octets, line.octets);
    row.last = std::max(row.last, line.begun.value_or(line.logged));
    if (what_ == Tallied::errors && row.example.empty()) row.example = line.url;
    for (std::size_t fate = 0; fate < row.fates.size(); ++fate) {
      if (fate_word(fate) == line.fate) add(row.fates[fate], 1U);
    }
  }

  void write(const LogFiles& log, std::ostream& talk) {
    std::vector<std::pair<std::string_view, const Row*>> order;
    for (const auto& [key, row] : rows_) order.emplace_back(key, &row);
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return a.second->lines != b.second->lines ? a.second->lines > b.second->lines : a.first < b.first;
    });
    const std::size_t shown = limit_ == 0 ? order.size() : std::min<std::uint64_t>(limit_, order.size());
    if (!json_)
      out_ << fmt::format("{:>10} {:>10} {:>15} {:<24} {}\n", "lines", "requests", "octets", "last",
                          word_of(what_));
    for (std::size_t i = 0; i < shown; ++i) write_row(order[i].first, *order[i].second);
    if (others_lines_ > 0) {
      write_row(kOthers, others_);
      talk << fmt::format("only {} are told apart; {} lines of further ones are summed up as `{}`\n",
                          rows_.size(), others_lines_, kOthers);
    }
    if (shown < order.size()) talk << "there are more; --limit 0 shows all\n";
    write_end(log);
  }

 private:
  void write_row(std::string_view key, const Row& row) const {
    const std::string last = base::rfc3339(row.last);
    if (json_) {
      Json out{{"kind", word_of(what_)}, {word_of(what_), key}, {"lines", row.lines}};
      out["requests"] = row.requests;
      out["octets"] = row.octets;
      out["last"] = last;
      if (what_ == Tallied::hosts) out["fates"] = fates_json(row);
      if (!row.example.empty()) out["example"] = row.example;
      write_line(out, out_);
      return;
    }
    out_ << fmt::format("{:>10} {:>10} {:>15} {:<24} {}", row.lines, row.requests, row.octets, last,
                        base::escaped(key));
    if (what_ == Tallied::hosts) {
      for (std::size_t fate = 0; fate < row.fates.size(); ++fate) {
        if (row.fates[fate] > 0) out_ << ' ' << fate_word(fate) << '=' << row.fates[fate];
      }
    }
    if (!row.example.empty()) out_ << ' ' << base::escaped(row.example, base::kUrlOctetsMax);
    out_ << '\n';
  }

  static Json fates_json(const Row& row) {
    Json out = Json::object();
    for (std::size_t fate = 0; fate < row.fates.size(); ++fate) {
      if (row.fates[fate] > 0) out[std::string(fate_word(fate))] = row.fates[fate];
    }
    return out;
  }

  void write_end(const LogFiles& log) const {
    const std::string first = log.first() ? base::rfc3339(*log.first()) : "";
    if (json_) {
      Json out{{"kind", "summary"}, {"lines", log.lines()}, {"unreadable", log.unreadable()}};
      out["distinct"] = rows_.size();
      out["others"] = others_lines_;
      out["complete_since"] = log.first() ? Json(first) : Json(nullptr);
      out["rotation_may_have_deleted"] = log.full();
      write_line(out, out_);
      return;
    }
    out_ << fmt::format("{} lines, {} of them unreadable", log.lines(), log.unreadable());
    if (log.first()) out_ << "; complete from " << first << " on";
    out_ << (log.full() ? "; rotation may have deleted older lines.\n" : ".\n");
  }

  const Tallied what_;
  const std::uint64_t limit_;
  const bool json_;
  std::ostream& out_;
  base::StringMap<Row> rows_;
  Row others_;
  std::uint64_t others_lines_ = 0;
};

}  // namespace

int report_tally(LogFiles& log, Tallied what, std::uint64_t limit, bool json, std::ostream& out,
                 std::ostream& talk) {
  TallyReport report(what, limit, json, out);
  log.read([&report](const LogLine& line) { report.take(line); }, talk);
  report.write(log, talk);
  out.flush();
  if (out) return EX_OK;
  talk << "the output cannot be written\n";
  return EX_IOERR;
}

}  // namespace crawler

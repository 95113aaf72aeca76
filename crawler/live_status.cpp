#include "crawler/live_status.h"

#include "crawler/live_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace crawler::live {
namespace {

/// Columns of a label and the blanks behind it.
constexpr std::size_t kLabelWidth = 11;
/// Kinds of fates or errors that are named.
constexpr std::size_t kKindsMax = 24;
/// Hosts that wait, and disks; the endpoint answers no more than 5 and 3.
constexpr std::size_t kItemsMax = 8;

enum class Tone { plain, careful, bad };

struct Row {
  int rank = 0;       ///< the larger, the sooner it is left out
  std::string label;  ///< this and the value are safe to show
  std::string value;
  Tone tone = Tone::plain;
};

/// Text of the endpoint, which may have a stranger's words in it.
std::string word(const Json& from, std::string_view key, std::size_t columns = 60) {
  return fitted(text(from, key), columns);
}

std::string counted(const Json& from, std::string_view key) {
  return count_text(number(from, key));
}

Tone tone_of(const std::string& state) {
  if (state == "running") return Tone::plain;
  return state == "paused" || state == "draining" ? Tone::careful : Tone::bad;
}

/// `timeout 3, reset 1`
std::string kinds(const Json& counts) {
  std::string out;
  std::size_t named = 0;
  for (const auto& [name, count] : counts.items()) {
    if (!count.is_number() || ++named > kKindsMax) continue;
    out += (out.empty() ? "" : ", ") + fitted(name, 30) + " " + count_text(count.get<double>());
  }
  return out;
}

/// `http://a.test in 41s (interval)`
std::string wait_text(const Json& wait) {
  return word(wait, "origin") + " in " + seconds_text(number(wait, "in_seconds")) + " (" +
         word(wait, "reason") + ")";
}

double sum(const Json& counts) {
  double all = 0;
  for (const Json& count : counts.is_object() ? counts : Json::object()) {
    if (count.is_number()) all += count.get<double>();
  }
  return all;
}

void add_counts(const Json& status, std::vector<Row>& rows) {
  rows.push_back({1, "rate",
                  fmt::format("{} requests/s now, {} over a minute, {}/s",
                              rate_text(number(status, "requests_per_second")),
                              rate_text(number(status, "requests_per_second_minute")),
                              octets_text(number(status, "octets_per_second")))});
  const Json& hosts = at(status, "hosts");
  rows.push_back({2, "hosts",
                  fmt::format("{} in flight, {} ready, {} waiting, {} paused, {} idle, {} asleep",
                              counted(hosts, "in_flight"), counted(hosts, "ready"), counted(hosts, "waiting"),
                              counted(hosts, "paused"), counted(hosts, "idle"), counted(hosts, "asleep"))});
  const Json& urls = at(status, "urls");
  rows.push_back({3, "URLs",
                  fmt::format("{} owed ({} new, {} to be tried again), {} come again, {} seen on {} origins",
                              counted(urls, "owed"), counted(urls, "queued"), counted(urls, "retry"),
                              counted(urls, "again"), counted(urls, "seen"), counted(urls, "origins"))});
  const Json& totals = at(status, "totals");
  rows.push_back(
      {4, "so far",
       fmt::format("{} requests, {} of them for robots.txt, {}; {} records, {}", counted(totals, "requests"),
                   counted(totals, "robots_requests"), octets_text(number(totals, "octets")),
                   counted(totals, "records"), octets_text(number(totals, "record_octets")))});
}

void add_results(const Json& status, std::vector<Row>& rows) {
  const std::string fates = kinds(at(status, "fates"));
  if (!fates.empty()) rows.push_back({8, "fates", fates});
  const std::string errors = kinds(at(status, "errors"));
  rows.push_back({5, "errors", errors.empty() ? "none" : errors});
  const double violations = number(at(status, "totals"), "violations").value_or(0);
  rows.push_back(
      {violations > 0 ? 0 : 6, "politeness",
       violations > 0 ? count_text(violations) + " violations; please report this" : "no violations",
       violations > 0 ? Tone::bad : Tone::plain});
}

void add_waits(const Json& status, std::vector<Row>& rows) {
  const Json& next = at(status, "next");
  rows.push_back({5, "next", next.is_object() ? wait_text(next) : "nothing can become due"});
  int item = 0;
  for (const Json& wait : list(status, "longest_waits")) {
    if (static_cast<std::size_t>(item) == kItemsMax) break;
    rows.push_back({6 + item, item == 0 ? "longest" : "", wait_text(wait)});
    ++item;
  }
}

void add_disks(const Json& status, std::vector<Row>& rows) {
  std::size_t items = 0;
  for (const Json& disk : list(status, "disk")) {
    if (items++ == kItemsMax) break;
    const auto free = number(disk, "free");
    const bool full = free && *free < number(disk, "pause_below").value_or(0);
    std::string value = fmt::format("{} free for {}", octets_text(free), word(disk, "what"));
    value += full ? fmt::format("; the crawl goes on above {}", octets_text(number(disk, "resume_above")))
                  : fmt::format(", pause below {}", octets_text(number(disk, "pause_below")));
    rows.push_back({full ? 1 : 7, "disk", value + "  " + word(disk, "path", kWidthUnknown),
                    full ? Tone::bad : Tone::plain});
  }
}

std::vector<Row> rows_of(const Json& status) {
  std::vector<Row> rows;
  const std::string state = text(status, "state");
  // Of one rank the last goes first, and this is the first.
  rows.push_back({std::numeric_limits<int>::min(), state.empty() ? "?" : fitted(state),
                  word(status, "sentence", kWidthUnknown), tone_of(state)});
  add_counts(status, rows);
  add_waits(status, rows);
  add_results(status, rows);
  add_disks(status, rows);
  const Json& reload = at(status, "reload");
  if (reload.is_object() && !text(reload, "at").empty()) {
    const bool good = flag(reload, "successful");
    rows.push_back({good ? 12 : 4, "reload", (good ? "successful at " : "refused at ") + word(reload, "at"),
                    good ? Tone::plain : Tone::bad});
  }
  const double orders = number(status, "orders").value_or(0);
  if (orders > 0) rows.push_back({7, "orders", count_text(orders) + " in force"});
  rows.push_back({11, "crawld",
                  fmt::format("{}, {} threads, up {}", word(status, "version"), counted(status, "threads"),
                              seconds_text(number(status, "uptime_seconds")))});
  return rows;
}

void leave_out(std::vector<Row>& rows, std::size_t most) {
  while (rows.size() > std::max<std::size_t>(most, 1)) {
    const auto worse = [](const Row& a, const Row& b) { return a.rank <= b.rank; };
    rows.erase(std::max_element(rows.begin(), rows.end(), worse));
  }
}

std::string coloured(const std::string& line, std::size_t label, Tone tone) {
  constexpr std::string_view kBold = "\x1b[1m";
  constexpr std::string_view kPlain = "\x1b[0m";
  const std::string_view colour = tone == Tone::bad ? "\x1b[31m" : tone == Tone::careful ? "\x1b[33m" : "";
  const std::string_view text = line;
  return fmt::format("{}{}{}{}{}", kBold, colour, text.substr(0, label), tone == Tone::plain ? kPlain : "",
                     text.substr(label)) +
         std::string(kPlain);
}

}  // namespace

std::vector<std::string> status_lines(const Json& status, const Place& place) {
  std::vector<Row> rows = rows_of(status);
  leave_out(rows, place.rows);
  std::vector<std::string> lines;
  for (const Row& row : rows) {
    std::string line = cut(row.label, kLabelWidth - 1);
    line.append(kLabelWidth - width_of(line), ' ');
    const std::size_t label = place.columns > kLabelWidth ? line.size() : std::string::npos;
    line = cut(line + row.value, place.columns);
    lines.push_back(place.colour ? coloured(line, std::min(label, line.size()), row.tone) : line);
  }
  return lines;
}

std::string status_line(const Json& status) {
  const auto plain = [](const Json& from, std::string_view key) {
    const auto value = number(from, key);
    return value ? fmt::format("{:.15g}", *value) : std::string("-");
  };
  const Json& hosts = at(status, "hosts");
  const Json& totals = at(status, "totals");
  std::string line = fmt::format(
      "{} state={} per_second={} requests={} octets={} owed={} again={}", fitted(text(status, "now"), 30),
      fitted(text(status, "state"), 20), plain(status, "requests_per_second"), plain(totals, "requests"),
      plain(totals, "octets"), plain(at(status, "urls"), "owed"), plain(at(status, "urls"), "again"));
  line += fmt::format(" hosts_in_flight={} hosts_waiting={} hosts_paused={} errors={:.15g} violations={}",
                      plain(hosts, "in_flight"), plain(hosts, "waiting"), plain(hosts, "paused"),
                      sum(at(status, "errors")), plain(totals, "violations"));
  return line + " sentence=\"" + fitted(text(status, "sentence"), kWidthUnknown) + "\"";
}

}  // namespace crawler::live

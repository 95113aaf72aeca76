#include "crawler/live_hosts.h"

#include "crawler/live_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace crawler::live {
namespace {

using Side = Table::Side;

/// Lines of a robots.txt, windows, visits and so on that one origin shows; the endpoint answers no more.
constexpr std::size_t kItemsMax = 1'440;
constexpr std::size_t kFatesShown = 5;

std::string or_dash(std::string text) {
  return text.empty() ? "-" : text;
}

/// `waiting` says more than it shows: what it waits for.
std::string state_text(const Json& row) {
  const std::string state = text(row, "state");
  const std::string waiting = text(row, "waiting");
  return state == "waiting" && !waiting.empty() ? state + " (" + waiting + ")" : state;
}

std::string interval_text(const Json& row) {
  const std::string reason = text(row, "interval_reason");
  return seconds_text(number(row, "interval_seconds")) + (reason.empty() ? "" : " (" + reason + ")");
}

/// Words of a list, with commas.
std::string joined(const Json& words, std::size_t most = kItemsMax) {
  std::string out;
  std::size_t taken = 0;
  for (const Json& word : words) {
    if (!word.is_string() || taken++ == most) break;
    out += (out.empty() ? "" : ", ") + word.get<std::string>();
  }
  return out;
}

/// `label:     value`, as `crawld explain` writes it.
class Sheet {
 public:
  explicit Sheet(std::size_t columns) : columns_(columns) {}
  void say(std::string_view label, std::string_view value) {
    const std::string head = fmt::format("{:<13}", label.empty() ? std::string() : std::string(label) + ":");
    put(head + fitted(value, columns_ > head.size() ? columns_ - head.size() : 0));
  }
  void put(const std::string& line) { lines_.push_back(cut(line, columns_)); }
  void put(const Table& table) {
    for (const std::string& line : table.lines(columns_ > 2 ? columns_ - 2 : 0)) put("  " + line);
  }
  std::vector<std::string> take() { return std::move(lines_); }

 private:
  std::size_t columns_;
  std::vector<std::string> lines_;
};

void tell_robots(const Json& robots, Sheet& sheet) {
  if (!robots.is_object()) {
    sheet.say("robots.txt", "was never asked for");
    return;
  }
  sheet.say("robots.txt", text(robots, "access") + " (" + text(robots, "about") + ")");
  if (!text(robots, "group").empty()) sheet.say("group", text(robots, "group"));
  if (const auto delay = number(robots, "crawl_delay")) sheet.say("crawl-delay", seconds_text(delay));
  for (const Json& rate : list(robots, "rates")) {
    std::string value = count_text(number(rate, "documents")) + "/" + seconds_text(number(rate, "seconds"));
    if (!text(rate, "window").empty()) value += " " + text(rate, "window");
    sheet.say("rate", value);
  }
  const std::string times = joined(list(robots, "visit_times"));
  if (!times.empty()) sheet.say("visit-time", times);
  for (const Json& sitemap : list(robots, "sitemaps")) {
    if (sitemap.is_string()) sheet.say("sitemap", sitemap.get<std::string>());
  }
  const Json& rules = list(robots, "rules");
  sheet.say("rules",
            count_text(number(robots, "rule_count")) + (rules.empty() ? "" : ", by line of the file"));
  Table table({{"", Side::right}, {""}});
  for (const Json& rule : rules) table.add({count_text(number(rule, "line")), text(rule, "text")});
  for (const Json& warning : list(robots, "warnings")) {
    table.add({count_text(number(warning, "line")), "warning: " + text(warning, "text")});
  }
  sheet.put(table);
}

void tell_visits(const Json& visits, Sheet& sheet) {
  if (visits.empty()) return;
  sheet.say("visits", "the newest first");
  Table table(
      {{"URL"}, {"AT"}, {"FATE"}, {"STATUS", Side::right}, {"OCTETS", Side::right}, {"TOOK", Side::right}});
  for (const Json& visit : visits) {
    const double status = number(visit, "status").value_or(0);
    table.add({text(visit, "url"), text(visit, "at"), text(visit, "fate"),
               status > 0 ? fmt::format("{:.0f}", status) : or_dash(text(visit, "reason")),
               count_text(number(visit, "octets")), seconds_text(number(visit, "seconds"))});
  }
  sheet.put(table);
}

void tell_origin(const Json& row, Sheet& sheet) {
  sheet.say("origin", text(row, "origin"));
  sheet.say("state", state_text(row));
  if (const std::string order = order_text(at(row, "order")); !order.empty()) sheet.say("order", order);
  sheet.say("interval", interval_text(row));
  const std::string next = text(row, "next");
  sheet.say("next", next.empty() ? "nothing is due"
                                 : next + ", in " + seconds_text(number(row, "next_in_seconds")) +
                                       ", at the earliest");
  sheet.say("URLs", fmt::format("{} owed, {} accepted, {} visits", count_text(number(row, "owed")),
                                count_text(number(row, "accepted")), count_text(number(row, "visits"))));
  sheet.say("answers",
            fmt::format("in {} on average, {} failures in a row",
                        seconds_text(number(row, "latency_seconds")), count_text(number(row, "failures"))));
  const std::string fates = joined(list(row, "last_fates"), kFatesShown);
  if (!text(row, "last_request").empty()) {
    sheet.say("last", text(row, "last_request") + (fates.empty() ? "" : ": " + fates));
  }
  tell_robots(at(row, "robots"), sheet);
  const auto day = day_lines(at(row, "day"));
  if (!day.empty()) sheet.say("day", "in UTC");
  for (const std::string& line : day) sheet.put("  " + line);
  tell_visits(list(row, "recent"), sheet);
}

std::string clock_text(double minute) {
  const int all = static_cast<int>(std::clamp(minute, 0.0, 1440.0));
  return fmt::format("{:02}:{:02}", all / 60, all % 60);
}

}  // namespace

std::string order_text(const Json& order) {
  if (!order.is_object()) return {};
  std::string out;
  if (flag(order, "paused")) {
    const std::string until = text(order, "until");
    out = until.empty() ? "paused" : "paused until " + until;
  }
  if (const auto delay = number(order, "delay_seconds")) {
    out += (out.empty() ? "" : "; ") + ("at least " + seconds_text(delay)) + " apart";
  }
  if (!out.empty() && !text(order, "since").empty()) out += ", since " + text(order, "since");
  return out;
}

std::vector<std::string> day_lines(const Json& day) {
  std::vector<std::string> out;
  if (!day.is_array()) return out;
  for (const Json& part : day) {
    if (out.size() == kItemsMax) break;
    const std::string window =
        clock_text(number(part, "from").value_or(0)) + "-" + clock_text(number(part, "to").value_or(0));
    const std::string pace =
        seconds_text(number(part, "interval_seconds")) + " (" + text(part, "reason") + ")";
    out.push_back(window + "  " + (flag(part, "open") ? fitted(pace) : "closed"));
  }
  return out;
}

std::vector<std::string> hosts_table(const Json& hosts, std::size_t columns) {
  Table table({{"ORIGIN"},
               {"STATE"},
               {"NEXT IN", Side::right},
               {"INTERVAL"},
               {"OWED", Side::right},
               {"VISITS", Side::right},
               {"LATENCY", Side::right},
               {"FAILURES", Side::right},
               {"LAST"},
               {"ORDER"}});
  for (const Json& row : list(hosts, "hosts")) {
    const Json& fates = list(row, "last_fates");
    table.add({text(row, "origin"), state_text(row), seconds_text(number(row, "next_in_seconds")),
               interval_text(row), count_text(number(row, "owed")), count_text(number(row, "visits")),
               seconds_text(number(row, "latency_seconds")), count_text(number(row, "failures")),
               or_dash(joined(fates, 1)), or_dash(order_text(at(row, "order")))});
  }
  return table.lines(columns);
}

std::vector<std::string> host_page(const Json& host, std::size_t columns) {
  Sheet sheet(columns);
  bool first = true;
  for (const Json& row : origins_of(host)) {
    if (!first) sheet.put(std::string());
    first = false;
    tell_origin(row, sheet);
  }
  return sheet.take();
}

std::vector<std::string> seeds_table(const Json& seeds, std::size_t columns) {
  Table table({{"URL"}, {"WEIGHT", Side::right}, {"WHERE"}, {"FATE"}});
  for (const Json& seed : list(seeds, "seeds")) {
    table.add({text(seed, "url"), count_text(number(seed, "weight")), or_dash(text(seed, "where")),
               or_dash(text(seed, "fate"))});
  }
  return table.lines(columns);
}

}  // namespace crawler::live

#include "crawler/robots_tool.h"

#include "base/escape.h"
#include "base/time_text.h"
#include "robots/rules.h"
#include "scheduler/pace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sysexits.h>

#include <functional>
#include <istream>
#include <ostream>

namespace crawler {
namespace {

using Json = nlohmann::json;

scheduler::Wishes wishes_of(const robots::Rules& rules) {
  return {{rules.request_rates().begin(), rules.request_rates().end()},
          rules.crawl_delay(),
          {rules.visit_times().begin(), rules.visit_times().end()}};
}

double seconds_of(base::Duration d) {
  return std::chrono::duration<double>(d).count();
}

base::Duration duration_of(double seconds) {
  return std::chrono::duration_cast<base::Duration>(std::chrono::duration<double>(seconds));
}

Json rates_json(const robots::Rules& rules) {
  if (rules.request_rates().empty()) return nullptr;
  Json out = Json::array();
  for (const base::RequestRate& rate : rules.request_rates()) {
    Json one = {{"documents", rate.documents}, {"seconds", rate.seconds}, {"from", nullptr}, {"to", nullptr}};
    if (rate.window) {
      one["from"] = fmt::format("{:04}", rate.window->written_from);
      one["to"] = fmt::format("{:04}", rate.window->written_to);
    }
    out.push_back(std::move(one));
  }
  return out;
}

Json sitemaps_json(const robots::Rules& rules, const base::Url& url) {
  Json out = Json::array();
  const auto robots_url = base::Url::resolve("/robots.txt", url);
  for (const base::Url& sitemap : robots::resolved_sitemaps(rules, *robots_url))
    out.push_back(sitemap.text());
  return out.empty() ? Json(nullptr) : out;
}

/// What is known about one URL under `rules`.
Json answer_json(const robots::Rules& rules, const base::Url& url) {
  const robots::Decision decision = rules.check(url.target());
  Json out;
  out["allow"] = decision.allowed;
  out["group"] = decision.group.empty() ? Json(nullptr) : Json(decision.group);
  out["crawl_delay"] = rules.crawl_delay() ? Json(*rules.crawl_delay()) : Json(nullptr);
  out["request_rates"] = rates_json(rules);
  out["sitemaps"] = sitemaps_json(rules, url);
  out["rule"] = decision.rule.empty() ? Json(nullptr) : Json(decision.rule);
  out["line"] = decision.line == 0 ? Json(nullptr) : Json(decision.line);
  return out;
}

/// Octets that are not UTF-8 are shown as U+FFFD: JSON has no others.
std::string one_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void set_mode(config::Robots& options, const Json& mode) {
  for (const auto& [key, value] : mode.items()) {
    if (key == "grouping") {
      options.grouping = value == "rfc9309" ? config::Grouping::rfc9309 : config::Grouping::section;
    } else if (key == "version2") {
      options.version2 = value.get<bool>();
    } else if (key == "version2_bare_slash") {
      options.version2_bare_slash =
          value == "root-only" ? config::BareSlash::root_only : config::BareSlash::everything;
    } else if (key == "honour_visit_time") {
      options.honour_visit_time = value.get<bool>();
    } else {
      throw std::invalid_argument("mode: unknown option \"" + key + "\"");
    }
  }
}

Json answer_robots_case(const Json& question) {
  config::Robots options;
  if (const auto mode = question.find("mode"); mode != question.end() && mode->is_object())
    set_mode(options, *mode);
  const std::vector<std::string> tokens{question.at("agent").get<std::string>()};
  const auto url = base::Url::parse(question.at("url").get<std::string>());
  if (!url) throw std::invalid_argument("url: " + url.error().message());
  const auto rules = robots::Rules::parse(question.at("robots").get<std::string>(), tokens, options);
  return answer_json(rules, *url);
}

std::optional<base::DailyWindow> window_of(const Json& rate) {
  if (!rate.contains("from") || rate["from"].is_null()) return std::nullopt;
  const std::string text = rate.at("from").get<std::string>() + "-" + rate.at("to").get<std::string>();
  const auto window = robots::parse_window(text);
  if (!window) throw std::invalid_argument("not a window: " + text);
  return window;
}

Json answer_pace_case(const Json& question) {
  scheduler::Wishes wishes;
  if (const auto rates = question.find("request_rates"); rates != question.end() && rates->is_array()) {
    for (const Json& rate : *rates) {
      wishes.rates.push_back({rate.at("documents").get<std::uint64_t>(),
                              rate.at("seconds").get<std::uint64_t>(), window_of(rate)});
    }
  }
  if (const auto delay = question.find("crawl_delay"); delay != question.end() && delay->is_number()) {
    wishes.crawl_delay = delay->get<double>();
  }
  config::Politeness politeness;
  const Json settings = question.value("config", Json::object());
  if (settings.contains("default_interval_s"))
    politeness.default_interval = duration_of(settings["default_interval_s"]);
  if (settings.contains("hard_min_interval_s"))
    politeness.hard_minimum = duration_of(settings["hard_min_interval_s"]);
  if (settings.contains("max_crawl_delay_s"))
    politeness.max_crawl_delay = duration_of(settings["max_crawl_delay_s"]);
  if (settings.contains("floor_interval_s")) {
    const Json& floor = settings["floor_interval_s"];
    politeness.rate_floor = floor.is_null() ? std::nullopt : std::optional(duration_of(floor));
  }
  const auto at = base::parse_rfc3339("2026-01-01T" + question.at("utc").get<std::string>() + "Z");
  if (!at) throw std::invalid_argument("utc: not HH:MM:SS");
  const scheduler::Pace pace(std::move(wishes), politeness, "example.com", false);
  return {{"interval_s", seconds_of(pace.at(*at).length)}};
}

int answer_lines(std::istream& in, std::ostream& out, std::ostream& talk,
                 const std::function<Json(const Json&)>& answer) {
  int code = EX_OK;
  std::string text;
  for (std::size_t number = 1; std::getline(in, text); ++number) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    Json id = nullptr;
    Json reply;
    try {
      const Json question = Json::parse(text);
      id = question.value("id", Json(nullptr));
      reply = answer(question);
    } catch (const std::exception& failure) {
      talk << "line " << number << ": " << base::escaped(failure.what()) << '\n';
      reply = {{"error", failure.what()}};
      code = EX_DATAERR;
    }
    reply["id"] = std::move(id);
    out << one_line(reply) << '\n';
  }
  out.flush();
  return out ? code : EX_IOERR;
}

}  // namespace

int answer_robots(const RobotsQuestion& question, std::ostream& out, std::ostream& talk) {
  const auto rules = robots::Rules::parse(question.body, question.agents, {});
  for (const robots::Warning& warning : rules.warnings()) {
    talk << "robots.txt:" << warning.line << ": " << base::escaped(warning.text) << '\n';
  }
  if (rules.warning_count() > rules.warnings().size()) {
    talk << "and " << rules.warning_count() - rules.warnings().size() << " more warnings\n";
  }
  int code = EX_OK;
  Json all = Json::array();
  for (const std::string& text : question.urls) {
    const auto url = base::Url::parse(text);
    if (!url) {
      talk << base::escaped(text) << ": " << url.error().message()
           << "; write an absolute http or https URL\n";
      code = EX_DATAERR;
      continue;
    }
    const scheduler::Pace pace(wishes_of(rules), {}, url->host(), false);
    const scheduler::Interval interval = pace.at(question.at);
    if (question.json) {
      Json answer = answer_json(rules, *url);
      answer["url"] = url->text();
      answer["interval_s"] = seconds_of(interval.length);
      answer["interval_reason"] = scheduler::to_string(interval.reason);
      all.push_back(std::move(answer));
      continue;
    }
    const robots::Decision decision = rules.check(url->target());
    out << (decision.allowed ? "allowed     " : "disallowed  ") << url->text() << '\n';
    out << "  group:    " << (decision.group.empty() ? "none concerns us" : base::escaped(decision.group))
        << '\n';
    if (decision.rule.empty()) {
      out << "  rule:     none matches\n";
    } else {
      out << "  rule:     line " << decision.line << ": " << base::escaped(decision.rule) << '\n';
    }
    out << "  interval: " << base::duration_text(interval.length) << " ("
        << scheduler::to_string(interval.reason) << ") at " << base::rfc3339(question.at) << '\n';
  }
  if (question.json) out << all.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  out.flush();
  return out ? code : EX_IOERR;
}

int answer_robots_lines(std::istream& in, std::ostream& out, std::ostream& talk) {
  return answer_lines(in, out, talk, answer_robots_case);
}

int answer_pace_lines(std::istream& in, std::ostream& out, std::ostream& talk) {
  return answer_lines(in, out, talk, answer_pace_case);
}

}  // namespace crawler

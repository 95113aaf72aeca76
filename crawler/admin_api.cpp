#include "crawler/admin_api.h"

#include "base/time_text.h"
#include "crawler/admin_hosts.h"
#include "crawler/admin_json.h"
#include "crawler/admin_question.h"
#include "crawler/keys.h"
#include "crawler/metrics.h"
#include "crawler/process_stats.h"
#include "crawler/status_page.h"

#include <array>

namespace crawler {
namespace {

constexpr std::string_view kText = "text/plain; charset=utf-8";
constexpr std::string_view kPrometheus = "text/plain; version=0.0.4; charset=utf-8";

AdminResponse json_answer(const Json& json, int status = 200) {
  return {status, "application/json", text_of(json)};
}

AdminResponse busy() {
  return admin_error(503, "a thread of the crawl does not answer just now: ask again");
}

/// One more, for as long as it lives.
class Counted {
 public:
  explicit Counted(unsigned& count) : count_(count) { ++count_; }
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  unsigned& count_;
};

base::Url url_of(const std::string& text) {
  auto url = base::Url::parse(text);
  if (!url) throw BadRequest("url: " + url.error().message() + "; write an absolute http or https URL");
  return std::move(*url);
}

}  // namespace

struct AdminApi::Route {
  std::string_view path;
  Ask get;
  Ask post;
};

const AdminApi::Route* AdminApi::find(std::string_view path) {
  static constexpr std::array<Route, 17> kRoutes{{
      {"/-/ready", &AdminApi::ready, nullptr},
      {"/readyz", &AdminApi::ready, nullptr},
      {"/metrics", &AdminApi::metrics, nullptr},
      {"/api/v1/status", &AdminApi::status, nullptr},
      {"/api/v1/history", &AdminApi::history, nullptr},
      {"/api/v1/hosts", &AdminApi::hosts, nullptr},
      {"/api/v1/host", &AdminApi::host, nullptr},
      {"/api/v1/recent", &AdminApi::recent, nullptr},
      {"/api/v1/explain", &AdminApi::explain, nullptr},
      {"/api/v1/seeds", &AdminApi::seeds, &AdminApi::add_seed},
      {"/api/v1/log", &AdminApi::levels, &AdminApi::set_level},
      {"/api/v1/pause", nullptr, &AdminApi::pause},
      {"/api/v1/resume", nullptr, &AdminApi::resume},
      {"/api/v1/drain", nullptr, &AdminApi::drain},
      {"/api/v1/delay", nullptr, &AdminApi::delay},
      {"/api/v1/requeue", nullptr, &AdminApi::requeue},
      {"/api/v1/reload", nullptr, &AdminApi::reload},
  }};
  for (const Route& route : kRoutes) {
    if (route.path == path) return &route;
  }
  return nullptr;
}

base::Async<AdminResponse> AdminApi::answer(AdminRequest request) {
  const bool get = request.method == "GET";
  if (get && (request.path == "/-/healthy" || request.path == "/healthz")) {
    co_return AdminResponse{200, std::string(kText), "ok\n"};
  }
  if (const StatusFile* const file = find_status_file(request.path); get && file != nullptr) {
    co_return AdminResponse{200, std::string(file->type), std::string(file->body)};
  }
  const Route* const route = find(request.path);
  if (route == nullptr) co_return admin_error(404, "there is nothing at this path");
  const Ask ask = get ? route->get : route->post;
  if (ask == nullptr) {
    co_return admin_error(405, get ? "this is an order: POST it" : "this is a question: GET it");
  }
  std::string wrong;
  try {
    AdminResponse response = co_await (this->*ask)(request);
    co_return response;
  } catch (const BadRequest& bad) {
    wrong = bad.what();
  }
  co_return admin_error(400, wrong);
}

base::Async<AdminResponse> AdminApi::ready(const AdminRequest& request) {
  const Question question(request, {});
  const CrawlState state = control_.state();
  const bool good = state == CrawlState::running;
  Json why = Json::array();
  if (!good) why.push_back(to_string(state));
  co_return json_answer({{"ready", good}, {"why", why}}, good ? 200 : 503);
}

base::Async<AdminResponse> AdminApi::metrics(const AdminRequest& request) {
  const Question question(request, {});
  const auto condition = co_await control_.condition();
  if (!condition) co_return busy();
  co_return AdminResponse{200, std::string(kPrometheus), metrics_text(*condition, process_stats())};
}

base::Async<AdminResponse> AdminApi::status(const AdminRequest& request) {
  const Question question(request, {});
  const auto condition = co_await control_.condition();
  co_return condition ? json_answer(json_of(*condition)) : busy();
}

base::Async<AdminResponse> AdminApi::history(const AdminRequest& request) {
  const Question question(request, {});
  co_return json_answer(json_of(control_.history().samples()));
}

base::Async<std::optional<std::vector<HostRow>>> AdminApi::all_rows(bool& complete) {
  const std::size_t each = kHostsLookedAt / std::max<std::size_t>(1, control_.crew().size());
  const std::function<std::vector<HostRow>(Shard&)> ask = [each](Shard& shard) { return shard.rows(each); };
  auto parts = co_await control_.crew().ask(ask);
  if (!parts) co_return std::nullopt;
  std::vector<HostRow> rows;
  for (std::vector<HostRow>& part : *parts) {
    rows.insert(rows.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
  }
  complete = add_stored(control_.store(), control_.clock().now(), kHostsLookedAt, rows);
  co_return rows;
}

base::Async<AdminResponse> AdminApi::hosts(const AdminRequest& request) {
  const HostsQuestion question = read_hosts_question(request);
  if (host_questions_ >= kHostQuestionsMax) co_return busy();
  const Counted counted(host_questions_);
  bool complete = true;
  auto rows = co_await all_rows(complete);
  if (!rows) co_return busy();
  const std::size_t total = rows->size();
  const std::size_t matched = select_rows(*rows, question);
  Json list = Json::array();
  const base::WallTime now = control_.clock().now().wall;
  for (const HostRow& row : *rows) list.push_back(json_of(row, control_.orders(), now));
  co_return json_answer({{"total", total}, {"matched", matched}, {"complete", complete}, {"hosts", list}});
}

base::Async<AdminResponse> AdminApi::host(const AdminRequest& request) {
  const Question question(request, {"name"});
  const auto name = host_name(question.text("name"));
  if (!name) throw BadRequest("name: write a host name, without scheme, port and path");
  const std::function<std::vector<HostView>(Shard&)> ask = [host = *name](Shard& shard) {
    return shard.views(host);
  };
  auto parts = co_await control_.crew().ask_one(control_.mail().owner(*name), ask);
  if (!parts) co_return busy();
  const std::vector<HostView>& views = parts->front();
  const Order* const order = control_.orders().find(*name);
  if (views.empty() && order == nullptr) co_return admin_error(404, "no origin of this host is known");
  Json origins = Json::array();
  const base::WallTime now = control_.clock().now().wall;
  for (const HostView& view : views) origins.push_back(json_of(view, control_.orders(), now));
  co_return json_answer({{"host", *name}, {"order", json_of(order)}, {"origins", origins}});
}

base::Async<AdminResponse> AdminApi::recent(const AdminRequest& request) {
  const Question question(request, {"limit"});
  const std::size_t limit = question.number("limit", 50, Recent::kKept);
  const std::function<std::vector<PastVisit>(Shard&)> ask = [limit](Shard& shard) {
    return shard.recent(limit);
  };
  const auto parts = co_await control_.crew().ask(ask);
  if (!parts) co_return busy();
  std::vector<PastVisit> visits;
  for (const auto& part : *parts) visits.insert(visits.end(), part.begin(), part.end());
  std::ranges::stable_sort(visits, std::ranges::greater(), &PastVisit::at);
  visits.resize(std::min(visits.size(), limit));
  Json list = Json::array();
  for (const PastVisit& visit : visits) list.push_back(json_of(visit));
  co_return json_answer({{"visits", list}});
}

base::Async<AdminResponse> AdminApi::explain(const AdminRequest& request) {
  const Question question(request, {"url"});
  const base::Url url = url_of(question.text("url"));
  using Answer = std::pair<Explanation, std::optional<Known>>;
  const std::function<Answer(Shard&)> ask = [url](Shard& shard) {
    return Answer{shard.look_at(url), shard.known(url)};
  };
  const auto parts = co_await control_.crew().ask_one(control_.mail().owner(url.host()), ask);
  if (!parts) co_return busy();
  const auto& [found, known] = parts->front();
  const bool visited = known && known->fate;
  co_return json_answer({{"url", url.text()},
                         {"in_scope", to_string(found.in_scope)},
                         {"robots", found.robots},
                         {"access", robots::to_string(found.access)},
                         {"allowed", found.allowed},
                         {"group", found.group},
                         {"rule", found.rule},
                         {"line", found.line},
                         {"interval_seconds", seconds_of(found.interval.length)},
                         {"interval_reason", scheduler::to_string(found.interval.reason)},
                         {"next", base::rfc3339(found.next)},
                         {"known", known.has_value()},
                         {"fate", visited ? Json(to_string(*known->fate)) : Json(nullptr)},
                         {"order", json_of(control_.orders().find(url.host()))}});
}

base::Async<AdminResponse> AdminApi::seeds(const AdminRequest& request) {
  const Question question(request, {"limit", "offset"});
  const std::size_t limit = question.number("limit", 100, kRowsMax);
  const std::size_t offset = question.number("offset", 0, kAddedMax * kRowsMax);
  const auto config = control_.config();
  const std::size_t total = config->seeds.size();
  auto page = std::make_shared<std::vector<config::Seed>>();
  for (std::size_t i = offset; i < total && page->size() < limit; ++i) page->push_back(config->seeds[i]);
  using Fates = std::vector<std::pair<std::size_t, Known>>;
  const std::function<Fates(Shard&)> ask = [page, &mail = control_.mail()](Shard& shard) {
    Fates fates;
    for (std::size_t i = 0; i < page->size(); ++i) {
      if (&mail.owner((*page)[i].url.host()) != &shard) continue;
      if (const auto known = shard.known((*page)[i].url)) fates.emplace_back(i, *known);
    }
    return fates;
  };
  const auto parts = co_await control_.crew().ask(ask);
  if (!parts) co_return busy();
  std::vector<Known> known(page->size());
  for (const Fates& part : *parts) {
    for (const auto& [i, what] : part) known[i] = what;
  }
  Json list = Json::array();
  for (std::size_t i = 0; i < page->size(); ++i) {
    const config::Seed& seed = (*page)[i];
    list.push_back({{"url", seed.url.text()},
                    {"weight", seed.weight},
                    {"where", seed.where},
                    {"fate", known[i].fate ? Json(to_string(*known[i].fate)) : Json(nullptr)}});
  }
  co_return json_answer({{"total", total}, {"seeds", list}});
}

base::Async<AdminResponse> AdminApi::levels(const AdminRequest& request) {
  const Question question(request, {});
  const auto levels = control_.log().levels();
  Json told = Json::object();
  for (const base::Module module : base::kAllModules) {
    told[std::string(base::to_string(module))] = base::to_string(levels[static_cast<std::size_t>(module)]);
  }
  co_return json_answer({{"levels", told}});
}

}  // namespace crawler

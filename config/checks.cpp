#include "config/checks.h"

#include "base/time_text.h"
#include "config/identity.h"
#include "config/values.h"

#include <fmt/format.h>

namespace config {
namespace {

void check_agent(const Config& config, const Places& places, Problems& problems) {
  const Agent& agent = config.agent;
  if (!places.has("agent.contact")) {
    problems.error(
        places.of("agent.contact"), "agent.contact",
        "missing: set the https URL of a page about this crawler, or a mail address; it is sent with "
        "every request, so that site owners can reach you");
  } else if (unreachable_contact(agent.contact)) {
    problems.warning(
        places.of("agent.contact"), "agent.contact",
        fmt::format(
            "{} cannot be reached from the internet: set one that can before visiting sites of others",
            in_quotes(agent.contact)));
  }
  if (agent.user_agent.empty()) return;
  const Place place = places.of("agent.user_agent");
  if (const std::string wrong = wrong_user_agent(agent); !wrong.empty()) {
    problems.error(place, "agent.user_agent", wrong);
  }
  if (!agent.contact.empty() && agent.user_agent.find(agent.contact) == std::string::npos) {
    problems.warning(place, "agent.user_agent",
                     "does not name agent.contact, so site owners will not see it");
  }
}

void check_hard_minimum(Duration minimum, const std::string& path, const Places& places, Problems& problems) {
  if (minimum > Duration::zero()) return;
  problems.warning(places.of(path), path,
                   "0 sets no lower limit to the pause between requests: only for sites of one's own");
}

void check_recrawl(const Recrawl& recrawl, const Places& places, Problems& problems) {
  const auto text = [](Duration d) { return base::duration_text(d); };
  if (recrawl.min > recrawl.max) {
    problems.error(places.of("recrawl.max"), "recrawl.max",
                   fmt::format("must be {} or more, which is recrawl.min, not {}", text(recrawl.min),
                               text(recrawl.max)));
  } else if (recrawl.initial < recrawl.min || recrawl.initial > recrawl.max) {
    problems.error(places.of("recrawl.initial"), "recrawl.initial",
                   fmt::format("must be between {} and {}, which are recrawl.min and recrawl.max, not {}",
                               text(recrawl.min), text(recrawl.max), text(recrawl.initial)));
  }
}

void check_storage(const Storage& storage, const Places& places, Problems& problems) {
  if (storage.resume_above >= storage.pause_below) return;
  problems.error(places.of("storage.resume_above"), "storage.resume_above",
                 fmt::format("must be {} or more, which is storage.pause_below, not {}",
                             size_text(storage.pause_below), size_text(storage.resume_above)));
}

}  // namespace

void check_whole(const Config& config, const Places& places, Problems& problems) {
  check_agent(config, places, problems);
  check_recrawl(config.recrawl, places, problems);
  check_storage(config.storage, places, problems);
  const Politeness& politeness = config.politeness;
  check_hard_minimum(politeness.hard_minimum, "politeness.hard_minimum", places, problems);
  for (const auto& [name, host] : politeness.hosts) {
    const std::string path = fmt::format("politeness.hosts.{}", name);
    if (host.hard_minimum) check_hard_minimum(*host.hard_minimum, path + ".hard_minimum", places, problems);
    if (host.crawl_delay && *host.crawl_delay > politeness.max_crawl_delay) {
      problems.warning(places.of(path + ".crawl_delay"), path + ".crawl_delay",
                       fmt::format("counts as {}, which is politeness.max_crawl_delay",
                                   base::duration_text(politeness.max_crawl_delay)));
    }
  }
}

}  // namespace config

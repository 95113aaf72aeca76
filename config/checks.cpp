#include "config/checks.h"

#include "base/time_text.h"
#include "config/addresses.h"
#include "config/file.h"
#include "config/identity.h"
#include "config/keys.h"
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

void check_network(const Network& network, const Places& places, Problems& problems) {
  const auto& sources = network.source_addresses;
  if (sources.size() == 2 && sources[0].v6 == sources[1].v6) {
    problems.error(places.of("network.source_addresses"), "network.source_addresses",
                   "has two addresses of the same IP version: one of each is the most");
  }
  for (const base::IpAddress& source : sources) {
    if (source.octets == decltype(source.octets){}) {
      problems.error(places.of("network.source_addresses"), "network.source_addresses",
                     fmt::format("{} is no address that anything can come from", source.text()));
    }
    const Families families = network.families;
    if (families == Families::both || (families == Families::ipv6) == source.v6) continue;
    problems.error(places.of("network.source_addresses"), "network.source_addresses",
                   fmt::format("{} is of an IP version that network.families leaves out", source.text()));
  }
  const bool proxied = network.proxy.kind != Proxy::Kind::none;
  if (proxied && network.proxy_names == ProxyNames::remote) {
    problems.warning(places.of("network.proxy_names"), "network.proxy_names",
                     "the proxy chooses the addresses: that none of them is private is up to the proxy, and "
                     "politeness.per_address_interval has no effect");
  }
  if (network.proxy_password_file.empty() != network.proxy.user.empty()) {
    problems.error(places.of("network.proxy_password_file"), "network.proxy_password_file",
                   network.proxy.user.empty() ? "is of no use without a user name in network.proxy"
                                              : "missing: network.proxy has a user name");
  }
  for (const std::string& host : network.unverified_hosts) {
    if (host != "*") continue;
    problems.warning(places.of("network.unverified_hosts"), "network.unverified_hosts",
                     "no certificate of any host needs to be valid: whoever is on the way can answer for it");
  }
}

void check_admin(const Admin& admin, const Places& places, Problems& problems) {
  if (!admin.socket.empty() && admin.socket != "off" && admin.socket.size() > kSocketPathMax) {
    problems.error(places.of("admin.socket"), "admin.socket",
                   fmt::format("is longer than {} octets, which is all that the name of a socket may have",
                               kSocketPathMax));
  }
  if (!admin.listen.empty() && !listen_address(admin)) {
    problems.error(
        places.of("admin.listen"), "admin.listen",
        fmt::format("{} is no loopback address with a port: write 127.0.0.1:9464 or [::1]:9464; to "
                    "be reached from elsewhere, put a reverse proxy before it",
                    in_quotes(admin.listen)));
  }
  if (!admin.token_file.empty() && admin.listen.empty()) {
    problems.warning(places.of("admin.token_file"), "admin.token_file",
                     "is of no use without admin.listen: who may open the socket needs no token");
  }
}

void check_log(const Log& log, const Places& places, Problems& problems) {
  if (log.format == LogFormat::journald && !log.file.empty()) {
    problems.error(places.of("log.file"), "log.file", "is of no use with log.format: journald");
  }
}

}  // namespace

std::optional<Nameserver> listen_address(const Admin& admin) {
  const auto read = read_nameserver(admin.listen);
  const std::size_t port = admin.listen.rfind(':');
  if (!read.wrong.empty() || port == std::string::npos || admin.listen.back() == ']') return std::nullopt;
  const base::IpAddress& address = read.value.address;
  const auto loopback = base::Cidr::parse(address.v6 ? "::1/128" : "127.0.0.0/8");
  if (!loopback || !loopback->contains(address)) return std::nullopt;
  return read.value;
}

void check_whole(const Config& config, const Places& places, Problems& problems) {
  check_agent(config, places, problems);
  check_recrawl(config.recrawl, places, problems);
  check_storage(config.storage, places, problems);
  check_network(config.network, places, problems);
  check_admin(config.admin, places, problems);
  check_log(config.log, places, problems);
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

void check_files(Config& config, const Places& places, Problems& problems) {
  for (const auto& key : keys()) {
    if (key.spec.kind != Kind::input_file) continue;
    const std::string& path = *std::get<std::string*>(key.slot(config));
    if (path.empty()) continue;
    const std::string why = why_unreadable(path);
    if (why.empty()) continue;
    problems.error(places.of(key.spec.path), key.spec.path,
                   fmt::format("{} cannot be read: {}", in_quotes(path), why));
  }
}

}  // namespace config

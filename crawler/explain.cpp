#include "crawler/explain.h"

#include "base/escape.h"
#include "base/time_text.h"
#include "crawler/frontier_rows.h"
#include "crawler/frontier_tool.h"
#include "crawler/shard.h"
#include "crawler/traps.h"
#include "fetch/client.h"

#include <nlohmann/json.hpp>
#include <sysexits.h>

#include <ostream>

namespace crawler {
namespace {

constexpr std::uint64_t kMemory = std::uint64_t{64} * 1024 * 1024;

/// One shard on this thread that owes nothing but one origin's robots.txt.
Explanation consult(const config::Config& config, const base::Url& url) {
  boost::asio::io_context loop{1};
  base::SystemClock clock;
  base::Log log("", base::Log::Format::text, base::Level::info);  // the requests made, on standard error
  scheduler::AddressClocks addresses(config.politeness);
  fetch::Client client(loop.get_executor(), config.network, {config.user_agent(), config.from()},
                       fetch::make_means(config.network));
  Shard* known = nullptr;
  Mail mail([&known] { known->drain(); });
  const auto seed = static_cast<std::uint64_t>(clock.now().wall.time_since_epoch().count());
  Store store = Store::in_memory();
  Commits commits(store, clock, Commits::Mode::immediate);
  Frontier::Parts frontier{.store = store, .secret = seed, .fresh = true, .memory = kMemory};
  Shard shard({.executor = loop.get_executor(),
               .config = config,
               .clock = clock,
               .fetcher = client,
               .addresses = addresses,
               .mail = mail,
               .commits = commits,
               .log = log,
               .frontier = frontier,
               .seed = seed,
               .visits_max = 16});
  known = &shard;
  mail.open({&shard});
  base::Tasks root(loop.get_executor(), clock,
                   [](std::exception_ptr escaped) { std::rethrow_exception(std::move(escaped)); });
  shard.consult(url.origin());
  const auto work = [&]() -> base::Async<> {
    co_await shard.run();
    client.close();
    loop.stop();
  };
  root.spawn(work());
  loop.run();
  return shard.explain(url);
}

/// What traps.* make of a URL.
struct Worth {
  std::string clean;  ///< without scope.strip_parameters, when a link to it would be found
  std::optional<Trap> trap;
  std::optional<Yield::Brake> brake;
};

/// The brake is what the crawl has written down, if there has been one.
Worth worth_of(const config::Config& config, const base::Url& url) {
  Worth worth;
  const base::Url clean = strip(url, config.scope.strip_parameters);
  worth.clean = clean.text();
  worth.trap = trap_of(clean, config.traps);
  try {
    const Store store = open_to_read(config.storage);
    const auto octets = store.get(Table::hosts, find_host(store, clean.origin()));
    const std::optional<HostRecord> host = octets ? decode_host(*octets) : std::nullopt;
    if (host) worth.brake = host->yield.brake_of(clean.target(), config.traps.brake_after);
  } catch (const StartError&) {  // no crawl yet, or a store that `frontier verify` tells more about
  }
  return worth;
}

nlohmann::json brake_json(const std::optional<Yield::Brake>& brake) {
  if (!brake) return nullptr;
  return {{"below", brake->what}, {"pages", brake->pages}, {"repeated", brake->repeated}};
}

nlohmann::json as_json(const base::Url& url, const Explanation& found, const Worth& worth) {
  return {{"url", url.text()},
          {"clean", worth.clean},
          {"trap", worth.trap ? nlohmann::json(to_string(*worth.trap)) : nlohmann::json(nullptr)},
          {"brake", brake_json(worth.brake)},
          {"origin", url.origin_text()},
          {"in_scope", found.in_scope == InScope::yes},
          {"scope", to_string(found.in_scope)},
          {"access", robots::to_string(found.access)},
          {"allowed", found.allowed},
          {"group", found.group},
          {"rule", found.rule},
          {"line", found.line},
          {"robots", found.robots},
          {"interval_s", std::chrono::duration<double>(found.interval.length).count()},
          {"interval_reason", scheduler::to_string(found.interval.reason)},
          {"next", base::rfc3339(found.next)}};
}

void write_text(const base::Url& url, const Explanation& found, const Worth& worth, std::ostream& out) {
  out << "url:       " << url.text() << '\n';
  out << "origin:    " << url.origin_text() << '\n';
  out << "scope:     " << (found.in_scope == InScope::yes ? "in scope" : to_string(found.in_scope)) << '\n';
  if (worth.clean != url.text()) out << "clean:     " << worth.clean << " (scope.strip_parameters)\n";
  if (worth.trap) out << "trap:      " << to_string(*worth.trap) << ": links to it are not followed\n";
  if (worth.brake) {
    out << "braked:    " << worth.brake->repeated << " of " << worth.brake->pages << " pages below "
        << base::escaped(worth.brake->what) << " repeat others: one URL in " << Yield::kProbeEvery
        << " is visited\n";
  }
  out << "robots:    " << robots::to_string(found.access) << " (" << base::escaped(found.robots) << ")\n";
  out << "verdict:   " << (found.allowed ? "allowed" : "not allowed");
  if (!found.group.empty()) out << ", group " << base::escaped(found.group);
  if (!found.rule.empty()) out << ", line " << found.line << ": " << base::escaped(found.rule);
  out << '\n';
  out << "interval:  " << base::duration_text(found.interval.length) << " ("
      << scheduler::to_string(found.interval.reason) << ")\n";
  out << "next:      " << base::rfc3339(found.next) << " at the earliest\n";
}

}  // namespace

int explain_url(const config::Config& config, const base::Url& url, bool json, std::ostream& out) {
  const Explanation found = consult(config, url);
  const Worth worth = worth_of(config, url);
  if (json) {
    out << as_json(url, found, worth).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  } else {
    write_text(url, found, worth, out);
  }
  out.flush();
  if (!out) return EX_IOERR;
  const bool known = found.access != robots::Access::unknown && found.access != robots::Access::defer;
  return known ? EX_OK : EX_TEMPFAIL;
}

}  // namespace crawler

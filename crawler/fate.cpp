#include "crawler/fate.h"

namespace crawler {
namespace {

using fetch::Error;
using scheduler::Health;

using namespace std::chrono_literals;

// A name, a route or a certificate is mended by somebody, in hours.
constexpr Ladder kHostIsAway{{10min, 24h}, 6};
// A connection that broke, a server that stumbled.
constexpr Ladder kBroken{{1min, 6h}, 4};
// It answered, and what it says is of no use: the same is to be expected.
constexpr Ladder kUseless{{1h, 24h}, 2};

Judgement try_again(const fetch::Outcome& outcome, unsigned attempts, Health health) {
  return {attempts + 1 >= ladder_of(outcome).attempts ? Fate::given_up : Fate::retry, health, true};
}

Judgement judge_status(const fetch::Outcome& outcome, unsigned attempts) {
  const int status = outcome.status;
  if (status == 429 || status == 503) return {Fate::retry, Health::overloaded, false};
  if (status == 304) return {Fate::unchanged, Health::ok, false};
  if (status >= 200 && status < 300) return {Fate::fetched, Health::ok, false};
  if (status >= 300 && status < 400) {
    return {outcome.headers.has("Location") ? Fate::redirected : Fate::refused, Health::ok, false};
  }
  if (status == 404 || status == 410) return {Fate::gone, Health::ok, false};
  const bool temporary = status >= 500 || status == 408 || status == 425;
  return temporary ? try_again(outcome, attempts, Health::ok) : Judgement{Fate::refused, Health::ok, false};
}

}  // namespace

std::string_view to_string(Fate fate) {
  switch (fate) {
    case Fate::fetched: return "fetched";
    case Fate::unchanged: return "unchanged";
    case Fate::redirected: return "redirected";
    case Fate::disallowed: return "disallowed";
    case Fate::blocked: return "blocked";
    case Fate::gone: return "gone";
    case Fate::refused: return "refused";
    case Fate::retry: return "retry";
    case Fate::given_up: return "given_up";
    case Fate::out_of_scope: return "out_of_scope";
    case Fate::trap: return "trap";
  }
  return "?";
}

const Ladder& ladder_of(const fetch::Outcome& outcome) {
  switch (outcome.error) {
    case Error::dns_failure:
    case Error::dns_timeout:
    case Error::refused:
    case Error::unreachable:
    case Error::connect_timeout:
    case Error::tls_certificate:
    case Error::tls:
    case Error::slow: return kHostIsAway;
    case Error::bomb:
    case Error::protocol:
    case Error::head_limit:
    case Error::decode: return kUseless;
    default: return kBroken;
  }
}

std::string failure_word(const fetch::Outcome& outcome) {
  if (outcome.error != Error::none) return std::string(fetch::to_string(outcome.error));
  return "status_" + std::to_string(outcome.status);
}

Judgement judge(const fetch::Outcome& outcome, unsigned attempts) {
  switch (outcome.error) {
    case Error::none: return judge_status(outcome, attempts);
    case Error::blocked_address:
    case Error::blocked_port: return {Fate::blocked, Health::ok, false};
    // Our own want of means, our own end, a connection kept too long: none of it is the server's doing.
    case Error::proxy:
    case Error::stale:
    case Error::resources:
    case Error::cancelled: return {Fate::retry, Health::ok, false};
    // A page that never comes whole, as with a wrong Content-Length, is at last taken as far as it comes.
    case Error::truncated: {
      const bool last = attempts + 1 >= ladder_of(outcome).attempts;
      if (last && outcome.status >= 200 && outcome.status < 300 && !outcome.body.empty()) {
        return {Fate::fetched, Health::ok, false};
      }
      return try_again(outcome, attempts, Health::failing);
    }
    // The server answered; what it said is of no use.
    case Error::protocol:
    case Error::head_limit:
    case Error::bomb:
    case Error::decode: return try_again(outcome, attempts, Health::ok);
    default: return try_again(outcome, attempts, Health::failing);
  }
}

}  // namespace crawler

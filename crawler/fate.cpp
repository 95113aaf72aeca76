#include "crawler/fate.h"

namespace crawler {
namespace {

using fetch::Error;
using scheduler::Health;

Judgement try_again(unsigned attempts, Health health) {
  return {attempts + 1 >= kAttemptsMax ? Fate::given_up : Fate::retry, health, true};
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
  return temporary ? try_again(attempts, Health::ok) : Judgement{Fate::refused, Health::ok, false};
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
  }
  return "?";
}

Judgement judge(const fetch::Outcome& outcome, unsigned attempts) {
  switch (outcome.error) {
    case Error::none: return judge_status(outcome, attempts);
    case Error::blocked_address:
    case Error::blocked_port: return {Fate::blocked, Health::ok, false};
    // Our own want of means, or our own end: neither is the server's doing.
    case Error::resources:
    case Error::cancelled: return {Fate::retry, Health::ok, false};
    // The server answered; what it said is of no use.
    case Error::protocol:
    case Error::head_limit:
    case Error::decode: return try_again(attempts, Health::ok);
    default: return try_again(attempts, Health::failing);
  }
}

}  // namespace crawler

// The second half of a visit: the exchange is over. What it leads to, what is kept of it, and what becomes of
// its URL.
#include "base/time_text.h"
#include "crawler/answer.h"
#include "crawler/keeping.h"
#include "crawler/shard.h"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <iterator>

namespace crawler {
namespace {

/// How long when an answer had begun, and memory was short for the rest: it is not fetched in vain often.
constexpr base::Duration kShortOfMemory = std::chrono::minutes(1);
/// What a page or sitemap leads to is handed on in such pieces, so that the thread does other things between.
constexpr std::size_t kOffersAtATime = 1'000;
/// Digests of bodies are only compared with each other.
constexpr std::uint64_t kDigestKey = 0;

/// A want of ours: it says nothing about the server, and is tried again as if nothing had been.
bool is_ours(fetch::Error error) {
  return error == fetch::Error::resources || error == fetch::Error::proxy;
}

/// What came is all that there will be.
bool is_whole(const fetch::Outcome& outcome, Fate fate) {
  if (outcome.status == 0) return false;
  return outcome.error == fetch::Error::none ||
         (outcome.error == fetch::Error::truncated && fate == Fate::fetched);
}

}  // namespace

/// A page's exchange is over. Its record is on disk, and what it leads to in the frontier, before it counts
/// as done with.
base::Async<> Shard::conclude(scheduler::Lease lease, Visit visit, fetch::Outcome outcome, base::Now begun) {
  const base::Now ended = clock_.now();
  const base::Origin origin = lease.origin();
  Judgement judgement = judge(outcome, visit.item.attempts);
  scheduler::Feedback feedback{judgement.health, std::nullopt, ended.steady};
  if (judgement.health == scheduler::Health::overloaded) {
    feedback.retry_after = base::parse_retry_after(outcome.headers.get("Retry-After"), ended.wall);
  }
  Findings findings = findings_of(visit.item, outcome, find_, scope_, judgement.fate);
  counters_.out_of_scope += findings.out_of_scope;
  counters_.traps += findings.traps;

  Told told{visit, findings, outcome, begun, ended};
  told.fate = judgement.fate;
  told.links = findings.offers.size();
  if (judgement.fate == Fate::fetched) {
    told.digest = base::keyed_hash(outcome.body, kDigestKey);
    told.unchanged = visit.item.known && visit.item.known->digest == told.digest;
  }
  const bool kept = co_await keep(told);
  if (kept && !findings.offers.empty()) co_await hand_on(std::move(findings.offers));

  const base::Now now = clock_.now();
  if (is_ours(outcome.error)) {
    queue_.pause(origin, now.steady + (outcome.status == 0 ? kShortOfMeans : kShortOfMemory), now);
  }
  if (!kept || judgement.fate == Fate::retry) {
    const bool attempt = kept && judgement.attempt;
    told.fate = Fate::retry;
    log_visit(told, now);
    ++counters_.fates[static_cast<std::size_t>(Fate::retry)];
    try_again(std::move(visit.item), attempt ? &ladder_of(outcome).wait : nullptr, now);
  } else {
    if (told.unchanged) told.fate = Fate::unchanged;
    log_visit(told, now);
    if (judgement.fate == Fate::fetched) note_content(told);
    Ending ending = ending_of(told);
    settle(std::move(visit.item), ending, now);
  }
  end_turn(std::move(lease), feedback, now);
}

Ending Shard::ending_of(const Told& told) const {
  Ending ending = crawler::ending_of(told.fate, told.ended.wall);
  ending.status = told.outcome.status;
  if (told.fate == Fate::given_up) ending.reason = failure_word(told.outcome);
  ending.digest = told.digest;
  if (told.digest != base::Hash128{} && told.outcome.error == fetch::Error::none) {
    // With validators of a page that was cut off the rest would never be asked for.
    ending.etag = told.outcome.headers.get("ETag");
    ending.last_modified = told.outcome.headers.get("Last-Modified");
  }
  return ending;
}

/// `found` reaches the frontiers of its owners, the first ones first.
base::Async<> Shard::hand_on(std::vector<Offer> found) {
  for (std::size_t begin = 0; begin < found.size(); begin += kOffersAtATime) {
    const std::size_t end = std::min(found.size(), begin + kOffersAtATime);
    const auto from = found.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = found.begin() + static_cast<std::ptrdiff_t>(end);
    std::vector<Offer> piece(std::make_move_iterator(from), std::make_move_iterator(to));
    std::vector<Offer> own = co_await mail_.deliver(*this, std::move(piece));
    take_offers(std::move(own), clock_.now());
    if (end == found.size()) break;
    frontier_.commit();
    co_await boost::asio::post(executor_, base::use_async);
  }
}

/// Puts the exchange into the archive. False: it could not be kept, and the page is not done.
base::Async<bool> Shard::keep(Told& told) {
  const fetch::Outcome& outcome = told.outcome;
  const base::Url& url = told.visit.item.url;
  if (archive_ == nullptr || !is_whole(outcome, told.fate)) co_return true;
  if (!is_kept(config_.archive, outcome)) co_return true;

  const Visited visited{url,
                        told.visit.item.discovery,
                        outcome,
                        to_string(told.unchanged ? Fate::unchanged : told.fate),
                        told.begun.wall,
                        told.ended.steady - told.begun.steady,
                        told.visit.group,
                        told.visit.rule,
                        told.visit.line};
  const auto& canonical = told.findings.page.canonical;
  Exchange exchange{.url = url, .outcome = outcome, .begun = told.begun.wall};
  exchange.address_known = config_.network.proxy_names == config::ProxyNames::local;
  exchange.metadata_alone = asks_not_to_be_kept(told.findings.rules, told.begun.wall) ||
                            (config_.archive.canonical_only && canonical && *canonical != url);
  exchange.metadata = metadata_of(visited, told.findings);
  const bool not_modified = outcome.status == 304 && told.visit.item.known != nullptr;
  exchange.not_modified = not_modified;
  if (!exchange.metadata_alone) {
    exchange.payload_digest = payload_digest_of(config_.archive, outcome);
    if (!not_modified) told.payload_digest = exchange.payload_digest;
    const base::Hash128& digest = not_modified ? told.visit.item.known->digest : told.digest;
    exchange.twin = twin_of(url, digest, not_modified ? std::string_view() : told.payload_digest);
  }
  Parcel parcel = pack_exchange(config_.archive, exchange, random_);
  if (told.fate == Fate::fetched && !exchange.metadata_alone && !told.visit.item.discovery.sitemap) {
    parcel.page = page_line(visited, told.findings, told.payload_digest);
  }
  told.place = co_await archive_->keep(executor_, std::move(parcel));
  co_return told.place.has_value();
}

/// The record that has the body already; `payload_digest` empty: whatever its coding was, but of this URL.
std::optional<Twin> Shard::twin_of(const base::Url& url, const base::Hash128& digest,
                                   std::string_view payload_digest) const {
  if (digest == base::Hash128{}) return std::nullopt;
  const std::optional<ContentRecord> found = frontier_.content(url.origin(), digest);
  if (!found || found->payload_digest.empty()) return std::nullopt;
  const bool same =
      payload_digest.empty() ? found->target == url.text() : found->payload_digest == payload_digest;
  if (!same) return std::nullopt;
  return Twin{found->target, base::WallTime(base::Duration(found->kept))};
}

/// Whether the site has shown this body before, and that it has now.
void Shard::note_content(const Told& told) {
  const base::Url& url = told.visit.item.url;
  if (told.visit.item.discovery.sitemap) return;
  const std::optional<ContentRecord> known = frontier_.content(url.origin(), told.digest);
  frontier_.note_yield(url, known && known->target != url.text());
  const bool better = !known || (known->payload_digest.empty() && !told.payload_digest.empty());
  if (!better) return;
  frontier_.keep_content(
      url.origin(), told.digest,
      {std::string(url.text()), told.begun.wall.time_since_epoch().count(), told.payload_digest});
}

/// `ladder` null: a 429, a 503 or an end of ours says nothing about the URL, and its place is as before.
void Shard::try_again(Item item, const base::Backoff* ladder, base::Now now) {
  if (ladder == nullptr) {
    frontier_.put_back(std::move(item));
    return;
  }
  const base::Duration wait = ladder->after(++item.attempts, random_);
  if (frontier_.retry(std::move(item), now.steady + wait)) mail_.owe(1);
}

/// An exchange for somebody's robots.txt is over.
base::Async<> Shard::conclude(scheduler::Lease lease, const Errand& errand, fetch::Outcome outcome,
                              base::Now begun) {
  const base::Now ended = clock_.now();
  const base::Origin origin = lease.origin();
  ++counters_.robots_requests;
  scheduler::Feedback feedback{judge(outcome, 0).health, std::nullopt, ended.steady};
  const bool stale = outcome.error == fetch::Error::stale;
  if (outcome.error == fetch::Error::cancelled || stale || is_ours(outcome.error)) {
    if (outcome.error != fetch::Error::cancelled) {
      log_robots(errand, outcome, begun, ended, std::nullopt);
      if (!stale) queue_.pause(origin, ended.steady + kShortOfMeans, ended);
      if (errand.behalf != origin) put_back(errand);
    }
    if (errand.behalf == origin) {
      robots_.forget_flight(origin);
      // Whoever only wanted to know is told that it cannot be known.
      if (is_ours(outcome.error) && consulted_.erase(std::string(origin.text())) > 0) mail_.owe(-1);
    }
    end_turn(std::move(lease), feedback, ended);
    co_return;
  }
  const std::optional<Place> place = co_await keep_robots(errand, outcome, begun, ended);
  const base::Now now = clock_.now();
  log_robots(errand, outcome, begun, ended, place);
  robots::Answer answer = to_answer(std::move(outcome), ended.wall);
  feedback.retry_after = answer.retry_after;
  if (&mail_.owner(errand.behalf.host()) != this) {
    mail_.send_answer(errand.behalf, std::move(answer));
    end_turn(std::move(lease), feedback, now);
    co_return;
  }
  activate(errand.behalf, now);
  // It is as fresh as it was when it came, however long the archive took.
  learn(errand.behalf, std::move(answer), ended);
  if (errand.behalf == origin && feedback.health == scheduler::Health::overloaded) {
    // ROBOTS.md §8 has its own ladder for robots.txt itself; the host's pause lasts as long.
    if (const auto due = robots_.due(origin, now.steady)) {
      feedback.retry_after = std::max(*due - now.steady, base::Duration::zero());
    }
  }
  end_turn(std::move(lease), feedback, now);
}

/// robots.txt is obeyed whether or not it could be kept.
base::Async<std::optional<Place>> Shard::keep_robots(const Errand& errand, const fetch::Outcome& outcome,
                                                     base::Now begun, base::Now ended) {
  if (archive_ == nullptr || !is_whole(outcome, Fate::retry)) co_return std::nullopt;
  Exchange exchange{.url = errand.want.url, .outcome = outcome, .begun = begun.wall};
  exchange.address_known = config_.network.proxy_names == config::ProxyNames::local;
  exchange.metadata = {
      {"hopsFromSeed", "P"},
      {"foundBy", "robots"},
      {"behalf", std::string(errand.behalf.text())},
      {"fetchTimeMs",
       std::to_string(
           std::chrono::duration_cast<std::chrono::milliseconds>(ended.steady - begun.steady).count())}};
  Parcel parcel = pack_exchange(config_.archive, exchange, random_);
  std::optional<Place> place = co_await archive_->keep(executor_, std::move(parcel));
  co_return place;
}

}  // namespace crawler

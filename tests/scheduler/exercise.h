#pragma once
// Puts a HostQueue through any sequence of operations, in virtual time, beside a naive picture of what must
// hold. The picture knows only what the caller knows: when requests were sent, what came back, what was
// wished. It fails by an exception, for tests and fuzzers alike.
#include "scheduler/host_queue.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace scheduler {

/// Promises checked at each grant, admission and start: one request in flight an origin, the intervals of
/// origin, address and site, the wait for latency, pauses, Visit-time, nobody between grant and start on a
/// shared clock. And the other way round: who may go for certain is not kept waiting.
class Exercise {
 public:
  /// Uniform in [0, n), from a generator or from a fuzzer's octets.
  using Chance = std::function<std::uint64_t(std::uint64_t n)>;

  static constexpr std::size_t kOrigins = 50;
  static constexpr std::size_t kAddresses = 5;
  static constexpr std::size_t kSites = 10;

  Exercise(Chance chance, config::Politeness politeness)
      : chance_(std::move(chance)),
        politeness_(std::move(politeness)),
        addresses_(politeness_),
        queue_(politeness_, addresses_, random_) {
    for (std::size_t i = 0; i < kOrigins; ++i) {
      Subject subject;
      subject.site = i % kSites;
      subject.address = chance_(kAddresses);
      const std::string scheme = i / kSites == 4 ? "https" : "http";
      const std::string name =
          "h" + std::to_string(i / kSites) + ".site" + std::to_string(subject.site) + ".com";
      subject.origin = base::Url::parse(scheme + "://" + name).value().origin();
      subjects_.push_back(std::move(subject));
    }
  }

  void step() {
    switch (chance_(16)) {
      case 0:
      case 1: wake(chance_(kOrigins)); break;
      case 2: idle(chance_(kOrigins)); break;
      case 3:
      case 4:
      case 5: grant(); break;
      case 6:
      case 7:
      case 8:
      case 9:
      case 10:
        if (!flights_.empty()) advance(chance_(flights_.size()));
        break;
      case 11: set_pace(chance_(kOrigins)); break;
      case 12: pause(chance_(kOrigins)); break;
      case 13: pass(base::Duration(static_cast<std::int64_t>(chance_(30'000'000'000)))); break;
      case 14: pass_to_next(); break;
      default: rare(); break;
    }
    if (++steps_ % 8 == 0) check_views();
  }

  /// All work gets done: with everybody awake and well, each origin is served `times` times.
  void drain(int times) {
    while (!flights_.empty()) end(0, Health::ok, true, std::nullopt);
    for (std::size_t i = 0; i < kOrigins; ++i) wake(i);
    for (Subject& subject : subjects_) subject.served = 0;
    const auto done = [&] {
      return std::all_of(subjects_.begin(), subjects_.end(),
                         [&](const Subject& s) { return s.served >= times; });
    };
    for (int i = 0; !done(); ++i) {
      require(i < 20'000, "an origin is never served");
      if (!grant()) {
        const auto due = queue_.next_due(now_);
        require(due.has_value(), "work, but nothing is ever due");
        require(*due > now_.steady, "due, but nothing granted");
        pass(*due - now_.steady);
        continue;
      }
      if (!admit(0)) continue;
      send(0);
      const bool more = subjects_[flights_.front().subject].served < times;
      end(0, Health::ok, more, std::nullopt);
    }
  }

  int starts() const { return starts_; }

 private:
  using TimePoint = base::TimePoint;
  using Duration = base::Duration;

  struct Subject {
    base::Origin origin;
    std::size_t site = 0;
    std::size_t address = 0;  // where its name leads to
    bool awake = false;
    bool in_flight = false;
    std::optional<std::size_t> admitted_on;  // the address that the queue knows of
    std::optional<TimePoint> last;
    TimePoint latency_until{};
    TimePoint paused_at_least{};  // jitter may add a tenth of a pause that has no given length
    TimePoint paused_at_most{};
    int overloads = 0;
    int failures = 0;
    std::optional<Pace> pace;
    std::optional<HostState> saved;  // when it was forgotten
    int served = 0;
  };

  struct Flight {
    std::size_t subject = 0;
    Lease lease;
    std::optional<std::size_t> address;  // held by this flight
    std::optional<std::size_t> sent_on;
    bool holds_site = true;
    bool admitted = false;
    bool sent = false;
  };

  static void require(bool condition, const char* what) {
    if (!condition) throw std::runtime_error(what);
  }

  static base::IpAddress address(std::size_t i) {
    base::IpAddress result;
    result.octets = {192, 0, 2, static_cast<std::uint8_t>(i)};
    return result;
  }

  bool with_addresses() const { return politeness_.per_address_interval > Duration::zero(); }
  bool with_sites() const { return politeness_.per_site_interval > Duration::zero(); }

  Interval interval(const Subject& subject) const {
    if (subject.pace) return subject.pace->at(now_.wall);
    return {politeness_.default_interval, Reason::default_interval};
  }

  bool own_clocks_allow(const Subject& subject, TimePoint paused_until) const {
    if (paused_until > now_.steady || subject.latency_until > now_.steady) return false;
    if (subject.pace && !subject.pace->open(now_.wall)) return false;
    return !subject.last || now_.steady - *subject.last >= interval(subject).length;
  }

  bool site_allows(std::size_t site) const {
    if (!with_sites()) return true;
    for (const Flight& flight : flights_) {
      if (flight.holds_site && subjects_[flight.subject].site == site) return false;
    }
    const auto last = site_last_.find(site);
    return last == site_last_.end() || now_.steady - last->second >= politeness_.per_site_interval;
  }

  bool address_allows(std::size_t i, Duration interval) const {
    if (!with_addresses()) return true;
    for (const Flight& flight : flights_) {
      if (flight.address == i) return false;
    }
    const auto last = address_last_.find(i);
    return last == address_last_.end() || now_.steady - last->second >= interval;
  }

  void wake(std::size_t i) {
    Subject& subject = subjects_[i];
    const bool is_new = queue_.wake(subject.origin, now_);
    require(is_new || !subject.saved || with_sites(), "a forgotten origin is known");
    if (is_new) bring_back(subject);
    subject.saved.reset();
    subject.awake = true;
  }

  /// What an owner does that keeps states elsewhere.
  void bring_back(Subject& subject) {
    subject.admitted_on.reset();
    if (subject.saved) queue_.restore(subject.origin, *subject.saved, now_);
    if (subject.pace) queue_.set_pace(subject.origin, *subject.pace, now_);
    subject.saved.reset();
  }

  void forget(std::size_t i) {
    Subject& subject = subjects_[i];
    if (subject.in_flight) return;
    if (!subject.saved) subject.saved = queue_.state(subject.origin);
    queue_.forget(subject.origin);
    subject.awake = false;
    if (chance_(2) == 0) wake(i);
  }

  void idle(std::size_t i) {
    queue_.idle(subjects_[i].origin);
    if (!subjects_[i].in_flight) subjects_[i].awake = false;
  }

  void set_pace(std::size_t i) {
    Wishes wishes;
    const auto window = [this] {
      const auto from = static_cast<std::uint16_t>(chance_(1440));
      const auto to = static_cast<std::uint16_t>(chance_(1441));
      return base::DailyWindow{from, to, 0, 0};
    };
    for (std::uint64_t n = chance_(4); n > 0; --n) {
      base::RequestRate rate;
      rate.documents = 1 + chance_(3);
      rate.seconds = 1 + chance_(20);
      if (chance_(3) != 0) rate.window = window();
      wishes.rates.push_back(rate);
    }
    if (chance_(3) == 0) wishes.crawl_delay = static_cast<double>(chance_(60));
    if (chance_(4) == 0) wishes.visit_times.push_back(window());
    Subject& subject = subjects_[i];
    if (subject.saved) wake(i);
    subject.pace.emplace(std::move(wishes), politeness_, subject.origin.host(), chance_(2) == 0);
    queue_.set_pace(subject.origin, *subject.pace, now_);
  }

  void pause(std::size_t i) {
    const TimePoint until = now_.steady + Duration(static_cast<std::int64_t>(chance_(120'000'000'000)));
    Subject& subject = subjects_[i];
    if (subject.saved) wake(i);
    queue_.pause(subject.origin, until, now_);
    subject.paused_at_least = std::max(subject.paused_at_least, until);
    subject.paused_at_most = std::max(subject.paused_at_most, until);
  }

  void pass(Duration d) {
    now_.steady += d;
    now_.wall += d;
  }

  void pass_to_next() {
    const auto due = queue_.next_due(now_);
    if (due && *due > now_.steady) pass(*due - now_.steady);
  }

  /// What happens seldom: hours pass, names move, somebody sets the wall clock, a lease is lost.
  void rare() {
    switch (chance_(9)) {
      case 0: pass(std::chrono::minutes(chance_(300))); break;
      case 1: subjects_[chance_(kOrigins)].address = chance_(kAddresses); break;
      case 2: now_.wall += std::chrono::seconds(2 + chance_(40'000)); break;
      case 3: now_.wall -= std::chrono::seconds(2 + chance_(40'000)); break;
      case 4:
        if (!flights_.empty()) lose(chance_(flights_.size()));
        break;
      case 5:
      case 6:
      case 7: forget(chance_(kOrigins)); break;
      default: pass(Duration(1)); break;
    }
  }

  bool grant() {
    std::optional<Lease> lease = queue_.next(now_);
    if (!lease) {
      nobody_is_kept_waiting();
      return false;
    }
    const auto found = std::find_if(subjects_.begin(), subjects_.end(),
                                    [&](const Subject& s) { return s.origin == lease->origin(); });
    require(found != subjects_.end(), "a lease for nobody");
    Subject& subject = *found;
    require(subject.awake, "a lease without work");
    require(!subject.in_flight, "two leases for one origin");
    require(own_clocks_allow(subject, subject.paused_at_least),
            "a lease before the origin's clocks allow it");
    require(site_allows(subject.site), "a lease before the site's clock allows it");
    std::optional<std::size_t> on;
    if (subject.admitted_on && with_addresses()) {
      on = subject.admitted_on;
      require(address_allows(*on, addresses_.interval(address(*on))), "a lease before the address allows it");
    }
    subject.in_flight = true;
    flights_.push_back({static_cast<std::size_t>(found - subjects_.begin()), std::move(*lease), on, {}});
    std::swap(flights_.front(), flights_.back());
    return true;
  }

  void nobody_is_kept_waiting() {
    for (const Subject& subject : subjects_) {
      if (!subject.awake || subject.in_flight || !own_clocks_allow(subject, subject.paused_at_most)) continue;
      if (!site_allows(subject.site)) continue;
      // An eased interval may have grown or shrunk since the queue asked; the whole one is certain.
      const bool blocked =
          subject.admitted_on && !address_allows(*subject.admitted_on, politeness_.per_address_interval);
      require(blocked, "an origin that may go is kept waiting");
    }
  }

  void advance(std::size_t i) {
    Flight& flight = flights_[i];
    if (flight.sent && chance_(6) == 0) {
      send_again(flight);
    } else if (flight.sent) {
      const Health how = health();
      const bool more = chance_(4) != 0;
      end(i, how, more, retry_after());
    } else if (chance_(8) == 0) {
      end(i, Health::failing, chance_(4) != 0, std::nullopt);
    } else if (chance_(8) == 0) {
      give_back(i, chance_(4) != 0);
    } else if (!flight.admitted) {
      admit(i);
    } else {
      send(i);
    }
  }

  Health health() {
    const std::uint64_t dice = chance_(8);
    if (dice == 0) return Health::overloaded;
    return dice == 1 ? Health::failing : Health::ok;
  }

  std::optional<Duration> retry_after() {
    if (chance_(2) == 0) return std::nullopt;
    return std::chrono::seconds(chance_(200'000));
  }

  bool admit(std::size_t i) {
    Flight& flight = flights_[i];
    Subject& subject = subjects_[flight.subject];
    const std::size_t on = subject.address;
    const bool moved = flight.address != on;
    if (moved) flight.address.reset();
    const bool yes = queue_.admit(flight.lease, address(on), now_);
    if (with_addresses()) subject.admitted_on = on;
    if (!yes) {
      give_back(i, true);
      return false;
    }
    require(own_clocks_allow(subject, subject.paused_at_least),
            "admitted before the origin's clocks allow it");
    if (moved) {
      require(address_allows(on, addresses_.interval(address(on))), "admitted before the address allows it");
    }
    flight.admitted = true;
    if (with_addresses()) flight.address = on;
    return true;
  }

  void send(std::size_t i) {
    Flight& flight = flights_[i];
    queue_.sent(flight.lease, now_.steady);
    flight.sent = true;
    start(flight, now_.steady, true);
    ++starts_;
    ++subjects_[flight.subject].served;
  }

  /// The connection was dead, and the request is written once more.
  void send_again(Flight& flight) {
    queue_.sent(flight.lease, now_.steady);
    Subject& subject = subjects_[flight.subject];
    subject.last = now_.steady;
    if (with_sites()) site_last_[subject.site] = now_.steady;
    if (flight.sent_on) address_last_[*flight.sent_on] = now_.steady;
  }

  void start(Flight& flight, TimePoint at, bool on_address) {
    Subject& subject = subjects_[flight.subject];
    require(!subject.last || at >= *subject.last, "starts run backwards");
    subject.last = at;
    if (with_sites()) site_last_[subject.site] = at;
    flight.holds_site = false;
    if (flight.address && on_address) address_last_[*flight.address] = at;
    flight.sent_on = flight.address;
    flight.address.reset();
  }

  void end(std::size_t i, Health how, bool more, std::optional<Duration> retry_after) {
    Flight flight = take(i);
    const TimePoint ended = now_.steady;
    learn(flight, how, ended, retry_after);
    subjects_[flight.subject].awake = more;
    queue_.finish(std::move(flight.lease), Feedback{how, retry_after, ended}, more, now_);
  }

  void lose(std::size_t i) {
    Flight flight = take(i);
    learn(flight, Health::failing, now_.steady, std::nullopt);
    subjects_[flight.subject].awake = true;
    { const Lease lost = std::move(flight.lease); }
    queue_.next_due(now_);
  }

  void give_back(std::size_t i, bool more) {
    Flight flight = take(i);
    subjects_[flight.subject].awake = more;
    queue_.give_back(std::move(flight.lease), more, now_);
  }

  Flight take(std::size_t i) {
    Flight flight = std::move(flights_[i]);
    flights_.erase(flights_.begin() + static_cast<std::ptrdiff_t>(i));
    subjects_[flight.subject].in_flight = false;
    return flight;
  }

  void learn(Flight& flight, Health how, TimePoint ended, std::optional<Duration> retry_after) {
    Subject& subject = subjects_[flight.subject];
    const bool was_sent = flight.sent;
    if (!was_sent) start(flight, ended, flight.admitted);
    const auto took = static_cast<double>((was_sent ? ended - *subject.last : Duration::zero()).count());
    const Duration latency(static_cast<std::int64_t>(politeness_.latency_factor * took));
    subject.latency_until =
        std::max(subject.latency_until, ended + std::min(latency, politeness_.latency_cap));
    if (how == Health::ok) {
      if (!was_sent) return;
      subject.overloads = std::max(subject.overloads - 1, 0);
      subject.failures = 0;
      return;
    }
    int& rung = how == Health::overloaded ? subject.overloads : subject.failures;
    if (how == Health::overloaded) subject.failures = 0;
    ++rung;
    const base::Backoff ladder = how == Health::overloaded ? HostQueue::kOverloaded : HostQueue::kFailing;
    Duration least = ladder.first;
    for (int k = 1; k < rung && least < ladder.last; ++k) least *= 2;
    least = std::min(least, ladder.last);
    Duration most = std::min(least + least / 10 + Duration(1), ladder.last);
    if (how == Health::overloaded && retry_after)
      most = least = std::min(*retry_after, HostQueue::kRetryAfterMax);
    subject.paused_at_least = std::max(subject.paused_at_least, ended + least);
    subject.paused_at_most = std::max(subject.paused_at_most, ended + most);
  }

  void check_views() {
    const Census census = queue_.census(now_);
    require(census.in_flight == flights_.size(), "the census miscounts flights");
    std::size_t awake = 0;
    bool foreseen = false;  // false: each waits for a clock that a lease holds
    for (const Subject& subject : subjects_) {
      const Status status = queue_.status(subject.origin, now_);
      if (subject.awake && !subject.in_flight) {
        ++awake;
        foreseen = foreseen || status.due != TimePoint::max();
      }
      require((status.waiting == Waiting::in_flight) == subject.in_flight, "a wrong in_flight");
      require((status.waiting == Waiting::nothing) == (status.due <= now_.steady), "waiting for nothing");
    }
    require(census.ready + census.waiting + census.paused == awake, "the census miscounts");
    const bool first = queue_.longest_first(now_).has_value();
    require(first || !foreseen, "nobody is first");
    require(!first || awake > 0, "somebody is first who has no work");
  }

  Chance chance_;
  const config::Politeness politeness_;
  base::Random random_{42};
  AddressClocks addresses_;
  HostQueue queue_;
  std::vector<Subject> subjects_;
  std::vector<Flight> flights_;  // die before the queue
  std::map<std::size_t, TimePoint> address_last_;
  std::map<std::size_t, TimePoint> site_last_;
  base::Now now_{TimePoint(std::chrono::hours(1)),
                 base::WallTime(std::chrono::sys_days(std::chrono::year(2026) / 11 / 21))};
  int starts_ = 0;
  int steps_ = 0;
};

}  // namespace scheduler

#include "fetch/race.h"

#include <boost/asio/redirect_error.hpp>

#include <algorithm>

namespace fetch {

std::vector<base::IpAddress> in_turns(const std::vector<base::IpAddress>& addresses) {
  std::vector<base::IpAddress> left = addresses;
  std::vector<base::IpAddress> turns;
  while (!left.empty() && turns.size() < kAttemptsMax) {
    const bool want_v6 = turns.empty() ? left.front().v6 : !turns.back().v6;
    auto next = std::find_if(left.begin(), left.end(),
                             [want_v6](const base::IpAddress& address) { return address.v6 == want_v6; });
    if (next == left.end()) next = left.begin();
    turns.push_back(*next);
    left.erase(next);
  }
  return turns;
}

base::Async<std::unique_ptr<Connection>> Race::run(std::vector<base::IpAddress> addresses, Step& failure) {
  const auto self = shared_from_this();
  addresses_ = std::move(addresses);
  attempts_.reserve(addresses_.size());
  go_on();
  while (!over_) {
    boost::system::error_code ignored;
    wake_.expires_at(Timer::time_point::max());
    co_await wake_.async_wait(boost::asio::redirect_error(base::use_async, ignored));
  }
  failure = std::move(failure_);
  co_return std::move(winner_);
}

void Race::close() {
  if (over_) return;
  for (const Attempt& attempt : attempts_) {
    if (attempt.connection) parts_.lost(attempt.address, Error::connect_timeout);
  }
  failure_ = {};
  finish();
}

/// The handlers' way in: nobody hears what they throw.
void Race::go_on() {
  if (over_) return;
  try {
    begin_next();
  } catch (const std::bad_alloc&) {
    failure_ = {};
    failure_.error = Error::resources;
    finish();
  }
}

/// Begins with addresses until one attempt is under way; the next one is for when it has been alone too long.
void Race::begin_next() {
  while (!over_ && !all_tried()) {
    const base::IpAddress address = addresses_[attempts_.size()];
    if (!begin(address)) continue;
    if (all_tried()) return;
    delay_.expires_after(kAttemptDelay);
    delay_.async_wait([weak = weak_from_this()](const boost::system::error_code& aborted) {
      const auto self = weak.lock();
      if (self && !aborted) self->go_on();
    });
    return;
  }
  if (running_ > 0) return;
  if (left_out_) {  // what could not be tried may well answer
    failure_ = {};
    failure_.error = Error::not_now;
  }
  finish();
}

bool Race::begin(const base::IpAddress& address) {
  const std::size_t number = attempts_.size();
  attempts_.push_back({address, nullptr});
  if (!parts_.may_try(address)) {
    left_out_ = true;
    return false;
  }
  Step failed;
  try {
    std::unique_ptr<Connection> connection = parts_.make(address);
    if (connection) {
      // Held by the handler: whatever becomes of the exchange, somebody hears the end.
      auto done = [self = shared_from_this(), number](Step step) { self->ended(number, std::move(step)); };
      failed = parts_.start(*connection, address, std::move(done));
      attempts_[number].connection = std::move(connection);
    } else {
      failed.error = Error::resources;
      failed.detail = "network.max_connections are open";
    }
  } catch (const std::bad_alloc&) {
    failed.error = Error::resources;
  }
  if (failed.error == Error::none) {
    ++running_;
    return true;
  }
  attempts_[number].connection.reset();
  note(address, std::move(failed));
  return false;
}

void Race::ended(std::size_t number, Step step) {
  if (over_) return;
  --running_;
  Attempt& attempt = attempts_[number];
  if (step.error == Error::none) {
    winner_ = std::move(attempt.connection);
    failure_ = {};
    try {
      for (std::size_t i = 0; i < number; ++i) {
        if (attempts_[i].connection) parts_.lost(attempts_[i].address, Error::connect_timeout);
      }
    } catch (const std::bad_alloc&) {  // that they are remembered is only a help
    }
    return finish();
  }
  attempt.connection.reset();
  delay_.cancel();
  try {
    note(attempt.address, std::move(step));
  } catch (const std::bad_alloc&) {  // likewise
  }
  go_on();
}

/// A want of ours never hides what a server did.
void Race::note(const base::IpAddress& address, Step step) {
  parts_.lost(address, step.error);
  const bool ours = step.error == Error::resources;
  if (!ours || failure_.error == Error::none) failure_ = std::move(step);
}

void Race::finish() {
  over_ = true;
  delay_.cancel();
  wake_.cancel();
  attempts_.clear();  // closes what is still under way
}

}  // namespace fetch

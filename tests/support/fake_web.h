#pragma once
// A web in memory with its own clock and its own eyes: it answers as told, and notes every request as a
// server's access log would. What it notes is the evidence of the scenario tests.
#include "base/clock.h"
#include "fetch/fetcher.h"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <list>
#include <map>
#include <string>
#include <vector>

namespace support {

struct Reply {
  int status = 200;
  std::string body;
  std::vector<fetch::Header> headers;
  base::Duration latency = std::chrono::milliseconds(50);
  fetch::Error error = fetch::Error::none;
};

struct Seen {
  std::string origin;
  std::string target;
  base::IpAddress address;
  base::Now start;  ///< when the request went out
  base::Now end;
  int status = 0;
};

class FakeWeb final : public fetch::Fetcher {
 public:
  using Handler =
      std::function<Reply(const std::string& target, base::Now now, const fetch::Request& request)>;

  FakeWeb(base::Clock& clock, boost::asio::io_context& loop) : clock_(clock), loop_(loop) {}

  void add(const std::string& origin, const std::string& address, Handler handler) {
    sites_[origin] = {*base::IpAddress::parse(address), std::nullopt, std::move(handler), 0, 0, false};
  }
  /// The address of `origin` does not answer; this other one does.
  void answers_at(const std::string& origin, const std::string& other) {
    sites_.at(origin).other = base::IpAddress::parse(other);
  }

  /// Time between the lease and the request, as DNS and connecting take it.
  base::Duration connect_time{};
  std::vector<Seen> log;
  std::size_t overlaps = 0;  ///< requests to an origin that was still answering another
  /// Called when a request goes out, before it is noted.
  std::function<void(const Seen&)> watch;

  base::Async<fetch::Resolved> resolve(base::Origin origin) override {
    fetch::Resolved resolved;
    const auto site = sites_.find(std::string(origin.text()));
    if (site == sites_.end()) {
      resolved.error = fetch::Error::dns_failure;
      resolved.detail = "no such name";
    } else if (site->second.blocked) {
      resolved.error = fetch::Error::blocked_address;
      resolved.detail = "loopback";
    } else {
      resolved.address = site->second.address;
      if (site->second.other) resolved.others.push_back(*site->second.other);
    }
    co_return resolved;
  }

  base::Async<fetch::Outcome> fetch(fetch::Request request) override {
    const std::string origin(request.url.origin_text());
    Site& site = sites_.at(origin);
    auto alarm = clock_.alarm(loop_.get_executor());
    if (connect_time > base::Duration::zero()) co_await alarm->wait_until(clock_.now().steady + connect_time);
    Seen seen;
    seen.origin = origin;
    seen.target = request.url.target();
    seen.address = site.other.value_or(request.address);
    if (site.other && !request.may_use(*site.other)) {
      fetch::Outcome refused;
      refused.error = fetch::Error::not_now;
      co_return refused;
    }
    seen.start = clock_.now();
    if (++site.in_flight > 1) ++overlaps;
    if (request.on_sent) request.on_sent();
    if (watch) watch(seen);
    const Reply reply = site.handler(seen.target, seen.start, request);
    const std::size_t place = log.size();
    log.push_back(seen);
    UnderWay one{seen.start.steady, alarm.get()};
    const auto held = under_way_.insert(under_way_.end(), &one);
    co_await alarm->wait_until(seen.start.steady + reply.latency);
    under_way_.erase(held);
    --site.in_flight;
    log[place].end = clock_.now();
    log[place].status = reply.error == fetch::Error::none ? reply.status : 0;
    fetch::Outcome outcome;
    outcome.peer = seen.address;
    outcome.error = one.hurried ? fetch::Error::slow : reply.error;
    const bool some = outcome.error == fetch::Error::none || outcome.error == fetch::Error::truncated;
    if (!some) co_return outcome;
    outcome.status = reply.status;
    outcome.body = reply.body.substr(0, request.body_max);
    outcome.cut = reply.body.size() > request.body_max;
    outcome.wire_octets = reply.body.size();
    for (const fetch::Header& header : reply.headers) outcome.headers.add(header.name, header.value);
    if (!outcome.headers.has("Content-Type")) outcome.headers.add("Content-Type", "text/html");
    if (request.keep_wire) {
      outcome.wire.request =
          "GET " + seen.target + " HTTP/1.1\r\nHost: " + std::string(request.url.host()) + "\r\n\r\n";
      outcome.wire.head = "HTTP/1.1 " + std::to_string(reply.status) + " Told\r\n";
      for (const fetch::Header& header : outcome.headers.all()) {
        outcome.wire.head += header.name + ": " + header.value + "\r\n";
      }
      outcome.wire.head += "\r\n";
    }
    co_return outcome;
  }

  void hurry(std::size_t most) override {
    std::size_t left = under_way_.size();
    for (UnderWay* const one : under_way_) {
      if (left <= most || one->begun > clock_.now().steady - fetch::kPatience) return;
      --left;
      one->hurried = true;
      one->alarm->ring();
    }
  }
  void cancel() override {}
  void block(const std::string& origin) { sites_.at(origin).blocked = true; }

 private:
  struct UnderWay {
    base::TimePoint begun;
    base::Alarm* alarm;
    bool hurried = false;
  };
  std::list<UnderWay*> under_way_;
  struct Site {
    base::IpAddress address;
    std::optional<base::IpAddress> other;
    Handler handler;
    int in_flight = 0;
    int requests = 0;
    bool blocked = false;
  };

  base::Clock& clock_;
  boost::asio::io_context& loop_;
  std::map<std::string, Site> sites_;
};

}  // namespace support

// DNS answers: a resolver asks, over UDP on loopback, a server that answers with the input. Whatever it is,
// the lookup ends, with few addresses or a reason, and what it learned is remembered.
#include "base/tasks.h"
#include "fetch/resolver.h"

#include <boost/asio/ip/udp.hpp>

#include <array>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

using boost::asio::ip::udp;
using fetch::Addresses;
using fetch::Error;

constexpr base::Duration kDeadline = std::chrono::milliseconds(20);
constexpr std::string_view kName = "a.test";
constexpr std::size_t kHeaderOctets = 12;
constexpr std::size_t kIdOctets = 2;

void must(bool holds) {
  if (!holds) std::abort();
}

/// What the first octet of the input chooses.
struct Choices {
  bool asks_back = false;   ///< the question is copied into the answer, as servers do
  bool answers_v6 = false;  ///< AAAA is answered with the input, too; else there is none
  bool twice = false;       ///< each answer comes twice
  bool waits = false;       ///< the lookup ends by its deadline; else it is cancelled when nothing happens
};

Choices choices_of(unsigned octet) {
  Choices choices;
  choices.asks_back = (octet & 1U) == 0;
  choices.answers_v6 = (octet & 2U) == 0;
  choices.twice = (octet & 4U) != 0;
  choices.waits = (octet & 0xF0U) == 0xF0U;
  return choices;
}

class Server {
 public:
  Server(boost::asio::io_context& io, Choices choices, std::string_view answer)
      : socket_(io, udp::endpoint(boost::asio::ip::address_v4::loopback(), 0)),
        choices_(choices),
        answer_(answer) {
    receive();
  }
  std::uint16_t port() const { return socket_.local_endpoint().port(); }
  int questions() const { return questions_; }

 private:
  void receive() {
    socket_.async_receive_from(boost::asio::buffer(octets_), from_,
                               [this](const boost::system::error_code& failed, std::size_t count) {
                                 if (failed) return;
                                 reply({octets_.data(), count});
                                 receive();
                               });
  }

  /// The question ends with a name of plain labels, a type and a class; EDNS may follow.
  void reply(std::string_view question) {
    ++questions_;
    std::size_t end = kHeaderOctets;
    while (end < question.size() && question[end] != 0) end += 1U + static_cast<unsigned char>(question[end]);
    end += 1 + 4;
    must(end <= question.size());
    const bool v6 = question[end - 3] == 28;
    std::string out(question.substr(0, kIdOctets));
    if (v6 && !choices_.answers_v6) {
      out += std::string("\x81\x80\0\1\0\0\0\0\0\0", kHeaderOctets - kIdOctets);
      out += question.substr(kHeaderOctets, end - kHeaderOctets);
    } else if (choices_.asks_back) {
      out += answer_.substr(0, kHeaderOctets - kIdOctets);
      out += question.substr(kHeaderOctets, end - kHeaderOctets);
      if (answer_.size() > kHeaderOctets - kIdOctets) out += answer_.substr(kHeaderOctets - kIdOctets);
    } else {
      out += answer_;
    }
    boost::system::error_code ignored;
    for (int i = 0; i < (choices_.twice ? 2 : 1); ++i)
      socket_.send_to(boost::asio::buffer(out), from_, 0, ignored);
  }

  udp::socket socket_;
  const Choices choices_;
  const std::string_view answer_;
  std::array<char, 1500> octets_{};
  udp::endpoint from_;
  int questions_ = 0;
};

base::Async<> look_up(std::shared_ptr<fetch::Resolver> resolver, std::optional<Addresses>& found) {
  found = co_await resolver->lookup(std::string(kName));
}

class Asking {
 public:
  Asking(Choices choices, std::string_view answer) : choices_(choices), server_(io_, choices, answer) {
    config::Network network;
    network.timeouts.dns = kDeadline;
    network.nameservers.push_back({*base::IpAddress::parse("127.0.0.1"), server_.port()});
    resolver_ = std::make_shared<fetch::Resolver>(io_.get_executor(), clock_, network);
  }

  Addresses ask() {
    std::optional<Addresses> found;
    tasks_.spawn(look_up(resolver_, found));
    if (!choices_.waits) {
      settle();
      if (!found) resolver_->cancel();
    }
    const auto begin = clock_.now().steady;
    while (!found) {
      must(io_.run_one() > 0);
      must(clock_.now().steady - begin < std::chrono::seconds(4));
    }
    return std::move(*found);
  }
  int questions() const { return server_.questions(); }

 private:
  /// Until nothing is ready any more: on loopback what was sent is there at once.
  void settle() {
    constexpr int kStepsMax = 10'000;
    for (int i = 0; i < kStepsMax; ++i) {
      if (io_.poll_one() == 0) return;
    }
    std::abort();
  }

  boost::asio::io_context io_{1};
  base::SystemClock clock_;
  const Choices choices_;
  Server server_;
  std::shared_ptr<fetch::Resolver> resolver_;
  base::Tasks tasks_{io_.get_executor(), clock_, [](const std::exception_ptr&) { std::abort(); }};
};

void check(const Addresses& found) {
  must(found.list.size() <= fetch::kAddressesMax);
  must(found.list.empty() == (found.failure.error != Error::none));
  switch (found.failure.error) {
    case Error::none:
    case Error::dns_failure:
    case Error::dns_timeout:
    case Error::cancelled: return;
    default: std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view answer(reinterpret_cast<const char*>(data) + 1,
                                std::min<std::size_t>(size - 1, 1400));
  Asking asking(choices_of(data[0]), answer);
  const Addresses found = asking.ask();
  check(found);
  must(asking.questions() > 0);
  if (found.failure.error != Error::none) return 0;
  const int questions = asking.questions();
  const Addresses again = asking.ask();
  must(again.failure.error == Error::none && again.list == found.list);
  must(asking.questions() == questions);
  return 0;
}

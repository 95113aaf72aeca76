#pragma once
// A name server on 127.0.0.1 (UDP) that answers as a test tells it, also wrongly or not at all.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace support {

enum class DnsCode : unsigned char { ok = 0, servfail = 2, nxdomain = 3, refused = 5 };

struct DnsAnswer {
  DnsCode code = DnsCode::ok;
  bool silent = false;
  std::uint32_t ttl = 300;
  std::string cname;  ///< an alias of the name asked for; the addresses are those of the target
  std::vector<std::string> addresses;  ///< those of the family asked for are sent
};

class DnsServer {
 public:
  /// Called on the server's thread with the name asked for in lower case and whether it is about IPv6.
  using Script = std::function<DnsAnswer(const std::string& name, bool v6)>;

  explicit DnsServer(Script script) : script_(std::move(script)) {
    socket_ = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof where;
    if (::bind(socket_, reinterpret_cast<sockaddr*>(&where), size) != 0 || ::pipe(wake_) != 0) {
      throw std::runtime_error("dns server");
    }
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&where), &size);
    port_ = ntohs(where.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  ~DnsServer() {
    ::close(wake_[1]);
    thread_.join();
    ::close(wake_[0]);
    ::close(socket_);
  }
  DnsServer(const DnsServer&) = delete;
  DnsServer& operator=(const DnsServer&) = delete;

  std::uint16_t port() const { return port_; }
  /// Questions for A and AAAA together.
  int questions() const { return questions_; }

 private:
  static void add16(std::string& out, unsigned value) {
    out += static_cast<char>(value >> 8U);
    out += static_cast<char>(value & 0xffU);
  }
  static void add_name(std::string& out, std::string_view name) {
    while (!name.empty()) {
      const std::size_t dot = std::min(name.find('.'), name.size());
      out += static_cast<char>(dot);
      out += name.substr(0, dot);
      name.remove_prefix(std::min(dot + 1, name.size()));
    }
    out += '\0';
  }
  static void add_record(std::string& out, unsigned type, std::uint32_t ttl, std::string_view data) {
    add16(out, type);
    add16(out, 1);
    add16(out, ttl >> 16U);
    add16(out, ttl & 0xffffU);
    add16(out, static_cast<unsigned>(data.size()));
    out += data;
  }

  std::string reply(std::string_view question) {
    constexpr std::size_t kHeader = 12;
    constexpr unsigned kAddress6 = 28;
    std::string name;
    std::size_t at = kHeader;
    while (at < question.size() && question[at] != 0) {
      const auto length = static_cast<unsigned char>(question[at]);
      if (!name.empty()) name += '.';
      for (const char c : question.substr(at + 1, length)) name += static_cast<char>(std::tolower(c));
      at += 1U + length;
    }
    if (at + 5 > question.size()) return {};
    const unsigned type = static_cast<unsigned char>(question[at + 2]);
    const bool v6 = type == kAddress6;
    const DnsAnswer answer = script_(name, v6);
    if (answer.silent) return {};

    std::string records;
    unsigned count = 0;
    std::string owner = name;
    if (!answer.cname.empty()) {
      std::string target;
      add_name(target, answer.cname);
      add_name(records, owner);
      add_record(records, 5, answer.ttl, target);
      owner = answer.cname;
      ++count;
    }
    for (const std::string& address : answer.addresses) {
      char octets[16];
      if (::inet_pton(v6 ? AF_INET6 : AF_INET, address.c_str(), octets) != 1) continue;
      add_name(records, owner);
      add_record(records, v6 ? kAddress6 : 1, answer.ttl, {octets, v6 ? 16U : 4U});
      ++count;
    }
    std::string out(question.substr(0, 2));
    add16(out, 0x8180U | static_cast<unsigned>(answer.code));
    add16(out, 1);
    add16(out, count);
    add16(out, 0);
    add16(out, 0);
    out += question.substr(kHeader, at + 5 - kHeader);
    return out + records;
  }

  void run() {
    while (true) {
      pollfd waits[2] = {{socket_, POLLIN, 0}, {wake_[0], POLLIN, 0}};
      ::poll(waits, 2, -1);
      if (waits[1].revents != 0) return;
      char octets[1500];
      sockaddr_in from{};
      socklen_t size = sizeof from;
      const auto count =
          ::recvfrom(socket_, octets, sizeof octets, 0, reinterpret_cast<sockaddr*>(&from), &size);
      if (count < 12) continue;
      ++questions_;
      const std::string text = reply({octets, static_cast<std::size_t>(count)});
      if (!text.empty()) {
        ::sendto(socket_, text.data(), text.size(), 0, reinterpret_cast<const sockaddr*>(&from), size);
      }
    }
  }

  Script script_;
  int socket_ = -1;
  int wake_[2] = {-1, -1};
  std::uint16_t port_ = 0;
  std::atomic<int> questions_{0};
  std::thread thread_;
};

}  // namespace support

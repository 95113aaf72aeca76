#include "fetch/ares_channel.h"

#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <stdexcept>

namespace fetch {
namespace {

using Descriptor = boost::asio::posix::basic_stream_descriptor<base::Executor>;
using std::chrono::milliseconds;

/// What one UDP answer may be long without being cut into fragments (dnsflagday.net/2020).
constexpr int kUdpOctets = 1232;
constexpr int kTries = 3;
/// Queries for one UDP socket, where c-ares can limit them: a new socket has a new, unguessed source port.
[[maybe_unused]] constexpr int kQueriesPerPort = 100;

/// Twice as long with every try, so that a lost packet is asked for again well before the deadline.
int first_try_ms(base::Duration deadline) {
  const auto part = std::chrono::duration_cast<milliseconds>(deadline / 5);
  return static_cast<int>(std::clamp(part, milliseconds(50), milliseconds(5000)).count());
}

void must(int status, const char* what) {
  if (status != ARES_SUCCESS) throw std::runtime_error(std::string(what) + ": " + ares_strerror(status));
}

std::string servers_text(const std::vector<config::Nameserver>& servers) {
  std::string text;
  for (const config::Nameserver& server : servers) {
    if (!text.empty()) text += ',';
    const std::string address = server.address.text();
    text += (server.address.v6 ? '[' + address + ']' : address) + ':' + std::to_string(server.port);
  }
  return text;
}

std::optional<base::IpAddress> address_of(const ares_addrinfo_node& node) {
  base::IpAddress address;
  if (node.ai_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, node.ai_addr, sizeof in);
    std::memcpy(address.octets.data(), &in.sin_addr, sizeof in.sin_addr);
  } else if (node.ai_family == AF_INET6) {
    sockaddr_in6 in{};
    std::memcpy(&in, node.ai_addr, sizeof in);
    std::memcpy(address.octets.data(), &in.sin6_addr, sizeof in.sin6_addr);
    address.v6 = true;
  } else {
    return std::nullopt;
  }
  return address;
}

/// The addresses of an answer, and its smallest time to live; zero for names from /etc/hosts.
base::Duration read(const ares_addrinfo& found, std::vector<base::IpAddress>& list) {
  int ttl = std::numeric_limits<int>::max();
  for (const auto* cname = found.cnames; cname != nullptr; cname = cname->next)
    ttl = std::min(ttl, cname->ttl);
  for (const auto* node = found.nodes; node != nullptr; node = node->ai_next) {
    ttl = std::min(ttl, node->ai_ttl);
    const auto address = address_of(*node);
    if (address && list.size() < kAddressesMax) list.push_back(*address);
  }
  return std::chrono::seconds(ttl);
}

int family_of(config::Families families) {
  switch (families) {
    case config::Families::ipv4: return AF_INET;
    case config::Families::ipv6: return AF_INET6;
    case config::Families::both: break;
  }
  return AF_UNSPEC;
}

}  // namespace

struct AresChannel::Question {
  AresChannel& channel;
  Answered answered;
};

/// A socket of c-ares, which owns it. `open` ends with the descriptor: its number may come back for another.
struct AresChannel::Watched {
  Watched(base::Executor executor, ares_socket_t number) : descriptor(executor, number), socket(number) {}
  Descriptor descriptor;
  ares_socket_t socket;
  bool open = true;
  bool wants_read = false;
  bool wants_write = false;
  bool waits_read = false;
  bool waits_write = false;
};

AresChannel::AresChannel(base::Executor executor, const config::Network& network)
    : executor_(executor), family_(family_of(network.families)), timer_(executor) {
  static std::once_flag once;
  std::call_once(once, [] { must(ares_library_init(ARES_LIB_INIT_ALL), "c-ares"); });
  char hosts_first[] = "fb";
  char dns_only[] = "b";
  ares_options options{};
  options.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_EDNS;
  options.ednspsz = kUdpOctets;
  options.timeout = first_try_ms(network.timeouts.dns);
  options.tries = kTries;
  options.ndomains = 0;
  options.lookups = network.nameservers.empty() ? hosts_first : dns_only;
  options.sock_state_cb = &AresChannel::on_socket;
  options.sock_state_cb_data = this;
  int mask = ARES_OPT_FLAGS | ARES_OPT_EDNSPSZ | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_DOMAINS |
             ARES_OPT_LOOKUPS | ARES_OPT_SOCK_STATE_CB;
#ifdef ARES_OPT_UDP_MAX_QUERIES
  options.udp_max_queries = kQueriesPerPort;
  mask |= ARES_OPT_UDP_MAX_QUERIES;
#endif
#ifdef ARES_OPT_QUERY_CACHE
  options.qcache_max_ttl = 0;  // we keep answers ourselves, within our own bounds
  mask |= ARES_OPT_QUERY_CACHE;
#endif
  must(ares_init_options(&channel_, &options, mask), "c-ares");
  ares_set_socket_callback(channel_, &AresChannel::on_created, this);
  if (network.nameservers.empty()) return;
  const int status = ares_set_servers_ports_csv(channel_, servers_text(network.nameservers).c_str());
  if (status != ARES_SUCCESS) ares_destroy(channel_);
  must(status, "network.nameservers");
}

AresChannel::~AresChannel() {
  ares_destroy(channel_);
}

void AresChannel::ask(const std::string& name, Answered answered) {
  ares_addrinfo_hints hints{};
  hints.ai_family = family_;
  hints.ai_socktype = SOCK_STREAM;
  auto question = std::make_unique<Question>(Question{*this, std::move(answered)});
  ares_getaddrinfo(channel_, name.c_str(), nullptr, &hints, &AresChannel::on_answer, question.release());
  arm();
}

void AresChannel::cancel() {
  ares_cancel(channel_);
  arm();
}

void AresChannel::on_answer(void* question, int status, int /*timeouts*/, ares_addrinfo* found) {
  const std::unique_ptr<Question> own(static_cast<Question*>(question));
  const std::unique_ptr<ares_addrinfo, void (*)(ares_addrinfo*)> freed(found, &ares_freeaddrinfo);
  Addresses addresses;
  base::Duration ttl = kTtlMax;
  if (status == ARES_SUCCESS && found != nullptr) {
    try {
      ttl = read(*found, addresses.list);
    } catch (const std::bad_alloc&) {  // C code called, and cannot be left by an exception
      status = ARES_ENOMEM;
      addresses.list.clear();
    }
  }
  // What c-ares takes for silent or absent servers was our own want of a socket.
  const bool unasked = status == ARES_ECONNREFUSED || status == ARES_ETIMEOUT;
  if (unasked && own->channel.short_of_means_) status = ARES_ENOMEM;
  own->answered(status, std::move(addresses), ttl);
}

/// A socket that cannot be watched must not be used: nobody would ever hear its answers.
int AresChannel::on_created(ares_socket_t socket, int /*type*/, void* self) {
  auto& channel = *static_cast<AresChannel*>(self);
  try {
    std::shared_ptr<Watched>& slot =
        channel.sockets_[socket];          // before the descriptor: a throw must not close it
    if (slot) slot->descriptor.release();  // of an earlier socket with this number
    slot.reset();
    slot = std::make_shared<Watched>(channel.executor_, socket);
    channel.short_of_means_ = false;
    return 0;
  } catch (const std::exception&) {
    channel.sockets_.erase(socket);
    channel.short_of_means_ = true;
    return -1;
  }
}

void AresChannel::on_socket(void* self, ares_socket_t socket, int readable, int writable) {
  auto& channel = *static_cast<AresChannel*>(self);
  if (readable == 0 && writable == 0) {
    const auto found = channel.sockets_.find(socket);
    if (found == channel.sockets_.end()) return;
    if (found->second) {
      found->second->open = false;
      found->second->descriptor.release();  // c-ares closes it
    }
    channel.sockets_.erase(found);
    return;
  }
  try {
    const auto found = channel.sockets_.find(socket);
    if (found == channel.sockets_.end()) return;
    const std::shared_ptr<Watched> watched = found->second;
    watched->wants_read = readable != 0;
    watched->wants_write = writable != 0;
    channel.watch(watched, false);
    channel.watch(watched, true);
  } catch (const std::exception&) {
    // No memory: the query ends by its own timeout. C code called.
  }
}

void AresChannel::watch(const std::shared_ptr<Watched>& watched, bool write) {
  bool& waits = write ? watched->waits_write : watched->waits_read;
  if (waits || !watched->open || !(write ? watched->wants_write : watched->wants_read)) return;
  waits = true;
  auto ready = [weak = weak_from_this(), watched, write](const boost::system::error_code&) {
    (write ? watched->waits_write : watched->waits_read) = false;
    const auto self = weak.lock();
    if (!self || !watched->open) return;
    self->process(write ? ARES_SOCKET_BAD : watched->socket, write ? watched->socket : ARES_SOCKET_BAD);
    self->watch(watched, write);
  };
  watched->descriptor.async_wait(write ? Descriptor::wait_write : Descriptor::wait_read, std::move(ready));
}

void AresChannel::process(ares_socket_t readable, ares_socket_t writable) {
  ares_process_fd(channel_, readable, writable);
  arm();
}

void AresChannel::arm() {
  timeval left{};
  if (ares_timeout(channel_, nullptr, &left) == nullptr) {  // no query is under way
    timer_.cancel();
    return;
  }
  // Never zero: c-ares compares with a coarser clock, and until that has moved the thread would spin.
  const auto wait = std::chrono::seconds(left.tv_sec) + std::chrono::microseconds(left.tv_usec);
  timer_.expires_after(std::max<base::Duration>(wait, milliseconds(1)));
  timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& aborted) {
    if (aborted) return;
    if (const auto self = weak.lock()) self->process(ARES_SOCKET_BAD, ARES_SOCKET_BAD);
  });
}

}  // namespace fetch

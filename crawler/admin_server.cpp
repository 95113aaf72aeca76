#include "crawler/admin_server.h"

#include "base/secret.h"
#include "config/checks.h"
#include "crawler/admin_client.h"
#include "crawler/admin_socket.h"
#include "crawler/store.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include <list>

namespace crawler {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Local = asio::local::stream_protocol;
using Tcp = asio::ip::tcp;
using boost::system::error_code;

constexpr auto kTuple = asio::as_tuple(base::use_async);

/// No page of ours runs or loads anything that is not ours.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A token is a line of a file, from so many octets ...
constexpr std::size_t kTokenMin = 16;
/// ... to so many.
constexpr std::size_t kTokenMax = 256;

/// Throws StartError.
std::string read_token(const std::string& where) {
  std::string token;
  try {
    token = base::read_secret(where, kTokenMax);
  } catch (const std::runtime_error& refused) {
    throw StartError(EX_CONFIG, "admin.token_file: " + std::string(refused.what()));
  }
  if (token.size() >= kTokenMin) return token;
  throw StartError(EX_CONFIG, "admin.token_file: " + where + ": a token has 16 characters or more");
}

/// A connection; those that wait longest for a request in front.
struct Open {
  std::function<void()> close;
  bool idle = true;  ///< waits for a request
};
using Opens = std::list<Open>;

/// A file that is no socket stays, and so does a socket on which somebody listens. Throws StartError.
void refuse_what_is_there(const std::string& path) {
  struct ::stat there {};
  if (::lstat(path.c_str(), &there) != 0) return;
  if (!S_ISSOCK(there.st_mode)) {
    throw StartError(EX_CANTCREAT,
                     "admin.socket: " + path + " is there and no socket: move it, or choose another path");
  }
  if (somebody_listens(path)) {
    throw StartError(EX_TEMPFAIL,
                     "admin.socket: somebody listens at " + path + ": another crawld? Choose another path");
  }
}

struct Answer {
  http::response<http::string_body> message;
  bool close = false;
};

}  // namespace

struct AdminServer::Impl {
  Impl(base::Executor executor, base::Clock& clock, const config::Config& config, base::Log& log,
       Handler handler)
      : executor_(executor),
        clock_(clock),
        log_(log),
        handler_(std::move(handler)),
        local_(executor),
        tcp_(executor),
        tasks_(executor, clock, [this](std::exception_ptr escaped) { tell(std::move(escaped)); }) {
    open_socket(config);
    open_tcp(config);
  }

  void open_socket(const config::Config& config);
  void open_tcp(const config::Config& config);
  void tell(std::exception_ptr escaped);
  void remove_socket();
  bool make_room();

  template <class Protocol>
  base::Async<> accept(asio::basic_socket_acceptor<Protocol, base::Executor>& acceptor);
  template <class Protocol>
  base::Async<> serve(asio::basic_stream_socket<Protocol, base::Executor> socket);
  template <class Stream>
  base::Async<> converse(Stream& stream, Opens::iterator place);
  base::Async<Answer> answer(http::request<http::string_body> request, bool local);
  base::Async<AdminResponse> ask(const http::request<http::string_body>& request, bool local);

  base::Executor executor_;
  base::Clock& clock_;
  base::Log& log_;
  Handler handler_;
  asio::basic_socket_acceptor<Local, base::Executor> local_;
  asio::basic_socket_acceptor<Tcp, base::Executor> tcp_;
  std::string path_;
  struct ::stat made_ {};
  std::string address_;  ///< with brackets around IPv6
  unsigned port_ = 0;
  std::string token_;
  Opens open_;
  bool closed_ = false;
  base::Tasks tasks_;  ///< last: its coroutines use all of the above
};

void AdminServer::Impl::open_socket(const config::Config& config) {
  path_ = admin_socket_path(config);
  if (path_.empty()) return;
  if (path_.size() > config::kSocketPathMax) {
    base::Line line(base::Level::warning, "admin");
    line.text("socket", path_).text("why", "the path is too long for a socket: set admin.socket");
    log_.write(line, clock_.now().wall);
    path_.clear();
    return;
  }
  refuse_what_is_there(path_);
  // Made beside its place and moved there, so that nobody finds it before it has its mode; what a crash has
  // left there goes.
  const std::string fresh = path_ + "~";
  const std::string made = fresh.size() > config::kSocketPathMax ? path_ : fresh;
  if (made != path_) refuse_what_is_there(made);
  error_code code;
  ::unlink(made.c_str());
  local_.open(Local(), code);
  if (!code) local_.bind(Local::endpoint(made), code);
  if (!code && ::chmod(made.c_str(), 0660) != 0) code.assign(errno, boost::system::system_category());
  if (!code) local_.listen(asio::socket_base::max_listen_connections, code);
  if (!code && made != path_ && ::rename(made.c_str(), path_.c_str()) != 0)
    code.assign(errno, boost::system::system_category());
  if (code) {
    throw StartError(EX_CANTCREAT, "admin.socket: " + path_ + ": " + code.message());
  }
  ::stat(path_.c_str(), &made_);
}

void AdminServer::Impl::open_tcp(const config::Config& config) {
  if (config.admin.listen.empty()) return;
  const auto where = config::listen_address(config.admin);
  if (!where) throw StartError(EX_CONFIG, "admin.listen: not a loopback address with a port");
  if (!config.admin.token_file.empty()) token_ = read_token(config.admin.token_file);
  error_code code;
  const Tcp::endpoint endpoint(asio::ip::make_address(where->address.text()), where->port);
  tcp_.open(endpoint.protocol(), code);
  if (!code) tcp_.set_option(asio::socket_base::reuse_address(true), code);
  if (!code) tcp_.bind(endpoint, code);
  if (!code) tcp_.listen(asio::socket_base::max_listen_connections, code);
  if (code) throw StartError(EX_OSERR, "admin.listen: " + config.admin.listen + ": " + code.message());
  port_ = tcp_.local_endpoint().port();
  address_ = where->address.v6 ? "[" + where->address.text() + "]" : where->address.text();
}

void AdminServer::Impl::tell(std::exception_ptr escaped) {
  base::Line line(base::Level::error, "admin");
  try {
    std::rethrow_exception(std::move(escaped));
  } catch (const std::exception& failure) {
    line.text("what", failure.what());
  }
  log_.write(line, clock_.now().wall);
}

/// Ours, unless somebody has put another one there.
void AdminServer::Impl::remove_socket() {
  struct ::stat there {};
  if (path_.empty() || ::stat(path_.c_str(), &there) != 0) return;
  if (there.st_ino == made_.st_ino && there.st_dev == made_.st_dev) ::unlink(path_.c_str());
}

/// Ends the connection that has waited longest for a request; false when none waits.
bool AdminServer::Impl::make_room() {
  for (Open& open : open_) {
    if (!open.idle) continue;
    open.idle = false;  // it is told once
    open.close();
    return true;
  }
  return false;
}

template <class Protocol>
base::Async<> AdminServer::Impl::accept(asio::basic_socket_acceptor<Protocol, base::Executor>& acceptor) {
  const auto pause = clock_.alarm(executor_);
  while (!closed_) {
    auto [code, socket] = co_await acceptor.async_accept(kTuple);
    if (closed_) co_return;
    bool taken = !code;
    try {
      const bool room = taken && (open_.size() < kAdminConnectionsMax || make_room());
      if (room) tasks_.spawn(serve<Protocol>(std::move(socket)));  // without room it closes
    } catch (const std::bad_alloc&) {
      taken = false;
    }
    if (!taken) {  // no descriptors, or no memory: soon there may be
      const base::TimePoint until = clock_.now().steady + std::chrono::milliseconds(100);
      co_await pause->wait_until(until);
    }
  }
}

template <class Protocol>
base::Async<> AdminServer::Impl::serve(asio::basic_stream_socket<Protocol, base::Executor> socket) {
  beast::basic_stream<Protocol, base::Executor> stream(std::move(socket));
  const auto place = open_.insert(open_.end(), Open{[&stream] { stream.cancel(); }});
  std::exception_ptr bug;
  try {
    co_await converse(stream, place);
  } catch (...) {
    bug = std::current_exception();
  }
  open_.erase(place);
  if (bug) std::rethrow_exception(bug);
}

template <class Stream>
base::Async<> AdminServer::Impl::converse(Stream& stream, Opens::iterator place) {
  constexpr bool kLocal = std::is_same_v<typename Stream::protocol_type, Local>;
  beast::flat_buffer buffer(kAdminRequestHeadMax + kAdminBodyMax);
  for (std::size_t count = 0; count < kAdminRequestsMax && !closed_; ++count) {
    http::request_parser<http::string_body> parser;
    parser.header_limit(kAdminRequestHeadMax);
    parser.body_limit(kAdminBodyMax);
    stream.expires_after(kAdminRequestMax);
    place->idle = true;
    open_.splice(open_.end(), open_, place);
    const auto [code, octets] = co_await http::async_read(stream, buffer, parser, kTuple);
    place->idle = false;
    Answer answer;
    if (code == http::error::body_limit || code == http::error::header_limit) {
      const AdminResponse refusal = code == http::error::body_limit
                                        ? admin_error(413, "the body is longer than 64 KiB")
                                        : admin_error(431, "the head is longer than 8 KiB");
      answer.message = {static_cast<http::status>(refusal.status), 11};
      answer.message.set(http::field::content_type, refusal.type);
      answer.message.body() = refusal.body;
      answer.message.content_length(refusal.body.size());
      answer.message.keep_alive(false);
      answer.close = true;
    } else if (code) {
      co_return;
    } else {
      answer = co_await this->answer(parser.release(), kLocal);
    }
    stream.expires_after(kAdminRequestMax);
    const auto [failed, sent] = co_await http::async_write(stream, answer.message, kTuple);
    if (failed || answer.close) co_return;
  }
}

base::Async<Answer> AdminServer::Impl::answer(http::request<http::string_body> request, bool local) {
  AdminResponse response;
  try {
    response = co_await ask(request, local);
  } catch (const std::exception& failure) {
    base::Line line(base::Level::error, "admin");
    line.text("target", std::string_view(request.target().data(), request.target().size()));
    log_.write(line.text("what", failure.what()), clock_.now().wall);
    response = admin_error(500, "a mistake of ours; the log has more");
  }
  Answer answer;
  answer.close = request.need_eof() || !request.keep_alive();
  answer.message = {static_cast<http::status>(response.status), request.version()};
  answer.message.set(http::field::server, "crawld");
  answer.message.set(http::field::content_type, response.type);
  answer.message.set(http::field::cache_control, "no-store");
  answer.message.set("X-Content-Type-Options", "nosniff");
  answer.message.set("Content-Security-Policy", {kPolicy.data(), kPolicy.size()});
  answer.message.set("Referrer-Policy", "no-referrer");
  if (response.status == 401) answer.message.set(http::field::www_authenticate, "Bearer");
  answer.message.keep_alive(!answer.close);
  answer.message.content_length(response.body.size());
  if (request.method() != http::verb::head) answer.message.body() = std::move(response.body);
  co_return answer;
}

base::Async<AdminResponse> AdminServer::Impl::ask(const http::request<http::string_body>& request,
                                                  bool local) {
  const auto field = [&request](http::field name) {
    const auto value = request[name];
    return std::string_view(value.data(), value.size());
  };
  AdminRequest asked;
  asked.may_order = local;
  if (!local) {
    if (!is_own_host(field(http::field::host), address_, port_)) {
      co_return admin_error(
          421, "this is http://" + address_ + ":" + std::to_string(port_) + " and no other host");
    }
    const std::string_view given = field(http::field::authorization);
    constexpr std::string_view kBearer = "Bearer ";
    asked.may_order =
        !token_.empty() && given.starts_with(kBearer) && same_secret(given.substr(kBearer.size()), token_);
    if (!given.empty() && !asked.may_order) co_return admin_error(401, "this is not the token");
  }
  const auto method = request.method_string();
  asked.method.assign(method.data(), method.size());
  const auto target = request.target();
  if (!read_target({target.data(), target.size()}, asked)) {
    co_return admin_error(400, "the path or query cannot be read, or names something twice");
  }
  if (asked.method == "HEAD") asked.method = "GET";
  if (asked.method != "GET" && asked.method != "POST") {
    co_return admin_error(405, "only GET and POST are known here");
  }
  if (asked.method == "POST" && !asked.may_order) {
    co_return token_.empty() ? admin_error(403, "orders are taken on the Unix socket alone: no token is set")
                             : admin_error(401, "orders over TCP need Authorization: Bearer TOKEN");
  }
  asked.body = request.body();
  AdminResponse response = co_await handler_(std::move(asked));
  co_return response;
}

AdminServer::AdminServer(base::Executor executor, base::Clock& clock, const config::Config& config,
                         base::Log& log, Handler handler)
    : impl_(std::make_unique<Impl>(executor, clock, config, log, std::move(handler))) {}

AdminServer::~AdminServer() {
  impl_->remove_socket();
}

void AdminServer::start() {
  if (impl_->local_.is_open()) impl_->tasks_.spawn(impl_->accept(impl_->local_));
  if (impl_->tcp_.is_open()) impl_->tasks_.spawn(impl_->accept(impl_->tcp_));
}

void AdminServer::close() {
  if (std::exchange(impl_->closed_, true)) return;
  error_code ignored;
  impl_->local_.close(ignored);
  impl_->tcp_.close(ignored);
  for (const Open& open : impl_->open_) open.close();
  impl_->remove_socket();
  impl_->path_.clear();
}

std::size_t AdminServer::connections() const {
  return impl_->open_.size();
}

}  // namespace crawler

#include "fetch/pool.h"

#include <algorithm>

namespace fetch {
namespace {

std::string key_of(std::string_view origin, const base::IpAddress& address) {
  std::string key(origin);
  key += ' ';
  key.append(reinterpret_cast<const char*>(address.octets.data()), address.octets.size());
  key += address.v6 ? '6' : '4';
  return key;
}

}  // namespace

Pool::Pool(base::Executor executor, const base::Clock& clock, base::Duration idle_max)
    : clock_(clock), idle_max_(idle_max), timer_(executor) {}

std::unique_ptr<Connection> Pool::take(std::string_view origin, const base::IpAddress& address) {
  const std::string key = key_of(origin, address);
  while (true) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    std::unique_ptr<Connection> connection = remove(found->second.back());
    boost::system::error_code ignored;
    connection->socket().cancel(ignored);  // ends the watch
    if (connection->quiet()) return connection;
  }
}

void Pool::put(std::unique_ptr<Connection> connection) {
  if (closed_) return;
  std::string key = key_of(connection->origin(), connection->address());
  std::vector<Place>& places = by_key_[key];
  if (places.size() >= kIdlePerOriginMax) return;
  idle_.push_back({std::move(connection), std::move(key), clock_.now().steady, next_id_++});
  const Place place = std::prev(idle_.end());
  places.push_back(place);
  by_id_.emplace(place->id, place);
  watch(*place);
  arm();
}

bool Pool::close_oldest() {
  if (idle_.empty()) return false;
  remove(idle_.begin());
  return true;
}

void Pool::close() {
  closed_ = true;
  timer_.cancel();
  while (close_oldest()) {
  }
}

void Pool::watch(const Idle& idle) {
  auto heard = [weak = weak_from_this(), id = idle.id](const boost::system::error_code& failed) {
    if (failed == boost::asio::error::operation_aborted) return;
    const auto self = weak.lock();
    if (!self) return;
    const auto found = self->by_id_.find(id);
    if (found != self->by_id_.end()) self->remove(found->second);
  };
  idle.connection->socket().async_wait(Socket::wait_read, std::move(heard));
}

void Pool::arm() {
  if (armed_ || idle_.empty() || closed_) return;
  armed_ = true;
  timer_.expires_after(idle_.front().since + idle_max_ - clock_.now().steady);
  timer_.async_wait([weak = weak_from_this()](const boost::system::error_code&) {
    if (const auto self = weak.lock()) self->expire();
  });
}

void Pool::expire() {
  armed_ = false;
  const base::TimePoint now = clock_.now().steady;
  while (!idle_.empty() && idle_.front().since + idle_max_ <= now) remove(idle_.begin());
  arm();
}

std::unique_ptr<Connection> Pool::remove(Place place) {
  std::unique_ptr<Connection> connection = std::move(place->connection);
  const auto found = by_key_.find(place->key);
  std::erase(found->second, place);
  if (found->second.empty()) by_key_.erase(found);
  by_id_.erase(place->id);
  idle_.erase(place);
  // With nothing left to wait for, the timer must not keep the thread alive.
  if (idle_.empty()) timer_.cancel();
  return connection;
}

}  // namespace fetch

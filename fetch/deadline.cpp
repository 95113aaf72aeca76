#include "fetch/deadline.h"

#include <algorithm>

namespace fetch {

Deadline::Deadline(base::Executor executor, const base::Clock& clock, base::Duration total)
    : clock_(clock), timer_(executor), total_end_(clock.now().steady + total), phase_end_(total_end_) {}

void Deadline::enter(base::Duration limit, Error error, std::string_view text) {
  limit_ = limit;
  error_ = error;
  text_ = text;
  phase_end_ = clock_.now().steady + limit;
  arm();
}

void Deadline::progress() {
  phase_end_ = clock_.now().steady + limit_;
}

void Deadline::end() {
  over_ = true;
  connection_ = nullptr;
  timer_.cancel();
}

void Deadline::stop(Error error, std::string_view text) {
  if (over_ || stopped_.error != Error::none) return;
  stopped_.error = error;
  stopped_.detail = text;
  if (connection_ != nullptr) connection_->close();
  timer_.cancel();
}

void Deadline::arm() {
  if (over_ || stopped_.error != Error::none || armed_for_ <= nearest()) return;
  armed_for_ = nearest();
  timer_.expires_after(armed_for_ - clock_.now().steady);  // a wait under way ends as aborted
  timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& aborted) {
    if (aborted) return;
    if (const auto self = weak.lock()) self->fired();
  });
}

void Deadline::fired() {
  armed_for_ = base::TimePoint::max();
  const base::TimePoint now = clock_.now().steady;
  if (now >= phase_end_) {
    stop(error_, text_);
  } else if (now >= total_end_) {
    stop(Error::timeout, "the whole exchange took too long");
  } else {
    arm();
  }
}

}  // namespace fetch

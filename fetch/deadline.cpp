#include "fetch/deadline.h"

#include <algorithm>

namespace fetch {

Deadline::Deadline(base::Executor executor, const base::Clock& clock, base::Duration total)
    : clock_(clock),
      begun_(clock.now().steady),
      timer_(executor),
      total_end_(begun_ + total),
      phase_end_(total_end_) {}

void Deadline::enter(base::Duration limit, Error error, std::string_view text) {
  limit_ = limit;
  error_ = error;
  text_ = text;
  phase_end_ = clock_.now().steady + limit;
  span_end_ = base::TimePoint::max();
  arm();
}

void Deadline::expect(std::uint64_t octets, base::Duration over) {
  if (octets == 0) return;
  expected_ = octets;
  came_ = 0;
  span_ = over;
  span_end_ = clock_.now().steady + over;
  arm();
}

void Deadline::progress(std::uint64_t octets) {
  came_ += octets;
  phase_end_ = clock_.now().steady + limit_;
}

void Deadline::end() {
  over_ = true;
  close_ = nullptr;
  timer_.cancel();
}

void Deadline::stop(Error error, std::string_view text) {
  if (over_ || stopped_.error != Error::none) return;
  stopped_.error = error;
  stopped_.detail = text;
  timer_.cancel();
  if (close_) close_();
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
  if (now >= phase_end_) return stop(error_, text_);
  if (now >= total_end_) return stop(Error::timeout, "the whole exchange took too long");
  if (now >= span_end_) {
    if (came_ < expected_) return stop(Error::slow, "the body came too slowly");
    came_ = 0;
    span_end_ = now + span_;
  }
  arm();
}

}  // namespace fetch

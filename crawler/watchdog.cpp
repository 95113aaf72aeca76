#include "crawler/watchdog.h"

#include <algorithm>

namespace crawler {

Watchdog::Watchdog(std::size_t parts, std::optional<base::Duration> timeout)
    : timeout_(timeout), open_(parts, false) {}

base::Duration Watchdog::period(base::Duration every) const {
  return timeout_ ? std::min(every, *timeout_ / 4) : every;
}

Watchdog::Turn Watchdog::look(base::TimePoint now) {
  Turn turn;
  const bool complete = std::none_of(open_.begin(), open_.end(), [](bool open) { return open; });
  if (!complete) {
    if (timeout_ && !told_ && now - began_ >= *timeout_ / 2) {
      told_ = true;
      for (std::size_t part = 0; part < open_.size(); ++part) {
        if (open_[part]) turn.silent.push_back(part);
      }
    }
    return turn;
  }
  turn.feed = asked_ && timeout_.has_value();
  for (std::size_t part = 0; part < open_.size(); ++part) turn.ask.push_back(part);
  open_.assign(open_.size(), true);
  asked_ = true;
  told_ = false;
  began_ = now;
  return turn;
}

void Watchdog::answered(std::size_t part) {
  open_.at(part) = false;
}

}  // namespace crawler

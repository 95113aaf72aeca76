#include "crawler/live_watch.h"

#include "base/clock.h"
#include "crawler/live_ask.h"
#include "crawler/live_screen.h"
#include "crawler/live_text.h"

#include <poll.h>
#include <sysexits.h>
#include <unistd.h>

#include <array>

namespace crawler::live {
namespace {

constexpr base::Duration kEvery = std::chrono::seconds(1);
constexpr std::string_view kStatus = "/api/v1/status";

class Watch {
 public:
  Watch(const std::string& path, bool json)
      : client_(path, signals_.descriptor()), json_(json), on_screen_(!json && is_terminal(STDOUT_FILENO)) {}

  int run() {
    base::TimePoint next = clock_.now().steady;
    while (!over_) {
      look();
      if (!over_ && !show()) return EX_IOERR;
      next = std::max(next + kEvery, clock_.now().steady);  // after a wait for an answer not all at once
      rest(next);
    }
    return EX_OK;
  }

 private:
  void look() {
    for (;;) {
      try {
        status_ = ask(client_, kStatus);
        notice_.clear();
        return;
      } catch (const AdminError& failure) {
        if (failure.kind() != AdminError::Kind::interrupted) return excuse(failure.what());
      } catch (const Refused& refused) {
        return excuse(refused.what());
      }
      hear_signals();
      if (over_) return;
    }
  }

  /// Inside of a handler: throws on what cannot be excused.
  void excuse(const std::string& why) {
    if (!on_screen_ || status_.is_null()) throw;
    notice_ = "no answer: " + why;
  }

  bool show() {
    if (!on_screen_) {
      const std::string line = json_ ? status_.dump(-1, ' ', true) : status_line(status_);
      return write_all(STDOUT_FILENO, line + "\n");
    }
    if (!screen_) screen_.emplace(STDOUT_FILENO, STDIN_FILENO);
    Place place = place_of(STDOUT_FILENO);
    const bool footed = place.rows > 2;
    if (footed) place.rows -= 1;
    std::vector<std::string> lines = status_lines(status_, place);
    if (footed) {
      const std::string foot = notice_.empty() ? text(status_, "now") + "  every second; q ends" : notice_;
      const std::string cut_foot = fitted(foot, place.columns);
      lines.push_back(place.colour && !notice_.empty() ? "\x1b[31m" + cut_foot + "\x1b[0m" : cut_foot);
    }
    return screen_->draw(lines);
  }

  /// Until `next`, and draws anew when the size changes.
  void rest(base::TimePoint next) {
    while (!over_) {
      const base::Duration left = next - clock_.now().steady;
      if (left <= base::Duration::zero()) return;
      const bool keys = screen_ && keys_;
      std::array<pollfd, 2> both{{{signals_.descriptor(), POLLIN, 0}, {keys ? STDIN_FILENO : -1, POLLIN, 0}}};
      const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(left).count();
      ::poll(both.data(), both.size(), static_cast<int>(milliseconds));
      if (both[1].revents != 0) hear_key();
      if (both[0].revents != 0) hear_signals();
    }
  }

  void hear_key() {
    char key = 0;
    if (::read(STDIN_FILENO, &key, 1) != 1) keys_ = false;
    if (key == 'q') over_ = true;
  }

  void hear_signals() {
    while (const int signal = signals_.take()) {
      if (signal == SIGTSTP) {
        if (screen_) screen_->leave();
        ::raise(SIGSTOP);
        if (screen_) screen_->enter();
      } else if (signal != SIGWINCH) {
        over_ = true;
      }
      if (screen_ && !over_) over_ = !show();
    }
  }

  const base::SystemClock clock_;
  const Signals signals_;
  const AdminClient client_;
  const bool json_;
  const bool on_screen_;
  std::optional<Screen> screen_;
  Json status_;
  std::string notice_;
  bool keys_ = true;
  bool over_ = false;
};

}  // namespace

int watch(const std::string& path, bool json) {
  return Watch(path, json).run();
}

}  // namespace crawler::live

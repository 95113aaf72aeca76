#include "crawler/live_screen.h"

#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace crawler::live {
namespace {

// Private modes of xterm, which all terminals of today know: 1049 the other screen, 25 the cursor, 7
// wrapping.
constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J";
constexpr std::string_view kLeave = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l";
/// A terminal that says it is larger is not believed, nor one that says it has no rows.
constexpr std::size_t kSideMax = 1000;

}  // namespace

bool is_terminal(int descriptor) {
  const char* const term = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && term != nullptr && *term != '\0' && std::string_view(term) != "dumb";
}

Place place_of(int descriptor) {
  Place place{24, 80, false};
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
    place.rows = std::min<std::size_t>(size.ws_row, kSideMax);
    place.columns = std::min<std::size_t>(size.ws_col, kSideMax);
  }
  const char* const none = std::getenv("NO_COLOR");
  place.colour = is_terminal(descriptor) && (none == nullptr || *none == '\0');
  return place;
}

bool write_all(int descriptor, std::string_view octets) {
  while (!octets.empty()) {
    const ssize_t written = ::write(descriptor, octets.data(), octets.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    octets.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Signals::Signals() {
  sigset_t ours;
  sigemptyset(&ours);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP}) sigaddset(&ours, signal);
  descriptor_ = ::signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
  if (descriptor_ < 0) throw std::runtime_error("signalfd: no descriptor left");
  ::sigprocmask(SIG_BLOCK, &ours, &before_);
}

Signals::~Signals() {
  while (take() != 0) {  // those that come twice do not end us while we go
  }
  ::sigprocmask(SIG_SETMASK, &before_, nullptr);
  ::close(descriptor_);
}

int Signals::take() const {
  signalfd_siginfo got{};
  return ::read(descriptor_, &got, sizeof got) == sizeof got ? static_cast<int>(got.ssi_signo) : 0;
}

Screen::Screen(int out, int in) : out_(out), in_(in) {
  enter();
}

void Screen::enter() {
  if (entered_) return;
  entered_ = true;
  keys_ = ::isatty(in_) == 1 && ::tcgetattr(in_, &before_) == 0;
  if (keys_) {
    termios keys = before_;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    ::tcsetattr(in_, TCSANOW, &keys);
  }
  write_all(out_, kEnter);
}

void Screen::leave() {
  if (!entered_) return;
  entered_ = false;
  write_all(out_, kLeave);
  if (keys_) ::tcsetattr(in_, TCSANOW, &before_);
}

bool Screen::draw(const std::vector<std::string>& lines) {
  std::string out = "\x1b[H";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) out += "\r\n";
    out += lines[i] + "\x1b[K";
  }
  return write_all(out_, out + "\x1b[J");
}

}  // namespace crawler::live

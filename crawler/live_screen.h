#pragma once
// A terminal that is drawn on, and given back as it was.
#include "crawler/live_status.h"

#include <termios.h>

#include <csignal>
#include <string>
#include <vector>

namespace crawler::live {

/// Is there a terminal at `descriptor` that can move its cursor (TERM is set, and not `dumb`)?
bool is_terminal(int descriptor);
/// The size of the terminal there, 24 × 80 when it does not tell, and colour unless NO_COLOR is set
/// (no-color.org).
Place place_of(int descriptor);
/// Writes all of it; false when that fails.
bool write_all(int descriptor, std::string_view octets);

/// Holds back the signals that end, stop or resize a view, and gives them by a descriptor, so that no handler
/// runs while something is drawn. One at a time; give it back before threads are started.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  int descriptor() const { return descriptor_; }
  /// The next one; 0 when there is none.
  int take() const;

 private:
  sigset_t before_{};
  int descriptor_ = -1;
};

/// The other screen of the terminal at `out`, without cursor, and keys from `in` as they are struck. The
/// destructor gives back screen, cursor and modes.
class Screen {
 public:
  Screen(int out, int in);
  ~Screen() { leave(); }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// Draws over what is there. No more lines than the terminal has rows, none wider than it. False when the
  /// terminal has gone.
  bool draw(const std::vector<std::string>& lines);
  /// As it was before, until enter(): while the program is stopped.
  void leave();
  void enter();

 private:
  int out_;
  int in_;
  bool entered_ = false;
  bool keys_ = false;  ///< `before_` is to be restored
  termios before_{};
};

}  // namespace crawler::live

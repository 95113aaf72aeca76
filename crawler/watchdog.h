#pragma once
// Whether the service manager hears that we are alive. Pure: time is an argument.
#include "base/time.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace crawler {

/// Parts of the program, by number, are asked for a sign of life in rounds. Only when each has answered does
/// a round end, and only then is the manager told: a part that hangs keeps the whole silent, whatever the
/// others do, and whoever does not call look() keeps it silent too.
class Watchdog {
 public:
  /// `timeout`: the manager acts after so long without a word; none: it does not watch, and nothing is fed.
  Watchdog(std::size_t parts, std::optional<base::Duration> timeout);

  struct Turn {
    bool feed = false;                  ///< tell the manager
    std::vector<std::size_t> ask{};     ///< parts to be asked now: none of them has a question open
    std::vector<std::size_t> silent{};  ///< parts that hang; told once a round, when half the timeout is over
  };
  /// How often look() wants to be called: `every`, or a quarter of the timeout when that is shorter.
  base::Duration period(base::Duration every) const;
  Turn look(base::TimePoint now);
  /// `part` has answered what it was asked.
  void answered(std::size_t part);

 private:
  const std::optional<base::Duration> timeout_;
  std::vector<bool> open_;  ///< by part: asked, and not answered
  bool asked_ = false;      ///< a round is under way
  bool told_ = false;
  base::TimePoint began_{};  ///< the round
};

}  // namespace crawler

#pragma once
// How a step of an exchange went.
#include "fetch/fetcher.h"

#include <string>

namespace fetch {

/// Error::none, or a word and a text for people, as in Outcome.
struct Step {
  Error error = Error::none;
  std::string detail;
};

}  // namespace fetch

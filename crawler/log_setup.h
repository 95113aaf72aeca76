#pragma once
// The log that a configuration asks for.
#include "base/log.h"
#include "config/config.h"

namespace crawler {

/// `to_journal`: what base::stderr_is_journal() says.
base::Log::Options log_options(const config::Log& config, bool to_journal);
/// The levels of `config`, from now on.
void apply_levels(base::Log& log, const config::Log& config);

}  // namespace crawler

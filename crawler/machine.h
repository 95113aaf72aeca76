#pragma once
// What a configuration leaves to the machine: threads, connections, its name.
#include "config/config.h"

#include <cstddef>
#include <string>

namespace crawler {

/// `threads`, or one for each CPU.
std::size_t threads_of(const config::Config& config);

/// No more connections than there are descriptors for; raises the limit of them. Throws StartError when
/// these do not suffice.
config::Config within_descriptors(config::Config config);

/// For names of files: the first label of the host's name, and nothing but what a file's name may have.
std::string name_of_machine();

}  // namespace crawler

#pragma once
// Secrets stay in files of their own: never in the configuration, a log line or a command line.
#include <cstddef>
#include <string>

namespace base {

/// The first line of a file. `where`: its path, or `credential:NAME`, the file NAME in
/// $CREDENTIALS_DIRECTORY (LoadCredential= of systemd.exec(5)). A file that others than its owner may read,
/// write or execute is refused; those of systemd are its own affair. Throws std::runtime_error, whose message
/// names the file and never what is in it, also when there is nothing in that line or more than `octets_max`.
std::string read_secret(const std::string& where, std::size_t octets_max);

}  // namespace base

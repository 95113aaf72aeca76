#include "base/secret.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace base {
namespace {

constexpr std::string_view kCredential = "credential:";

std::string credentials_directory() {
  const char* const directory = std::getenv("CREDENTIALS_DIRECTORY");
  return directory == nullptr ? std::string() : directory;
}

std::string path_of(const std::string& where) {
  if (!where.starts_with(kCredential)) return where;
  const std::string name = where.substr(kCredential.size());
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos) {
    throw std::runtime_error(where + ": no name of a credential");
  }
  const std::string directory = credentials_directory();
  if (directory.empty()) {
    throw std::runtime_error(where + ": there are no credentials; LoadCredential=" + name +
                             ":/path in the unit makes one");
  }
  return directory + "/" + name;
}

}  // namespace

std::string read_secret(const std::string& where, std::size_t octets_max) {
  const std::string file = path_of(where);
  struct stat status {};
  std::ifstream in(file);
  if (!in || ::stat(file.c_str(), &status) != 0) {
    throw std::runtime_error(file + ": cannot be read: " + std::generic_category().message(errno));
  }
  // A credential of systemd shows the mask of its access list as the rights of its group.
  const std::string directory = credentials_directory();
  const bool credential = !directory.empty() && file.starts_with(directory + "/");
  if (!credential && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    throw std::runtime_error(file + ": others than its owner may use it: chmod 600 " + file);
  }
  std::string line;
  if (!std::getline(in, line) || line.empty()) throw std::runtime_error(file + ": holds no secret");
  if (line.size() > octets_max) throw std::runtime_error(file + ": its first line is too long");
  return line;
}

}  // namespace base

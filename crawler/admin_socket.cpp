#include "crawler/admin_socket.h"

#include <cstdlib>
#include <filesystem>

namespace crawler {
namespace {

constexpr const char* kName = "/control.sock";
constexpr const char* kOfService = "/run/crawld/control.sock";

/// Empty when there is none.
std::string runtime_directory() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): read once, before there are threads
  const char* const folders = std::getenv("RUNTIME_DIRECTORY");
  if (folders == nullptr) return {};
  const std::string text(folders);
  return text.substr(0, text.find(':'));
}

}  // namespace

std::string admin_socket_path(const config::Config& config) {
  if (config.admin.socket == "off") return {};
  if (!config.admin.socket.empty()) return config.admin.socket;
  const std::string runtime = runtime_directory();
  return (runtime.empty() ? config.storage.directory : runtime) + kName;
}

std::string find_admin_socket(const config::Config& config) {
  const bool chosen = !config.admin.socket.empty() || !runtime_directory().empty();
  const bool of_service = config.storage.directory == config::Storage{}.directory;
  std::error_code ignored;
  if (!chosen && of_service && std::filesystem::exists(kOfService, ignored)) return kOfService;
  return admin_socket_path(config);
}

}  // namespace crawler

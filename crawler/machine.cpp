#include "crawler/machine.h"

#include "crawler/descriptors.h"
#include "crawler/store.h"

#include <sysexits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <thread>

namespace crawler {

std::size_t threads_of(const config::Config& config) {
  return config.threads > 0 ? config.threads : std::max(1U, std::thread::hardware_concurrency());
}

config::Config within_descriptors(config::Config config) {
  const std::uint64_t limit = raise_descriptor_limit();
  const std::size_t threads = threads_of(config);
  const std::uint64_t most = connections_within(limit, threads);
  if (most == 0) {
    throw StartError(EX_CONFIG, "the limit of open files is " + std::to_string(limit) + ", and " +
                                    std::to_string(threads) + " threads need " +
                                    std::to_string(descriptors_needed(threads)) +
                                    ": raise it (ulimit -n, LimitNOFILE=) or set fewer threads");
  }
  std::uint32_t& connections = config.network.max_connections;
  connections = static_cast<std::uint32_t>(std::min<std::uint64_t>(connections, most));
  return config;
}

std::string name_of_machine() {
  std::array<char, 256> buffer{};
  if (::gethostname(buffer.data(), buffer.size() - 1) != 0) return "localhost";
  std::string name(buffer.data());
  name = name.substr(0, name.find('.'));
  std::erase_if(name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_'; });
  return name.empty() ? "localhost" : name;
}

}  // namespace crawler

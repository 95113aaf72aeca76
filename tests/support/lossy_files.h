#pragma once
// The memory of LossyDisk: which octets and which names would outlive a power loss. Knows nothing of RocksDB.
#include "base/random.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace support {

/// One file, under whichever names. When it has lost a name, a hidden copy stays until nobody can ask for it.
struct LossyFile {
  ~LossyFile() {
    if (!hidden.empty()) ::unlink(hidden.c_str());
  }
  std::uint64_t written = 0;
  std::uint64_t durable = 0;  ///< octets at the front that are safe
  bool distrusted =
      false;           ///< a sync has failed: no later one proves anything (the kernel dropped the pages)
  std::string hidden;  ///< where its octets are besides its names
};
using LossyFilePtr = std::shared_ptr<LossyFile>;

/// Names in all folders of one disk; see LossyDisk for what is modelled. The real files are always as `now`
/// has them. Not thread-safe.
class LossyFiles {
 public:
  explicit LossyFiles(std::filesystem::path hiding) : hiding_(std::move(hiding)) {}

  /// The file called `name`; one that was not written through the disk counts as safe. Null: there is none.
  LossyFilePtr find(const std::string& name) {
    if (const auto known = now_.find(name); known != now_.end()) return known->second;
    std::error_code absent;
    const auto size = std::filesystem::file_size(name, absent);
    if (absent) return nullptr;
    auto file = std::make_shared<LossyFile>();
    file->written = file->durable = size;
    now_[name] = safe_[name] = file;
    return file;
  }
  /// A new, empty file; the real one is made by the caller.
  LossyFilePtr create(const std::string& name) {
    auto file = std::make_shared<LossyFile>();
    change({{name, file}});
    return file;
  }
  /// These names change together; null: the name goes. Belongs to the folder of the last.
  void change(std::vector<std::pair<std::string, LossyFilePtr>> names) {
    for (const auto& [name, file] : names) set(now_, name, file);
    pending_.push_back({folder_of(names.back().first), std::move(names)});
  }
  /// Before the real `name` goes: keeps its octets.
  void keep(const std::string& name, LossyFile& file) {
    if (!file.hidden.empty()) return;
    const std::string hidden = hiding_ / std::to_string(++hidden_);
    if (::link(name.c_str(), hidden.c_str()) == 0) file.hidden = hidden;
  }
  /// The names in `folder` are safe.
  void sync_folder(const std::string& folder) {
    std::erase_if(pending_, [&](const Change& change) {
      if (change.folder != folder) return false;
      for (const auto& [name, file] : change.names) set(safe_, name, file);
      return true;
    });
  }

  /// What is left when the power comes back.
  void lose(base::Random& random) {
    draw_names(random);
    for (const auto& [name, file] : now_) {
      if (at(safe_, name) == file) continue;
      keep(name, *file);
      ::unlink(name.c_str());
    }
    for (const auto& [name, file] : safe_) {
      if (at(now_, name) == file) continue;
      ::unlink(name.c_str());  // somebody may have made one behind our back
      std::filesystem::create_hard_link(file->hidden, name);
    }
    now_ = safe_;
    for (const auto& [name, file] : now_) {
      draw_octets(name, *file, random);
      if (!file->hidden.empty()) ::unlink(file->hidden.c_str());
      file->hidden.clear();
    }
  }

 private:
  using Names = std::map<std::string, LossyFilePtr>;
  struct Change {
    std::string folder;
    std::vector<std::pair<std::string, LossyFilePtr>> names;
  };

  static std::string folder_of(const std::string& name) { return std::filesystem::path(name).parent_path(); }
  static void set(Names& names, const std::string& name, const LossyFilePtr& file) {
    if (file) {
      names[name] = file;
    } else {
      names.erase(name);
    }
  }
  static LossyFilePtr at(const Names& names, const std::string& name) {
    const auto found = names.find(name);
    return found == names.end() ? nullptr : found->second;
  }

  /// Changes of names that were under way reach the disk in their order (a journal: any number of the first
  /// ones of a folder), or each by chance.
  void draw_names(base::Random& random) {
    const bool journal = random.below(2) == 0;
    std::map<std::string, bool> torn;
    for (const Change& change : pending_) {
      bool& over = torn[change.folder];
      const bool arrives = random.below(4) != 0;
      over = (journal && over) || !arrives;
      if (over) continue;
      for (const auto& [name, file] : change.names) set(safe_, name, file);
    }
    pending_.clear();
  }

  /// Any part of what was not synced stays, and the end of that part may be zeros or rubbish.
  static void draw_octets(const std::string& name, LossyFile& file, base::Random& random) {
    if (file.durable < file.written) {
      const std::uint64_t kept = random.below(file.written - file.durable + 1);
      std::filesystem::resize_file(name, file.durable + kept);
      const std::uint64_t torn = std::min(kept, random.below(kTornMax + 1));
      const std::uint64_t kind = random.below(4);
      if (kind < 2 && torn > 0) {
        std::fstream stream(name, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekp(static_cast<std::streamoff>(file.durable + kept - torn));
        for (std::uint64_t i = 0; i < torn; ++i) {
          const std::uint64_t octet = random.below(256);
          stream.put(kind == 0 ? '\0' : static_cast<char>(octet));
        }
      }
      file.written = file.durable + kept;
    }
    file.durable = file.written;  // what was read back from the platter is on the platter
    file.distrusted = false;
  }

  static constexpr std::uint64_t kTornMax = 4096;

  std::filesystem::path hiding_;
  std::uint64_t hidden_ = 0;
  Names now_;                    ///< as the running system sees them
  Names safe_;                   ///< as they are after a power loss, but for `pending_`
  std::vector<Change> pending_;  ///< in their order
};

}  // namespace support

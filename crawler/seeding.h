#pragma once
// The seeds of a configuration on their way into the frontier.
#include "base/async.h"
#include "config/config.h"
#include "crawler/mail.h"
#include "crawler/store.h"

#include <cstddef>
#include <memory>

namespace crawler {

/// On the main thread. References must outlive it.
class Seeding {
 public:
  Seeding(base::Executor main, Store& store, Mail& mail) : main_(main), store_(store), mail_(mail) {}

  /// `config` with the seeds that came by the admin endpoint.
  config::Config with_added(config::Config config) const;

  /// Hands on the seeds, unless they are those of the last run; then owes one less. The caller has owed one
  /// more, so that nothing looks finished before.
  void offer(const std::shared_ptr<const config::Config>& config);

 private:
  void offer_from(const std::shared_ptr<const config::Config>& config, std::size_t next);
  void finish(const config::Config& config);

  base::Executor main_;
  Store& store_;
  Mail& mail_;
};

}  // namespace crawler

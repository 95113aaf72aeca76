#include "crawler/crew.h"

#include "crawler/store.h"

#include <sysexits.h>

#include <system_error>

namespace crawler {

Worker::Worker(const config::Config& config, const fetch::Means& means, base::Clock& clock)
    : client(loop.get_executor(), config.network, {config.user_agent(), config.from()}, means),
      root(loop.get_executor(), clock,
           [](std::exception_ptr escaped) { std::rethrow_exception(std::move(escaped)); }) {}

Worker& Crew::add(std::unique_ptr<Worker> worker) {
  workers_.push_back(std::move(worker));
  return *workers_.back();
}

void Crew::start(const std::function<void(boost::asio::io_context&)>& run) {
  try {
    for (auto& worker : workers_) {
      worker->thread = std::thread([run, &loop = worker->loop] { run(loop); });
    }
  } catch (const std::system_error& refused) {
    stop();
    join();
    throw StartError(EX_OSERR,
                     "the system refuses a thread (ulimit -u, TasksMax=): " + refused.code().message());
  }
}

void Crew::stop() {
  stopped_ = true;
  for (const auto& question : open_) {
    if (const auto complete = question.lock()) complete->ring();
  }
  for (auto& worker : workers_) worker->loop.stop();
}

void Crew::join() {
  for (auto& worker : workers_) {
    if (worker->thread.joinable()) worker->thread.join();
  }
}

void Crew::tell(const std::function<void(Worker&)>& order) {
  for (auto& worker : workers_) {
    boost::asio::post(worker->loop, [order, &to = *worker] { order(to); });
  }
}

}  // namespace crawler

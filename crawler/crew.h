#pragma once
// The threads that crawl: each with its event loop, its client and its shard.
#include "base/clock.h"
#include "base/tasks.h"
#include "crawler/histogram.h"
#include "crawler/shard.h"
#include "fetch/client.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace crawler {

struct Worker {
  Worker(const config::Config& config, const fetch::Means& means, base::Clock& clock);

  boost::asio::io_context loop{1};
  /// Also a shard that has come to its end takes what the others find, until all have.
  boost::asio::executor_work_guard<base::Executor> open{loop.get_executor()};
  fetch::Client client;
  std::optional<Shard> shard;
  base::Tasks root;
  std::thread thread;
};

/// All members are for the main thread.
class Crew {
 public:
  /// Longest wait for the answers to a question.
  static constexpr base::Duration kAnswerMax = std::chrono::seconds(5);

  /// `main` runs on the main thread; both must outlive the crew.
  Crew(base::Executor main, base::Clock& clock) : main_(main), clock_(clock) {}

  Worker& add(std::unique_ptr<Worker> worker);
  std::size_t size() const { return workers_.size(); }
  const std::vector<std::unique_ptr<Worker>>& workers() const { return workers_; }

  /// All threads, or none: throws StartError when the system refuses one. Each calls `run` with its loop.
  void start(const std::function<void(boost::asio::io_context&)>& run);
  void stop();  ///< the loops; who waits for answers gets none
  void join();  ///< the threads

  /// Calls `order` for each worker on its own thread, soon.
  void tell(const std::function<void(Worker&)>& order);

  /// Puts a question to every shard, on its thread. Nothing when one of them does not answer in time.
  template <class Answer>
  base::Async<std::optional<std::vector<Answer>>> ask(std::function<Answer(Shard&)> question) {
    std::vector<Worker*> all;
    for (const auto& worker : workers_) all.push_back(worker.get());
    return ask(std::move(all), std::move(question));
  }
  /// The same of the one shard.
  template <class Answer>
  base::Async<std::optional<std::vector<Answer>>> ask_one(const Shard& shard,
                                                          std::function<Answer(Shard&)> question) {
    std::vector<Worker*> one;
    for (const auto& worker : workers_) {
      if (&*worker->shard == &shard) one.push_back(worker.get());
    }
    return ask(std::move(one), std::move(question));
  }

  /// How long questions waited for the threads' attention.
  const Histogram& lag() const { return lag_; }

 private:
  template <class Answer>
  base::Async<std::optional<std::vector<Answer>>> ask(std::vector<Worker*> workers,
                                                      std::function<Answer(Shard&)> question) {
    struct Gathering {
      std::vector<Answer> answers;
      std::size_t missing = 0;
      std::shared_ptr<base::Alarm> complete;
    };
    const auto gathering = std::make_shared<Gathering>();
    gathering->missing = workers.size();
    gathering->complete = clock_.alarm(main_);
    if (stopped_) co_return std::nullopt;
    std::erase_if(open_, [](const auto& complete) { return complete.expired(); });
    open_.push_back(gathering->complete);
    const base::TimePoint asked = clock_.now().steady;
    for (Worker* const worker : workers) {
      boost::asio::post(worker->loop, [this, gathering, question, worker, asked] {
        const base::Duration waited = clock_.now().steady - asked;
        boost::asio::post(main_, [this, gathering, waited, answer = question(*worker->shard)]() mutable {
          lag_.add(waited);
          gathering->answers.push_back(std::move(answer));
          if (--gathering->missing == 0) gathering->complete->ring();
        });
      });
    }
    const base::TimePoint until = asked + kAnswerMax;
    if (!workers.empty()) co_await gathering->complete->wait_until(until);
    if (gathering->missing > 0) co_return std::nullopt;
    co_return std::move(gathering->answers);
  }

  base::Executor main_;
  base::Clock& clock_;
  std::vector<std::unique_ptr<Worker>> workers_;
  Histogram lag_;
  std::list<std::weak_ptr<base::Alarm>> open_;  ///< of questions that wait for answers
  bool stopped_ = false;
};

}  // namespace crawler

#pragma once
// The only caller of co_spawn: counts tasks, sees every exception, waits for the end.
#include "base/clock.h"

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>

namespace base {

/// Coroutines started on one thread's executor. Destroy it only when size() is 0 or its io_context no longer
/// runs.
class Tasks {
 public:
  /// `on_exception` hears what escaped from a task; it must not throw.
  Tasks(Executor executor, Clock& clock, std::function<void(std::exception_ptr)> on_exception);
  ~Tasks();
  Tasks(const Tasks&) = delete;
  Tasks& operator=(const Tasks&) = delete;

  void spawn(Async<> task);
  std::size_t size() const;
  /// Returns when no task is left. One caller at a time, itself not one of the tasks.
  Async<> join();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace base

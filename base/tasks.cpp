#include "base/tasks.h"

#include <boost/asio/co_spawn.hpp>

namespace base {

struct Tasks::State {
  State(Executor e, Clock& clock, std::function<void(std::exception_ptr)> heard)
      : executor(e), all_done(clock.alarm(e)), on_exception(std::move(heard)) {}

  Executor executor;
  std::unique_ptr<Alarm> all_done;
  std::function<void(std::exception_ptr)> on_exception;
  std::size_t running = 0;
};

Tasks::Tasks(Executor executor, Clock& clock, std::function<void(std::exception_ptr)> on_exception)
    : state_(std::make_shared<State>(executor, clock, std::move(on_exception))) {}

Tasks::~Tasks() = default;

void Tasks::spawn(Async<> task) {
  ++state_->running;
  boost::asio::co_spawn(state_->executor, std::move(task), [state = state_](std::exception_ptr escaped) {
    --state->running;
    if (escaped) state->on_exception(escaped);
    if (state->running == 0) state->all_done->ring();
  });
}

std::size_t Tasks::size() const {
  return state_->running;
}

Async<> Tasks::join() {
  while (state_->running > 0) co_await state_->all_done->wait();
}

}  // namespace base

#pragma once
// Asio's timer on our executor.
#include "base/async.h"

#include <boost/asio/basic_waitable_timer.hpp>

#include <chrono>

namespace fetch {

using Timer =
    boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                      boost::asio::wait_traits<std::chrono::steady_clock>, base::Executor>;

}  // namespace fetch

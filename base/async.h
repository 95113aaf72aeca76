#pragma once
// The coroutine words of crawld: one io_context a thread, its executor named in the type (no strands, no
// type-erased executors).
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/version.hpp>

// Beast of 1.74 lets a body past body_limit; its fix came with 1.81.
static_assert(BOOST_VERSION >= 108100, "crawld needs Boost 1.81 or newer");

namespace base {

using Executor = boost::asio::io_context::executor_type;
template <class T = void>
using Async = boost::asio::awaitable<T, Executor>;
inline constexpr boost::asio::use_awaitable_t<Executor> use_async{};

}  // namespace base

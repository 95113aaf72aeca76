#pragma once
// A value or an error code, for calls whose caller decides what failure means.
#include <boost/system/result.hpp>

namespace base {
template <class T>
using Result = boost::system::result<T>;
}

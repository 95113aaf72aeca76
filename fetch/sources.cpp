// The one place where the sources of asio::ssl and Beast are compiled; Asio's own are in base/asio.cpp.
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/beast/src.hpp>

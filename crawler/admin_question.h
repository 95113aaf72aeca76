#pragma once
// The parameters of a question and the keys of an order, read strictly. Pure.
#include "base/time.h"
#include "crawler/admin_http.h"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace crawler {

/// What a client has written is wrong; `what()` says how to write it.
class BadRequest : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// All members throw BadRequest.
class Question {
 public:
  /// `known`: names that may occur in the query.
  Question(const AdminRequest& request, std::initializer_list<std::string_view> known);
  std::string text(std::string_view name, std::string_view otherwise = {}) const;
  std::uint64_t number(std::string_view name, std::uint64_t otherwise, std::uint64_t most) const;
  /// One of `choices`; `otherwise` when it is not there.
  std::string choice(std::string_view name, std::initializer_list<std::string_view> choices,
                     std::string_view otherwise) const;

 private:
  const AdminRequest& request_;
};

/// An order's JSON. All members throw BadRequest.
class OrderBody {
 public:
  /// `known`: keys that may occur.
  OrderBody(const AdminRequest& request, std::initializer_list<std::string_view> known);
  std::optional<std::string> text(std::string_view key) const;
  std::string required(std::string_view key) const;
  std::optional<double> number(std::string_view key) const;
  /// A host's name as Orders knows it.
  std::optional<std::string> host() const;
  std::optional<base::WallTime> time(std::string_view key) const;

 private:
  nlohmann::json json_;
};

}  // namespace crawler

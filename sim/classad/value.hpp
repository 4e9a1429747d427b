// A value of the ClassAd language: undefined, error, boolean, integer, real, string, list, ad.
// ClassAd Language Reference, HTCondor project, "Values".
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gridcast::classad {

class Ad;
class Value;
using List = std::vector<Value>;

struct Undefined {
  bool operator==(Undefined const&) const = default;
};
struct Error {
  bool operator==(Error const&) const = default;
};

class Value {
 public:
  Value() = default;  // undefined
  Value(Error error) : data_(error) {}
  Value(bool value) : data_(value) {}
  Value(std::int64_t value) : data_(value) {}
  Value(int value) : data_(static_cast<std::int64_t>(value)) {}
  Value(double value) : data_(value) {}
  Value(std::string value) : data_(std::move(value)) {}
  Value(std::string_view value) : data_(std::string(value)) {}
  Value(char const* value) : data_(std::string(value)) {}
  Value(List list);
  Value(Ad ad);

  bool is_undefined() const { return std::holds_alternative<Undefined>(data_); }
  bool is_error() const { return std::holds_alternative<Error>(data_); }
  bool is_number() const { return as<std::int64_t>() || as<double>(); }
  /// The value if it is of that type, else null. Types: bool, std::int64_t, double, std::string.
  template <class Type>
  Type const* as() const {
    return std::get_if<Type>(&data_);
  }
  List const* as_list() const;
  Ad const* as_ad() const;
  /// Integer or real as a real; `otherwise` for all else.
  double number(double otherwise = 0) const;

  /// As the language writes it: strings in quotes, reals so that they read back the same.
  std::string to_text() const;
  /// As the functions of strings take it: a string without its quotes, all else as to_text().
  std::string to_plain_text() const;

 private:
  std::variant<Undefined, Error, bool, std::int64_t, double, std::string,
               std::shared_ptr<List const>, std::shared_ptr<Ad const>>
      data_;
};

}  // namespace gridcast::classad

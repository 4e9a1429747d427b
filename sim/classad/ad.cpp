#include "sim/classad/ad.hpp"

#include <algorithm>
#include <optional>

#include "sim/base/text.hpp"

namespace gridcast::classad {
namespace {

bool is_name(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// -3 is an operation on 3 to the language, and a value to those who write ads.
std::optional<Value> negative_number(Expression const& expression) {
  std::string_view const text = expression.text();
  if (!text.starts_with('-') || text.size() < 2 || text[1] < '0' || text[1] > '9') {
    return std::nullopt;
  }
  if (!expression.attributes().empty() || !expression.functions().empty()) return std::nullopt;
  Ad const nothing;
  Value value = evaluate(expression, {nothing});
  return value.is_number() ? std::optional(value) : std::nullopt;
}

}  // namespace

Ad::Attribute const* Ad::attribute(std::string_view name) const {
  auto const found = std::find_if(attributes_.begin(), attributes_.end(), [name](auto const& a) {
    return same_ignoring_case(a.name, name);
  });
  return found == attributes_.end() ? nullptr : &*found;
}

void Ad::set(std::string name, std::variant<Value, Expression> content) {
  if (auto const* const known = attribute(name)) {
    attributes_[static_cast<std::size_t>(known - attributes_.data())].content = std::move(content);
  } else {
    attributes_.push_back({std::move(name), std::move(content)});
  }
}

Value const* Ad::find(std::string_view name) const {
  auto const* const found = attribute(name);
  return found ? std::get_if<Value>(&found->content) : nullptr;
}

Expression const* Ad::expression(std::string_view name) const {
  auto const* const found = attribute(name);
  return found ? std::get_if<Expression>(&found->content) : nullptr;
}

Value Ad::lookup(std::string_view name) const {
  if (auto const* const value = find(name)) return *value;
  auto const* const found = expression(name);
  return found ? evaluate(*found, {*this}) : Value();
}

bool parse_attribute(std::string_view line, Ad& into) {
  auto const equals = line.find('=');
  if (equals == std::string_view::npos) return false;
  auto const name = trim(line.substr(0, equals));
  if (!is_name(name)) return false;
  try {
    Expression expression = parse(line.substr(equals + 1));
    if (Value const* const value = expression.literal()) {
      into.set(std::string(name), *value);
    } else if (auto const number = negative_number(expression)) {
      into.set(std::string(name), *number);
    } else {
      into.set(std::string(name), std::move(expression));
    }
  } catch (InputError const&) {
    return false;
  }
  return true;
}

}  // namespace gridcast::classad

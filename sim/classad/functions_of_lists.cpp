#include <algorithm>
#include <array>
#include <optional>

#include "sim/classad/functions.hpp"
#include "sim/classad/operators.hpp"

namespace gridcast::classad {
namespace {

bool is_scalar(Value const& value) { return !value.as_list() && !value.as_ad(); }

bool is_true(Value const& value) { return value.as<bool>() && *value.as<bool>(); }

Value member(Call const& call, Operator op) {
  List const* const list = call[1].as_list();
  if (!list || !is_scalar(call[0])) return Error();
  return std::any_of(list->begin(), list->end(), [&call, op](Value const& value) {
    return is_true(apply(op, call[0], value));
  });
}

std::optional<Operator> comparison(std::string_view sign) {
  static constexpr std::array<std::pair<std::string_view, Operator>, 10> signs = {
      {{"<", Operator::less},
       {"<=", Operator::less_equal},
       {"==", Operator::equal},
       {"!=", Operator::not_equal},
       {">", Operator::greater},
       {">=", Operator::greater_equal},
       {"is", Operator::is},
       {"=?=", Operator::is},
       {"isnt", Operator::is_not},
       {"=!=", Operator::is_not}}};
  for (auto const& [known, op] : signs) {
    if (known == sign) return op;
  }
  return std::nullopt;
}

/// How many items compare as wanted; nothing for arguments that make no sense.
std::optional<std::size_t> count_comparing(Call const& call) {
  auto const op = comparison(call.text(0));
  List const* const list = call[1].as_list();
  if (!op || !list || !is_scalar(call[2])) return std::nullopt;
  return std::count_if(list->begin(), list->end(), [&call, op](Value const& value) {
    return is_true(apply(*op, value, call[2]));
  });
}

Value any_compare(Call const& call) {
  auto const count = count_comparing(call);
  return count ? Value(*count > 0) : Value(Error());
}

Value all_compare(Call const& call) {
  auto const count = count_comparing(call);
  return count ? Value(*count == call[1].as_list()->size()) : Value(Error());
}

}  // namespace

std::span<Function const> functions_of_lists() {
  static std::array const all = {
      Function{"member", 2, 2, true, [](Call const& c) { return member(c, Operator::equal); }},
      Function{"identicalMember", 2, 2, false,
               [](Call const& c) { return member(c, Operator::is); }},
      Function{"anyCompare", 3, 3, false, any_compare},
      Function{"allCompare", 3, 3, false, all_compare},
  };
  return all;
}

}  // namespace gridcast::classad

#include <algorithm>
#include <array>

#include "sim/base/letter_case.hpp"
#include "sim/classad/functions.hpp"

namespace gridcast::classad {
namespace {

/// What stands between any of the delimiters; nothing between two is no item.
List items(std::string const& text, std::string const& delimiters) {
  List found;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(delimiters, at)) != std::string::npos) {
    std::size_t const end = std::min(text.find_first_of(delimiters, at), text.size());
    found.push_back(text.substr(at, end - at));
    at = end;
  }
  return found;
}

bool all_texts(Call const& call) {
  return std::all_of(call.arguments.begin(), call.arguments.end(),
                     [](Value const& value) { return value.as<std::string>() != nullptr; });
}

Value split_text(Call const& call) {
  if (!all_texts(call)) return Error();
  return items(call.text(0), call.text(1, " \t\r\n,"));
}

Value list_size(Call const& call) {
  if (!all_texts(call)) return Error();
  return static_cast<std::int64_t>(items(call.text(0), call.text(1, ", ")).size());
}

bool same(std::string const& a, std::string const& b, bool any_case) {
  return any_case ? same_ignoring_case(a, b) : a == b;
}

bool contains(List const& list, std::string const& wanted, bool any_case) {
  return std::any_of(list.begin(), list.end(), [&wanted, any_case](Value const& item) {
    return same(item.to_plain_text(), wanted, any_case);
  });
}

Value list_member(Call const& call, bool any_case) {
  if (!all_texts(call)) return Error();
  return contains(items(call.text(1), call.text(2, ", ")), call.text(0), any_case);
}

Value lists_intersect(Call const& call) {
  if (!all_texts(call)) return Error();
  List const first = items(call.text(0), call.text(2, ", "));
  List const second = items(call.text(1), call.text(2, ", "));
  return std::any_of(first.begin(), first.end(), [&second](Value const& item) {
    return contains(second, item.to_plain_text(), false);
  });
}

Value subset(Call const& call, bool any_case) {
  for (Value const& value : call.arguments) {
    if (!value.as<std::string>() && !value.is_undefined()) return Error();
  }
  if (call[0].is_undefined()) return call[1].is_undefined() ? Value() : Value(true);
  if (call[1].is_undefined()) return false;
  List const first = items(call.text(0), call.text(2, ", "));
  List const second = items(call.text(1), call.text(2, ", "));
  return std::all_of(first.begin(), first.end(), [&second, any_case](Value const& item) {
    return contains(second, item.to_plain_text(), any_case);
  });
}

/// The numbers of a text list as a list, for the function of lists that `name` is.
Value of_numbers(Call const& call, std::string_view name) {
  if (!all_texts(call)) return Error();
  List numbers;
  for (Value const& item : items(call.text(0), call.text(1, ", "))) {
    Value number = find_function("int")->body({List{item}, 0});
    Value const real = find_function("real")->body({List{item}, 0});
    if (real.is_error()) return Error();
    bool const whole = item.to_plain_text().find_first_of(".eE") == std::string::npos;
    numbers.push_back(whole ? number : real);
  }
  return find_function(name)->body({List{Value(numbers)}, 0});
}

}  // namespace

std::span<Function const> functions_of_text_lists() {
  static std::array const all = {
      Function{"split", 1, 2, true, split_text},
      Function{"stringListSize", 1, 2, true, list_size},
      Function{"stringListMember", 2, 3, true, [](Call const& c) { return list_member(c, false); }},
      Function{"stringListIMember", 2, 3, true, [](Call const& c) { return list_member(c, true); }},
      Function{"stringListsIntersect", 2, 3, true, lists_intersect},
      Function{"stringListSubsetMatch", 2, 3, false,
               [](Call const& c) { return subset(c, false); }},
      Function{"stringListISubsetMatch", 2, 3, false,
               [](Call const& c) { return subset(c, true); }},
      Function{"stringListSum", 1, 2, true, [](Call const& c) { return of_numbers(c, "sum"); }},
      Function{"stringListAvg", 1, 2, true, [](Call const& c) { return of_numbers(c, "avg"); }},
      Function{"stringListMin", 1, 2, true, [](Call const& c) { return of_numbers(c, "min"); }},
      Function{"stringListMax", 1, 2, true, [](Call const& c) { return of_numbers(c, "max"); }},
  };
  return all;
}

}  // namespace gridcast::classad

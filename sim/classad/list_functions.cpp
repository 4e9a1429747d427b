// Functions that compare the items of a list; of the numbers in a string ("1, 2.5"), of names with
// an "@", and of intervals of time.
#include <array>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "sim/classad/functions.hpp"

namespace gridcast::classad {
namespace {

std::optional<Operator> comparison_named(std::string const& name) {
  constexpr std::array<std::pair<std::string_view, Operator>, 8> named = {{
      {"<", Operator::less},
      {"<=", Operator::less_equal},
      {"==", Operator::equal},
      {"!=", Operator::not_equal},
      {">=", Operator::greater_equal},
      {">", Operator::greater},
      {"is", Operator::is},
      {"isnt", Operator::is_not},
  }};
  for (auto const& [word, comparison] : named) {
    if (word == name) return comparison;
  }
  return std::nullopt;
}

/// How many items of a list compare true to a value, and all of them.
struct Compared {
  std::size_t holds = 0, items = 0;
};

Value with_list(Call const& call, bool (*answer)(Compared)) {
  if (call[0].is_undefined() || call[1].is_undefined()) return Value();
  auto const* const name = call[0].as<std::string>();
  List const* const list = call[1].as_list();
  auto const comparison = name ? comparison_named(*name) : std::nullopt;
  bool const scalar = !call[2].as_list() && !call[2].as_ad() && !call[2].is_error();
  if (!comparison || !list || !scalar) return Error();
  Compared compared{0, list->size()};
  for (Value const& item : *list) {
    Value const result = apply(*comparison, item, call[2]);
    bool const holds = result.as<bool>() && *result.as<bool>();
    compared.holds += holds ? 1 : 0;
  }
  return answer(compared);
}

Value any_compare(Call const& call) {
  return with_list(call, [](Compared compared) { return compared.holds > 0; });
}

Value all_compare(Call const& call) {
  return with_list(call, [](Compared compared) { return compared.holds == compared.items; });
}

double total(double a, double b) { return a + b; }
double lesser_number(double a, double b) { return b < a ? b : a; }
double greater_number(double a, double b) { return b > a ? b : a; }

/// The numbers of a string: an integer if all are written as integers.
struct Folded {
  double result = 0;
  std::size_t items = 0;
  bool real = false;

  Value value(double number) const {
    return real ? Value(number) : Value(static_cast<std::int64_t>(number));
  }
};

/// Nothing if an argument is no string, or an item no number.
std::optional<Folded> folded_numbers(Call const& call, double (*step)(double, double)) {
  if (!call.all_texts()) return std::nullopt;
  Folded found;
  for (Value const& item : items(call.text(0), call.text(1, ", "))) {
    std::string const text = item.to_plain_text();
    char* end = nullptr;
    double const number = std::strtod(text.c_str(), &end);
    if (end == text.c_str()) return std::nullopt;
    found.real = found.real || text.find_first_not_of("+-0123456789") != std::string::npos;
    found.result = found.items++ == 0 ? number : step(found.result, number);
  }
  return found;
}

Value list_sum(Call const& call) {
  auto const found = folded_numbers(call, total);
  if (!found) return Error();
  return found->items == 0 ? Value(0.0) : found->value(found->result);
}

/// Of integers an integer, as HTCondor has it; its manual names a real.
Value list_average(Call const& call) {
  auto const found = folded_numbers(call, total);
  if (!found) return Error();
  if (found->items == 0) return 0.0;
  return found->value(found->result / static_cast<double>(found->items));
}

template <double (*step)(double, double)>
Value list_extreme(Call const& call) {
  auto const found = folded_numbers(call, step);
  if (!found) return Error();
  return found->items == 0 ? Value() : found->value(found->result);
}

/// "slot1@host" in two. A name without an "@" is the machine of a slot, and the name of a user.
template <std::size_t without_at>
Value split_name(Call const& call) {
  auto const* const name = call[0].as<std::string>();
  if (!name) return Error();
  auto const at = name->find('@');
  if (at != std::string::npos) return List{name->substr(0, at), name->substr(at + 1)};
  List parts = {"", ""};
  parts[without_at] = *name;
  return parts;
}

/// "17+1:02:03"; zeros at the front are left out.
Value interval(Call const& call) {
  auto const* const seconds = call[0].as<std::int64_t>();
  if (!seconds || *seconds < 0) return Error();
  std::int64_t const s = *seconds % 60, minutes = *seconds / 60 % 60, hours = *seconds / 3600 % 24;
  std::int64_t const days = *seconds / 86'400;
  if (days > 0) return fmt::format("{}+{}:{:02}:{:02}", days, hours, minutes, s);
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, s);
  return minutes > 0 ? fmt::format("{}:{:02}", minutes, s) : fmt::format("{}", s);
}

struct ListLibrary {
  using enum Strictness;
  static Function const functions[];
};

constexpr Function ListLibrary::functions[] = {
    {"anyCompare", 3, 3, lax, any_compare},
    {"allCompare", 3, 3, lax, all_compare},
    {"stringListSum", 1, 2, lax, list_sum},
    {"stringListAvg", 1, 2, lax, list_average},
    {"stringListMin", 1, 2, lax, list_extreme<lesser_number>},
    {"stringListMax", 1, 2, lax, list_extreme<greater_number>},
    {"splitUserName", 1, 1, lax, split_name<0>},
    {"splitSlotName", 1, 1, lax, split_name<1>},
    {"interval", 1, 1, strict, interval},
};

}  // namespace

std::span<Function const> list_functions() { return ListLibrary::functions; }

}  // namespace gridcast::classad

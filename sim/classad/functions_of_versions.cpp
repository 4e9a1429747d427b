#include <algorithm>
#include <array>
#include <string>

#include "sim/classad/functions.hpp"

namespace gridcast::classad {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The digits from `at` on.
std::string_view number_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return text.substr(at, end - at);
}

/// Zeros before the number itself; the last zero of none but zeros is the number.
std::size_t zeros(std::string_view digits) {
  return std::min(digits.find_first_not_of('0'), digits.size() - 1);
}

/// As strverscmp: by bytes, but a first difference within digits goes by the value of the number,
/// where more leading zeros are less.
int compare_versions(std::string_view a, std::string_view b) {
  std::size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
  if (at == a.size() && at == b.size()) return 0;
  std::size_t from = at;
  while (from > 0 && is_digit(a[from - 1])) --from;
  auto const x = number_at(a, from);
  auto const y = number_at(b, from);
  int const by_bytes = a.substr(at).compare(b.substr(at));
  if (x.empty() || y.empty()) return by_bytes;
  if (zeros(x) != zeros(y)) return zeros(x) > zeros(y) ? -1 : 1;
  if (zeros(x) > 0) return by_bytes;
  if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
  return by_bytes;
}

template <class Holds>
Value compared(Call const& call, Holds holds) {
  for (Value const& value : call.arguments) {
    if (!value.as<std::string>()) return Error();
  }
  return holds(compare_versions(call.text(0), call.text(1)));
}

Value in_range(Call const& call) {
  for (Value const& value : call.arguments) {
    if (!value.as<std::string>()) return Error();
  }
  return compare_versions(call.text(1), call.text(0)) <= 0 &&
         compare_versions(call.text(0), call.text(2)) <= 0;
}

}  // namespace

std::span<Function const> functions_of_versions() {
  static std::array const all = {
      Function{"versioncmp", 2, 2, true,
               [](Call const& c) { return compared(c, [](int order) -> Value { return order; }); }},
      Function{"versionGT", 2, 2, true,
               [](Call const& c) { return compared(c, [](int o) -> Value { return o > 0; }); }},
      Function{"versionGE", 2, 2, true,
               [](Call const& c) { return compared(c, [](int o) -> Value { return o >= 0; }); }},
      Function{"versionLT", 2, 2, true,
               [](Call const& c) { return compared(c, [](int o) -> Value { return o < 0; }); }},
      Function{"versionLE", 2, 2, true,
               [](Call const& c) { return compared(c, [](int o) -> Value { return o <= 0; }); }},
      Function{"versionEQ", 2, 2, true,
               [](Call const& c) { return compared(c, [](int o) -> Value { return o == 0; }); }},
      Function{"version_in_range", 3, 3, true, in_range},
      Function{"versionInRange", 3, 3, true, in_range},
  };
  return all;
}

}  // namespace gridcast::classad

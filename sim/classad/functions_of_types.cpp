#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "sim/base/letter_case.hpp"
#include "sim/base/text.hpp"
#include "sim/classad/functions.hpp"
#include "sim/classad/operators.hpp"

namespace gridcast::classad {
namespace {

/// The number that a text is, and nothing but that number.
std::optional<double> real_in(std::string_view text) {
  text = trim(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double real = 0;
  auto const* const end = text.data() + text.size();
  auto const [stop, error] = std::from_chars(text.data(), end, real);
  if (stop != end || error != std::errc()) return std::nullopt;
  return real;
}

Value whole(double real) {
  if (!(std::abs(real) < 9.2e18)) return Error();
  return static_cast<std::int64_t>(real);
}

Value to_int(Call const& call) {
  Value const& value = call[0];
  if (value.as<std::int64_t>()) return value;
  if (auto const* const boolean = value.as<bool>()) return static_cast<std::int64_t>(*boolean);
  if (auto const* const real = value.as<double>()) return whole(*real);
  if (auto const* const text = value.as<std::string>()) {
    std::int64_t integer = 0;
    auto const digits = trim(*text);
    auto const* const end = digits.data() + digits.size();
    auto const result = std::from_chars(digits.data(), end, integer);
    if (result.ptr == end && result.ec == std::errc()) return integer;
    if (auto const real = real_in(*text)) return whole(*real);
  }
  return Error();
}

Value to_real(Call const& call) {
  Value const& value = call[0];
  if (auto const* const boolean = value.as<bool>()) return *boolean ? 1.0 : 0.0;
  if (value.is_number()) return value.number();
  if (auto const* const text = value.as<std::string>()) {
    if (auto const real = real_in(*text)) return *real;
  }
  return Error();
}

Value to_bool(Call const& call) {
  if (auto const boolean = truth(call[0])) return *boolean;
  if (auto const* const text = call[0].as<std::string>()) {
    if (same_ignoring_case(*text, "true")) return true;
    if (same_ignoring_case(*text, "false")) return false;
  }
  return Error();
}

Value rounded(Call const& call, double (*how)(double)) {
  if (call[0].as<std::int64_t>()) return call[0];
  Value const real = to_real(call);
  return real.is_error() ? real : whole(how(real.number()));
}

constexpr bool lax = false;

}  // namespace

std::span<Function const> functions_of_types() {
  static std::array const all = {
      Function{"isUndefined", 1, 1, lax,
               [](Call const& c) -> Value { return c[0].is_undefined(); }},
      Function{"isError", 1, 1, lax, [](Call const& c) -> Value { return c[0].is_error(); }},
      Function{"isString", 1, 1, lax,
               [](Call const& c) -> Value { return c[0].as<std::string>() != nullptr; }},
      Function{"isInteger", 1, 1, lax,
               [](Call const& c) -> Value { return c[0].as<std::int64_t>() != nullptr; }},
      Function{"isReal", 1, 1, lax,
               [](Call const& c) -> Value { return c[0].as<double>() != nullptr; }},
      Function{"isBoolean", 1, 1, lax,
               [](Call const& c) -> Value { return c[0].as<bool>() != nullptr; }},
      Function{"isList", 1, 1, lax,
               [](Call const& c) -> Value { return c[0].as_list() != nullptr; }},
      Function{"isClassAd", 1, 1, lax,
               [](Call const& c) -> Value { return c[0].as_ad() != nullptr; }},
      Function{"isAbstime", 1, 1, lax, [](Call const&) -> Value { return false; }},
      Function{"isReltime", 1, 1, lax, [](Call const&) -> Value { return false; }},
      Function{"debug", 1, 1, lax, [](Call const& c) { return c[0]; }},
      Function{"int", 1, 1, true, to_int},
      Function{"real", 1, 1, true, to_real},
      Function{"bool", 1, 1, true, to_bool},
      Function{"string", 1, 1, true, [](Call const& c) -> Value { return c.text(0); }},
      Function{"floor", 1, 1, true, [](Call const& c) { return rounded(c, std::floor); }},
      Function{"ceiling", 1, 1, true, [](Call const& c) { return rounded(c, std::ceil); }},
      // Halves to the even neighbour.
      Function{"round", 1, 1, true, [](Call const& c) { return rounded(c, std::nearbyint); }},
  };
  return all;
}

}  // namespace gridcast::classad

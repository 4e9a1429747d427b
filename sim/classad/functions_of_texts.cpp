#include <algorithm>
#include <array>
#include <optional>

#include "sim/base/letter_case.hpp"
#include "sim/classad/ad.hpp"
#include "sim/classad/functions.hpp"

namespace gridcast::classad {
namespace {

Value concatenated(Call const& call) {
  std::string all;
  for (std::size_t i = 0; i < call.size(); ++i) all += call.text(i);
  return all;
}

/// Of the values from `first`; undefined ones are left out.
Value joined(std::string const& separator, List const& values, std::size_t first) {
  std::string all;
  bool is_first = true;
  for (std::size_t i = first; i < values.size(); ++i) {
    if (values[i].is_error()) return Error();
    if (values[i].is_undefined()) continue;
    if (!is_first) all += separator;
    is_first = false;
    all += values[i].to_plain_text();
  }
  return all;
}

Value join(Call const& call) {
  if (call.size() == 1) return call[0].as_list() ? joined("", *call[0].as_list(), 0) : call[0];
  auto const* const separator = call[0].as<std::string>();
  if (!separator) return Error();
  bool const is_list = call.size() == 2 && call[1].as_list();
  return joined(*separator, is_list ? *call[1].as_list() : call.arguments, is_list ? 0 : 1);
}

Value substring(Call const& call) {
  auto const* const text = call[0].as<std::string>();
  auto const* const offset = call[1].as<std::int64_t>();
  auto const* const length = call.size() > 2 ? call[2].as<std::int64_t>() : nullptr;
  if (!text || !offset || (call.size() > 2 && !length)) return Error();
  auto const size = static_cast<std::int64_t>(text->size());
  auto const clamped = [size](std::int64_t n) { return std::clamp(n, -size, size); };
  std::int64_t const from = *offset < 0 ? size + clamped(*offset) : clamped(*offset);
  std::int64_t count = size - from;
  if (length) count = *length < 0 ? count + clamped(*length) : std::min(count, *length);
  if (count <= 0) return "";
  return text->substr(static_cast<std::size_t>(from), static_cast<std::size_t>(count));
}

Value size(Call const& call) {
  auto const as_value = [](std::size_t n) -> Value { return static_cast<std::int64_t>(n); };
  if (auto const* const text = call[0].as<std::string>()) return as_value(text->size());
  if (auto const* const list = call[0].as_list()) return as_value(list->size());
  if (auto const* const ad = call[0].as_ad()) return as_value(ad->size());
  return Error();
}

/// {before, after} the first @; without one, the whole is the second or the first.
Value split_at_sign(Call const& call, bool whole_is_second) {
  auto const* const name = call[0].as<std::string>();
  if (!name) return Error();
  auto const at = name->find('@');
  if (at != std::string::npos) return List{name->substr(0, at), name->substr(at + 1)};
  return whole_is_second ? List{"", *name} : List{*name, ""};
}

}  // namespace

std::span<Function const> functions_of_texts() {
  static std::array const all = {
      Function{"strcat", 0, Function::any, true, concatenated},
      Function{"join", 1, Function::any, false, join},
      Function{"substr", 2, 3, true, substring},
      Function{"strcmp", 2, 2, true,
               [](Call const& c) -> Value { return c.text(0).compare(c.text(1)); }},
      Function{"stricmp", 2, 2, true,
               [](Call const& c) -> Value { return compare_ignoring_case(c.text(0), c.text(1)); }},
      Function{"toLower", 1, 1, true, [](Call const& c) -> Value { return lower(c.text(0)); }},
      Function{"toUpper", 1, 1, true, [](Call const& c) -> Value { return upper(c.text(0)); }},
      Function{"size", 1, 1, true, size},
      Function{"splitSlotName", 1, 1, true, [](Call const& c) { return split_at_sign(c, true); }},
      Function{"splitUserName", 1, 1, true, [](Call const& c) { return split_at_sign(c, false); }},
  };
  return all;
}

}  // namespace gridcast::classad

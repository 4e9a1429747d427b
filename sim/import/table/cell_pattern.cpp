#include "sim/import/table/cell_pattern.hpp"

#include <cstdint>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace gridcast::import {
namespace {

constexpr std::uint32_t most_steps = 20'000;
constexpr std::size_t longest_cell = 65'536, longest_pattern = 1'000;

struct Freer {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};

unsigned char const* bytes(std::string_view text) {
  return reinterpret_cast<unsigned char const*>(text.data());
}

}  // namespace

std::optional<CellPattern> CellPattern::compile(std::string const& pattern) {
  if (pattern.size() > longest_pattern) return std::nullopt;
  int error = 0;
  std::size_t at = 0;
  pcre2_code* const code =
      pcre2_compile(bytes(pattern), pattern.size(), PCRE2_NEVER_BACKSLASH_C, &error, &at, nullptr);
  if (!code) return std::nullopt;
  return CellPattern(
      std::shared_ptr<void>(code, [](void* c) { pcre2_code_free(static_cast<pcre2_code*>(c)); }));
}

std::optional<std::string_view> CellPattern::part_of(std::string_view cell) const {
  auto const* const code = static_cast<pcre2_code const*>(code_.get());
  std::unique_ptr<pcre2_match_data, Freer> const data(
      pcre2_match_data_create_from_pattern(code, nullptr));
  std::unique_ptr<pcre2_match_context, Freer> const context(pcre2_match_context_create(nullptr));
  pcre2_set_match_limit(context.get(), most_steps);
  cell = cell.substr(0, longest_cell);
  int const groups = pcre2_match(code, bytes(cell), cell.size(), 0, 0, data.get(), context.get());
  if (groups <= 0) return std::nullopt;
  std::size_t const* const offsets = pcre2_get_ovector_pointer(data.get());
  std::size_t const group = groups > 1 && offsets[2] != PCRE2_UNSET ? 1 : 0;
  std::size_t const begin = offsets[2 * group], end = offsets[2 * group + 1];
  if (begin > end) return std::nullopt;  // \K in a lookahead
  return cell.substr(begin, end - begin);
}

}  // namespace gridcast::import

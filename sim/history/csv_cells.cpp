#include "sim/history/csv_cells.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include <fmt/format.h>

#include "sim/base/closest.hpp"
#include "sim/base/text.hpp"

namespace gridcast::history {
namespace {

// Cell text as it can be shown in a message: not too long, nothing that moves the cursor.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string safe = "'";
  for (char c : text.substr(0, longest)) safe += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  return safe + (text.size() > longest ? "...'" : "'");
}

// The whole text as a number; none if it is anything else.
template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number value{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

void CellReader::report(CsvCell const& cell, std::string what, std::string why, std::string hint) {
  problems_.push_back(
      {{file_, cell.line, cell.column}, std::move(what), std::move(why), std::move(hint)});
}

std::int64_t CellReader::count(CsvCell const& cell, std::string_view column, std::int64_t most) {
  auto const value = parse<std::int64_t>(trim(cell.text));
  if (!value) {
    report(cell, fmt::format("{}: {} is not a whole number", column, shown(cell.text)));
    return 0;
  }
  if (*value < 0) report(cell, fmt::format("{}: {} is negative", column, *value));
  if (*value > most) report(cell, fmt::format("{}: {} is more than {}", column, *value, most));
  return std::clamp<std::int64_t>(*value, 0, most);
}

std::optional<Seconds> CellReader::parse_time(CsvCell const& cell, std::string_view text,
                                              std::string_view column) {
  auto const value = parse<double>(text);
  if (!value || !std::isfinite(*value)) {
    report(cell, fmt::format("{}: {} is not a number of seconds", column, shown(text)));
    return std::nullopt;
  }
  if (*value < 0) {
    report(cell, fmt::format("{}: {} s is negative", column, *value));
    return std::nullopt;
  }
  return Seconds(*value);
}

std::optional<Seconds> CellReader::time(CsvCell const& cell, std::string_view column) {
  std::string_view const text = trim(cell.text);
  return text.empty() ? std::nullopt : parse_time(cell, text, column);
}

std::vector<Seconds> CellReader::times(CsvCell const& cell, std::string_view column) {
  std::vector<Seconds> list;
  if (trim(cell.text).empty()) return list;
  for (auto const& part : split(cell.text, '|')) {
    if (auto const value = parse_time(cell, trim(part), column)) list.push_back(*value);
  }
  return list;
}

std::vector<std::string> CellReader::names(CsvCell const& cell, std::string_view column) {
  std::vector<std::string> list;
  if (trim(cell.text).empty()) return list;
  for (auto const& part : split(cell.text, '|')) {
    list.emplace_back(trim(part));
    if (list.back().empty()) report(cell, fmt::format("{}: a name is missing beside '|'", column));
  }
  return list;
}

std::optional<std::size_t> CellReader::one_of(CsvCell const& cell, std::string_view what,
                                              std::vector<std::string> const& known) {
  std::string_view const text = trim(cell.text);
  auto const found = std::find(known.begin(), known.end(), text);
  if (found == known.end()) {
    report(cell, fmt::format("unknown {} {}", what, shown(cell.text)), "", suggestion(text, known));
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - known.begin());
}

}  // namespace gridcast::history

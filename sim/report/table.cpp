#include "sim/report/table.hpp"

#include <algorithm>

#include "sim/base/error.hpp"

namespace gridcast {
namespace {

constexpr std::string_view between_columns = "  ";

void append_cell(std::string& line, std::string_view cell, std::size_t width, Align align) {
  std::size_t const padding = width - text_width(cell);
  if (align == Align::right) line.append(padding, ' ');
  line.append(cell);
  if (align == Align::left) line.append(padding, ' ');
}

void end_line(std::string& text) {
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

}  // namespace

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

TextTable::TextTable(std::vector<TextColumn> columns) : columns_(std::move(columns)) {}

void TextTable::add_row(std::vector<std::string> cells) {
  check(cells.size() == columns_.size(), "a table row has a cell for each column");
  rows_.push_back(std::move(cells));
}

void TextTable::add_rule() { rows_.emplace_back(); }

std::string TextTable::str(std::size_t indent) const {
  std::vector<std::size_t> widths;
  std::size_t total = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = text_width(columns_[c].title);
    for (auto const& row : rows_) {
      if (!row.empty()) width = std::max(width, text_width(row[c]));
    }
    widths.push_back(width);
    total += width + (c == 0 ? 0 : between_columns.size());
  }

  std::string text;
  auto add_line = [&](auto const& cell_of) {
    text.append(indent, ' ');
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (c > 0) text.append(between_columns);
      append_cell(text, cell_of(c), widths[c], columns_[c].align);
    }
    end_line(text);
  };
  auto add_rule_line = [&] { text.append(indent, ' ').append(total, '-').append("\n"); };

  add_line([&](std::size_t c) -> std::string const& { return columns_[c].title; });
  add_rule_line();
  for (auto const& row : rows_) {
    if (row.empty()) {
      add_rule_line();
    } else {
      add_line([&](std::size_t c) -> std::string const& { return row[c]; });
    }
  }
  return text;
}

}  // namespace gridcast

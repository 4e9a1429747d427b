#include "sim/report/text/layout.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace gridcast::report {
namespace {

using Range = std::pair<char32_t, char32_t>;

template <std::size_t N>
bool in(std::array<Range, N> const& ranges, char32_t code) {
  return std::ranges::any_of(
      ranges, [code](Range const& range) { return code >= range.first && code <= range.second; });
}

constexpr std::array<Range, 9> wide = {{{0x1100, 0x115F},
                                        {0x2E80, 0xA4CF},
                                        {0xAC00, 0xD7A3},
                                        {0xF900, 0xFAFF},
                                        {0xFE30, 0xFE6F},
                                        {0xFF00, 0xFF60},
                                        {0xFFE0, 0xFFE6},
                                        {0x1F300, 0x1FAFF},
                                        {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 8> on_the_one_before = {{{0x0300, 0x036F},
                                                     {0x0483, 0x0489},
                                                     {0x0591, 0x05BD},
                                                     {0x064B, 0x065F},
                                                     {0x1AB0, 0x1AFF},
                                                     {0x1DC0, 0x1DFF},
                                                     {0x20D0, 0x20F0},
                                                     {0xFE00, 0xFE0F}}};
constexpr std::array<Range, 7> not_shown = {{{0x00, 0x1F},
                                             {0x7F, 0x9F},
                                             {0x061C, 0x061C},
                                             {0x200B, 0x200F},
                                             {0x2028, 0x202E},
                                             {0x2060, 0x206F},
                                             {0xFEFF, 0xFEFF}}};

std::string_view ascii_likeness(char32_t code) {
  static constexpr std::pair<char32_t, std::string_view> likenesses[] = {
      {U'±', "+-"}, {U'…', "..."}, {U'–', "-"}, {U'—', "-"},  {U'×', "x"},
      {U'µ', "u"},  {U'‘', "'"},   {U'’', "'"}, {U'“', "\""}, {U'”', "\""}};
  for (auto const& [character, likeness] : likenesses) {
    if (character == code) return likeness;
  }
  return "?";
}

/// A number and its percent sign are one word.
std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t before = 0;  // where the last word began
  for (std::size_t at = text.find_first_not_of(" \n"); at < text.size();) {
    std::size_t const end = std::min(text.size(), text.find_first_of(" \n", at));
    bool const percent = !words.empty() && text[at] == '%' &&
                         before + words.back().size() + 1 == at && text[at - 1] == ' ';
    if (percent) {
      words.back() = text.substr(before, end - before);
    } else {
      words.push_back(text.substr(at, end - at));
      before = at;
    }
    at = text.find_first_not_of(" \n", end);
  }
  return words;
}

/// Lines that words fill one after the other.
struct Filler {
  std::size_t column, indent;
  std::string lines = {};
  bool first_of_line = true;

  bool fits(std::string_view word, std::size_t width) const {
    return first_of_line || column + 1 + text_width(word) <= width;
  }
  void next_line(std::string_view end) {
    lines += end;
    lines += "\n" + std::string(indent, ' ');
    column = indent;
    first_of_line = true;
  }
  void put(std::string_view word) {
    if (!first_of_line) lines += ' ';
    column += text_width(word) + (first_of_line ? 0 : 1);
    lines += word;
    first_of_line = false;
  }
};

constexpr std::string_view gap = "  ";
/// Columns of words are wrapped no narrower than this or their longest word; longer words than
/// these are cut.
constexpr std::size_t least_column = 14, longest_word = 30;
/// Columns of a cell's words that are shown. Names come out of records, where some are as long as a
/// file.
constexpr std::size_t most_shown = 200;

using Row = std::vector<std::string>;
using Places = std::vector<std::size_t>;

std::string shown(std::string const& words) {
  if (text_width(words) <= most_shown) return words;
  return words.substr(0, bytes_within(words, most_shown)) + "...";
}

/// The cell's lines in a column of that width.
std::vector<std::string> lines_of(std::string const& cell, std::size_t width) {
  if (text_width(cell) <= width) return {cell};
  std::vector<std::string> lines(1);
  for (std::string_view word : words_in(cell)) {
    while (!word.empty()) {
      std::size_t const used = text_width(lines.back());
      std::size_t const blank = used == 0 ? 0 : 1;
      if (used + blank + text_width(word) <= width) {
        lines.back() += std::string(blank, ' ').append(word);
        break;
      }
      if (used > 0) {
        lines.emplace_back();
        continue;
      }
      std::size_t const bytes = bytes_within(word, width);
      lines.back() = word.substr(0, bytes);
      word.remove_prefix(bytes);
      if (!word.empty()) lines.emplace_back();
    }
  }
  return lines;
}

/// A table whose cells are as they will be shown, and how its columns are laid out.
class Layout {
 public:
  Layout(std::vector<TextColumn> const& columns, std::vector<Row> const& rows, Screen const& screen,
         std::size_t indent)
      : columns_(columns), rows_(rows), screen_(screen), indent_(indent) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      std::size_t width = text_width(columns[c].title);
      for (auto const& row : rows) {
        if (!row.empty()) width = std::max(width, text_width(row[c]));
      }
      widths_.push_back(width);
      least_.push_back(least_width_of(c));
    }
  }

  std::string text() {
    wrap_columns();
    std::string all;
    for (auto const& block : blocks()) all += (all.empty() ? "" : "\n") + block_text(block);
    return all;
  }

  std::size_t width(Places const& columns) const {
    std::size_t total = indent_ + (columns.empty() ? 0 : gap.size() * (columns.size() - 1));
    for (auto const c : columns) total += widths_[c];
    return total;
  }

  Places all_columns() const {
    Places all(columns_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }

 private:
  std::size_t least_width_of(std::size_t column) const {
    std::size_t least = least_column;
    for (auto const& row : rows_) {
      if (row.empty()) continue;
      for (auto const word : words_in(row[column])) least = std::max(least, text_width(word));
    }
    return std::min(least, longest_word);
  }

  /// Takes from the widest column of words, and again, until the table fits or none can give.
  void wrap_columns() {
    while (width(all_columns()) > screen_.width) {
      std::size_t widest = columns_.size();
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        bool const may = columns_[c].align == Align::left && widths_[c] > least_[c];
        if (may && (widest == columns_.size() || widths_[c] > widths_[widest])) widest = c;
      }
      if (widest == columns_.size()) return;
      --widths_[widest];
    }
  }

  /// The first column, with those behind it that have no title (units), begins each block.
  std::vector<Places> blocks() const {
    Places key = {0};
    while (key.size() < columns_.size() && columns_[key.size()].title.empty()) {
      key.push_back(key.size());
    }
    std::vector<Places> blocks = {key};
    for (std::size_t c = key.size(); c < columns_.size(); ++c) {
      blocks.back().push_back(c);
      bool const first = blocks.back().size() == key.size() + 1;
      if (width(blocks.back()) <= screen_.width || first) continue;
      blocks.back().pop_back();
      blocks.push_back(key);
      blocks.back().push_back(c);
    }
    return blocks;
  }

  std::string row_text(Places const& block, Row const& row) const {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (auto const c : block) {
      cells.push_back(lines_of(row[c], widths_[c]));
      height = std::max(height, cells.back().size());
    }
    std::string text;
    for (std::size_t y = 0; y < height; ++y) {
      std::string line(indent_, ' ');
      for (std::size_t i = 0; i < block.size(); ++i) {
        if (i > 0) line += gap;
        std::string const words = y < cells[i].size() ? cells[i][y] : "";
        std::size_t const width = text_width(words);
        std::string const padding(widths_[block[i]] - std::min(width, widths_[block[i]]), ' ');
        bool const right = columns_[block[i]].align == Align::right;
        if (right) line += padding;
        line += words;
        if (!right) line += padding;
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    return text;
  }

  std::string block_text(Places const& block) const {
    std::string const rule =
        std::string(indent_, ' ') + std::string(width(block) - indent_, '-') + "\n";
    Row const header = each_of(columns_, [](auto const& column) { return column.title; });
    std::string text = row_text(block, header) + rule;
    for (auto const& row : rows_) text += row.empty() ? rule : row_text(block, row);
    return text;
  }

  std::vector<TextColumn> const& columns_;
  std::vector<Row> const& rows_;
  Screen const& screen_;
  std::size_t indent_;
  Places widths_, least_;
};

}  // namespace

Character character_at(std::string_view text, std::size_t at) {
  auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  unsigned const first = byte(0);
  if (first < 0x80) return {first, 1, true};
  std::size_t const bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  bool good = first >= 0xC2 && first <= 0xF4 && at + bytes <= text.size();
  char32_t code = first & (0x7FU >> bytes);
  for (std::size_t i = 1; good && i < bytes; ++i) {
    good = (byte(i) & 0xC0U) == 0x80U;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  bool const surrogate = code >= 0xD800 && code < 0xE000;
  if (!good || code < least[bytes] || surrogate || code > 0x10FFFF) return {};
  return {code, bytes, true};
}

std::size_t text_width(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    Character const character = character_at(text, at);
    if (!in(on_the_one_before, character.code)) columns += in(wide, character.code) ? 2 : 1;
    at += character.bytes;
  }
  return columns;
}

std::size_t bytes_within(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t const bytes = character_at(text, at).bytes;
    if (at > 0 && text_width(text.substr(0, at + bytes)) > columns) break;
    at += bytes;
  }
  return at;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    Character const character = character_at(text, at);
    if (!character.good) return false;
    at += character.bytes;
  }
  return true;
}

std::string printable(std::string_view text, Charset charset) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    Character const character = character_at(text, at);
    if (!character.good || in(not_shown, character.code)) {
      result += '?';
    } else if (character.code >= 0x80 && charset == Charset::ascii) {
      result += ascii_likeness(character.code);
    } else {
      result += text.substr(at, character.bytes);
    }
    at += character.bytes;
  }
  return result;
}

std::string paragraph(std::string_view text, Margins margins) {
  Filler filler{margins.started, margins.indent};
  for (auto word : words_in(text)) {
    if (!filler.fits(word, margins.width)) filler.next_line("");
    // A URL stays whole: a user copies it into a command.
    bool const can_be_cut = word.find("://") == std::string_view::npos;
    while (can_be_cut && filler.first_of_line && filler.column < margins.width) {
      std::size_t const bytes = bytes_within(word, margins.width - filler.column);
      if (bytes == word.size()) break;
      filler.lines += word.substr(0, bytes);
      word.remove_prefix(bytes);
      filler.next_line("");
    }
    filler.put(word);
  }
  return filler.lines + "\n";
}

std::string fitted(std::string_view lines, Screen const& screen) {
  std::string text;
  while (!lines.empty()) {
    std::size_t const end = std::min(lines.size(), lines.find('\n'));
    std::string const line = printable(lines.substr(0, end), screen.charset);
    std::size_t const indent = std::min(line.size(), line.find_first_not_of(' '));
    bool const fits = text_width(line) <= screen.width;
    text += fits ? line + "\n"
                 : std::string(indent, ' ') +
                       paragraph(line.substr(indent), {screen.width, indent + 2, indent});
    lines.remove_prefix(std::min(lines.size(), end + 1));
  }
  return text;
}

std::string command_lines(std::string_view command, std::size_t width, std::size_t indent) {
  Filler filler{indent, indent + 4, std::string(indent, ' ')};
  auto const words = words_in(command);
  for (std::size_t i = 0; i < words.size(); ++i) {
    // An option and its value stay together.
    std::string piece(words[i]);
    bool const option = piece.starts_with("-") && piece.find('=') == std::string::npos;
    bool const valued = option && i + 1 < words.size() && !words[i + 1].starts_with("-");
    if (valued) piece += " " + std::string(words[++i]);
    bool const last = i + 1 == words.size();
    if (!filler.fits(piece, width - (last ? 0 : 2))) filler.next_line(" \\");
    filler.put(piece);
  }
  return filler.lines + "\n";
}

TextTable::TextTable(std::vector<TextColumn> columns) : columns_(std::move(columns)) {}

TextTable::TextTable(std::string const& titles)
    : columns_(each_of(split(titles, '|'), [](std::string const& title) {
        return title.starts_with('>') ? TextColumn{title.substr(1), Align::right}
                                      : TextColumn{title};
      })) {}

void TextTable::add_row(std::vector<std::string> cells) {
  check(cells.size() == columns_.size(), "a table row has a cell for each column");
  rows_.push_back(std::move(cells));
}

void TextTable::add_rule() { rows_.emplace_back(); }

std::string TextTable::str(Screen const& screen, std::size_t indent) const {
  auto columns = columns_;
  auto rows = rows_;
  for (auto& column : columns) column.title = printable(column.title, screen.charset);
  for (auto& row : rows) {
    for (auto& cell : row) cell = shown(printable(cell, screen.charset));
  }
  return Layout(columns, rows, screen, indent).text();
}

}  // namespace gridcast::report

#include "sim/report/text/paragraph.hpp"

#include <algorithm>
#include <vector>

#include "sim/report/text/characters.hpp"

namespace gridcast::report {
namespace {

std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(" \n"); at < text.size();) {
    std::size_t const end = std::min(text.size(), text.find_first_of(" \n", at));
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(" \n", end);
  }
  return words;
}

}  // namespace

std::string paragraph(std::string_view text, Margins margins) {
  std::string lines;
  std::size_t column = margins.started;
  bool first_of_line = true;
  auto const next_line = [&] {
    lines += "\n" + std::string(margins.indent, ' ');
    column = margins.indent;
    first_of_line = true;
  };
  for (auto word : words_in(text)) {
    if (!first_of_line && column + 1 + text_width(word) > margins.width) next_line();
    while (first_of_line && column < margins.width && column + text_width(word) > margins.width) {
      std::size_t const bytes = bytes_within(word, margins.width - column);
      lines += word.substr(0, bytes);
      word.remove_prefix(bytes);
      next_line();
    }
    std::size_t const size = text_width(word);
    if (!first_of_line) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += size;
    first_of_line = false;
  }
  return lines + "\n";
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
  std::string lines(indent, ' ');
  std::size_t column = indent;
  bool first_of_line = true;
  auto const words = words_in(command);
  for (std::size_t i = 0; i < words.size(); ++i) {
    // An option and its value stay together.
    std::string piece(words[i]);
    bool const option = piece.starts_with("-") && piece.find('=') == std::string::npos;
    bool const valued = option && i + 1 < words.size() && !words[i + 1].starts_with("-");
    if (valued) piece += " " + std::string(words[++i]);
    bool const last = i + 1 == words.size();
    std::size_t const room = width - (last ? 0 : 2);  // for " \"
    if (!first_of_line && column + 1 + text_width(piece) > room) {
      lines += " \\\n" + std::string(indent + 4, ' ');
      column = indent + 4;
      first_of_line = true;
    }
    if (!first_of_line) {
      lines += ' ';
      ++column;
    }
    lines += piece;
    column += text_width(piece);
    first_of_line = false;
  }
  return lines + "\n";
}

}  // namespace gridcast::report

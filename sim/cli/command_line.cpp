#include "sim/cli/command_line.hpp"

#include <cctype>
#include <fstream>
#include <iterator>
#include <string_view>

#include "sim/base/text.hpp"

namespace gridcast::cli {
namespace {

bool plain(std::string const& word) {
  constexpr std::string_view fine = "_-./:=,+@%";
  for (char const c : word) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 &&
        fine.find(c) == std::string_view::npos) {
      return false;
    }
  }
  return !word.empty();
}

std::string quoted(std::string const& word) { return plain(word) ? word : quoted_for_shell(word); }

}  // namespace

std::string command_line(std::vector<std::string> const& words) {
  std::string text = "gridcast";
  for (std::size_t i = 1; i < words.size(); ++i) text += " " + quoted(words[i]);
  return text;
}

// proc(5): the words with a null byte after each.
std::string command_line() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::string const bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  auto words = split(bytes, '\0');
  if (!words.empty() && words.back().empty()) words.pop_back();
  return command_line(words);
}

}  // namespace gridcast::cli

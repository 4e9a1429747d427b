#include "sim/scenario/lesson_knobs.hpp"

#include <algorithm>
#include <string_view>

#include "sim/base/text.hpp"

namespace gridcast::scenario {

std::vector<std::string> knobs_of(Lesson const& lesson) {
  std::vector<std::string> knobs;
  auto const add = [&](std::string_view path) {
    if (path.ends_with('.')) path.remove_suffix(1);
    std::string_view const inner = path.substr(0, path.find('='));
    bool const is_path = inner.find('.') != std::string_view::npos;
    bool const known = std::find(knobs.begin(), knobs.end(), inner) != knobs.end();
    if (is_path && !known) knobs.emplace_back(inner);
  };
  for (SolutionRun const& run : lesson.solution.runs) {
    for (std::string const& set : run.overrides) add(set);
  }
  std::string words = lesson.change;
  std::replace_if(
      words.begin(), words.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
  for (std::string const& word : split(words, ' ')) add(word);
  return knobs;
}

}  // namespace gridcast::scenario

#include "sim/scenario/lesson_knobs.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/scenario/yaml/override.hpp"

namespace gridcast::scenario {
namespace {

namespace fs = std::filesystem;

YAML::Node yaml_of(fs::path const& file) { return YamlDocument(file, read_text_file(file)).root(); }

fs::path file_beside(Lesson const& lesson, YAML::Node const& root, char const* key) {
  return lesson.file.parent_path() / value_at(root, key);
}

std::string in_first_draw(YAML::Node const& calibration, std::string const& column) {
  YAML::Node const columns = calibration["draws"]["columns"];
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].Scalar() == column) {
      return value_at(calibration["draws"]["rows"], fmt::format("0.{}", i));
    }
  }
  return "";
}

}  // namespace

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

std::string premise_of(Lesson const& lesson, std::string const& knob) {
  YAML::Node const root = yaml_of(lesson.file);
  auto const beside = [&](char const* key) { return yaml_of(file_beside(lesson, root, key)); };
  if (knob.starts_with("pool.")) return value_at(beside("pool"), knob.substr(5));
  if (knob.starts_with("calibration."))
    return in_first_draw(beside("calibration"), knob.substr(12));
  return value_at(root, knob);
}

}  // namespace gridcast::scenario

#include "sim/import/which_program.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace gridcast::import {
namespace {

namespace fs = std::filesystem;

/// "bin/small.sh" of "./bin/small.sh" and "../bin/small.sh"; empty of an absolute path.
std::string end_of_path(std::string const& executable) {
  fs::path const path = fs::path(executable).lexically_normal();
  if (path.is_absolute()) return "";
  fs::path end;
  for (fs::path const& part : path) {
    if (part != ".." && part != ".") end /= part;
  }
  return end.string();
}

bool ends_with_path(std::string const& recorded, std::string const& end) {
  return !end.empty() && recorded.ends_with("/" + end);
}

}  // namespace

bool is_recorded_as(std::string const& executable, std::string const& recorded) {
  return !executable.empty() &&
         (executable == recorded || ends_with_path(recorded, end_of_path(executable)));
}

std::vector<ProgramVariant> fitting_variants(std::vector<ProgramVariant> const& variants,
                                             SubmittedProgram const& submitted) {
  auto const& [executable, arguments, batch_name] = submitted;
  std::vector<ProgramVariant> fitting;
  auto const take = [&](auto const& fits) {
    if (!fitting.empty()) return;
    std::ranges::copy_if(variants, std::back_inserter(fitting),
                         [&](ProgramVariant const& variant) { return fits(variant.name); });
  };
  if (!executable.empty()) {
    std::string const with_arguments = " " + arguments, end = end_of_path(executable);
    take([&](auto& name) { return name == executable || name == executable + with_arguments; });
    take([&](auto& name) {
      return ends_with_path(name, end) ||
             (!end.empty() && ends_with_path(name, end + with_arguments));
    });
  }
  take([&](auto& name) { return name == " " + arguments || name == batch_name; });
  return fitting;
}

std::string quoted_names(std::vector<ProgramVariant> const& variants) {
  std::string names;
  for (ProgramVariant const& variant : variants) {
    names += (names.empty() ? "'" : ", '") + variant.name + "'";
  }
  return names;
}

ProgramVariant named_variant(std::vector<ProgramVariant> const& variants,
                             std::string const& named) {
  std::vector<std::string> known;
  for (ProgramVariant const& each : variants) {
    if (each.name == named) return each;
    known.push_back(each.name);
  }
  refuse({}, fmt::format("--program: the calibrated jobs ran no '{}'", named),
         known.empty() ? "they all ran one" : "they ran " + quoted_names(variants),
         suggestion(named, known));
}

bool runs_program(history::JobHistory const& history, std::size_t job, std::string const& name) {
  if (job >= history.labels.size()) return false;
  if (history::program_of(history, job) == name) return true;
  auto const& label = history.labels[job];
  auto const fitting =
      fitting_variants({{.name = name}}, {label.executable, label.arguments, label.batch});
  return !fitting.empty();
}

RecognisedProgram recognised(std::vector<history::RanProgram> const& ran,
                             SubmittedProgram const& submitted) {
  RecognisedProgram found;
  for (history::RanProgram const& program : ran) {
    if (!is_recorded_as(submitted.executable, program.executable)) continue;
    bool const same = !program.arguments || *program.arguments == submitted.arguments;
    if (!found.program || (same && !found.same_arguments)) found = {&program, same};
  }
  return found;
}

}  // namespace gridcast::import

#include "sim/history/ran_programs.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

namespace gridcast::history {

std::vector<RanProgram> ran_programs(JobHistory const& history, bool arguments_known) {
  constexpr std::size_t most = 100;
  auto const& labels = history.labels;
  bool const known = arguments_known || std::any_of(labels.begin(), labels.end(), [](auto& label) {
                       return !label.arguments.empty();
                     });
  std::vector<RanProgram> programs;
  std::vector<std::size_t> jobs;  // of each
  std::map<RanProgram, std::size_t> index;
  for (JobLabel const& label : labels) {
    if (label.executable.empty()) continue;
    RanProgram program{label.executable};
    if (known) program.arguments = label.arguments;
    auto const [at, first] = index.emplace(program, programs.size());
    if (first) {
      programs.push_back(std::move(program));
      jobs.push_back(0);
    }
    ++jobs[at->second];
  }
  std::stable_sort(programs.begin(), programs.end(), [&](auto const& a, auto const& b) {
    return jobs[index.at(a)] > jobs[index.at(b)];
  });
  if (programs.size() > most) programs.resize(most);
  return programs;
}

std::string program_of_node(std::string const& node) {
  return node.substr(0, node.find_last_not_of("0123456789_-.") + 1);
}

std::string program_of(JobHistory const& history, std::size_t job) {
  if (job >= history.labels.size()) return {};
  JobLabel const& label = history.labels[job];
  if (!label.executable.empty()) return label.executable;
  return program_of_node(label.node);
}

}  // namespace gridcast::history

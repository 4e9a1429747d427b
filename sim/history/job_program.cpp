#include "sim/history/job_program.hpp"

namespace gridcast::history {

std::string program_of(JobHistory const& history, std::size_t job) {
  if (job >= history.labels.size()) return {};
  JobLabel const& label = history.labels[job];
  if (!label.executable.empty()) return label.executable;
  return label.node.substr(0, label.node.find_last_not_of("0123456789_-.") + 1);
}

}  // namespace gridcast::history

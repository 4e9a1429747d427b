#include "sim/scenario/processes.hpp"

#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace gridcast::scenario {

std::vector<ProcessSwitch> const& process_switches() {
  constexpr auto repeated = ProcessSwitch::Of::repeated_jobs;
  static std::vector<ProcessSwitch> const switches = [] {
    std::vector<ProcessSwitch> all = {
        {recorded_jobs, "jobs repeat the histories of the record's jobs", {}},
        {campaign_variation,
         "the next campaign differs from the record that it repeats",
         {},
         repeated},
        {"computing-variation", "its executions are longer or shorter", {}, repeated},
        {"transfer-variation", "its transfers are longer or shorter", {}, repeated},
        {"attempt-variation", "its jobs repeat more or fewer attempts", {}, repeated},
        {"hold-variation", "its jobs are held more or less often", {}, repeated},
        {"waiting-variation", "its jobs wait longer or shorter", {}, repeated},
        {"outcome-variation", "more or fewer of its jobs succeed", {}, repeated},
        {"unseen-events", "it has kinds of events that the record does not have", {}, repeated}};
    for (Process const& process : processes()) {
      if (process.zero_is_off.empty()) continue;
      all.push_back({process.name, process.meaning, process.zero_is_off});
    }
    return all;
  }();
  return switches;
}

std::vector<ProcessSwitch const*> processes_named(std::string_view list,
                                                  std::vector<std::string>& unknown) {
  std::vector<ProcessSwitch const*> named;
  for (auto const& part : split(list, ',')) {
    std::string const name(trim(part));
    auto const found = std::ranges::find(process_switches(), name, &ProcessSwitch::name);
    if (found != process_switches().end()) {
      named.push_back(&*found);
    } else if (!name.empty()) {
      unknown.push_back(name);
    }
  }
  return named;
}

bool names_process(std::string_view list, std::string_view name) {
  std::vector<std::string> unknown;
  auto const named = processes_named(list, unknown);
  return std::any_of(named.begin(), named.end(),
                     [name](auto const* each) { return each->name == name; });
}

void switch_off(std::vector<ProcessSwitch const*> const& processes, Calibration& calibration) {
  std::vector<std::size_t> off;
  for (std::size_t column = 0; column < calibration.columns.size(); ++column) {
    std::string const& name = calibration.columns[column];
    std::string_view const parameter = std::string_view(name).substr(0, name.find('.'));
    bool const of_these = std::any_of(processes.begin(), processes.end(), [&](auto const* each) {
      return std::ranges::count(each->columns, parameter) > 0;
    });
    if (of_these) off.push_back(column);
  }
  DrawLayout const layout(calibration.columns);
  std::vector<ColumnProblem> problems;
  for (std::size_t row = 0; row < calibration.rows.size(); ++row) {
    for (std::size_t const column : off) calibration.rows[row][column] = 0;
    calibration.draws[row] = layout.draw(calibration.rows[row], problems);
  }
  check(problems.empty(), "every process may be switched off by a zero");
}

}  // namespace gridcast::scenario

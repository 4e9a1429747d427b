#include <algorithm>

#include <fmt/format.h>

#include "sim/report/text/layout.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::report {
namespace {

constexpr std::size_t most_steps = 10;

/// Of many steps those that took longest, in the order of time.
std::vector<std::size_t> shown_steps(std::vector<study::CriticalStep> const& path) {
  std::vector<std::size_t> steps(path.size());
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = i;
  if (steps.size() <= most_steps) return steps;
  std::stable_sort(steps.begin(), steps.end(), [&](std::size_t a, std::size_t b) {
    return path[a].ended - path[a].submitted > path[b].ended - path[b].submitted;
  });
  steps.resize(most_steps);
  std::sort(steps.begin(), steps.end());
  return steps;
}

}  // namespace

std::string critical_path_text(std::vector<study::CriticalStep> const& path, std::string const& of,
                               Screen const& screen) {
  if (path.empty()) return "";
  Seconds waiting, computing, lost, other;
  for (study::CriticalStep const& step : path) {
    waiting += step.waiting;
    computing += step.computing;
    lost += step.lost;
    other += step.other;
  }
  std::string text =
      "\n" +
      fitted(fmt::format("Critical path {}: {} {} one after the other, {} from the "
                         "first's submission to "
                         "the last's end\n"
                         "  computing {}, waiting in the queue {}, in attempts that failed {}, "
                         "transfers and set-up "
                         "{}\n",
                         of, path.size(), path.size() == 1 ? "submission" : "submissions",
                         to_text(path.back().ended - path.front().submitted), to_text(computing),
                         to_text(waiting), to_text(lost), to_text(other)),
             screen);
  auto const shown = shown_steps(path);
  if (shown.size() < path.size()) {
    text += fmt::format("  The {} longest of them:\n", shown.size());
  }
  TextTable table({{"submission"},
                   {"took", Align::right},
                   {"attempts", Align::right},
                   {"computing", Align::right},
                   {"waiting", Align::right},
                   {"in failed attempts", Align::right}});
  for (std::size_t const i : shown) {
    study::CriticalStep const& step = path[i];
    table.add_row({step.name, to_text(step.ended - step.submitted), std::to_string(step.attempts),
                   to_text(step.computing), to_text(step.waiting), to_text(step.lost)});
  }
  return text + table.str(screen, 2);
}

}  // namespace gridcast::report

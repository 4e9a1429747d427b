#include "sim/study/draw_order.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"

namespace gridcast::study {
namespace {

/// Rows by hypothesis, those without one first; no group is empty.
std::vector<std::vector<std::size_t>> rows_by_hypothesis(scenario::Calibration const& calibration) {
  constexpr std::size_t hypotheses = 4;
  std::vector<std::vector<std::size_t>> groups(1 + hypotheses);
  for (std::size_t row = 0; row < calibration.draws.size(); ++row) {
    auto const hypothesis = scenario::hypothesis(calibration.draws[row].outages);
    groups[hypothesis ? 1 + static_cast<std::size_t>(*hypothesis) : 0].push_back(row);
  }
  std::erase_if(groups, [](auto const& group) { return group.empty(); });
  return groups;
}

}  // namespace

std::vector<std::size_t> fair_turns(std::vector<std::size_t> const& counts, std::size_t turns) {
  std::size_t sum = 0;
  for (std::size_t const count : counts) sum += count;
  check(sum > 0, "turns are of something");
  if (counts.size() == 1) return std::vector<std::size_t>(turns, 0);
  double const all = static_cast<double>(sum);
  double const slack = 1 / (2 * static_cast<double>(counts.size()) - 2);
  std::vector<double> had(counts.size(), 0);
  std::vector<std::size_t> order;
  constexpr double rounding = 1e-9;
  for (std::size_t turn = 1; turn <= turns; ++turn) {
    std::size_t next = counts.size();
    double first_due = std::numeric_limits<double>::infinity();
    for (std::size_t h = 0; h < counts.size(); ++h) {
      double const p = static_cast<double>(counts[h]) / all;
      if (!(p > 0) || static_cast<double>(turn) * p - had[h] < slack - rounding) continue;
      double const due = (had[h] + 1 - slack) / p;
      if (due < first_due - rounding) {
        first_due = due;
        next = h;
      }
    }
    check(next < counts.size(), "somebody is due at each turn");
    had[next] += 1;
    order.push_back(next);
  }
  return order;
}

std::size_t draw_row(scenario::Calibration const& calibration, std::uint64_t seed,
                     std::uint32_t replica) {
  std::size_t const rows = calibration.draws.size();
  std::size_t const turn = replica % rows;
  auto const groups = rows_by_hypothesis(calibration);
  std::vector<std::size_t> counts;
  for (auto const& group : groups) counts.push_back(group.size());
  auto const turns = fair_turns(counts, turn + 1);
  std::size_t const whose = turns.back();
  auto const place = static_cast<std::size_t>(std::count(turns.begin(), turns.end(), whose)) - 1;
  auto order = groups[whose];
  auto const round = static_cast<std::uint32_t>(replica / rows);
  auto stream = RandomStreams(seed, 0).stream(Purpose::parameters,
                                              static_cast<std::uint32_t>(order.front()), round);
  for (std::size_t i = 0; i <= place; ++i) {
    auto const left = static_cast<std::uint32_t>(order.size() - i);
    std::swap(order[i], order[i + stream.below(left)]);
  }
  return order[place];
}

}  // namespace gridcast::study

#include "sim/report/text/deadline_text.hpp"

#include <fmt/format.h>

#include "sim/report/data/deadline.hpp"
#include "sim/report/text/figure_words.hpp"

namespace gridcast::report {
namespace {

/// "A deadline of 3 d is kept where 70 jobs have succeeded by then, ...".
std::string kept_where(Result const& result, std::size_t wanted) {
  return fmt::format(
      "A deadline of {} is kept where {} job{} succeeded by then, 90 % of those that succeed "
      "under {} in the median replica",
      to_text(*result.deadline), wanted, wanted == 1 ? " has" : "s have", result.baseline);
}

}  // namespace

std::string deadline_text(Result const& result, Screen const& screen) {
  auto const* first = baseline(result);
  if (!result.deadline || first == nullptr) return "";
  if (!first->finish) {
    return fitted("Of the deadline nothing is told: no replica has dates.\n", screen);
  }
  std::string const what = kept_where(result, first->finish->wanted);
  if (result.strategies.size() == 1) {
    return fitted(fmt::format("{}: in {} of the campaigns.\n", what,
                              chance_text(met_by(result, *first, *result.deadline))),
                  screen);
  }
  TextTable table(
      {{"strategy"},
       {fmt::format("{} succeeded by {}", first->finish->wanted, to_text(*result.deadline)),
        Align::right}});
  for (auto const& strategy : result.strategies) {
    table.add_row({strategy.name, chance_text(met_by(result, strategy, *result.deadline))});
  }
  return table.str(screen) + fitted(what + ". Share of the campaigns, ± binomial error.\n", screen);
}

}  // namespace gridcast::report

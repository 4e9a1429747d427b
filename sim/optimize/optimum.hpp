// The best change of a scenario's current strategy, and its evidence.
//
// The budget has four parts. The search (search.hpp) has the first half. Its finalists and the
// current strategy then meet in campaigns with other random numbers, and the rule of `compare`
// (sim/study/choice.hpp) chooses. The gain of the chosen strategy comes from the campaigns that
// `forecast` simulates, which neither the search nor the choice has seen. If they do not confirm
// that it is better, the next candidates are tried, each with random numbers of its own. The rest
// of the budget measures the contribution of each single change and the range of each number, with
// further random numbers.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/optimize/knob.hpp"
#include "sim/optimize/scoreboard.hpp"
#include "sim/optimize/setting_lines.hpp"
#include "sim/study/choice.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::optimize {

// The response of the deciding figure to one setting: the figure at several of its values, with all
// other settings at those of one point.
struct ResponseValue {
  std::string value;
  bool here = false;          // that of the point
  study::GoalGain gain = {};  // from the point's value (`before`) to this one (`after`)
  std::size_t campaigns = 0;  // that both have
};

struct Response {
  std::string key;
  bool recommended = false;  // around the recommended strategy; else around the current one
  std::vector<ResponseValue> values = {};  // in the order of the setting
};

/// The comparison of points by the campaigns that all of them have.
using ComparePoints = std::function<study::Comparison(std::vector<Point> const&)>;

struct OptimizeOptions {
  Party as = Party::owner;
  std::optional<std::size_t> replicas = {};  // the budget; none: `time`
  Seconds time = Seconds(60);
  study::StudyOptions study = {};  // its replicas: most of the gain; `resume` keeps the campaigns
  /// The best points of searches that were made before. Then no search is made.
  std::vector<Point> found = {};
};

/// A changed setting.
struct Change {
  std::string key, from, to;
  /// The deciding figure with all changes against that without this one.
  study::GoalGain worth = {};
  /// Values within which the result stays within the margin; empty texts: not known, or no number.
  std::string low = {}, high = {};
  bool at_end = false;  // of the values that are searched, so a better one can be beyond
};

struct Optimum {
  std::string scenario, title;
  Party as = Party::owner;
  std::vector<std::string> knobs = {};  // keys that were free
  scenario::Strategy current, recommended;
  std::vector<Change> changes = {};  // none: the current strategy stays
  std::vector<SettingLine> lines = {};
  std::vector<Response> responses = {};
  /// When campaigns behind the responses end: a job that has not succeeded by then has not at all.
  std::optional<Seconds> responses_end = {};

  // The evidence.
  study::Choice choice;  // between the current strategy (0) and the recommended one (1)
  std::size_t jobs = 0;
  bool without_gpus = false;  // no job requests any
  study::GoalGain gain = {};  // of the goal that decides
  bool fresh = true;          // else from the search's own campaigns, which flatter it
  std::size_t tried = 0;      // strategies
  std::size_t campaigns = 0;  // that were simulated in all
  std::size_t measured = 0;   // campaigns of each strategy behind the gain
  /// A budget in campaigns that repeats a search whose budget was a time; none: no number does.
  std::optional<std::size_t> same_budget = {};
  std::size_t failed = 0;  // campaigns
  std::vector<std::string> explanations = {};
  std::string record_words = {};  // empty without a record
  bool converged = false, interrupted = false;
};

/// InputError if the party has no setting to change, if the budget is below one campaign, or if no
/// campaign can be simulated.
Optimum optimum(scenario::Scenario const& scenario, scenario::Strategy const& current,
                OptimizeOptions options);

/// The best points of a search alone, the best first. Empty if it was interrupted. InputError as
/// above.
std::vector<Point> best_points(scenario::Scenario const& scenario,
                               scenario::Strategy const& current, OptimizeOptions options);

/// True if the goal is reached under the recommended strategy: some jobs succeed, or some campaigns
/// meet the deadline.
bool reaches_goal(Optimum const& optimum);

}  // namespace gridcast::optimize

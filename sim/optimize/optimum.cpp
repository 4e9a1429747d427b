#include "sim/optimize/optimum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/interrupt.hpp"
#include "sim/base/statistics.hpp"
#include "sim/optimize/additive_model.hpp"
#include "sim/optimize/goal_score.hpp"
#include "sim/optimize/search.hpp"
#include "sim/study/record.hpp"

namespace gridcast::optimize {
namespace {

constexpr std::size_t fewest_campaigns = 3;

/// Points of the board that differ from `at` in the setting alone, in the order of its values.
std::vector<Point> tried_values(SearchSpace const& space, Scoreboard const& board, Point const& at,
                                std::size_t setting) {
  std::vector<Point> points = board.ranked(fewest_campaigns);
  std::erase_if(points, [&](Point const& point) {
    Point alone = at;
    alone[setting] = point[setting];
    return point == at || point[setting] == at[setting] || space.canonical(alone) != point;
  });
  points.push_back(at);
  sort_by(points, setting);
  return points;
}

constexpr double search_part = 0.5, choice_part = 0.6;
/// The parts of the budget at the end of each attempt at a gain: a candidate without the changes
/// that it does not need, and its gain. The measurement of the changes has the rest.
struct AttemptParts {
  double simple = 0, gain = 0;
};
constexpr std::array<AttemptParts, 3> attempts = {{{0.67, 0.81}, {0.82, 0.88}, {0.89, 0.95}}};
constexpr double part_of_worths = 0.2, part_of_responses = 0.2;  // of the measurement
constexpr std::size_t most_of_choice = 400, most_measured = 400, most_of_ranges = 100;
constexpr std::size_t least_measured = 10, least_of_gain = 1000;
/// A few campaigns often show a gain of the second or third candidate that is none.
constexpr std::size_t least_of_next = 30;
/// Each stage adds its number to the seed. The gain has the random numbers of `forecast`: both give
/// one answer to how a strategy does.
enum Stages : std::uint32_t {
  gain_stage,
  search_stage,
  choice_stage,
  measure_stage,
  current_stage,
  next_gain_stage,  // of the second candidate; the third one's follows
};
/// Score differences below this share of the owner's margin do not matter to the search.
constexpr double indifference_of_margin = 0.25;

StrategySpace space_for(scenario::Scenario const& scenario, scenario::Strategy const& current,
                        Party as) {
  auto knobs = knobs_of(scenario, current, as);
  if (!knobs.empty()) return {std::move(knobs), current};
  refuse({scenario.file.string()},
         fmt::format("--as {} has no setting to change here", party_names[static_cast<int>(as)]),
         "the search space is empty", "Write --as owner, access-point, site or anyone.");
}

std::size_t replicas_of(study::Comparison const& comparison) {
  return comparison.samples.front().size();
}

/// A first campaign, whose time shows whether the budget suffices. False: it was interrupted.
bool simulate_one(GoalScore& score, Point const& start, OptimizeOptions const& options) {
  auto const from = Budget::Clock::now();
  bool const interrupted = score({{start, 0}}).empty();
  if (score.failed() > 0) refuse({}, "no campaign can be simulated", score.first_failure(), "");
  std::chrono::duration<double> const took = Budget::Clock::now() - from;
  if (interrupted) return false;
  if (options.replicas || took.count() < options.time.value()) return true;
  refuse({}, fmt::format("the budget of {} is below one simulated campaign", to_text(options.time)),
         fmt::format("one takes {}", to_text(Seconds(took.count()))), "Give a larger --budget.");
}

/// How many times as long as these campaigns one of their pace takes until the wanted jobs have
/// succeeded. Where jobs fail at once, campaigns are short.
double until_wanted(study::StudySample const& sample, scenario::Scenario const& scenario) {
  auto const succeeded = study::column(sample, "succeeded");
  double const wanted = scenario.study.preferences.wanted * scenario.campaign.jobs();
  double const all = std::accumulate(succeeded.begin(), succeeded.end(), 0.0);
  return std::max(1.0, wanted * count(succeeded.size()) / std::max(1.0, all));
}

/// Simulates the current strategy a few times, for the levels of the goals and to end hopeless
/// campaigns: some strategies would try again until the horizon, which takes longer to simulate
/// than all the others. The limit is three times the longest of the campaigns, until the wanted
/// jobs have succeeded. None: it was interrupted.
std::optional<GoalLevels> try_current(scenario::Scenario const& scenario,
                                      StrategySpace const& space, OptimizeOptions& options,
                                      SearchJournal* journal) {
  constexpr std::uint32_t campaigns = 16;
  constexpr double times = 3;
  GoalScore score(scenario, space, options.study, journal, current_stage);
  Point const& start = space.space().start();
  if (!simulate_one(score, start, options)) return std::nullopt;
  std::vector<Trial> trials;
  for (std::uint32_t k = 1; k < campaigns; ++k) trials.push_back({start, k});
  if (score(trials).empty()) return std::nullopt;
  auto const comparison = score.comparison({start}, {"current"});
  auto const& sample = comparison.samples.front();
  double const more = times * until_wanted(sample, scenario);
  double longest = scenario.study.preferences.goal.deadline.value();
  for (double const time : study::column(sample, "makespan_s")) {
    if (more * time > longest) longest = more * time;
  }
  auto& horizon = options.study.simulation.horizon;
  if (longest > 0) horizon = std::min(Seconds(longest), horizon.value_or(Seconds(longest)));
  return score.set_levels(sample.replicas);
}

/// The finalists in campaigns that the search has not seen, which the start has as well. The worse
/// half is left out twice, so that the best have most of the campaigns. The last ones are left.
struct Contest {
  std::vector<Point> left, left_out;
};

Contest contest(Stage& stage, std::vector<Point> points, Point const& start) {
  constexpr std::size_t rounds = 3;
  Budget const& budget = stage.board().budget();
  std::size_t replicas = 0;
  Contest result;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::size_t const each = budget.left() / ((rounds - round) * (1 + points.size()));
    replicas = std::min(replicas + std::max<std::size_t>(1, each), most_of_choice);
    points.push_back(start);
    stage.board().extend(points, replicas);
    points.pop_back();
    auto const order = stage.best_of(points, points.size());
    std::size_t const kept = round + 1 < rounds ? (points.size() + 1) / 2 : points.size();
    auto const end = order.begin() + static_cast<std::ptrdiff_t>(kept);
    points.assign(order.begin(), end);
    result.left_out.insert(result.left_out.begin(), end, order.end());
  }
  result.left = std::move(points);
  return result;
}

/// The finalists that the rule of `compare` puts before the start, the best first, and then those
/// that better ones have left out. The start alone if it is best.
std::vector<Point> candidates(Stage& stage, SearchResult const& found, Point const& start) {
  std::vector<Point> finalists = found.finalists;
  std::erase(finalists, start);
  if (finalists.empty()) return {start};
  auto const [left, left_out] = contest(stage, std::move(finalists), start);
  std::vector<Point> points = {start};
  points.insert(points.end(), left.begin(), left.end());
  auto const comparison = stage.compare(points);
  if (replicas_of(comparison) == 0) return {found.best};
  auto const choice = study::choose(comparison);
  if (choice.state == study::ChoiceState::no_success) return {found.best};
  std::vector<Point> order;
  for (std::size_t const i : study::ranking(choice)) {
    if (points[i] == start) break;
    order.push_back(points[i]);
  }
  if (order.empty()) return {start};
  order.insert(order.end(), left_out.begin(), left_out.end());
  return order;
}

/// Gains of one point over another by estimates from all campaigns, for each weighting.
class EstimatedGains {
 public:
  EstimatedGains(SearchSpace const& space, Scoreboard& board) {
    for (std::size_t w = 0; w < board.weightings(); ++w) {
      board.weigh_by(w);
      models_.emplace_back(space, board);
    }
    board.weigh_by(0);
  }

  /// The largest one. `board` has campaigns that the models have not seen.
  double largest(Scoreboard& board, Point const& over, Point const& point) const {
    double most = -infinity;
    for (std::size_t w = board.weightings(); w-- > 0;) {
      board.weigh_by(w);
      auto const gains = board.differences(point, over);
      most = std::max(most, models_[w].estimated_gain(over, point, gains));
    }
    return most;
  }

 private:
  std::vector<AdditiveModel> models_;  // by weighting
};

/// The point without the changes that do not make it materially better, by the rule of `compare` or
/// by estimates from all campaigns so far: each change is work for somebody.
Point simplest(Stage& stage, StrategySpace const& space, Point const& best,
               EstimatedGains const& gains, double indifference) {
  // Each change is tried, with fewer campaigns if there are many.
  std::size_t const changes = space.space().own_changes(best).size();
  auto const replicas = std::min(stage.board().scores(best).size(),
                                 stage.board().budget().left() / std::max<std::size_t>(1, changes));
  return space.space().simplest(best, [&](Point const& candidate) {
    if (!stage.board().extend({candidate}, replicas)) return false;
    auto const both = stage.compare({best, candidate});
    if (replicas_of(both) == 0) return false;
    auto const choice = study::choose(both);
    return choice.best == 1 || choice.alike.size() == 2 ||
           gains.largest(stage.board(), candidate, best) <= indifference;
  });
}

/// Values of a number around the best one, in their order.
constexpr std::size_t steps_of_range = 8, halvings = 4;

/// The last good value on the way from a good one to its neighbour that is not.
std::string edge_of(StrategySpace const& space, std::size_t setting, Point inside, Point outside,
                    auto const& good) {
  auto const share = [&](Point const& at) { return space.space().share_of(setting, *at[setting]); };
  for (std::size_t k = 0; k < halvings; ++k) {
    Point middle = inside;
    middle[setting] = space.space().value_at(setting, (share(inside) + share(outside)) / 2);
    middle = space.space().canonical(std::move(middle));
    if (middle == inside || middle == outside) break;
    (good(middle) ? inside : outside) = middle;
  }
  return value_text(space.knob(setting), inside[setting]);
}

/// The neighbouring values that are within the margin, up to the goal that decides.
void set_range(Change& change, Stage& stage, StrategySpace const& space, Point const& best,
               std::size_t setting, std::size_t goal) {
  auto const& dimension = space.space().dimension(setting);
  if (dimension.scale == Scale::choice || !best[setting]) return;
  auto const points = space.space().values_of(setting, best, steps_of_range);
  Scoreboard& board = stage.board();
  std::size_t const left = board.budget().left();
  if (left / points.size() < least_measured) return;
  std::size_t const replicas =
      std::clamp(left / (points.size() + 2 * halvings), least_measured, most_of_ranges);
  if (!board.extend(points, replicas)) return;
  auto const good = [&](Point const& point) {
    if (!board.extend({point}, replicas)) return false;
    auto const both = stage.compare({best, point});
    return replicas_of(both) > 0 && study::as_good_until(study::choose(both), 1, 0, goal);
  };
  auto const at = std::ranges::find(points, best);
  auto low = at, high = at;
  while (low != points.begin() && good(*std::prev(low))) --low;
  while (std::next(high) != points.end() && good(*std::next(high))) ++high;
  change.low = edge_of(space, setting, *low, low == points.begin() ? *low : *std::prev(low), good);
  ++high;
  change.high =
      edge_of(space, setting, *std::prev(high), high == points.end() ? points.back() : *high, good);
}

std::vector<Change> changes_of(StrategySpace const& space, Point const& best) {
  std::vector<Change> changes;
  for (std::size_t const i : space.space().own_changes(best)) {
    Knob const& knob = space.knob(i);
    changes.push_back(
        {knob.key, value_text(knob, space.space().start()[i]), value_text(knob, best[i])});
    auto const& bounds = space.space().dimension(i);
    bool const is_end = best[i] == bounds.low || best[i] == bounds.high;
    changes.back().at_end = bounds.scale == Scale::logarithmic && is_end;
  }
  return changes;
}

void set_evidence(Optimum& result, Stage const& stage, Point const& start, Point const& best) {
  auto const both = stage.compare({start, best});
  result.measured = replicas_of(both);
  if (result.measured == 0) return;
  result.choice = study::choose(both);
  auto const& choice = result.choice;
  result.gain = study::goal_gain(both, 1, choice.order[choice.decided_by]);
  result.explanations = study::hypotheses(both.samples.front());
  if (!both.recorded_jobs) return;
  result.record_words =
      "record of " +
      (both.record_words.empty() ? fmt::format("{} jobs", *both.recorded_jobs) : both.record_words);
}

/// The gain, with as many campaigns of each strategy as a forecast has.
void measure_gain(Optimum& result, Stage& stage, Point const& start, Point const& best,
                  std::size_t most) {
  std::size_t const strategies = best == start ? 1 : 2;
  // In steps: this stage has no limit of its own against a strategy that tries again for ever.
  for (std::size_t n = least_measured; n / 2 < most; n *= 2) {
    std::size_t const known = stage.board().scores(best).size();
    std::size_t const each = known + stage.board().budget().left() / strategies;
    if (!stage.board().extend({start, best}, std::min({n, most, std::max<std::size_t>(1, each)}))) {
      break;
    }
  }
  set_evidence(result, stage, start, best);
}

/// The worth of each change, and the ranges, with the budget from this share of it on.
void measure_changes(Optimum& result, Stage& stage, StrategySpace const& space, Point const& best,
                     Budget& budget, double from) {
  auto const settings = space.space().own_changes(best);
  if (result.measured == 0 || settings.empty()) return;
  std::vector<Point> points = {best};
  for (std::size_t const i : settings) points.push_back(space.space().without(best, i));
  double const measured = from + (1 - from) * part_of_worths;
  double const end = 1 - (1 - from) * part_of_responses;
  budget.set_part(measured);
  std::size_t const each = budget.left() / points.size();
  stage.board().extend(points, std::clamp<std::size_t>(each, 1, most_measured));
  for (std::size_t k = 0; k < settings.size(); ++k) {
    auto const pair = stage.compare({points[k + 1], best});
    if (replicas_of(pair) == 0) continue;
    // By the goal that this change serves, which can be a later one.
    auto const choice = study::choose(pair);
    result.changes[k].worth = study::goal_gain(pair, 1, choice.order[choice.decided_by]);
  }
  for (std::size_t k = 0; k < settings.size(); ++k) {
    // Each range has the same share of the rest.
    budget.set_part(measured + (end - measured) * static_cast<double>(k + 1) /
                                   static_cast<double>(settings.size()));
    set_range(result.changes[k], stage, space, best, settings[k], result.choice.decided_by);
  }
}

Budget budget_of(OptimizeOptions const& options) {
  return options.replicas ? Budget::of_replicas(*options.replicas)
                          : Budget::of_time(std::chrono::duration<double>(options.time.value()));
}

/// True if these campaigns confirm that the change is better. After others in vain, it is also
/// better in nearly all resamples: of several candidates, one is likelier to be better by chance.
bool confirmed(Optimum const& result, bool is_first) {
  constexpr double enough_after_others = 0.95;
  return result.measured > 0 && result.choice.state != study::ChoiceState::no_success &&
         result.choice.best == 1 && (is_first || result.choice.resamples >= enough_after_others);
}

/// The response at the points that the board has tried and that differ from `at` in this setting
/// alone (and in settings that then apply or no longer do). Empty without two values.
Response response_of(StrategySpace const& space, Scoreboard const& board,
                     ComparePoints const& compare, Point const& at, std::size_t setting,
                     scenario::GoalKind goal) {
  Response response{space.knob(setting).key};
  for (Point const& point : tried_values(space.space(), board, at, setting)) {
    auto const pair = compare({at, point});
    std::size_t const campaigns = pair.samples.front().size();
    if (campaigns < fewest_campaigns) continue;
    response.values.push_back({value_text(space.knob(setting), point[setting]), point == at,
                               study::goal_gain(pair, 1, goal), campaigns});
  }
  if (response.values.size() < 2) response.values.clear();
  return response;
}

/// The rest of the budget for the responses around the current strategy: the search has left most
/// of these points after its first campaigns, in which one unfinished job can be a whole response.
void extend_responses(Stage& searching, StrategySpace const& space, Point const& recommended,
                      Budget& budget) {
  constexpr std::size_t first = 8, most = 64;
  Point const& start = space.space().start();
  std::vector<Point> points = {start};
  for (std::size_t i = 0; i < space.space().size(); ++i) {
    if (recommended[i] != start[i]) continue;
    for (Point const& point : tried_values(space.space(), searching.board(), start, i)) {
      if (point != start) points.push_back(point);
    }
  }
  budget.set_part(1);
  for (std::size_t n = first; n <= most; n *= 2) {
    if (!searching.board().extend(points, n)) break;
  }
}

/// The responses around the recommended strategy that fresh campaigns show, and those of the other
/// settings around the current one.
void set_responses(Optimum& result, Stage& searching, Stage& measuring, StrategySpace const& space,
                   Point const& best) {
  if (result.choice.strategies.empty()) return;
  auto const goal = result.gain.goal;
  auto const add = [&](Stage& stage, Point const& at, std::size_t setting, bool recommended) {
    auto response = response_of(
        space, stage.board(),
        [&](std::vector<Point> const& points) { return stage.compare(points); }, at, setting, goal);
    response.recommended = recommended;
    bool const found = !response.values.empty();
    if (found) result.responses.push_back(std::move(response));
    return found;
  };
  bool const changed = !result.changes.empty();
  for (std::size_t i = 0; i < space.space().size(); ++i) {
    if (changed && best[i] && add(measuring, best, i, true)) continue;
    add(searching, space.space().start(), i, false);
  }
}

/// The journal of `options.study.resume`; null if it is empty.
std::unique_ptr<SearchJournal> open_journal(scenario::Scenario const& scenario,
                                            StrategySpace const& space,
                                            OptimizeOptions const& options) {
  if (options.study.resume.empty()) return nullptr;
  std::string what = "optimize " + space.current().name;
  for (std::size_t i = 0; i < space.space().size(); ++i) what += " " + space.knob(i).key;
  return std::make_unique<SearchJournal>(
      options.study.resume, study::study_fingerprint(scenario, options.study, what),
      space.space().size(),
      study::record_names(study::site_names(scenario), options.study.rows).size());
}

/// A search and its budget, for its stages.
struct Searching {
  scenario::Scenario const& scenario;
  StrategySpace const& space;
  Budget& budget;
  SearchJournal* journal = nullptr;
  GoalLevels goals = {};

  Stage stage(study::StudyOptions const& options, std::uint32_t number) const {
    return {scenario, space, budget, options, journal, number, goals};
  }
  Point const& start() const { return space.space().start(); }
  double margin() const { return scenario.study.preferences.margin; }
  double indifference() const { return indifference_of_margin * margin(); }
};

SearchResult found_by(Searching const& searching, Stage& stage, OptimizeOptions const& options) {
  if (!options.found.empty()) return {options.found.front(), options.found, true};
  searching.budget.set_part(search_part);
  auto const found = search(searching.space.space(), stage.board(),
                            {options.study.seed, searching.indifference()});
  searching.budget.fix();
  return found;
}

/// What is known before the search.
Optimum unanswered(scenario::Scenario const& scenario, StrategySpace const& space, Party as) {
  Optimum result;
  result.scenario = scenario::arguments_of(scenario);
  result.title = scenario.title;
  result.as = as;
  for (std::size_t i = 0; i < space.space().size(); ++i) result.knobs.push_back(space.knob(i).key);
  result.recommended = result.current = space.current();
  result.without_gpus = scenario::without_gpus(scenario.campaign);
  result.jobs = static_cast<std::size_t>(std::max(0, scenario.campaign.jobs()));
  return result;
}

/// The first candidate whose gain fresh campaigns confirm, and its evidence; each one has random
/// numbers of its own. Else the first candidate and its evidence.
struct Confirmation {
  Point best;
  Optimum answer;
  bool is_confirmed = false;
  double used = 0;  // share of the budget
  std::size_t failed = 0;
};

Confirmation confirm(Searching const& searching, Stage& choosing, std::vector<Point> const& order,
                     EstimatedGains const& gains, Optimum const& unanswered,
                     study::StudyOptions const& as_forecast) {
  Confirmation result;
  std::vector<Point> tried;
  for (std::size_t k = 0; k < std::min(order.size(), attempts.size()); ++k) {
    result.used = attempts[k].gain;
    searching.budget.set_part(attempts[k].simple);
    Point const next =
        simplest(choosing, searching.space, order[k], gains, searching.indifference());
    bool const is_first = tried.empty();
    bool const known = contains(tried, next);
    if (!is_first && (known || next == searching.start())) continue;
    searching.budget.set_part(attempts[k].gain);
    if (!is_first && searching.budget.left() < 2 * least_of_next) break;
    tried.push_back(next);
    auto const number = static_cast<std::uint32_t>(k);
    auto gaining =
        searching.stage(as_forecast, is_first ? gain_stage : next_gain_stage + number - 1);
    Optimum answer = unanswered;
    measure_gain(answer, gaining, searching.start(), next,
                 std::max(as_forecast.replicas, least_of_gain));
    result.failed += gaining.failed();
    result.is_confirmed = answer.measured >= least_measured && confirmed(answer, is_first);
    bool const is_last = result.is_confirmed || answer.measured < least_measured;
    if (is_first || result.is_confirmed) {
      result.best = next;
      result.answer = std::move(answer);
    }
    if (is_last) break;
  }
  return result;
}

/// When campaigns of the search end, if that is not when those of a forecast do.
std::optional<Seconds> search_limit(OptimizeOptions const& search,
                                    OptimizeOptions const& as_forecast) {
  auto const& limit = search.study.simulation.horizon;
  return limit == as_forecast.study.simulation.horizon ? std::nullopt : limit;
}

void set_recommendation(Optimum& result, StrategySpace const& space, Point const& best) {
  result.recommended = space.strategy_at(best);
  result.changes = changes_of(space, best);
  result.lines = setting_lines(result.current, result.recommended, result.as);
}

}  // namespace

Optimum optimum(scenario::Scenario const& scenario, scenario::Strategy const& current,
                OptimizeOptions options) {
  auto const space = space_for(scenario, current, options.as);
  auto const journal = open_journal(scenario, space, options);
  InterruptWatch const interrupts;  // also between two rounds of campaigns
  Budget budget = budget_of(options);
  OptimizeOptions const as_forecast = options;
  auto const levels = try_current(scenario, space, options, journal.get());
  if (!levels) budget.interrupt();
  Searching const searching{scenario, space, budget, journal.get(), levels.value_or(GoalLevels())};
  auto searched = searching.stage(options.study, search_stage);
  auto const found = found_by(searching, searched, options);
  budget.set_part(choice_part);
  auto choosing = searching.stage(options.study, choice_stage);
  auto const order = candidates(choosing, found, searching.start());
  EstimatedGains const gains(space.space(), searched.board());
  auto [best, result, is_confirmed, used, failed] =
      confirm(searching, choosing, order, gains, unanswered(scenario, space, options.as),
              as_forecast.study);
  if (!options.replicas && options.found.empty()) result.same_budget = budget.fixed();
  if (result.measured < least_measured) {
    result.fresh = false;
    set_evidence(result, searched, searching.start(), best);
    is_confirmed = confirmed(result, true);
  }
  auto measuring = searching.stage(options.study, measure_stage);
  if (is_confirmed) {
    set_recommendation(result, space, best);
    measure_changes(result, measuring, space, best, budget, used);
  }
  extend_responses(searched, space, is_confirmed ? best : searching.start(), budget);
  set_responses(result, searched, measuring, space, best);
  result.responses_end = search_limit(options, as_forecast);
  result.tried = std::max(searched.board().points(), options.found.size());
  result.campaigns = budget.spent();
  result.failed = failed + searched.failed() + choosing.failed() + measuring.failed();
  result.converged = found.converged;
  result.interrupted = budget.interrupted();
  return std::move(result);
}

std::vector<Point> best_points(scenario::Scenario const& scenario,
                               scenario::Strategy const& current, OptimizeOptions options) {
  auto const space = space_for(scenario, current, options.as);
  InterruptWatch const interrupts;
  Budget budget = budget_of(options);
  auto const levels = try_current(scenario, space, options, nullptr);
  if (!levels) return {};
  Searching const searching{scenario, space, budget, nullptr, *levels};
  auto searched = searching.stage(options.study, search_stage);
  auto const found = found_by(searching, searched, options);
  return budget.interrupted() ? std::vector<Point>() : found.finalists;
}

bool reaches_goal(Optimum const& optimum) {
  auto const& choice = optimum.choice;
  if (choice.strategies.empty() || choice.state == study::ChoiceState::no_success) return false;
  std::size_t const s = optimum.changes.empty() ? 0 : 1;
  double const figure = choice.strategies[s].figures.front();
  return study::more_is_better(choice.order.front()) ? figure > 0 : std::isfinite(figure);
}

}  // namespace gridcast::optimize

#include "sim/report/text/choice_text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {
namespace {

using scenario::GoalKind;
using study::Choice;
using study::ChoiceState;
using study::Spread;

/// The name within a sentence.
std::string label(Result const& result, std::size_t strategy) {
  constexpr std::size_t most = 40;
  return short_name(result.strategies[strategy].name, most);
}

/// "86 to 98"; empty if both are alike.
std::string range_words(std::string const& low, std::string const& high) {
  return low == high ? "" : fmt::format(" ({} to {})", low, high);
}

std::string whole(double x) { return std::isnan(x) ? "-" : fmt::format("{:.0f}", x); }

/// Hours without decimals; small ones have one.
std::string hours_text(double hours) {
  return std::isnan(hours) ? "-" : fmt::format("{:.{}f}", hours, hours < 10 ? 1 : 0);
}

/// Both ends, or one number where they are alike.
std::string cell(std::string const& middle, std::string const& low, std::string const& high) {
  return low == high && low == middle ? middle : fmt::format("{} ({}..{})", middle, low, high);
}

/// The jobs that finish in the median campaign do not show which strategy finishes more.
bool alike_in_medians(Choice const& choice) {
  auto const& best = choice.strategies[choice.best].finished;
  return choice.strategies.size() > 1 &&
         std::ranges::all_of(choice.strategies, [&](auto const& each) {
           return whole(each.finished.middle) == whole(best.middle);
         });
}

/// The advantage of the best strategy, by the goal that decides.
std::string advantage(Choice const& choice, std::size_t goal) {
  GoalKind const kind = choice.order[goal];
  std::string const words(words_of(kind, !choice.currency.empty()).advantage);
  if (kind == GoalKind::successes && alike_in_medians(choice)) {
    return fmt::format("{} on average ({} of the wanted ones)", words,
                       share_text(choice.strategies[choice.best].figures[goal]));
  }
  if (kind != GoalKind::deadline) return words;
  return words + " " + to_text(choice.preferences.goal.deadline);
}

std::string why_best(Choice const& choice) {
  std::string const why = advantage(choice, choice.decided_by);
  if (choice.decided_by == 0) return why;
  return fmt::format("{} of those that {}", why, words_of(choice.order.front(), true).as_good);
}

std::string money_number(double money) {
  return std::isnan(money) ? "-" : fmt::format("{:.{}f}", money, std::abs(money) < 10 ? 2 : 0);
}

std::string money_text(Choice const& choice, double money) {
  return money_number(money) + " " + choice.currency;
}

std::string money_words(Choice const& choice) {
  double const money = choice.strategies[choice.best].money.middle;
  return std::isnan(money) ? "" : ", " + money_text(choice, money);
}

/// The strategy that is best in most draws besides the chosen one.
std::optional<std::size_t> rival(Choice const& choice) {
  std::optional<std::size_t> most;
  for (std::size_t s = 0; s < choice.strategies.size(); ++s) {
    double const share = choice.strategies[s].best_in_draws;
    if (s == choice.best || !(share > 0)) continue;
    if (!most || share > choice.strategies[*most].best_in_draws) most = s;
  }
  return most;
}

/// "best or equal in 62 % of draws (timer-never in 50 %)": strategies within the margin share a
/// draw.
std::string draws_words(Result const& result) {
  auto const& choice = *result.choice;
  auto const of = [&](std::size_t s) { return share_text(choice.strategies[s].best_in_draws); };
  std::string const text = fmt::format("best or equal in {} of draws", of(choice.best));
  auto const other = rival(choice);
  return other ? text + fmt::format(" ({} in {})", label(result, *other), of(*other)) : text;
}

/// The chosen strategy if it is best under an explanation, else the first that is.
std::optional<std::size_t> best_under(Result const& result, std::size_t explanation) {
  std::optional<std::size_t> best;
  for (std::size_t s = 0; s < result.strategies.size(); ++s) {
    bool const is_best = is_best_under(result, s, explanation);
    if (is_best && (!best || s == result.choice->best)) best = s;
  }
  return best;
}

/// "overload, slow: upgrade; congestion: timer-never".
std::string by_explanation(Result const& result) {
  std::vector<std::pair<std::size_t, std::string>> groups;  // a strategy, and its explanations
  for (std::size_t h = 0; h < result.hypotheses.size(); ++h) {
    auto const title = std::string(hypothesis_title(result.hypotheses[h].name));
    auto const best = best_under(result, h);
    if (!best) continue;
    auto const same = std::find_if(groups.begin(), groups.end(),
                                   [&](auto const& group) { return group.first == *best; });
    if (same == groups.end()) {
      groups.emplace_back(*best, title);
    } else {
      same->second += ", " + title;
    }
  }
  std::string text;
  for (auto const& [strategy, titles] : groups) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", titles, label(result, strategy));
  }
  return text;
}

std::string undecided_words(Result const& result) {
  auto const& choice = *result.choice;
  if (choice.disputed > 1 - study::enough_to_decide && result.hypotheses.size() > 1) {
    bool const each_known = std::ranges::all_of(result.hypotheses, [](auto const& each) {
      return each.replicas >= 2 * study::fewest_to_decide;
    });
    std::string const which = each_known ? " (" + by_explanation(result) + ")" : "";
    return "it depends on why transfers stall" + which;
  }
  if (result.replicas < study::fewest_to_decide) {
    return counted(result.replicas, "campaign") + " of each are too few (-n simulates more)";
  }
  if (!choice.alike.empty()) {
    bool const often = study::enough_second_looks(result.replicas, choice.draws);
    return often ? "the draws of the calibration disagree"
                 : fmt::format("{} do not show whether the {} agree (-n simulates more)",
                               counted(result.replicas, "campaign"), counted(choice.draws, "draw"));
  }
  if (choice.strategies[choice.best].best_in_draws < study::enough_to_decide) {
    return (advantage(choice, choice.decided_by).starts_with("is ") ? "" : "is ") +
           draws_words(result);
  }
  return fmt::format("only {} of the resamples agree; more campaigns (-n) decide",
                     share_text(choice.resamples));
}

std::string alike_names(Result const& result) {
  constexpr std::size_t most = 3;
  std::vector<std::string> names;
  auto const& alike = result.choice->alike;
  for (std::size_t i = 0; i < std::min(most, alike.size()); ++i) {
    names.push_back(label(result, alike[i]));
  }
  if (alike.size() > most) names.push_back(fmt::format("{} others", alike.size() - most));
  return list_text(names);
}

/// Where the goal is a deadline that no campaign meets, the choice follows from the next goals.
std::string missed_by_all(Result const& result) {
  auto const& goal = result.choice->preferences.goal;
  if (goal.kind != GoalKind::deadline) return "";
  for (auto const& strategy : result.strategies) {
    if (strategy.finish && share_by(strategy.finish->reached, goal.deadline) > 0) return "";
  }
  return fmt::format("No strategy meets the deadline of {}. ", to_text(goal.deadline));
}

/// A percentage by which x is less than y.
double less_by(double x, double y) { return 100 * (1 - x / y); }

/// The spread in a hundred and one quantiles.
Spread spread_in(std::vector<Seconds> const& quantiles) {
  constexpr std::size_t low = 5, middle = 50, high = 95;
  if (quantiles.size() <= high) return {};
  return {quantiles[low].value(), quantiles[middle].value(), quantiles[high].value()};
}

/// The longest finite time.
double longest(Spread const& time) {
  double most = 0;
  for (double const x : {time.low, time.middle, time.high}) {
    if (std::isfinite(x)) most = std::max(most, x);
  }
  return most;
}

struct Offer {
  std::size_t strategy = 0;
  std::string gain;
};

/// In money if there are prices, else in GPU hours.
double cost_of(Choice const& choice, std::size_t strategy) {
  auto const& each = choice.strategies[strategy];
  return choice.currency.empty() ? each.gpu_hours.middle : each.money.middle;
}

/// The goal that is a cost for each success; none if no goal is.
std::optional<std::size_t> goal_of_cost(Choice const& choice) {
  for (std::size_t goal = 0; goal < choice.order.size(); ++goal) {
    auto const kind = choice.order[goal];
    if (kind == GoalKind::gpu_hours || kind == GoalKind::cost) return goal;
  }
  return std::nullopt;
}

/// The average cost for each success. It may contradict the median campaign, as rare campaigns
/// waste most.
double mean_cost_of(Choice const& choice, std::size_t strategy) {
  auto const goal = goal_of_cost(choice);
  return goal ? choice.strategies[strategy].figures[*goal] : study::not_known;
}

/// The figure of a goal beside that of the best strategy: "finishes 80 % instead of 84 % of the
/// wanted jobs on average".
std::string figure_beside_best(Choice const& choice, std::size_t goal, std::size_t strategy,
                               std::string_view hours) {
  double const x = choice.strategies[strategy].figures[goal];
  double const best = choice.strategies[choice.best].figures[goal];
  switch (choice.order[goal]) {
    case GoalKind::successes:
      return fmt::format("finishes {} instead of {} of the wanted jobs on average", share_text(x),
                         share_text(best));
    case GoalKind::deadline:
      return fmt::format("meets the deadline in {} instead of {} of the campaigns", share_text(x),
                         share_text(best));
    case GoalKind::makespan:
      return fmt::format("takes {} instead of {}", time_words(choice).text(x),
                         time_words(choice).text(best));
    default:
      break;
  }
  bool const priced = choice.order[goal] == GoalKind::cost && !choice.currency.empty();
  return priced ? fmt::format("costs {} instead of {} for each success on average",
                              money_text(choice, x), money_text(choice, best))
                : fmt::format("uses {:.3g} instead of {:.3g} {} for each success on average", x,
                              best, hours);
}

/// Another strategy with at least half of the successes that is cheaper, else one that is faster.
std::optional<Offer> other_offer(Choice const& choice, std::string_view hours) {
  constexpr double half = 0.5;
  auto const& best = choice.strategies[choice.best];
  std::optional<std::size_t> cheap, fast, cheap_on_average;
  for (std::size_t s = 0; s < choice.strategies.size(); ++s) {
    auto const& each = choice.strategies[s];
    if (s == choice.best || !(each.finished.middle >= half * best.finished.middle)) continue;
    if (!cheap || cost_of(choice, s) < cost_of(choice, *cheap)) cheap = s;
    if (!fast || each.makespan.middle < choice.strategies[*fast].makespan.middle) fast = s;
    if (!cheap_on_average || mean_cost_of(choice, s) < mean_cost_of(choice, *cheap_on_average))
      cheap_on_average = s;
  }
  double const slack = 1 - choice.preferences.margin;
  if (cheap && cost_of(choice, *cheap) < slack * cost_of(choice, choice.best)) {
    double const less = less_by(cost_of(choice, *cheap), cost_of(choice, choice.best));
    bool const on_average = !(mean_cost_of(choice, *cheap) > mean_cost_of(choice, choice.best));
    auto const where = on_average ? "" : " in the median campaign";
    return Offer{*cheap, choice.currency.empty()
                             ? fmt::format("needs {:.0f} % fewer {}{}", less, hours, where)
                             : fmt::format("costs {:.0f} % less{}", less, where)};
  }
  if (fast && choice.strategies[*fast].makespan.middle < slack * best.makespan.middle) {
    auto const time = choice.strategies[*fast].makespan.middle;
    if (std::isinf(best.makespan.middle)) {
      return Offer{*fast, "finishes as many as are wanted, in " + time_words(choice).text(time)};
    }
    return Offer{*fast,
                 fmt::format("takes {:.0f} % less time", less_by(time, best.makespan.middle))};
  }
  bool const saves = cheap_on_average && mean_cost_of(choice, *cheap_on_average) <
                                             slack * mean_cost_of(choice, choice.best);
  if (!saves) return std::nullopt;
  return Offer{*cheap_on_average,
               figure_beside_best(choice, *goal_of_cost(choice), *cheap_on_average, hours)};
}

/// The disadvantage of a strategy in the medians, else in the figures that decide; empty if the
/// choice left it out for no figure.
std::string disadvantage(Choice const& choice, std::size_t strategy, std::string_view hours) {
  auto const& other = choice.strategies[strategy];
  auto const& best = choice.strategies[choice.best];
  double const fewer = best.finished.middle - other.finished.middle;
  if (fewer >= 1) return fmt::format("finishes {:.0f} fewer job{}", fewer, fewer < 1.5 ? "" : "s");
  if (other.makespan.middle > best.makespan.middle) {
    return fmt::format("takes {} instead of {}", time_words(choice).text(other.makespan.middle),
                       time_words(choice).text(best.makespan.middle));
  }
  if (cost_of(choice, strategy) > cost_of(choice, choice.best)) {
    return choice.currency.empty()
               ? fmt::format("uses {} {} instead of {}", hours_text(other.gpu_hours.middle), hours,
                             hours_text(best.gpu_hours.middle))
               : fmt::format("costs {} instead of {}", money_text(choice, other.money.middle),
                             money_text(choice, best.money.middle));
  }
  for (std::size_t goal = 0; goal < choice.order.size(); ++goal) {
    auto const left = study::equal_before(choice, goal + 1);
    if (std::find(left.begin(), left.end(), strategy) == left.end())
      return figure_beside_best(choice, goal, strategy, hours);
  }
  return "";
}

/// A strategy under which clearly more campaigns reach the wanted jobs than under the best one.
std::string surer_sentence(Result const& result) {
  constexpr double worth_a_word = 0.1;
  auto const& best = result.strategies[result.choice->best];
  auto const reached = [](ResultStrategy const& strategy) {
    if (!strategy.finish || strategy.finish->reached.empty()) return study::not_known;
    auto const& times = strategy.finish->reached;
    auto const in_time =
        std::ranges::count_if(times, [](Seconds time) { return std::isfinite(time.value()); });
    return static_cast<double>(in_time) / static_cast<double>(times.size());
  };
  auto const surest = std::ranges::max_element(result.strategies, {}, [&](auto const& strategy) {
    double const share = reached(strategy);
    return std::isnan(share) ? 0 : share;
  });
  double const share = reached(*surest);
  if (!(share >= reached(best) + worth_a_word)) return "";
  return fmt::format("Trade-off: {} lets the wanted {} finish in {} of the campaigns, {} in {}.",
                     surest->name, counted(best.finish->wanted, "job"), share_text(share),
                     best.name, share_text(reached(best)));
}

/// Settings without an occasion, such as retries of programs that never fail.
std::string idle_sentence(Result const& result) {
  std::vector<std::string> idle;
  for (ResultStrategy const& strategy : result.strategies) {
    if (strategy.as_baseline && strategy.replicas > 0)
      idle.push_back(short_name(strategy.name, 40));
  }
  if (idle.empty()) return "";
  return fmt::format(" The settings of {} never act in these campaigns.", fmt::join(idle, ", "));
}

}  // namespace

GoalWords const& words_of(GoalKind goal, bool priced) {
  // In the order of GoalKind.
  static constexpr GoalWords all[] = {
      {"finishes the most jobs", "finish as many jobs", "wanted jobs that finish", "finished jobs"},
      {"most often meets the deadline of", "meet the deadline as often",
       "campaigns that meet the deadline", "campaigns that meet the deadline"},
      {"is the fastest", "are as fast", "time until the wanted jobs have finished",
       "speed (1 / makespan)"},
      {"needs the fewest GPU hours for each success", "need as many GPU hours for each success",
       " for each success", "successes per GPU hour"},
      {"costs the least for each success", "cost as much for each success", "cost of each success",
       "successes per unit of money"}};
  bool const in_hours = goal == GoalKind::cost && !priced;
  return all[static_cast<std::size_t>(in_hours ? GoalKind::gpu_hours : goal)];
}

std::string short_name(std::string const& name, std::size_t most) {
  if (text_width(name) <= most) return name;
  return name.substr(0, bytes_within(name, most - 2)) + "..";
}

TimeWords::TimeWords(double longest) {
  constexpr double enough = 2;
  constexpr std::pair<double, std::string_view> units[] = {{60, "min"}, {3600, "h"}, {86400, "d"}};
  if (longest == 0) longest = enough * 86400;  // never, under any strategy
  for (auto const& [size, name] : units) {
    if (longest >= enough * size) std::tie(size_, unit_) = std::pair(size, name);
  }
}

std::string TimeWords::number(double seconds) const {
  constexpr double no_decimals = 20, least = 0.05;  // else it reads 0.0
  if (std::isnan(seconds)) return "-";
  if (std::isinf(seconds)) return "never";
  double const value = seconds / size_;
  if (value > 0 && value < least) return fmt::format("< {}", 2 * least);
  return fmt::format("{:.{}f}", value, value < no_decimals ? 1 : 0);
}

std::string TimeWords::text(double seconds) const {
  return std::isfinite(seconds) ? number(seconds) + " " + std::string(unit_) : number(seconds);
}

TimeWords time_words(Choice const& choice) {
  double most = 0;
  for (auto const& each : choice.strategies) most = std::max(most, longest(each.makespan));
  return TimeWords(most);
}

TimeWords time_words(Outcome const& outcome) { return TimeWords(longest(outcome.makespan)); }

std::string jobs_cell(Spread const& spread) {
  return cell(whole(spread.middle), whole(spread.low), whole(spread.high));
}

std::string time_cell(Spread const& spread, TimeWords const& words) {
  return cell(words.number(spread.middle), words.number(spread.low), words.number(spread.high));
}

std::string hours_cell(Spread const& spread) {
  return cell(hours_text(spread.middle), hours_text(spread.low), hours_text(spread.high));
}

std::string money_cell(Spread const& spread) {
  return cell(money_number(spread.middle), money_number(spread.low), money_number(spread.high));
}

std::string to_text(Outcome const& outcome, TimeWords const& words) {
  auto const& [low, middle, high] = outcome.makespan;
  std::string const days =
      std::isnan(middle) ? "at unknown times"
      : std::isinf(middle)
          ? fmt::format("but never the wanted {}", outcome.wanted)
          : fmt::format(
                "{}in {}{}",
                outcome.wanted == outcome.jobs ? "" : fmt::format("{} of them ", outcome.wanted),
                words.text(middle), range_words(words.number(low), words.number(high)));
  auto const& finished = outcome.finished;
  auto const& hours = outcome.gpu_hours;
  return fmt::format("{} of {} {}{}, {}, for {} {}{}", whole(finished.middle),
                     counted(outcome.jobs, "job"), outcome.jobs == 1 ? "finishes" : "finish",
                     range_words(whole(finished.low), whole(finished.high)), days,
                     hours_text(hours.middle), outcome.hours,
                     range_words(hours_text(hours.low), hours_text(hours.high)));
}

std::string median_text(Outcome const& outcome, TimeWords const& words) {
  return to_text({outcome.jobs, outcome.wanted, outcome.finished.alone(), outcome.makespan.alone(),
                  outcome.gpu_hours.alone(), outcome.hours},
                 words);
}

std::string with_hours_name(std::string_view text, bool without_gpus) {
  constexpr std::string_view gpus = "GPU", of_gpus = "GPU h", of_slots = "slot h";
  std::string renamed(text);
  if (!without_gpus) return renamed;
  for (auto at = renamed.find(gpus); at != std::string::npos; at = renamed.find(gpus, at + 1)) {
    if (renamed.compare(at, of_gpus.size(), of_gpus) == 0)
      renamed.replace(at, of_gpus.size(), of_slots);
  }
  return renamed;
}

std::string_view hours_name(bool without_gpus) { return without_gpus ? "slot hours" : "GPU hours"; }

Outcome outcome_of(Result const& result, ResultStrategy const& strategy) {
  Outcome outcome{jobs(result),
                  0,
                  summary(strategy.metrics, "succeeded").range(),
                  {},
                  strategy.gpu_hours,
                  hours_name(result.without_gpus)};
  if (!strategy.finish) return outcome;
  outcome.wanted = strategy.finish->wanted;
  outcome.makespan = spread_in(strategy.finish->reached);
  return outcome;
}

std::string choice_sentence(Result const& result) {
  if (!result.choice) return "";
  auto const& choice = *result.choice;
  if (choice.state == ChoiceState::no_success) return "No job finishes under any strategy.";
  auto const best = label(result, choice.best);
  std::string const outcome =
      median_text(outcome_of(result, result.strategies[choice.best]), time_words(choice)) +
      money_words(choice);
  if (result.strategies.size() == 1) {
    return fmt::format("Nothing is compared: {} is the only strategy. With it {}.", best, outcome);
  }
  switch (choice.state) {
    case ChoiceState::decided:
      return missed_by_all(result) +
             fmt::format("Decided: {} {}: {}.", best, why_best(choice), outcome) +
             idle_sentence(result);
    case ChoiceState::no_material_difference:
      return missed_by_all(result) +
             fmt::format("No material difference (within {:.2g} %) between {}. With {} {}.",
                         100 * choice.preferences.margin, alike_names(result), best, outcome) +
             idle_sentence(result);
    default:
      break;
  }
  auto const finding =
      choice.alike.empty()
          ? best + " " + why_best(choice)
          : fmt::format("there is no material difference between {}", alike_names(result));
  return missed_by_all(result) + fmt::format("Undecided: on average {}, but {}. With {} {}.",
                                             finding, undecided_words(result),
                                             choice.alike.empty() ? "it" : best, outcome);
}

std::string trade_off_sentence(Result const& result) {
  if (!result.choice || result.choice->state == ChoiceState::no_success) return "";
  if (result.strategies.size() == 1) return "";
  auto const& choice = *result.choice;
  constexpr char const* no_trade_off =
      "Trade-off: none; no other strategy is cheaper or faster by more than the margin.";
  auto const offer = other_offer(choice, hours_name(result.without_gpus));
  auto const loss = offer ? disadvantage(choice, offer->strategy, hours_name(result.without_gpus))
                          : std::string();
  if (loss.empty()) {
    auto const surer = surer_sentence(result);
    return surer.empty() ? no_trade_off : surer;
  }
  return fmt::format("Trade-off: {} {}, but {}.", label(result, offer->strategy), offer->gain,
                     loss);
}

std::string deadline_sentence(Result const& result) {
  auto const deadline = asked_deadline(result);
  if (!deadline) return "";
  auto const& strategy =
      result.choice ? result.strategies[result.choice->best] : result.strategies.front();
  auto const met = chance_text(met_by(result, strategy, *deadline));
  if (result.choice) {
    return fmt::format("Deadline {}: {} meets it in {} of the campaigns.", to_text(*deadline),
                       strategy.name, met);
  }
  return fmt::format("Deadline {}: {} jobs have finished by then in {} of the campaigns.",
                     to_text(*deadline), outcome_of(result, strategy).wanted, met);
}

std::string prices_sentence(Choice const& choice) {
  bool const by_cost = choice.preferences.goal.kind == GoalKind::cost;
  if (by_cost && !choice.free_gpus.empty()) {
    return fmt::format(
        "No price of {} is stated: their hours count as free. --set "
        "prices.gpu_hour=2 states one for all others.",
        fmt::join(choice.free_gpus, ", "));
  }
  if (!by_cost || !choice.currency.empty()) return "";
  return "No prices are stated, so GPU hours stand for the cost. --set prices.gpu_hour=2 states "
         "one.";
}

std::string about_sentence(ResultStrategy const& strategy) {
  if (strategy.about.empty()) return "";
  return fmt::format("{}: {}{}", short_name(strategy.name, 40), one_line(strategy.about),
                     strategy.about.ends_with('.') ? "" : ".");
}

std::string evidence_sentence(Result const& result, bool with_stopped) {
  std::string text = "Evidence: ";
  if (result.recorded_jobs) {
    text += (result.record_words.empty() ? counted(*result.recorded_jobs, "recorded job")
                                         : result.record_words) +
            ", ";
  }
  text += counted(result.replicas, "campaign");
  if (!result.choice || result.choice->draws == 0) return text + " of each strategy.";
  text += ", " + counted(result.choice->draws, "draw");
  auto const stopped = std::count_if(result.strategies.begin(), result.strategies.end(),
                                     [](auto const& each) { return each.stopped; });
  if (stopped > 0 && with_stopped) {
    text += fmt::format("; {} of {} stopped early", stopped, result.strategies.size());
  }
  bool const rated = result.choice->state == ChoiceState::decided && result.strategies.size() > 1;
  if (rated) text += "; " + draws_words(result);
  return text + ".";
}

}  // namespace gridcast::report

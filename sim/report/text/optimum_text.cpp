#include "sim/report/text/optimum_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/json_fields.hpp"
#include "sim/base/text.hpp"
#include "sim/report/data/choice_json.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/choice_text.hpp"
#include "sim/report/text/figure_words.hpp"

namespace gridcast::report {
namespace {

using optimize::Optimum;
using scenario::GoalKind;

Outcome outcome_of(Optimum const& optimum, std::size_t strategy) {
  auto const& rated = optimum.choice.strategies[strategy];
  return {optimum.jobs,   optimum.choice.wanted, rated.finished,
          rated.makespan, rated.gpu_hours,       hours_name(optimum.without_gpus)};
}

/// The jobs that finish with their range, and the medians of the rest.
std::string outcome_text(Optimum const& optimum, std::size_t strategy) {
  auto outcome = outcome_of(optimum, strategy);
  outcome.makespan = outcome.makespan.alone();
  outcome.gpu_hours = outcome.gpu_hours.alone();
  auto const& choice = optimum.choice;
  std::string const text = to_text(outcome, time_words(choice));
  auto const money = choice.strategies[strategy].money.alone();
  if (choice.currency.empty() || std::isnan(money.middle)) return text;
  return fmt::format("{}, {} {}", text, money_cell(money), choice.currency);
}

/// Units of costs.
struct CostUnits {
  std::string_view hours;  // of GPUs or slots
  std::string currency;    // empty without prices
};

CostUnits cost_units(Optimum const& optimum) {
  return {hours_name(optimum.without_gpus), optimum.choice.currency};
}

/// A figure of a goal with its unit.
std::string figure_text(GoalKind goal, double figure, CostUnits const& units) {
  constexpr double percent = 100;
  if (std::isnan(figure)) return "-";
  switch (goal) {
    case GoalKind::successes:
    case GoalKind::deadline:
      return fmt::format("{:.1f} %", percent * figure);
    case GoalKind::makespan:
      return TimeWords(figure).text(figure);
    case GoalKind::gpu_hours:
      return fmt::format("{:.3g} {}", figure, units.hours);
    case GoalKind::cost:
      return fmt::format("{:.3g} {}", figure,
                         units.currency.empty() ? units.hours : units.currency);
  }
  return "";
}

std::string goal_words(Optimum const& optimum) {
  GoalKind const goal = optimum.gain.goal;
  return (goal == GoalKind::gpu_hours ? std::string(hours_name(optimum.without_gpus)) : "") +
         std::string(words_of(goal, true).figure);
}

/// "+2.1 % points", "-1.2 d"; infinite: "from never".
std::string difference_text(GoalKind goal, double difference, double scale,
                            CostUnits const& units) {
  constexpr double percent = 100;
  if (std::isnan(difference)) return "-";
  if (std::isinf(difference)) return difference < 0 ? "from never" : "to never";
  if (std::abs(difference) < 1e-9 * scale) difference = 0;  // sums in another order
  std::string const sign = difference < 0 ? "-" : "+";
  double const size = std::abs(difference);
  if (goal == GoalKind::successes || goal == GoalKind::deadline) {
    return fmt::format("{}{:.1f}", sign, percent * size);
  }
  if (goal == GoalKind::makespan) return sign + TimeWords(scale).text(size);
  return sign + figure_text(goal, size, units);
}

std::string gain_text(study::GoalGain const& gain, CostUnits const& units) {
  double const scale = std::isfinite(gain.before) ? gain.before : gain.after;
  auto const difference = [&](double x) { return difference_text(gain.goal, x, scale, units); };
  std::string text = fmt::format("{} instead of {}", figure_text(gain.goal, gain.after, units),
                                 figure_text(gain.goal, gain.before, units));
  if (std::isnan(gain.ci95.low)) return text;
  if (gain.ci95.low == gain.ci95.high) return text + " (" + difference(gain.difference) + ")";
  return text + fmt::format(" ({}; 95 %: {} to {})", difference(gain.difference),
                            difference(gain.ci95.low), difference(gain.ci95.high));
}

std::string gain_sentence(Optimum const& optimum) {
  return fmt::format("Gain, {}: {}{}.", goal_words(optimum),
                     gain_text(optimum.gain, cost_units(optimum)),
                     optimum.fresh ? "" : ", not confirmed by new random numbers");
}

/// The case in which no strategy reaches the goal.
std::string closest_sentence(Optimum const& optimum) {
  auto const& choice = optimum.choice;
  if (optimize::reaches_goal(optimum) || choice.strategies.empty()) return "";
  std::string const which = optimum.changes.empty() ? "the current settings" : "the settings below";
  if (choice.order.front() != GoalKind::deadline) {
    return "No strategy reaches the goal: no job finishes.";
  }
  return fmt::format("No strategy meets the deadline of {} in any campaign; closest: {}.",
                     to_text(choice.preferences.goal.deadline), which);
}

std::string headline(Optimum const& optimum) {
  auto const& choice = optimum.choice;
  if (choice.strategies.empty()) {
    return optimum.interrupted ? "The search was interrupted before its first campaigns."
                               : "The budget ended before the first campaigns. Give a larger one.";
  }
  std::string const now = outcome_text(optimum, 0);
  if (optimum.tried <= 1) {
    return fmt::format("{} With the current settings ({}) {}.",
                       optimum.interrupted
                           ? "The search was interrupted before a change was tried."
                           : "The budget ended before a change was tried. Give a larger --budget.",
                       optimum.current.name, now);
  }
  if (optimum.changes.empty()) {
    return fmt::format(
        "Keep the current settings ({}): no change {}is better by more than {:.2g} %. "
        "With them {}.",
        optimum.current.name, optimum.converged ? "" : "that the budget allowed to try ",
        100 * choice.preferences.margin, now);
  }
  std::string const verdict = choice.state == study::ChoiceState::decided ? "" : " (undecided)";
  return fmt::format("Change {}{}: {}; now {}.", counted(optimum.changes.size(), "setting"),
                     verdict, outcome_text(optimum, 1), now);
}

std::string_view place(optimize::Party where) {
  switch (where) {
    case optimize::Party::access_point:
      return "Access point's configuration:";
    case optimize::Party::site:
      return "Configuration of the sites:";
    default:
      return "Submit file:";
  }
}

/// A line of configuration, continued where it is too long.
std::string folded(std::string const& line, std::size_t width) {
  std::string text, rest = "  " + line;
  while (rest.size() > width) {
    auto const cut = rest.rfind(' ', width - 2);
    if (cut == std::string::npos || cut < 4 || line.starts_with("#")) break;
    text += rest.substr(0, cut) + " \\\n";
    rest = "    " + rest.substr(cut + 1);
  }
  return text + rest + "\n";
}

std::string setting_text(Optimum const& optimum, std::size_t width) {
  std::string text;
  std::optional<optimize::Party> last;
  for (auto const& line : optimum.lines) {
    if (last != line.where) text += std::string(place(line.where)) + "\n";
    last = line.where;
    text += folded(line.text, width);
  }
  return text;
}

/// All settings in a few lines, where their own lines do not fit.
std::string joined_settings(Optimum const& optimum, Screen const& screen) {
  std::vector<std::string> settings;
  for (auto const& change : optimum.changes) settings.push_back(change.key + " " + change.to);
  return fitted(
      fmt::format("Settings (--details has their lines): {}.\n", fmt::join(settings, "; ")),
      screen);
}

/// The command without its option --budget and the value, which may be quoted.
std::string without_budget(std::string command) {
  constexpr std::string_view option = " --budget";
  auto const at = command.find(option);
  if (at == std::string::npos) return command;
  auto const value = std::min(at + option.size() + 1, command.size());
  bool const quoted = value < command.size() && command[value] == '\'';
  auto const end = quoted ? command.find('\'', value + 1) : command.find(' ', value);
  if (end == std::string::npos) return command.substr(0, at);
  return command.erase(at, end + (quoted ? 1 : 0) - at);
}

std::string evidence_sentence(Optimum const& optimum) {
  auto const& choice = optimum.choice;
  std::string text = "Evidence: ";
  if (!optimum.record_words.empty()) text += optimum.record_words + "; ";
  if (!optimum.changes.empty() && choice.draws > 0) {
    auto const& best = choice.strategies[1];
    text += fmt::format("better in {:.0f} % of {} draws", 100 * best.best_in_draws, choice.draws);
    if (!optimum.explanations.empty()) {
      text += fmt::format(", under {} of {} explanations", best.best_under.size(),
                          optimum.explanations.size());
    }
    text += "; ";
  }
  return text + fmt::format("{} tried in {}, gain from {} of each{}.",
                            counted(optimum.tried, "strategy variant"),
                            counted(optimum.campaigns, "campaign"), optimum.measured,
                            optimum.interrupted ? "; interrupted" : "");
}

/// In one line.
std::string short_evidence(Optimum const& optimum) {
  auto const& choice = optimum.choice;
  auto const draws = !optimum.changes.empty() && choice.draws > 0
                         ? fmt::format("better in {:.0f} % of {} draws; ",
                                       100 * choice.strategies[1].best_in_draws, choice.draws)
                         : "";
  return fmt::format("Evidence: {}gain from {} campaigns of each.", draws, optimum.measured);
}

std::string change_table(Optimum const& optimum, Screen const& screen) {
  TextTable table("setting|>now|>new|>without (with)");
  std::string ranges;
  auto units = cost_units(optimum);
  units.hours = optimum.without_gpus ? "slot h" : "GPU h";
  for (auto const& change : optimum.changes) {
    auto const& worth = change.worth;
    table.add_row({change.key, change.from, change.to,
                   fmt::format("{} ({})", figure_text(worth.goal, worth.before, units),
                               figure_text(worth.goal, worth.after, units))});
    if (change.low.empty()) continue;
    ranges += fmt::format("{}{} {} to {}", ranges.empty() ? "" : "; ", change.key, change.low,
                          change.high);
  }
  std::string text = "Without (with): the goal without and with the change.\n";
  if (!ranges.empty()) text += "Within the margin: " + ranges + ".\n";
  for (auto const& change : optimum.changes) {
    if (!change.at_end) continue;
    text +=
        fmt::format("{} = {} is the end of the values that are searched.\n", change.key, change.to);
  }
  return table.str(screen) + fitted(text, screen);
}

/// "transfer.stall_timeout: 1 min -21.3, [5 min: 82.1 %], 1 h -8.2." Differences are those of the
/// campaigns that both values have.
std::string response_sentence(optimize::Response const& response, CostUnits const& units) {
  std::vector<std::string> values;
  for (auto const& [value, here, gain, campaigns] : response.values) {
    double const scale = std::isfinite(gain.before) ? gain.before : gain.after;
    auto const figure = figure_text(gain.goal, gain.after, units);
    bool const never = std::isinf(gain.before) && std::isinf(gain.after);
    values.push_back(
        here ? fmt::format("[{}: {}]", value, figure)
             : fmt::format(
                   "{} {}", value,
                   never ? figure : difference_text(gain.goal, gain.difference, scale, units)));
  }
  return fmt::format("{}{}: {}.", response.key, response.recommended ? " (recommended)" : "",
                     fmt::join(values, ", "));
}

std::string response_text(Optimum const& optimum, Screen const& screen) {
  if (optimum.responses.empty()) return "";
  std::size_t fewest = optimum.campaigns;
  for (auto const& response : optimum.responses) {
    for (auto const& value : response.values) fewest = std::min(fewest, value.campaigns);
  }
  std::string text =
      fitted(fmt::format("Response to each setting alone, {} (in [ ] the present value, or the "
                         "recommended one with all others; differences from it; each from {} "
                         "campaigns or more):\n",
                         goal_words(optimum), fewest),
             screen);
  if (optimum.responses_end) {
    text += fitted(fmt::format("  These campaigns end after {}: jobs that need longer count as "
                               "unfinished.\n",
                               to_text(*optimum.responses_end)),
                   screen);
  }
  for (auto const& response : optimum.responses) {
    text += fitted("  " + response_sentence(response, cost_units(optimum)) + "\n", screen);
  }
  return text;
}

Json gain_json(study::GoalGain const& gain) {
  return {{"goal", scenario::name(gain.goal)},
          {"before", json_number(gain.before)},
          {"after", json_number(gain.after)},
          {"difference", json_number(gain.difference)},
          {"ci95", {json_number(gain.ci95.low), json_number(gain.ci95.high)}}};
}

Json change_json(optimize::Change const& change) {
  Json json = {{"key", change.key}, {"from", change.from}, {"to", change.to}};
  json["worth"] = gain_json(change.worth);
  json["within_margin"] = nullptr;
  if (!change.low.empty()) json["within_margin"] = {change.low, change.high};
  return json;
}

Json response_json(optimize::Response const& response) {
  Json values = Json::array();
  for (auto const& value : response.values) {
    values.push_back(
        {{"value", value.value},
         {"here", value.here},
         {"before", json_number(value.gain.before)},
         {"figure", json_number(value.gain.after)},
         {"difference", json_number(value.gain.difference)},
         {"ci95", {json_number(value.gain.ci95.low), json_number(value.gain.ci95.high)}},
         {"campaigns", value.campaigns}});
  }
  return {{"key", response.key},
          {"around", response.recommended ? "recommended" : "current"},
          {"values", values}};
}

Json choice_json(study::Choice const& choice) {
  Json json = Json::object();
  if (choice.strategies.empty()) return json;
  JsonWriter writer(json);
  choice_rows(writer, choice, {"current", "recommended"});
  return json;
}

std::string_view party_name(optimize::Party party) {
  return optimize::party_names[static_cast<std::size_t>(party)];
}

}  // namespace

std::string brief_optimum(Optimum const& optimum, Screen const& typed) {
  std::string const command = without_budget(std::string(typed.command));
  Screen const screen{typed.charset, typed.width, optimum.same_budget ? command : typed.command};
  std::string const options =
      optimum.same_budget ? fmt::format("--budget '{} campaigns' --details", *optimum.same_budget)
                          : "--details";
  auto const with = [&](std::string const& settings, std::string const& evidence) {
    Brief brief(screen);
    brief.say(closest_sentence(optimum), Brief::needed, 2);
    brief.say(headline(optimum), Brief::needed, 4);
    if (optimum.interrupted) brief.say("The search was interrupted: the best so far.", 9);
    brief.add(settings, Brief::needed);
    if (!optimum.changes.empty()) brief.say(gain_sentence(optimum), 7, 2);
    brief.say(prices_sentence(optimum.choice), 6, 2);
    brief.say(evidence, 6);
    brief.add(next_command(screen, options), 8);
    return brief.text();
  };
  // The settings are the answer: their lines have the room of the evidence.
  auto const lines_of = [](std::string const& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  };
  std::size_t const width = std::min(screen.width, brief_width);
  std::string settings = setting_text(optimum, width);
  std::size_t const lines = lines_of(settings);
  for (auto const& evidence :
       {evidence_sentence(optimum), short_evidence(optimum), std::string()}) {
    if (lines_of(with("", evidence)) + lines <= most_brief_lines) return with(settings, evidence);
  }
  return with(joined_settings(optimum, {screen.charset, width, {}}), evidence_sentence(optimum));
}

std::string optimum_text(Optimum const& optimum, Screen const& screen) {
  std::string text;
  auto const say = [&](std::string const& sentence) {
    if (!sentence.empty()) text += fitted(sentence + "\n", screen);
  };
  say(closest_sentence(optimum));
  say(headline(optimum));
  text += setting_text(optimum, screen.width);
  if (!optimum.changes.empty()) {
    say(gain_sentence(optimum));
    text += "\n" + change_table(optimum, screen) + "\n";
  }
  text += response_text(optimum, screen);
  auto const& choice = optimum.choice;
  for (std::size_t h = 0; h < optimum.explanations.size(); ++h) {
    auto const best_here = [&](std::size_t s) {
      auto const& under = choice.strategies[s].best_under;
      return contains(under, h);
    };
    bool const changed = best_here(1), same = best_here(0);
    say(fmt::format("Under {}: {}.", hypothesis_title(optimum.explanations[h]),
                    changed && same ? "no material difference"
                    : changed       ? "the recommended settings are better"
                    : same          ? "the current settings are better"
                                    : "no job finishes"));
  }
  say(evidence_sentence(optimum));
  say(fmt::format("Settings that the search was free to change ({}): {}.", party_name(optimum.as),
                  fmt::join(optimum.knobs, ", ")));
  say(optimum.converged ? "The search ended because nothing better was in sight."
                        : "The search ended with its budget.");
  return text;
}

std::string optimum_json(optimize::Optimum const& optimum) {
  Json changes = Json::array(), lines = Json::array(), responses = Json::array();
  for (auto const& change : optimum.changes) changes.push_back(change_json(change));
  for (auto const& line : optimum.lines) {
    lines.push_back({{"where", party_name(line.where)}, {"text", line.text}});
  }
  for (auto const& response : optimum.responses) responses.push_back(response_json(response));
  return json_text({{"schema", "gridcast.optimum/1"},
                    {"scenario", optimum.scenario},
                    {"strategy", optimum.current.name},
                    {"as", party_name(optimum.as)},
                    {"reaches_goal", optimize::reaches_goal(optimum)},
                    {"changes", changes},
                    {"lines", lines},
                    {"gain", gain_json(optimum.gain)},
                    {"fresh", optimum.fresh},
                    {"choice", choice_json(optimum.choice)},
                    {"explanations", optimum.explanations},
                    {"settings", optimum.knobs},
                    {"responses", responses},
                    {"tried", optimum.tried},
                    {"campaigns", optimum.campaigns},
                    {"measured", optimum.measured},
                    {"same_budget", optimum.same_budget ? Json(*optimum.same_budget) : Json()},
                    {"failed", optimum.failed},
                    {"converged", optimum.converged},
                    {"interrupted", optimum.interrupted}});
}

}  // namespace gridcast::report

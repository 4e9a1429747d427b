// The page that a committee reads: the options in words with their outcomes, and the trade-off
// between time and GPU hours. "never" stands where the wanted share of the jobs is not reached.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/page/report_page.hpp"
#include "sim/report/text/answer.hpp"
#include "sim/report/text/choice_text.hpp"
#include "sim/report/text/figure_words.hpp"

namespace gridcast::report {
namespace {

/// So many options fit on a printed page.
constexpr std::size_t most_options = 12;

struct Option {
  std::size_t number = 0;  // in table and figure
  ResultStrategy const* strategy = nullptr;
  Outcome outcome = {};
};

/// Of too many options the best ones, with the baseline and those of the user's question.
void leave_out_worst(std::vector<std::size_t>& order, Result const& result) {
  auto const stays = [&](std::size_t s) {
    auto const& name = result.strategies[s].name;
    return name == result.baseline || is_one_of(name, result.asked);
  };
  for (auto at = order.end(); order.size() > most_options && at != order.begin();) {
    --at;
    if (!stays(*at)) at = order.erase(at);
  }
  if (order.size() > most_options) order.resize(most_options);
}

/// The best first.
std::vector<Option> options_of(Result const& result) {
  std::vector<std::size_t> order;
  if (result.choice) {
    order = study::ranking(*result.choice);
  } else {
    for (std::size_t s = 0; s < result.strategies.size(); ++s) order.push_back(s);
  }
  leave_out_worst(order, result);
  std::vector<Option> options;
  for (std::size_t const s : order) {
    auto const& strategy = result.strategies[s];
    options.push_back({options.size() + 1, &strategy, outcome_of(result, strategy)});
  }
  return options;
}

/// "recommended", "baseline", or nothing.
std::string standing_of(Result const& result, ResultStrategy const& strategy) {
  if (result.choice && result.choice->state != study::ChoiceState::no_success) {
    auto const& choice = *result.choice;
    auto const s = static_cast<std::size_t>(&strategy - result.strategies.data());
    bool const alike = contains(choice.alike, s);
    if (s == choice.best || alike) {
      switch (choice.state) {
        case study::ChoiceState::decided:
          return "recommended";
        case study::ChoiceState::no_material_difference:
          return "equally good";
        default:
          if (s == choice.best) return "best on average";
      }
    }
  }
  return &strategy == baseline(result) ? "baseline" : "";
}

std::string about_words(Result const& result, ResultStrategy const& strategy) {
  std::string mark = standing_of(result, strategy);
  if (!mark.empty()) {
    mark.front() = static_cast<char>(std::toupper(mark.front()));
    mark += ". ";
  }
  if (!strategy.about.empty()) return mark + one_line(strategy.about);
  bool const is_baseline = &strategy == baseline(result);
  return mark + (is_baseline ? "No change." : "The scenario does not describe it (about).");
}

/// Halves go to even numbers, as in the sentences.
study::Spread whole(study::Spread const& spread) {
  return {std::nearbyint(spread.low), std::nearbyint(spread.middle), std::nearbyint(spread.high)};
}

ReportTable option_table(Result const& result, std::vector<Option> const& options,
                         std::optional<Seconds> deadline) {
  auto const& first = options.front().outcome;
  auto const wanted = fmt::format("time until {} jobs finish", first.wanted);
  ReportTable table{"options",
                    "The options, and who acts",
                    {columns(text_column("number", "no."), text_column("option"),
                             text_column("about", "what changes, and who acts"))}};
  add_range(table.data, number_column("jobs", fmt::format("jobs of {} that finish", first.jobs)));
  add_range(table.data, time_column("time", wanted));
  add_range(table.data, number_column("gpu_hours", std::string(first.hours), "h"));
  bool const priced = result.choice && !result.choice->currency.empty();
  if (priced) add_range(table.data, number_column("cost", "cost", result.choice->currency));
  if (deadline)
    table.data.columns.push_back(number_column("met", "done by " + to_text(*deadline), "%"));
  for (auto const& option : options) {
    auto const& [number, strategy, outcome] = option;
    std::vector<ReportCell> row = {std::to_string(number), strategy->name,
                                   about_words(result, *strategy)};
    add_range(row, whole(outcome.finished));
    add_range(row, outcome.makespan);
    add_range(row, whole(outcome.gpu_hours));
    auto const s = static_cast<std::size_t>(strategy - result.strategies.data());
    if (priced) add_range(row, whole(result.choice->strategies[s].money));
    if (deadline)
      row.emplace_back(std::nearbyint(100 * met_by(result, *strategy, *deadline).share));
    table.data.rows.push_back(std::move(row));
  }
  table.says = "Medians and the central 90 % of the simulated campaigns.";
  if (options.size() < result.strategies.size()) {
    table.says += fmt::format(" The best {} of {} options and the baseline; the appendix has all.",
                              options.size() - 1, result.strategies.size());
  }
  return table;
}

struct TimeAxis {
  double end = 0;
  bool has_deadline = false;  // one far behind all options would leave no room for them
};

/// The axis ends at the 95 % quantiles of the options that reach the wanted share, and behind the
/// medians of those that sometimes do not.
TimeAxis time_axis(std::vector<Option> const& options, std::optional<Seconds> deadline) {
  constexpr double margin = 1.25, far = 3;
  double end = 0;
  for (auto const& option : options) {
    auto const& [low, middle, high] = option.outcome.makespan;
    if (std::isfinite(middle)) end = std::max(end, std::isfinite(high) ? high : margin * middle);
  }
  if (!deadline) return {end > 0 ? end : days(1).value()};
  double const due = deadline->value();
  if (end > 0 && due > far * end) return {end};
  return {end > 0 ? std::max(end, due) : margin * due, true};
}

/// `currency`: empty without prices.
ReportFigure empty_trade_off(Outcome const& outcome, std::string const& currency) {
  bool const priced = !currency.empty();
  auto const what =
      priced ? "cost, " + currency : fmt::format("{} for each finished job", outcome.hours);
  return {
      "trade-off",
      priced ? "Time and cost of the options"
             : fmt::format("Time and {} of the options", outcome.hours),
      "trade_off",
      {columns(text_column("number", "no."), text_column("strategy", "option"), text_column("mark"),
               time_column("time_s", fmt::format("time until {} of {} jobs finish", outcome.wanted,
                                                 outcome.jobs)),
               time_column("time_lo", "time, 5 %"), time_column("time_hi", "time, 95 %"),
               number_column("hours", what), number_column("hours_lo", what + ", 5 %"),
               number_column("hours_hi", what + ", 95 %"))}};
}

/// What an option costs: money where prices are stated, else GPU hours for each finished job.
study::Spread cost_of(Result const& result, ResultStrategy const& strategy,
                      std::string const& currency) {
  auto const s = static_cast<std::size_t>(&strategy - result.strategies.data());
  if (!currency.empty()) return result.choice->strategies[s].money;
  auto const hours = summary(strategy.metrics, ledger::deciding_metric);
  return hours.n == 0 ? study::Spread() : study::Spread{hours.p05, hours.p50, hours.p95};
}

/// The options that the figure draws, and those that it does not.
struct DrawnOptions {
  std::size_t all = 0, never = 0, too_few = 0;
  double most = 0, high = 0;  // of the costs
};

DrawnOptions draw_options(Result const& result, std::vector<Option> const& options,
                          std::string const& currency, ReportRows& rows) {
  DrawnOptions drawn;
  for (auto const& option : options) {
    auto const cost = cost_of(result, *option.strategy, currency);
    auto const& time = option.outcome.makespan;
    auto const standing = standing_of(result, *option.strategy);
    if (option.strategy->rank == study::Rank::too_few_succeed && standing.empty()) {
      ++drawn.too_few;
      continue;
    }
    if (!std::isfinite(cost.middle) || std::isnan(time.middle)) continue;
    ++drawn.all;
    drawn.never += std::isinf(time.middle) ? 1 : 0;
    std::vector<ReportCell> row = {std::to_string(option.number), option.strategy->name, standing};
    add_range(row, time);
    row.insert(row.end(), {cost.middle, cost.low, cost.high});
    drawn.most = std::max(drawn.most, cost.middle);
    drawn.high = std::max(drawn.high, cost.high);
    rows.rows.push_back(std::move(row));
  }
  return drawn;
}

std::string below_trade_off(Result const& result, DrawnOptions const& drawn, std::size_t wanted) {
  std::string says = trade_off_sentence(result);
  says += says.empty() ? "" : " ";
  says += "Lines show the range of 90 % of the campaigns, up to the edge.";
  if (drawn.too_few > 0) {
    says += fmt::format(" {} under which too few jobs finish {} not drawn.",
                        counted(drawn.too_few, "option"), drawn.too_few == 1 ? "is" : "are");
  }
  if (drawn.never > 0) {
    says += fmt::format(
        " With {} of the {} options drawn, fewer than {} jobs finish in the median campaign.",
        drawn.never, drawn.all, wanted);
  }
  return says;
}

ReportFigure trade_off(Result const& result, std::vector<Option> const& options,
                       std::optional<Seconds> deadline) {
  auto const currency = result.choice ? result.choice->currency : std::string();
  auto const& first = options.front().outcome;
  ReportFigure figure = empty_trade_off(first, currency);
  auto const drawn = draw_options(result, options, currency, figure.data);
  // The axis leaves room for labels above the points, and cuts long ranges.
  auto const axis = time_axis(options, deadline);
  figure.params = {{"end_s", axis.end},
                   {"top_h", std::clamp(drawn.high, 1.6 * drawn.most, 2.2 * drawn.most)}};
  if (axis.has_deadline) figure.params.emplace_back("deadline_s", deadline->value());
  figure.says = below_trade_off(result, drawn, first.wanted);
  if (deadline && !axis.has_deadline)
    figure.says += fmt::format(" The deadline of {} is beyond the figure.", to_text(*deadline));
  return figure;
}

/// "1.8 d in half of the campaigns, never in 28 %".
std::string time_words_of(ResultStrategy const& strategy, TimeWords const& words) {
  auto const& reached = strategy.finish->reached;
  auto const never = static_cast<double>(std::count_if(
      reached.begin(), reached.end(), [](Seconds time) { return std::isinf(time.value()); }));
  double const share = never / static_cast<double>(reached.size());
  Seconds const middle = reached[reached.size() / 2];
  if (std::isinf(middle.value()))
    return fmt::format("never in {} of the campaigns", share_text(share));
  auto text = fmt::format("within {} in half of the campaigns", words.text(middle.value()));
  return never > 0 ? text + fmt::format(", never in {}", share_text(share)) : text;
}

/// With a deadline the share of the campaigns that meet it; else how long they take.
std::string time_sentence(Result const& result, std::optional<Seconds> deadline) {
  auto const named = named_by_verdict(result);
  std::vector<ResultStrategy const*> shown;
  for (auto const& strategy : result.strategies) {
    bool const is_shown = strategy.name == named || &strategy == baseline(result);
    if (is_shown && strategy.finish && !strategy.finish->reached.empty())
      shown.push_back(&strategy);
  }
  std::stable_partition(shown.begin(), shown.end(),
                        [&](auto const* each) { return each->name == named; });
  auto const words_for = [&](ResultStrategy const& strategy) {
    return result.choice ? time_words(*result.choice) : time_words(outcome_of(result, strategy));
  };
  std::vector<std::string> parts;
  for (auto const* strategy : shown) {
    auto const with = result.strategies.size() > 1 ? "with " + strategy->name : "";
    parts.push_back(deadline
                        ? fmt::format("{}{}{}", chance_text(met_by(result, *strategy, *deadline)),
                                      parts.empty() ? " of the campaigns" : "",
                                      with.empty() ? "" : " " + with)
                        : fmt::format("{}{}{}", with, with.empty() ? "" : ", ",
                                      time_words_of(*strategy, words_for(*strategy))));
  }
  if (parts.empty()) return "";
  auto const wanted = shown.front()->finish->wanted;
  if (!deadline)
    return fmt::format("Time until {} jobs finish: {}.", wanted, fmt::join(parts, "; "));
  return fmt::format("{} jobs finish by the deadline of {} in {}.", wanted, to_text(*deadline),
                     fmt::join(parts, ", and in "));
}

}  // namespace

ReportCell never_cell(double seconds) {
  return std::isinf(seconds) && seconds > 0 ? ReportCell("never") : ReportCell(seconds);
}

void add_range(std::vector<ReportCell>& row, study::Spread const& spread) {
  for (double const x : {spread.middle, spread.low, spread.high}) row.push_back(never_cell(x));
}

ReportBrief front_page(std::vector<Result> const& results, std::optional<Seconds> deadline,
                       ledger::BlackHoles const& holes) {
  ReportBrief brief;
  brief.answer = answer(results);
  brief.evidence = evidence(results);
  brief.assumptions = assumptions(results);
  brief.recommendation = recommendation(results, deadline, holes);
  for (auto const& result : results) {
    // A replay belongs to the question of its record, not to the scenario's.
    if (result.kind == ResultKind::replay) continue;
    if (brief.question.empty()) brief.question = result.question;
    auto const asked = deadline ? deadline : asked_deadline(result);
    if (brief.deadline.empty()) brief.deadline = time_sentence(result, asked);
    if (result.strategies.size() < 2 || brief.options) continue;
    auto const options = options_of(result);
    brief.options = option_table(result, options, asked);
    auto figure = trade_off(result, options, asked);
    if (!figure.data.rows.empty()) brief.figure = std::move(figure);
  }
  return brief;
}

ReportTable overview(std::vector<ReportBrief> const& briefs,
                     std::vector<std::vector<Result>> const& groups) {
  ReportTable table{
      "overview",
      "The scenarios",
      {columns(text_column("scenario"), text_column("strategy", "strategy, the best of several"),
               number_column("jobs", "jobs"), number_column("finished", "jobs that finish, median"),
               time_column("time", "time until the wanted jobs finish, median"),
               number_column("gpu_hours", "GPU hours, median", "h"))}};
  table.says =
      "Medians of the simulated campaigns. The scenarios have different jobs or pools, so their "
      "figures describe each alone.";
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (auto const& result : groups[i]) {
      auto const named = named_by_verdict(result);
      for (auto const& strategy : result.strategies) {
        bool const shown = named.empty() ? &strategy == baseline(result) : strategy.name == named;
        if (!shown) continue;
        auto const outcome = outcome_of(result, strategy);
        table.data.rows.push_back({briefs[i].title, strategy.name,
                                   static_cast<double>(outcome.jobs), outcome.finished.middle,
                                   never_cell(outcome.makespan.middle), outcome.gpu_hours.middle});
      }
    }
  }
  return table;
}

}  // namespace gridcast::report

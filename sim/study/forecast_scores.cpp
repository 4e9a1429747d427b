#include "sim/study/forecast_scores.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "sim/base/random.hpp"

namespace gridcast::study {
namespace {

constexpr double winkler_level = 0.9;
constexpr std::size_t levels = coverage_levels.size();

/// A figure of a record with its scores.
struct Case {
  std::string figure, record, from, repeats;
  double observed = 0;
  std::vector<double> forecast = {};
  std::array<Interval, levels> intervals = {};
  base::Rank rank = {};
  double crps = 0, crps_last = nan, crps_spread = nan;
  double winkler = 0, winkler_spread = nan;
  double size = 1;   // as given
  double scale = 1;  // unit of the scores

  bool inside(std::size_t level, double value) const { return intervals[level].contains(value); }
};

Case make_case(ScoredRecord const& record, ScoredFigure const& figure) {
  Case made{figure.figure, record.record, record.from, record.repeats, figure.observed};
  made.forecast = without_nan(figure.forecast);
  for (std::size_t i = 0; i < levels; ++i) {
    made.intervals[i] = central_interval(made.forecast, coverage_levels[i]);
  }
  made.rank = rank_of(made.observed, made.forecast);
  made.crps = fair_crps(made.forecast, made.observed);
  made.winkler = interval_score(made.intervals.back(), winkler_level, made.observed);
  made.size = figure.size;
  if (std::isnan(figure.last)) return made;
  Lognormal const guess{figure.last, figure.spread};
  made.crps_last = std::abs(made.observed - figure.last);
  made.crps_spread = crps(guess, made.observed);
  made.winkler_spread = interval_score(
      {guess.quantile((1 - winkler_level) / 2), guess.quantile((1 + winkler_level) / 2)},
      winkler_level, made.observed);
  return made;
}

/// The mean size per job of a figure, observed or guessed, over all of its cases.
std::map<std::string, double> scales(std::vector<ScoredRecord> const& records) {
  std::map<std::string, std::pair<double, double>> sums;
  for (ScoredRecord const& record : records) {
    for (ScoredFigure const& figure : record.figures) {
      if (!counts(figure)) continue;
      double const guess = std::isnan(figure.last) ? 0 : std::abs(figure.last);
      auto& [sum, n] = sums[figure.figure];
      sum += std::max({std::abs(figure.observed), guess, figure.least}) / figure.size;
      ++n;
    }
  }
  std::map<std::string, double> means;
  for (auto const& [figure, sum] : sums) means[figure] = sum.first / sum.second;
  return means;
}

std::vector<Case> make_cases(std::vector<ScoredRecord> const& records) {
  auto const sizes = scales(records);
  std::vector<Case> cases;
  for (ScoredRecord const& record : records) {
    for (ScoredFigure const& figure : record.figures) {
      if (!counts(figure)) continue;
      cases.push_back(make_case(record, figure));
      double const scale = sizes.at(figure.figure) * figure.size;
      cases.back().scale = scale > 0 ? scale : 1;
    }
  }
  return cases;
}

/// A fraction of a sum over another, from one unit of the resampling.
struct Part {
  double above = 0, below = 0;
};

double ratio(std::vector<Part> const& parts) {
  Part sum;
  for (Part const& part : parts) {
    sum.above += part.above;
    sum.below += part.below;
  }
  return sum.below > 0 ? sum.above / sum.below : nan;
}

/// The central 95 % of the ratio under resampling of the parts.
Interval bootstrap(std::vector<Part> const& parts, ScoreOptions const& options) {
  if (parts.empty()) return {nan, nan};
  RandomStream stream = RandomStreams(options.seed, 0).stream(Purpose::bootstrap, 0);
  std::vector<double> ratios;
  std::vector<Part> drawn(parts.size());
  for (std::size_t i = 0; i < options.resamples; ++i) {
    for (Part& part : drawn) part = parts[stream.below(static_cast<std::uint32_t>(parts.size()))];
    double const value = ratio(drawn);
    if (!std::isnan(value)) ratios.push_back(value);
  }
  return central_interval(ratios, 0.95);
}

/// One part per campaign; with one campaign, one part per case.
std::vector<Part> parts_of(std::vector<Case> const& cases,
                           std::function<Part(Case const&)> const& of) {
  std::map<std::string, Part> by_record;
  std::vector<Part> all;
  for (Case const& each : cases) {
    Part const part = of(each);
    all.push_back(part);
    by_record[each.record].above += part.above;
    by_record[each.record].below += part.below;
  }
  if (by_record.size() < 2) return all;
  return each_of(by_record, [](auto const& each) { return each.second; });
}

Skill skill_of(std::vector<Case> const& cases, double Case::*score, double Case::*guess,
               ScoreOptions const& options) {
  Skill skill;
  auto const parts = parts_of(cases, [&](Case const& each) {
    if (std::isnan(each.*guess)) return Part{};
    ++skill.cases;
    return Part{each.*score / each.scale, each.*guess / each.scale};
  });
  skill.skill = 1 - ratio(parts);
  if (skill.cases == 0) {
    skill.ci95 = {nan, nan};
    return skill;
  }
  Interval const of_ratio = bootstrap(parts, options);
  skill.ci95 = {1 - of_ratio.high, 1 - of_ratio.low};
  return skill;
}

double simple_skill(std::vector<Case const*> const& cases, double Case::*guess) {
  std::vector<Part> parts;
  for (Case const* each : cases) {
    if (std::isnan(each->*guess)) continue;
    parts.push_back({each->crps / each->scale, each->*guess / each->scale});
  }
  return 1 - ratio(parts);
}

using Key = std::pair<std::string, std::string>;
using Spreads = std::map<Key, double>;

/// The standard deviation of the observed repeats of a campaign, by figure and campaign. It is
/// corrected for the bias of few values (c4 of quality control: about 1 - 1 / (4 n - 3)).
Spreads repeat_spreads(std::vector<Case> const& cases) {
  std::map<Key, std::map<std::string, double>> seen;
  for (Case const& each : cases) {
    if (!each.repeats.empty()) seen[{each.figure, each.repeats}][each.record] = each.observed;
  }
  Spreads spreads;
  for (auto const& [key, observed] : seen) {
    std::vector<double> values;
    for (auto const& [record, value] : observed) values.push_back(value);
    double const n = count(values.size());
    double const spread = standard_deviation(values) / (1 - 1 / (4 * n - 3));
    if (values.size() >= 2 && spread > 0) spreads[key] = spread;
  }
  return spreads;
}

double width_of_repeats(Case const& each, Spreads const& spreads) {
  auto const found = spreads.find({each.figure, each.repeats});
  if (found == spreads.end()) return nan;
  constexpr double widths_of_ninety = 2 * 1.6449;
  return (each.intervals.back().high - each.intervals.back().low) /
         (widths_of_ninety * found->second);
}

ScoreLine line_of(std::vector<Case const*> const& cases, Spreads const& spreads) {
  ScoreLine line;
  std::vector<double> ranks, widths;
  for (Case const* each : cases) {
    ++line.cases;
    for (std::size_t i = 0; i < levels; ++i) line.inside[i] += each->inside(i, each->observed);
    ranks.push_back(each->rank.middle());
    widths.push_back(width_of_repeats(*each, spreads));
    line.crps += each->crps;
  }
  line.crps /= count(cases.size());
  line.median_rank = median(without_nan(std::move(ranks)));
  line.width_of_repeats = median(without_nan(std::move(widths)));
  line.skill_last = simple_skill(cases, &Case::crps_last);
  line.skill_spread = simple_skill(cases, &Case::crps_spread);
  return line;
}

/// In the order in which they first come.
std::vector<ScoreLine> lines_by(std::vector<Case> const& cases, Spreads const& spreads,
                                std::function<Key(Case const&)> const& key) {
  std::vector<Key> order;
  std::map<Key, std::vector<Case const*>> groups;
  for (Case const& each : cases) {
    auto& group = groups[key(each)];
    if (group.empty()) order.push_back(key(each));
    group.push_back(&each);
  }
  std::vector<ScoreLine> lines;
  for (Key const& name : order) {
    lines.push_back(line_of(groups[name], spreads));
    lines.back().name = name.first;
    lines.back().from = name.second;
  }
  return lines;
}

Coverage coverage_of(std::vector<Case> const& cases, std::size_t level, std::size_t campaigns,
                     ScoreOptions const& options) {
  Coverage coverage;
  coverage.level = coverage_levels[level];
  coverage.cases = cases.size();
  auto const parts = parts_of(cases, [&](Case const& each) {
    bool const inside = each.inside(level, each.observed);
    coverage.inside += inside ? 1 : 0;
    return Part{inside ? 1.0 : 0.0, 1.0};
  });
  coverage.share95 = campaigns < 2 ? proportion_interval(coverage.inside, coverage.cases)
                                   : bootstrap(parts, options);
  return coverage;
}

/// One replica in the place of each record, the same in all forecasts of it, as replicas of one
/// number have the same random numbers.
struct Stand {
  std::map<std::string, std::uint32_t> replica;

  std::size_t of(Case const& each) const { return replica.at(each.record) % each.forecast.size(); }
};

Stand draw_stand(std::set<std::string> const& records, std::size_t replicas, RandomStream& stream) {
  Stand stand;
  for (std::string const& record : records) {
    stand.replica[record] = stream.below(static_cast<std::uint32_t>(replicas));
  }
  return stand;
}

/// Adds the values expected of right forecasts: each replica is compared with the others.
void judge_by_replicas(ScoreTable& table, std::vector<Case> const& cases,
                       ScoreOptions const& options) {
  std::set<std::string> records;
  std::size_t replicas = 1;
  for (Case const& each : cases) {
    records.insert(each.record);
    replicas = std::max(replicas, each.forecast.size());
  }
  RandomStream stream = RandomStreams(options.seed, 0).stream(Purpose::bootstrap, 1);
  std::vector<std::array<std::vector<bool>, levels>> among_others(cases.size());
  for (std::size_t c = 0; c < cases.size(); ++c) {
    for (std::size_t l = 0; l < levels; ++l) {
      among_others[c][l] = inside_of_others(cases[c].forecast, coverage_levels[l]);
    }
  }
  std::array<std::vector<double>, levels> shares;
  for (std::size_t i = 0; i < options.resamples; ++i) {
    Stand const stand = draw_stand(records, replicas, stream);
    std::array<double, levels> inside = {};
    for (std::size_t c = 0; c < cases.size(); ++c) {
      std::size_t const r = stand.of(cases[c]);
      for (std::size_t l = 0; l < levels; ++l) inside[l] += among_others[c][l][r] ? 1 : 0;
    }
    for (std::size_t l = 0; l < levels; ++l) shares[l].push_back(inside[l] / count(cases.size()));
  }
  for (std::size_t l = 0; l < levels; ++l) {
    table.coverage[l].expected = mean(shares[l]);
    table.coverage[l].expected95 = central_interval(shares[l], 0.95);
  }
}

std::vector<std::string> never_counted(std::vector<ScoredRecord> const& records) {
  std::vector<std::string> names;
  std::set<std::string> counted;
  for (ScoredRecord const& record : records) {
    for (ScoredFigure const& figure : record.figures) {
      if (counts(figure)) counted.insert(figure.figure);
      if (!contains(names, figure.figure)) names.push_back(figure.figure);
    }
  }
  std::erase_if(names, [&](std::string const& name) { return counted.count(name) > 0; });
  return names;
}

/// Forecasts that cannot be wrong: each level is there, and no skill.
ScoreTable without_cases(ScoreTable table) {
  for (double const level : coverage_levels) table.coverage.push_back({level, 0, 0, {0, 1}});
  for (Skill* skill : {&table.crps_last, &table.crps_spread, &table.winkler_spread}) {
    skill->skill = nan;
  }
  return table;
}

}  // namespace

bool counts(ScoredFigure const& figure) {
  std::size_t there = 0;
  bool varies = false;
  for (double const x : figure.forecast) {
    if (std::isnan(x)) continue;
    ++there;
    varies = varies || x != figure.observed;
  }
  return !std::isnan(figure.observed) && 2 * there >= figure.forecast.size() && there > 1 && varies;
}

double spread_between(std::vector<double> const& figures) {
  std::vector<double> logarithms;
  for (double const x : figures) {
    if (x > 0) logarithms.push_back(std::log(x));
  }
  if (logarithms.size() < 3) return usual_spread;
  return std::max(standard_deviation(logarithms), 1e-3);
}

ScoreTable score(std::vector<ScoredRecord> const& records, ScoreOptions const& options) {
  ScoreTable table;
  table.not_counted = never_counted(records);
  std::vector<Case> const cases = make_cases(records);
  table.cases = cases.size();
  if (cases.empty()) return without_cases(std::move(table));
  std::set<std::string> campaigns;
  for (Case const& each : cases) campaigns.insert(each.record);
  table.campaigns = campaigns.size();
  Spreads const spreads = repeat_spreads(cases);
  table.figures = lines_by(cases, spreads, [](Case const& each) { return Key(each.figure, ""); });
  table.records =
      lines_by(cases, spreads, [](Case const& each) { return Key(each.record, each.from); });
  for (ScoreLine& line : table.records) line.crps = nan;
  for (std::size_t level = 0; level < levels; ++level) {
    table.coverage.push_back(coverage_of(cases, level, table.campaigns, options));
  }
  judge_by_replicas(table, cases, options);
  table.crps_last = skill_of(cases, &Case::crps, &Case::crps_last, options);
  table.crps_spread = skill_of(cases, &Case::crps, &Case::crps_spread, options);
  table.winkler_spread = skill_of(cases, &Case::winkler, &Case::winkler_spread, options);
  std::vector<double> widths = each_of(table.figures, &ScoreLine::width_of_repeats);
  table.width_of_repeats = median(without_nan(std::move(widths)));
  return table;
}

}  // namespace gridcast::study

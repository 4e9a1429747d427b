#include "sim/study/sample.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>

#include "sim/base/error.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/study/record.hpp"

namespace gridcast::study {
namespace {

void set_quantiles(Summary& summary, std::vector<double> const& q) {
  summary.p05 = q[0];
  summary.p25 = q[1];
  summary.p50 = q[2];
  summary.p75 = q[3];
  summary.p95 = q[4];
}

constexpr std::array shown_quantiles = {0.05, 0.25, 0.5, 0.75, 0.95};

/// NaN for values that are alike.
Interval error_of_mean(std::vector<double> const& values) {
  if (!(variance(values) > 0)) return {not_known, not_known};
  return mean_interval(values);
}

void add_range(PairedDifference& result, std::vector<double> differences) {
  constexpr std::array p = {0.05, 0.5, 0.95};
  auto const q = quantiles(std::move(differences), p);
  result.p05 = q[0];
  result.p50 = q[1];
  result.p95 = q[2];
}

bool is_better(double x, double base, Wanted wanted) {
  return wanted == Wanted::more ? x > base : x < base;
}

double worst(Wanted wanted) { return wanted == Wanted::more ? -infinity : infinity; }

/// The replicas that both have, in their order.
struct RatioPairs {
  RatioColumns x, base;
};

RatioPairs complete_pairs(RatioColumns const& x, RatioColumns const& base) {
  check(x.top.size() == base.top.size(), "paired values come in pairs");
  RatioPairs pairs;
  for (std::size_t i = 0; i < x.top.size(); ++i) {
    if (std::isnan(x.top[i] + x.bottom[i] + base.top[i] + base.bottom[i])) continue;
    pairs.x.top.push_back(x.top[i]);
    pairs.x.bottom.push_back(x.bottom[i]);
    pairs.base.top.push_back(base.top[i]);
    pairs.base.bottom.push_back(base.bottom[i]);
  }
  return pairs;
}

/// The influence of each replica on the pooled ratio.
std::vector<double> linearised(RatioColumns const& columns) {
  double const ratio = pooled(columns);
  double const usual = mean(columns.bottom);
  std::vector<double> moves;
  for (std::size_t i = 0; i < columns.top.size(); ++i) {
    moves.push_back((columns.top[i] - ratio * columns.bottom[i]) / usual);
  }
  return moves;
}

constexpr double fewest_second_looks = 20;

/// Quantiles that are values of the sample, counted from above as those of times are from below.
std::vector<double> quantiles_of_counts(std::vector<double> values, std::span<double const> p) {
  std::vector<double> from_above(p.begin(), p.end());
  for (double& each : from_above) each = 1 - each;
  for (double& each : values) each = -each;
  auto result = order_statistics(std::move(values), from_above);
  for (double& each : result) each = 0 - each;
  return result;
}

constexpr std::size_t steps = 80;
constexpr std::size_t percents = 100;

/// Jobs that had succeeded at a time in one replica.
double succeeded_by(SharedRecord const& record, std::size_t first, std::size_t jobs, Seconds at) {
  std::size_t done = 0;
  for (std::size_t step = 1; step <= finish_steps; ++step) {
    double const time = record[first + step - 1];
    if (std::isnan(time) || time > at.value()) break;
    done = finish_rank(step, jobs);
  }
  return static_cast<double>(done);
}

}  // namespace

std::string bytes_of_record(Record const& record) {
  return {reinterpret_cast<char const*>(record.data()), record.size() * sizeof(double)};
}

Record record_of_bytes(std::string_view bytes) {
  Record record(bytes.size() / sizeof(double));
  if (!record.empty()) std::memcpy(record.data(), bytes.data(), record.size() * sizeof(double));
  return record;
}

StudySample make_sample(std::vector<std::string> names,
                        std::vector<std::pair<std::uint32_t, Record>> records) {
  StudySample sample{std::move(names), {}, {}};
  for (auto& [replica, record] : records) {
    check(record.size() == sample.names.size(), "a record has a number for each of its columns");
    sample.replicas.push_back(replica);
    sample.records.emplace_back(std::move(record));
  }
  return sample;
}

StudySample rows_of(StudySample const& sample, std::vector<std::size_t> const& rows) {
  StudySample part{sample.names, {}, {}};
  for (std::size_t const row : rows) {
    part.replicas.push_back(sample.replicas[row]);
    part.records.push_back(sample.records[row]);
  }
  return part;
}

std::size_t column_index(StudySample const& sample, std::string_view name) {
  auto const found = std::ranges::find(sample.names, name);
  check(found != sample.names.end(), "a sample has the column " + std::string(name));
  return static_cast<std::size_t>(found - sample.names.begin());
}

std::vector<double> column(StudySample const& sample, std::string_view name) {
  std::size_t const index = column_index(sample, name);
  return each_of(sample.records, [&](auto const& record) { return record[index]; });
}

Summary summarise(std::vector<double> all) {
  auto values = without_nan(std::move(all));
  Summary summary;
  summary.n = values.size();
  summary.mean = mean(values);
  summary.sd = values.empty() ? summary.mean : standard_deviation(values);
  // The range of replicas that are all alike is not known.
  summary.mean_ci95 = summary.sd > 0 ? mean_interval(values) : Interval{not_known, not_known};
  set_quantiles(summary, quantiles(std::move(values), shown_quantiles));
  return summary;
}

std::vector<double> order_statistics(std::vector<double> values, std::span<double const> p) {
  constexpr double rounding = 1e-9;
  values = without_nan(std::move(values));
  std::ranges::sort(values);
  std::vector<double> result(p.size(), not_known);
  for (std::size_t i = 0; i < p.size() && !values.empty(); ++i) {
    double const place = std::ceil(p[i] * static_cast<double>(values.size()) - rounding);
    result[i] = values[place < 1 ? 0 : static_cast<std::size_t>(place) - 1];
  }
  return result;
}

Spread spread_of(std::vector<double> values) {
  constexpr std::array p = {0.05, 0.5, 0.95};
  auto const q = order_statistics(std::move(values), p);
  return {q[0], q[1], q[2]};
}

Summary summarise_times(std::vector<double> const& times) {
  Summary summary = summarise(times);
  set_quantiles(summary, order_statistics(times, shown_quantiles));
  if (std::ranges::any_of(times, [](double time) { return std::isinf(time); })) {
    summary.mean = summary.sd = not_known;
    summary.mean_ci95 = {not_known, not_known};
  }
  return summary;
}

Summary summarise(StudySample const& sample, std::string_view name) {
  Summary summary = summarise(column(sample, name));
  if (name.ends_with("succeeded")) {  // as a table counts them, too
    set_quantiles(summary, quantiles_of_counts(column(sample, name), shown_quantiles));
  }
  return summary;
}

std::uint32_t medoid_replica(StudySample const& sample) {
  std::vector<double> sum(sample.size(), 0);
  for (auto const* figure : {"badput_s", "makespan_s", "succeeded"}) {
    auto const values = column(sample, figure);
    auto sorted = without_nan(values);
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) continue;
      auto const [first, last] = std::equal_range(sorted.begin(), sorted.end(), values[i]);
      auto const below = static_cast<double>(first - sorted.begin());
      auto const upto = static_cast<double>(last - sorted.begin());
      double const rank = (below + upto) / 2 / static_cast<double>(sorted.size());
      sum[i] += std::abs(rank - 0.5);
    }
  }
  auto const least = std::ranges::min_element(sum);
  return sample.replicas[static_cast<std::size_t>(least - sum.begin())];
}

std::vector<std::string> hypotheses(StudySample const& sample) {
  std::set<scenario::Hypothesis> found;
  for (double const number : column(sample, "hypothesis")) {
    if (!std::isnan(number)) found.insert(static_cast<scenario::Hypothesis>(number));
  }
  std::vector<std::string> names;
  for (auto const hypothesis : found) names.emplace_back(name(hypothesis));
  return names.size() < 2 ? std::vector<std::string>{} : names;
}

std::vector<std::size_t> rows_under(StudySample const& sample, std::string_view hypothesis) {
  auto const numbers = column(sample, "hypothesis");
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::isnan(numbers[i])) continue;
    if (name(static_cast<scenario::Hypothesis>(numbers[i])) == hypothesis) rows.push_back(i);
  }
  return rows;
}

StudySample select_hypothesis(StudySample const& sample, std::string_view hypothesis) {
  return rows_of(sample, rows_under(sample, hypothesis));
}

double posterior_probability(StudySample const& sample, std::string_view hypothesis) {
  if (sample.size() == 0) return nan;
  return count(rows_under(sample, hypothesis).size()) / count(sample.size());
}

Chance chance(double hits, std::size_t n) {
  if (n == 0) return {};
  constexpr double rounding = 1e-6;  // of shares that were added up
  double const low = std::clamp(std::floor(hits + rounding), 0.0, count(n));
  double const high = std::clamp(std::ceil(hits - rounding), 0.0, count(n));
  return {hits / count(n),
          {proportion_interval(static_cast<std::size_t>(low), n).low,
           proportion_interval(static_cast<std::size_t>(high), n).high},
          n};
}

PairedDifference paired_difference(std::vector<double> const& x, std::vector<double> const& base,
                                   Wanted wanted) {
  check(x.size() == base.size(), "paired values come in pairs");
  std::vector<double> a, b, differences;
  double better = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) || std::isnan(base[i])) continue;
    a.push_back(x[i]);
    b.push_back(base[i]);
    differences.push_back(x[i] == base[i] ? 0 : x[i] - base[i]);
    better += is_better(x[i], base[i], wanted) ? 1 : 0;
  }
  PairedDifference result;
  result.n = differences.size();
  if (std::ranges::all_of(differences, [](double d) { return !std::isinf(d); })) {
    double const of_pairs = variance(differences);
    result.mean = mean(differences);
    result.ci95 = error_of_mean(differences);
    result.variance_ratio = of_pairs > 0 ? (variance(a) + variance(b)) / of_pairs : not_known;
  }
  result.better = chance(better, result.n);
  add_range(result, std::move(differences));
  return result;
}

double pooled(RatioColumns const& columns) {
  double top = 0, bottom = 0;
  std::size_t n = 0;
  for (std::size_t i = 0; i < columns.top.size(); ++i) {
    if (std::isnan(columns.top[i] + columns.bottom[i])) continue;
    top += columns.top[i];
    bottom += columns.bottom[i];
    ++n;
  }
  if (n == 0) return not_known;
  return bottom > 0 ? top / bottom : infinity;
}

PooledRatio pooled_ratio(RatioColumns const& columns) {
  RatioColumns const known = complete_pairs(columns, columns).x;
  PooledRatio result{pooled(known), {not_known, not_known}};
  if (!std::isfinite(result.ratio)) return result;
  auto const error = error_of_mean(linearised(known));
  result.ci95 = {result.ratio + error.low, result.ratio + error.high};
  return result;
}

PairedDifference pooled_difference(RatioColumns const& x, RatioColumns const& base, Wanted wanted) {
  auto const pairs = complete_pairs(x, base);
  PairedDifference result;
  result.n = pairs.x.top.size();
  std::vector<double> differences;
  double better = 0;
  auto const ratio = [&](RatioColumns const& of, std::size_t i) {
    return of.bottom[i] > 0 ? of.top[i] / of.bottom[i] : worst(wanted);
  };
  for (std::size_t i = 0; i < result.n; ++i) {
    double const one = ratio(pairs.x, i), other = ratio(pairs.base, i);
    better += is_better(one, other, wanted) ? 1 : 0;
    if (std::isfinite(one) && std::isfinite(other)) differences.push_back(one - other);
  }
  result.better = chance(better, result.n);
  add_range(result, std::move(differences));
  double const of_x = pooled(pairs.x), of_base = pooled(pairs.base);
  if (!std::isfinite(of_x) || !std::isfinite(of_base)) return result;
  result.mean = of_x - of_base;
  auto const a = linearised(pairs.x), b = linearised(pairs.base);
  std::vector<double> moves;
  for (std::size_t i = 0; i < result.n; ++i) moves.push_back(a[i] - b[i]);
  auto const error = error_of_mean(moves);
  result.ci95 = {result.mean + error.low - mean(moves), result.mean + error.high - mean(moves)};
  double const of_pairs = variance(moves);
  result.variance_ratio = of_pairs > 0 ? (variance(a) + variance(b)) / of_pairs : not_known;
  return result;
}

bool enough_second_looks(std::vector<double> const& draws) {
  std::set<double> different;
  double n = 0;
  for (double const draw : draws) {
    if (std::isnan(draw)) continue;
    different.insert(draw);
    ++n;
  }
  return enough_second_looks(static_cast<std::size_t>(n), different.size());
}

bool enough_second_looks(std::size_t replicas, std::size_t draws) {
  return static_cast<double>(replicas) >= static_cast<double>(draws) + fewest_second_looks;
}

std::optional<VarianceParts> variance_parts(std::vector<double> const& values,
                                            std::vector<double> const& draws) {
  check(values.size() == draws.size(), "each value is of a draw");
  std::map<double, std::vector<double>> groups;
  double n = 0, squares_of_counts = 0;
  std::vector<double> all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i]) || std::isnan(draws[i])) continue;
    groups[draws[i]].push_back(values[i]);
    all.push_back(values[i]);
    n += 1;
  }
  double const g = static_cast<double>(groups.size());
  double const middle = mean(all);
  constexpr double rounding = 1e-9;  // of sums in another order
  bool const varies = variance(all) > rounding * rounding * middle * middle;
  if (n - g < fewest_second_looks || !varies) return std::nullopt;
  double within = 0, between = 0;
  for (auto const& [draw, group] : groups) {
    double const own = mean(group), count = static_cast<double>(group.size());
    squares_of_counts += count * count;
    between += count * (own - middle) * (own - middle);
    for (double const x : group) within += (x - own) * (x - own);
  }
  VarianceParts parts;
  parts.random = within / (n - g);
  if (groups.size() < 2) return parts;
  double const usual_count = (n - squares_of_counts / n) / (g - 1);
  parts.ignorance = std::max(0.0, (between / (g - 1) - parts.random) / usual_count);
  if (!(parts.ignorance + parts.random > 0)) return std::nullopt;
  return parts;
}

std::optional<std::size_t> more_jobs(VarianceParts const& parts, std::size_t recorded) {
  double const wanted = (1 - worth_while) * (1 - worth_while) * (parts.ignorance + parts.random);
  double const share = (wanted - parts.random) / parts.ignorance;  // m / (m + d)
  if (!(share > 0)) return std::nullopt;
  return static_cast<std::size_t>(std::ceil(static_cast<double>(recorded) * (1 / share - 1)));
}

std::vector<Seconds> finish_times(Seconds end) {
  std::vector<Seconds> times;
  for (std::size_t i = 0; i <= steps; ++i) {
    times.push_back(end * (static_cast<double>(i) / static_cast<double>(steps)));
  }
  return times;
}

Seconds finish_end(std::vector<StudySample> const& samples) {
  Seconds end;
  for (auto const& sample : samples) {
    auto const values = without_nan(column(sample, "makespan_s"));
    if (!values.empty()) end = std::max(end, Seconds(quantile(values, 0.95)));
  }
  return end;
}

std::size_t wanted_jobs(StudySample const& sample, double share) {
  constexpr double rounding = 1e-9;
  double jobs = 0;
  for (double const each : column(sample, "jobs")) jobs = each > jobs ? each : jobs;
  return static_cast<std::size_t>(std::max(1.0, std::ceil(share * jobs - rounding)));
}

std::vector<double> makespans(StudySample const& sample, std::size_t wanted) {
  std::size_t const first = column_index(sample, std::string(finish_of) + "1");
  std::size_t const jobs = column_index(sample, "jobs");
  std::size_t const ends = column_index(sample, "makespan_s");
  std::vector<double> times;
  for (auto const& record : sample.records) {
    if (std::isnan(record[jobs]) || std::isnan(record[ends])) {
      times.push_back(nan);
      continue;
    }
    auto const all = static_cast<std::size_t>(record[jobs]);
    std::size_t step = 1;
    while (step < finish_steps && finish_rank(step, all) < (wanted > 0 ? wanted : all)) ++step;
    double const time = record[first + step - 1];
    times.push_back(wanted > all || std::isnan(time) ? infinity : time);
  }
  return times;
}

StudySample with_makespans(StudySample sample, std::size_t wanted) {
  std::size_t const ends = column_index(sample, "makespan_s");
  auto const times = makespans(sample, wanted);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    Record record(sample.records[i].begin(), sample.records[i].end());
    record[ends] = times[i];
    sample.records[i] = std::move(record);
  }
  return sample;
}

FinishBand finish_band(StudySample const& sample, std::vector<Seconds> const& at,
                       std::size_t wanted) {
  FinishBand band;
  auto const ends = without_nan(column(sample, "makespan_s"));
  if (ends.empty()) return band;
  std::size_t const first = column_index(sample, std::string(finish_of) + "1");
  std::size_t const jobs = column_index(sample, "jobs");
  band.at = at;
  constexpr std::array p = {0.05, 0.5, 0.95};
  for (Seconds const time : at) {
    std::vector<double> done;
    for (auto const& record : sample.records) {
      if (std::isnan(record[jobs])) continue;
      done.push_back(succeeded_by(record, first, static_cast<std::size_t>(record[jobs]), time));
    }
    auto const q = quantiles(std::move(done), p);
    band.p05.push_back(q[0]);
    band.p50.push_back(q[1]);
    band.p95.push_back(q[2]);
  }
  std::vector<double> shares;
  for (std::size_t i = 0; i <= percents; ++i) {
    shares.push_back(static_cast<double>(i) / static_cast<double>(percents));
  }
  for (double const time : quantiles(ends, shares)) band.makespans.emplace_back(time);
  band.wanted = wanted;
  for (double const time : order_statistics(makespans(sample, wanted), shares)) {
    if (!std::isnan(time)) band.reached.emplace_back(time);
  }
  return band;
}

}  // namespace gridcast::study

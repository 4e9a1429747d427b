#include "sim/training/fit/training_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/training/estimate.hpp"
#include "sim/training/fit/hierarchy.hpp"
#include "sim/training/step_time.hpp"

namespace gridcast::training {
namespace {

struct of {
  enum Coordinate : std::size_t {
    overhead,  // logarithms, except the overlap's logit
    noise,
    overlap,
    inside,
    between,
    latency,
    across,
    unhidden,
    doubling,
    step,
    epoch,  // in steps, so after them
    coordinates
  };
};

constexpr double reached = 0.7;      // of a line rate, which is not passed
constexpr double usual_link = 20e9;  // B/s, from one port of 25 Gbit/s to eight of 400

/// Standard deviations of logarithms; for the overlap, of its logit.
std::vector<WidePrior> const& wide_priors() {
  static std::vector<WidePrior> const priors = {
      {std::log(5e-3), 0.6, 0.25},  // a framework's, and 200 to 1,000 launches of 10 us
      {std::log(0.022), 0.4, 0.4},  // MLPerf's systems of one kind differ by 1 to 4 %
      {0, 1.2, 0.8},                // nearly even between none and all
      {std::log(100e9), 0.6, 0.6},  // from PCIe's 20 to NVLink's 400 GB/s
      {std::log(usual_link), 0.5, 0.9},
      {std::log(15e-6), 0.4, 1.2},  // NCCL's 14 us, and the hosts' jitter
      {std::log(0.01), 0.4, 1.5},
      {0, 0.8, 1},  // times the last bucket's, which nothing can hide
      {std::log(0.003), 0.4, 1},
      {0, 0.3, 0},           // around the value of the smallest run
      {std::log(4.), 2, 1},  // steps: from resident input to loaders that start anew
  };
  return priors;
}

/// Beside overhead, noise and step.
std::vector<CandidateModel> const& all_candidates() {
  static std::vector<CandidateModel> const candidates = {
      {"exchange",
       {of::overhead, of::noise, of::step, of::overlap, of::inside, of::between, of::latency}},
      {"a time a step", {of::overhead, of::noise, of::step, of::unhidden, of::latency}},
      {"across nodes", {of::overhead, of::noise, of::step, of::across}},
      {"a time and across nodes",
       {of::overhead, of::noise, of::step, of::unhidden, of::latency, of::across}},
      {"doublings", {of::overhead, of::noise, of::step, of::doubling}},
      {"epoch", {of::overhead, of::noise, of::step, of::epoch}},
      {"doublings and epoch", {of::overhead, of::noise, of::step, of::doubling, of::epoch}}};
  return candidates;
}

/// The last bucket there and back: the time of an exchange that is hidden except for its end.
Seconds last_bucket(scenario::ExchangeSpec const& exchange, BytesPerSecond network) {
  auto const buckets = gradient_buckets(exchange);
  if (buckets.empty()) return {};
  bool const known = network > BytesPerSecond();
  BytesPerSecond const link = known ? network * reached : BytesPerSecond(usual_link);
  return *std::max_element(buckets.begin(), buckets.end()) / link * 2;
}

FitDraw draw_of(std::size_t candidate, std::vector<double> const& point, Seconds bucket) {
  auto const& free = all_candidates()[candidate].free;
  FitDraw draw;
  draw.candidate = static_cast<int>(candidate);
  // If gradients are hidden, links do not matter.
  draw.inside = draw.between = BytesPerSecond(1e15);
  for (std::size_t k = 0; k < free.size(); ++k) {
    double const value = std::exp(point[k]);
    switch (static_cast<of::Coordinate>(free[k])) {
      case of::overhead:
        draw.overhead = Seconds(value);
        break;
      case of::noise:
        draw.noise = value;
        break;
      case of::overlap:
        draw.overlap = inverse_logit(point[k]);
        break;
      case of::inside:
        draw.inside = BytesPerSecond(value);
        break;
      case of::between:
        draw.between = BytesPerSecond(value);
        break;
      case of::latency:
        draw.latency = Seconds(value);
        break;
      case of::across:
        draw.across_nodes = value;
        break;
      case of::unhidden:
        draw.unhidden = bucket * value;
        break;
      case of::doubling:
        draw.per_doubling = value;
        break;
      case of::step:
        draw.step = Seconds(value);
        break;
      case of::epoch:
        draw.epoch = draw.step * value;
        break;
      case of::coordinates:
        break;
    }
  }
  if (draw.unhidden > Seconds()) draw.unhidden_per_doubling = draw.latency * 2;
  draw.overhead = std::min(draw.overhead, draw.step * 0.9);
  return draw;
}

constexpr Seconds latency_in_node(4e-6);  // NCCL's tuning.cc, tree over NVLink

/// A run as the models see it.
TrainingSetup setup_of(scenario::Profile const& base, int measured_batch, RunRow const& run) {
  TrainingSetup setup;
  setup.profile.exchange = base.exchange;
  setup.profile.compute.forward_share = base.compute.forward_share;
  setup.profile.compute.optimizer = base.compute.optimizer;
  setup.profile.train.batch = run.batch;
  setup.gpus = run.gpus;
  setup.nodes = run.nodes;
  setup.samples = run.samples;
  setup.measured_batch = measured_batch;
  setup.machine.intra_latency = latency_in_node;
  return setup;
}

void set(TrainingSetup& setup, FitDraw const& draw) {
  scenario::ComputeSpec& compute = setup.profile.compute;
  compute.step_time = draw.step;
  compute.step_overhead = draw.overhead;
  compute.slow_per_doubling = draw.per_doubling;
  compute.slow_across_nodes = draw.across_nodes;
  compute.group_overhead = draw.epoch;
  setup.profile.exchange.overlap = draw.overlap;
  setup.profile.exchange.unhidden = draw.unhidden;
  setup.profile.exchange.unhidden_per_doubling = draw.unhidden_per_doubling;
  setup.machine.intra_bandwidth = draw.inside;
  setup.machine.inter_bandwidth = draw.between;
  setup.machine.inter_latency = draw.latency;
}

Seconds epoch_time(TrainingSetup const& setup) {
  EpochPlan const plan = epoch_plan(setup);
  Seconds time = step_time(setup, setup.profile.train.batch).total() * plan.full;
  if (plan.rest > 0) time += step_time(setup, plan.rest).total();
  return setup.gpus > 1 ? time + setup.profile.compute.group_overhead : time;
}

bool smaller(RunRow const& a, RunRow const& b) {
  return std::tuple(a.nodes, a.gpus, -a.batch) < std::tuple(b.nodes, b.gpus, -b.batch);
}

struct RunFamily {
  std::string name;
  std::vector<RunRow> rows;
  int batch = 1;
  NormalPrior step;  // of the logarithm
  BytesPerSecond network;
  Seconds bucket;  // the last one's exchange
  std::vector<TrainingSetup> setups;
};

RunFamily make_family(std::string const& name, std::vector<RunRow> rows,
                      scenario::Profile const& base) {
  RunRow const smallest = *std::min_element(rows.begin(), rows.end(), smaller);
  double const steps = smallest.samples / smallest.gpus / smallest.batch;
  RunFamily family{name, std::move(rows), smallest.batch, {}, {}, {}, {}};
  family.step = {std::log(smallest.epoch.value() / steps), wide_priors()[of::step].common};
  for (RunRow const& row : family.rows) family.network = std::max(family.network, row.network);
  family.bucket = last_bucket(base.exchange, family.network);
  for (RunRow const& row : family.rows) family.setups.push_back(setup_of(base, family.batch, row));
  return family;
}

double log_density(double miss, double sd) {
  return -std::log(sd) - 0.5 * (miss / sd) * (miss / sd);
}

double log_likelihood(RunFamily& family, FitDraw const& draw) {
  double sum = 0;
  for (std::size_t i = 0; i < family.rows.size(); ++i) {
    set(family.setups[i], draw);
    sum += log_density(std::log(family.rows[i].epoch / epoch_time(family.setups[i])), draw.noise);
  }
  return sum;
}

/// Scales are numbers of nodes: only runs on several show how a machine scales.
bool has_scales(RunFamily const& family) {
  return std::any_of(family.rows.begin(), family.rows.end(), [&family](RunRow const& row) {
    return row.nodes != family.rows.front().nodes || row.gpus != family.rows.front().gpus ||
           row.batch != family.rows.front().batch;
  });
}

HierarchyFamily in_hierarchy(RunFamily const& family) {
  HierarchyFamily in{family.rows.front().gpu, has_scales(family), {}, family.rows.size()};
  in.own.resize(of::coordinates);
  in.own[of::step] = family.step;
  // If rows contradict each other, they show their noise; the usual one is not theirs, and theirs
  // is not that of other families.
  constexpr double noise_width = 0.4;
  if (double const sd = contradiction(family.rows); sd > 0) {
    in.teaches = false;
    in.own[of::noise] = NormalPrior{std::log(sd), noise_width};
    in.own[of::step]->sd = std::hypot(in.own[of::step]->sd, sd);
  }
  constexpr double width = 0.3;
  if (family.network > BytesPerSecond()) {
    in.own[of::between] = NormalPrior{std::log(family.network.value() * reached), width};
  }
  return in;
}

std::vector<RunFamily> families_of(std::vector<RunRow> const& rows, scenario::Profile const& base) {
  std::map<std::string, std::vector<RunRow>> by_family;
  std::vector<std::string> order;
  for (RunRow const& row : rows) {
    auto& group = by_family[row.family];
    if (group.empty()) order.push_back(row.family);
    group.push_back(row);
  }
  std::vector<RunFamily> families;
  for (std::string const& name : order) {
    families.push_back(make_family(name, by_family[name], base));
  }
  return families;
}

/// The row that even the candidate's best draw misses.
std::string refutation(RunFamily& family, std::size_t candidate, Posterior const& posterior,
                       double noise) {
  constexpr double far = 3;
  std::string best_text;
  double best = std::numeric_limits<double>::infinity();
  for (auto const& point : posterior.draws) {
    FitDraw const draw = draw_of(candidate, point, family.bucket);
    double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < family.rows.size() && worst < best; ++i) {
      set(family.setups[i], draw);
      double const miss = std::log(epoch_time(family.setups[i]) / family.rows[i].epoch);
      if (std::abs(miss) > std::abs(worst)) at = i;
      if (std::abs(miss) > std::abs(worst)) worst = std::abs(miss);
    }
    if (worst >= best) continue;
    best = worst;
    best_text = worst > far * noise
                    ? fmt::format("line {} ({}), {:.0f} % off at best", family.rows[at].line,
                                  to_text(family.rows[at]), 100 * std::expm1(worst))
                    : "";
  }
  return best_text;
}

FamilyFit family_fit(RunFamily& family, HierarchyFit const& fit, std::size_t count) {
  FamilyFit result{family.name, family.rows.front().gpu, family.batch, family.rows, {}, {}};
  std::vector<double> noises;
  for (ModelDraw const& draw : averaged(fit, count)) {
    result.draws.push_back(draw_of(draw.candidate, draw.point, family.bucket));
    noises.push_back(result.draws.back().noise);
  }
  double const noise = median(noises);
  for (std::size_t k = 0; k < all_candidates().size(); ++k) {
    result.candidates.push_back({all_candidates()[k].name, fit.weights[k],
                                 refutation(family, k, fit.posteriors[k], noise)});
  }
  return result;
}

double beyond(FamilyFit const& fit, RunRow const& run) {
  int most = 1, least = std::numeric_limits<int>::max();
  for (RunRow const& row : fit.rows) {
    most = std::max(most, row.gpus);
    least = std::min(least, row.batch);
  }
  return doublings_beyond(static_cast<double>(run.gpus) / most,
                          static_cast<double>(least) / run.batch);
}

char const as_wide[] = "both are kept, and the intervals are as wide as that";

auto run_of(RunRow const& row) {
  return std::tie(row.family, row.gpu, row.gpus, row.nodes, row.batch, row.samples);
}

auto run_of(StorageRow const& row) {
  return std::tie(row.family, row.accelerators, row.hosts, row.threads, row.batch, row.step,
                  row.record, row.samples_per_file, row.cores);
}

template <class Row>
bool same_run(Row const& a, Row const& b) {
  return run_of(a) == run_of(b);
}

double steps(RunRow const& row) { return row.samples / row.gpus / row.batch; }

/// ln of the factor by which the row is too short if the other one is true; 0 if that does not
/// follow. The last step of an epoch may be shorter than the others.
double shortfall(RunRow const& row, RunRow const& than) {
  if (row.family != than.family || row.gpu != than.gpu) return 0;
  if (row.gpus < than.gpus || row.nodes < than.nodes) return 0;
  double const most = row.epoch.value() / std::max(1., std::floor(steps(row)));
  double const least = than.epoch.value() / std::ceil(steps(than));
  double const of_batch = std::min(1., static_cast<double>(row.batch) / than.batch);
  return std::max(0., std::log(least * of_batch / most));
}

double waiting(StorageRow const& row) {
  constexpr double least = 0.01;  // a smaller difference is no contradiction
  return std::max(least, 1 / row.au - 1);
}

double shortfall(StorageRow const& row, StorageRow const& than) {
  bool const alike = row.family == than.family && row.threads == than.threads &&
                     row.batch == than.batch && row.step == than.step &&
                     row.record == than.record && row.samples_per_file == than.samples_per_file &&
                     row.cores == than.cores;
  if (!alike || row.on_host() < than.on_host() || row.hosts < than.hosts) return 0;
  return std::max(0., std::log(waiting(than) / waiting(row)));
}

double apart(RunRow const& a, RunRow const& b) { return std::abs(std::log(a.epoch / b.epoch)); }
double apart(StorageRow const& a, StorageRow const& b) {
  return std::abs(std::log(waiting(a) / waiting(b)));
}

/// Utilisations are rounded and vary by points; of the waiting that is left that is a lot.
bool contradicts(StorageRow const& a, StorageRow const& b, double by) {
  constexpr double usual_points = 0.05;
  return far_apart(by) && std::abs(a.au - b.au) > usual_points;
}
bool contradicts(RunRow const&, RunRow const&, double by) { return far_apart(by); }

/// The row of the table that makes this one the least possible.
template <class Row>
Row const* impossible_by(std::vector<Row> const& rows, Row const& row) {
  Row const* worst = nullptr;
  double most = 0;
  for (Row const& other : rows) {
    double const by = same_run(row, other) ? 0 : shortfall(row, other);
    if (!contradicts(row, other, by) || by <= most) continue;
    worst = &other;
    most = by;
  }
  return worst;
}

/// The first row of the same run, if the two contradict each other.
template <class Row>
Row const* first_said_otherwise(std::vector<Row> const& rows, Row const& row) {
  auto const first = std::find_if(rows.begin(), rows.end(),
                                  [&row](Row const& other) { return same_run(row, other); });
  return contradicts(row, *first, apart(row, *first)) ? &*first : nullptr;
}

std::string repeated_text(RunRow const& row, RunRow const& first) {
  return fmt::format("the same run took {:.3g} times as long", row.epoch / first.epoch);
}

std::string repeated_text(StorageRow const& row, StorageRow const& first) {
  return fmt::format("the same run was utilised {:.1f} %, not {:.1f} %", 100 * row.au,
                     100 * first.au);
}

std::string impossible_text(RunRow const& row, RunRow const& than) {
  return fmt::format(
      "by that ({}) this epoch takes at least {:.3g} s, not {:.3g} s, as neither more GPUs nor "
      "another batch make a GPU that much faster",
      to_text(than), row.epoch.value() * std::exp(shortfall(row, than)), row.epoch.value());
}

std::string impossible_text(StorageRow const& row, StorageRow const& than) {
  return fmt::format("{} accelerators on {} were utilised {:.1f} %, and more are not {:.1f} %",
                     than.accelerators, counted(than.hosts, "host"), 100 * than.au, 100 * row.au);
}

template <class Row>
std::vector<std::string> texts(std::string const& file, std::vector<Row> const& rows) {
  std::vector<std::string> texts;
  auto const add = [&](Row const& row, Row const& other, std::string const& what) {
    texts.push_back(fmt::format("{}:{}: contradicts line {}: {}; {}", file, row.line, other.line,
                                what, as_wide));
  };
  for (Row const& row : rows) {
    if (Row const* const first = first_said_otherwise(rows, row)) {
      // Two times in one line were reported when it was read.
      if (first->line != row.line) add(row, *first, repeated_text(row, *first));
    } else if (Row const* const than = impossible_by(rows, row)) {
      add(row, *than, impossible_text(row, *than));
    }
  }
  return texts;
}

double logarithm(RunRow const& row) { return std::log(row.epoch.value()); }
double logarithm(StorageRow const& row) { return std::log(waiting(row)); }

template <class Row>
double widest(std::vector<Row> const& rows) {
  double widest = 0;
  for (Row const& row : rows) {
    if (Row const* const than = impossible_by(rows, row)) {
      widest = std::max(widest, shortfall(row, *than) / std::sqrt(2.));  // sd of two
    }
    if (!first_said_otherwise(rows, row)) continue;
    std::vector<double> logs;
    for (Row const& other : rows) {
      if (same_run(row, other)) logs.push_back(logarithm(other));
    }
    widest = std::max(widest, standard_deviation(logs));
  }
  return widest;
}

}  // namespace

TrainingFit fit_training(std::vector<RunRow> const& rows, scenario::Profile const& base,
                         FitOptions const& options) {
  std::vector<RunFamily> families = families_of(rows, base);
  Hierarchy hierarchy{wide_priors(), all_candidates(), {}, {}};
  for (RunFamily const& family : families) hierarchy.families.push_back(in_hierarchy(family));
  hierarchy.log_likelihood = [&families](std::size_t family, std::size_t candidate,
                                         std::vector<double> const& point) {
    return log_likelihood(families[family], draw_of(candidate, point, families[family].bucket));
  };
  auto const fits = fit_hierarchy(hierarchy, options.points, RandomStreams(options.seed, 0));
  TrainingFit fit{base, {}};
  for (std::size_t i = 0; i < families.size(); ++i) {
    fit.families.push_back(family_fit(families[i], fits[i], options.draws));
  }
  return fit;
}

Seconds epoch_of(FitDraw const& draw, int measured_batch, scenario::Profile const& base,
                 RunRow const& run) {
  TrainingSetup setup = setup_of(base, measured_batch, run);
  set(setup, draw);
  return epoch_time(setup);
}

EpochForecast forecast(FamilyFit const& fit, scenario::Profile const& base, RunRow const& run) {
  constexpr int noises = 17;  // of each draw, evenly by probability; sd 0.97
  TrainingSetup setup = setup_of(base, fit.batch, run);
  double const doublings = beyond(fit, run);
  std::vector<double> expected, times;
  for (FitDraw const& draw : fit.draws) {
    set(setup, draw);
    double const time = epoch_time(setup).value();
    expected.push_back(time);
    double const sd = forecast_sd(draw.noise, doublings);
    for (int i = 0; i < noises; ++i) {
      times.push_back(time * std::exp(sd * normal_quantile((i + 0.5) / noises)));
    }
  }
  constexpr std::array<double, 2> ends = {0.05, 0.95};
  auto const q = quantiles(std::move(times), ends);
  return {Seconds(median(std::move(expected))), {q[0], q[1]}};
}

std::vector<FittedParameter> const& fitted_parameters() {
  static std::vector<FittedParameter> const parameters = {
      {"step time", "ms", [](FitDraw const& d) { return d.step.value() * 1e3; }},
      {"overhead", "ms", [](FitDraw const& d) { return d.overhead.value() * 1e3; }},
      {"overlap", "%", [](FitDraw const& d) { return d.overlap * 100; }},
      {"link in a node", "GB/s", [](FitDraw const& d) { return d.inside.value() / 1e9; }},
      {"link between nodes", "GB/s", [](FitDraw const& d) { return d.between.value() / 1e9; }},
      {"latency between nodes", "us", [](FitDraw const& d) { return d.latency.value() * 1e6; }},
      {"time a step between nodes", "ms",
       [](FitDraw const& d) { return d.unhidden.value() * 1e3; }},
      {"and a doubling of nodes", "ms",
       [](FitDraw const& d) { return d.unhidden_per_doubling.value() * 1e3; }},
      {"loss a doubling", "%", [](FitDraw const& d) { return d.per_doubling * 100; }},
      {"loss across nodes", "%", [](FitDraw const& d) { return d.across_nodes * 100; }},
      {"fixed cost an epoch", "s", [](FitDraw const& d) { return d.epoch.value(); }},
      {"noise", "%", [](FitDraw const& d) { return d.noise * 100; }}};
  return parameters;
}

bool far_apart(double logarithm) {
  constexpr double usual = 0.25;
  return logarithm > std::log1p(usual);
}

std::vector<std::string> contradictions(std::string const& file, std::vector<RunRow> const& rows) {
  return texts(file, rows);
}

std::vector<std::string> contradictions(std::string const& file,
                                        std::vector<StorageRow> const& rows) {
  return texts(file, rows);
}

double contradiction(std::vector<RunRow> const& rows) { return widest(rows); }
double contradiction(std::vector<StorageRow> const& rows) { return widest(rows); }

}  // namespace gridcast::training

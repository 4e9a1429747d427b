#include "sim/training/fit/storage_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/random.hpp"
#include "sim/training/estimate.hpp"
#include "sim/training/fit/hierarchy.hpp"
#include "sim/training/fit/training_fit.hpp"
#include "sim/training/input_pipeline.hpp"
#include "sim/training/setup.hpp"

namespace gridcast::training {
namespace {

struct of_store {
  enum Parameter : std::size_t {
    waiting,  // of the smallest run; logarithms, except the powers
    unhidden_time,
    ranks,
    hosts,
    noise,
    open,
    stream,
    sample,
    host,
    store,
    parameters
  };
};

std::vector<WidePrior> const& store_priors() {
  static std::vector<WidePrior> const priors = {
      {0, 1, 0},                     // around the value of the smallest run
      {std::log(0.2e-3), 0.6, 0.4},  // handing a batch over: a few hundred calls of Python
      {1.2, 0.15, 0.2},              // each rank waits for its turn, and a little longer
      {0.3, 0.1, 0.1},               // the slowest of many
      {std::log(0.08), 0.3, 0.3},    // of the waiting
      {std::log(0.3e-3), 0.8, 0.8},  // a metadata call over a network
      {std::log(2e9), 0.5, 0.5},     // one reader of flash over a network
      {std::log(0.3e-3), 0.7, 1},    // decoding
      {std::log(30e9), 0.5, 0.7},    // a port or two of 100 to 200 Gbit/s
      {std::log(100e9), 0.7, 1.2}};
  return priors;
}

bool serves_fewer(StorageRow const& a, StorageRow const& b) {
  return std::tuple(a.on_host(), a.accelerators) < std::tuple(b.on_host(), b.accelerators);
}

Seconds waited(StorageRow const& row) {
  constexpr double least = 1e-4;  // a share that nobody measures
  return row.step * std::max(least, 1 / row.au - 1);
}

/// A family's waiting is counted from that of the smallest run.
scenario::StoreDraw draw_of(std::vector<double> const& point, StorageRow const& smallest) {
  scenario::StoreDraw draw;
  Seconds const all(std::exp(point[of_store::waiting]));
  constexpr double most = 0.9;  // some of it is shared
  draw.unhidden = std::min(Seconds(std::exp(point[of_store::unhidden_time])), all * most);
  draw.unhidden_ranks = std::max(0., point[of_store::ranks]);
  draw.unhidden_hosts = std::max(0., point[of_store::hosts]);
  draw.unhidden_shared =
      (all - draw.unhidden) * (1 / (std::pow(smallest.on_host(), draw.unhidden_ranks) *
                                    std::pow(smallest.hosts, draw.unhidden_hosts)));
  draw.noise = std::exp(point[of_store::noise]);
  draw.open_latency = Seconds(std::exp(point[of_store::open]));
  draw.stream_bandwidth = BytesPerSecond(std::exp(point[of_store::stream]));
  draw.decode = Seconds(std::exp(point[of_store::sample]));
  draw.node_bandwidth = BytesPerSecond(std::exp(point[of_store::host]));
  draw.bandwidth = BytesPerSecond(std::exp(point[of_store::store]));
  return draw;
}

TrainingSetup setup_of(StorageRow const& row) {
  TrainingSetup setup;
  setup.gpus = row.accelerators;
  setup.nodes = row.hosts;
  setup.machine.cores = row.cores;
  scenario::ReaderSpec& reader = setup.profile.reader;
  reader.by = scenario::ReadBy::sample;
  reader.threads = row.threads;
  reader.sequential = false;
  reader.transfer_size = row.record;
  setup.profile.dataset.samples = row.samples_per_file;
  setup.profile.dataset.files = 1;
  setup.profile.dataset.sample_size = row.record;
  return setup;
}

/// Standard deviation of ln(waiting), from the row's spread between runs: w = c/AU - c, so dw/w =
/// -dAU/(AU (1 - AU)).
double measured_sd(StorageRow const& row) {
  constexpr double nearly_all = 0.999, most = 2;
  double const au = std::min(row.au, nearly_all);
  return std::min(most, row.au_sd / std::sqrt(row.runs) / (au * (1 - au)));
}

/// Factor of the noise of a forecast.
double farther(StorageFit const& fit, StorageRow const& row) {
  double nearest = std::numeric_limits<double>::infinity();
  for (StorageRow const& measured : fit.rows) {
    double const doublings = std::abs(std::log2(row.on_host() / measured.on_host())) +
                             std::abs(std::log2(static_cast<double>(row.hosts) / measured.hosts));
    nearest = std::min(nearest, doublings);
  }
  return std::sqrt(1 + nearest);
}

/// How far the waiting that just passes is above the expected one, in units of the noise.
double margin(StorageRow const& row, Seconds expected, double noise) {
  if (row.passed_above <= 0) return 40;
  StorageRow limit = row;
  limit.au = row.passed_above;
  return std::log(waited(limit) / expected) / noise;
}

struct StorageFamily {
  std::vector<StorageRow> rows;
  StorageRow smallest;
};

double log_likelihood(StorageFamily const& family, scenario::StoreDraw const& draw) {
  double sum = 0;
  for (StorageRow const& row : family.rows) {
    Seconds const expected = waiting_of(draw, row);
    double const noise = std::hypot(draw.noise, measured_sd(row));
    double const miss = std::log(waited(row) / expected) / noise;
    constexpr double least = 1e-12;
    sum += -std::log(noise) - 0.5 * miss * miss -
           std::log(std::max(least, normal_cdf(margin(row, expected, noise))));
  }
  return sum;
}

constexpr char wanted[] =
    "Wanted are accelerators, hosts, threads, batch, step_s, record_bytes, and au (%) or "
    "samples_per_s.";

std::vector<std::string> const& storage_columns() {
  static std::vector<std::string> const columns = {
      "family",       "system",        "accelerators",     "hosts", "threads",
      "batch",        "step_s",        "record_bytes",     "cores", "au",
      "passed_above", "samples_per_s", "samples_per_file", "au_sd", "runs"};
  return columns;
}

void read_utilisation(MeasuredRow& row, StorageRow& run) {
  constexpr double per_cent = 100;
  auto const au = row.number("au");
  auto const rate = row.number("samples_per_s");
  if (row.bad()) return;
  run.au_given = au.has_value();
  if (au) {
    run.au = *au / per_cent;
  } else if (rate) {
    run.au = run.step.value() * *rate / (static_cast<double>(run.accelerators) * run.batch);
  } else {
    row.complain("au", "no utilisation", "nothing can be fitted to it",
                 "Add a column 'au' (%) or 'samples_per_s'.");
    return;
  }
  constexpr double most = 1.02;  // rates are rounded
  if (run.au > most) {
    row.complain(au ? "au" : "samples_per_s",
                 fmt::format("a utilisation of {:.1f} %", per_cent * run.au),
                 "accelerators cannot compute more than all the time", "Is step_s right?");
  }
  run.au = std::min(run.au, 1.);
  if (!row.bad() && run.au < run.passed_above) {
    row.complain(au ? "au" : "samples_per_s",
                 fmt::format("a utilisation of {:.1f} %", per_cent * run.au),
                 fmt::format("only runs above {:.1f} % are published", per_cent * run.passed_above),
                 "Leave passed_above empty where all are.");
  }
}

/// If no row is above 1, a share was probably meant.
void check_per_cent(StorageTable const& table, MeasuredTable& measured) {
  constexpr double one_per_cent = 0.01;
  bool const small = std::ranges::all_of(
      table.rows, [](StorageRow const& row) { return row.au_given && row.au <= one_per_cent; });
  if (table.rows.empty() || !small) return;
  measured.problems().push_back({{table.file, table.rows.front().line, 1},
                                 "no utilisation above 1 %",
                                 "au is in per cent",
                                 "Write 97 for 97 %."});
}

std::optional<StorageRow> read_row(MeasuredRow row) {
  constexpr int most = 1 << 20;
  StorageRow run;
  run.line = row.line();
  run.family = row.text("family").empty() ? "all rows" : row.text("family");
  run.system = row.text("system").empty() ? run.family : row.text("system");
  auto const needed = [&row](char const* column, auto value, auto& to) {
    if (value) to = static_cast<std::decay_t<decltype(to)>>(*value);
    if (!value && !row.bad()) row.complain(column, fmt::format("no {}", column), "", wanted);
  };
  needed("accelerators", row.count("accelerators", most), run.accelerators);
  run.hosts = row.count("hosts", most).value_or(1);
  run.threads = row.count("threads", most).value_or(1);
  needed("batch", row.count("batch", most), run.batch);
  needed("step_s", row.number("step_s"), run.step);
  needed("record_bytes", row.number("record_bytes"), run.record);
  run.samples_per_file = row.number("samples_per_file").value_or(1);
  run.cores = row.count("cores", most).value_or(0);
  constexpr double per_cent = 100;
  run.au_sd = row.number("au_sd", MeasuredRow::Least::zero).value_or(0) / per_cent;
  run.runs = row.count("runs", most).value_or(1);
  run.passed_above = row.number("passed_above", MeasuredRow::Least::zero).value_or(0) / per_cent;
  if (!row.bad() && run.hosts > run.accelerators) {
    row.complain("hosts", fmt::format("{} hosts for {} accelerators", run.hosts, run.accelerators),
                 "a host without one reads nothing", "");
  }
  if (!row.bad()) read_utilisation(row, run);
  if (row.bad()) return std::nullopt;
  return run;
}

}  // namespace

Seconds waiting_of(scenario::StoreDraw const& draw, StorageRow const& row) {
  TrainingSetup setup = setup_of(row);
  put(setup, draw);
  Loader const loader = make_loader(setup, row.batch, 0);
  Seconds const supply = loader.load * (1. / std::max(1, loader.lanes));
  return std::max(unhidden(setup), supply - row.step);
}

std::vector<StorageFit> fit_storage(std::vector<StorageRow> const& rows, std::uint64_t seed,
                                    std::size_t points) {
  std::vector<StorageFamily> families;
  std::map<std::string, std::size_t> places;
  for (StorageRow const& row : rows) {
    auto const [at, fresh] = places.emplace(row.family, families.size());
    if (fresh) families.push_back({});
    families[at->second].rows.push_back(row);
  }
  constexpr double noise_width = 0.4;
  Hierarchy hierarchy{store_priors(), {}, {}};
  for (StorageFamily& family : families) {
    family.smallest = *std::ranges::min_element(family.rows, serves_fewer);
    double const sd = contradiction(family.rows);  // as in training_fit.cpp
    bool const teaches = family.rows.size() > 1 && sd <= 0;
    HierarchyFamily in{family.smallest.system, teaches, {}, family.rows.size()};
    in.own.resize(of_store::parameters);
    if (sd > 0) in.own[of_store::noise] = NormalPrior{std::log(sd), noise_width};
    in.own[of_store::waiting] =
        NormalPrior{std::log(waited(family.smallest).value()),
                    std::hypot(store_priors()[of_store::waiting].common, sd)};
    hierarchy.families.push_back(std::move(in));
  }
  hierarchy.log_likelihood = [&families](std::size_t f, std::vector<double> const& point) {
    return log_likelihood(families[f], draw_of(point, families[f].smallest));
  };
  constexpr std::size_t kept = 400;
  auto const posteriors = fit_hierarchy(hierarchy, points, RandomStreams(seed, 0));
  std::vector<StorageFit> result;
  for (std::size_t f = 0; f < families.size(); ++f) {
    StorageFamily const& family = families[f];
    result.push_back({family.smallest.family, family.smallest.system, family.rows, {}});
    for (std::size_t const at : resample(posteriors[f].weights, kept, 0.5)) {
      result.back().draws.push_back(draw_of(posteriors[f].draws[at], family.smallest));
    }
  }
  return result;
}

UtilisationForecast forecast(StorageFit const& fit, StorageRow const& row) {
  constexpr int noises = 49;  // of each draw, evenly by probability; sd 0.99
  std::vector<double> shares, weights;
  double sum = 0;
  double const wider = farther(fit, row);
  for (scenario::StoreDraw const& draw : fit.draws) {
    Seconds const expected = waiting_of(draw, row);
    double const noise = draw.noise * wider;
    double const passes = normal_cdf(margin(row, expected, noise));
    for (int i = 0; i < noises; ++i) {
      double const u = std::max(1e-12, passes * (i + 0.5) / noises);
      Seconds const time = expected * std::exp(noise * normal_quantile(u));
      shares.push_back(row.step / (row.step + time));
      weights.push_back(passes);
      sum += passes;
    }
  }
  for (double& weight : weights) weight /= sum;
  return {weighted_quantile(shares, weights, 0.5),
          {weighted_quantile(shares, weights, 0.05), weighted_quantile(shares, weights, 0.95)}};
}

std::vector<FittedParameter<scenario::StoreDraw>> const& storage_parameters() {
  static std::vector<FittedParameter<scenario::StoreDraw>> const list = {
      {"unhidden time a step", "ms", [](auto const& d) { return d.unhidden.value() * 1e3; }},
      {"and a rank's share of it", "ms",
       [](auto const& d) { return d.unhidden_shared.value() * 1e3; }},
      {"power of ranks a host", "", [](auto const& d) { return d.unhidden_ranks; }},
      {"power of hosts", "", [](auto const& d) { return d.unhidden_hosts; }},
      {"open latency", "ms", [](auto const& d) { return d.open_latency.value() * 1e3; }},
      {"bandwidth of a reader", "GB/s",
       [](auto const& d) { return d.stream_bandwidth.value() / 1e9; }},
      {"bandwidth of a host", "GB/s", [](auto const& d) { return d.node_bandwidth.value() / 1e9; }},
      {"bandwidth of the store", "GB/s", [](auto const& d) { return d.bandwidth.value() / 1e9; }},
      {"processor time a sample", "ms", [](auto const& d) { return d.decode.value() * 1e3; }},
      {"noise of the waiting", "%", [](auto const& d) { return d.noise * 100; }}};
  return list;
}

StorageTable parse_storage_rows(std::string const& file, std::string const& text) {
  MeasuredTable measured(file, text, "accelerators", wanted);
  StorageTable table{file, {}, {}};
  for (MeasuredRow const& row : measured.rows()) {
    if (auto run = read_row(row)) table.rows.push_back(*std::move(run));
  }
  check_per_cent(table, measured);
  measured.raise(table.rows.size());
  std::string const note = measured.note_on_others(storage_columns());
  if (!note.empty()) table.notes.push_back(note);
  return table;
}

StorageTable read_storage_rows(std::filesystem::path const& file) {
  return parse_storage_rows(file.string(), read_text_file(file));
}

bool is_storage_table(std::string const& text) {
  auto const names = column_names(text);
  return contains(names, "accelerators");
}

}  // namespace gridcast::training

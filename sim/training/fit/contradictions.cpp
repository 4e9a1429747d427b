#include "sim/training/fit/contradictions.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"

namespace gridcast::training {
namespace {

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

/// ln of how much longer the row would have to take, were the other one true; 0 where that does not
/// tell. The last step of an epoch may be shorter than the others.
double shortfall(RunRow const& row, RunRow const& than) {
  if (row.family != than.family || row.gpu != than.gpu) return 0;
  if (row.gpus < than.gpus || row.nodes < than.nodes) return 0;
  double const most = row.epoch.value() / std::max(1., std::floor(steps(row)));
  double const least = than.epoch.value() / std::ceil(steps(than));
  double const of_batch = std::min(1., static_cast<double>(row.batch) / than.batch);
  return std::max(0., std::log(least * of_batch / most));
}

double waiting(StorageRow const& row) {
  constexpr double least = 0.01;  // what differs by less is no contradiction
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
  return fmt::format(
      "{} accelerators on {} host{} were utilised {:.1f} %, and more are not {:.1f} %",
      than.accelerators, than.hosts, than.hosts == 1 ? "" : "s", 100 * than.au, 100 * row.au);
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
      // Two times in one line were told of when it was read.
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

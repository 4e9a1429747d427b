// From the accelerator utilisation that a store gave to some accelerators to its utilisation for
// others: the input pipeline's parameters (input_pipeline.hpp), each with its interval, from any
// rows of
//   accelerators, hosts, threads (readers of one accelerator), batch, step_s (computing alone),
//   record_bytes, au (%)  or samples_per_s
//   au_sd (between runs, %) and runs averaged in au, cores of a host, samples_per_file,
//   family (a store and a workload), system (its families learn from each other; default: the
//   family), passed_above (%: rows below it are not published)
//
// With m accelerators on each of H hosts, a step of c seconds takes
//   max(c + unhidden + shared m^p H^q, supply)
// supply is the pipeline's time for a batch in the long run: of its readers (open, bandwidth of
// one, processor time), of a host (its bandwidth, its cores) and of the store. If no row is bound
// by one of these, it is known to be at least so fast, and its interval shows no more. The
// remaining waiting, c/AU - c, has lognormal noise. p is about 1 (ranks wait for their turn on the
// host), q small (every rank waits for the slowest of all); both have priors, as one scale does not
// determine them.
//
// A row's own uncertainty (au_sd / sqrt(runs)) adds to that noise, and so does distance: a
// forecast's variance of ln(waiting) is 1 + d times as large, d doublings of accelerators a host
// and of hosts away from the nearest row, as if each brought its own (as in training_fit.hpp).
//
// A sample that is cut off is fitted as one: where only runs that passed are published, a row's
// likelihood is divided by the probability of passing, and a forecast of a published row is one
// given that it passed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/base/units.hpp"
#include "sim/scenario/profile.hpp"
#include "sim/training/fit/run_rows.hpp"

namespace gridcast::training {

struct StorageRow {
  std::string family, system;
  int accelerators = 1;
  int hosts = 1;
  int threads = 1;
  int batch = 1;
  Seconds step;  // computing alone
  Bytes record;
  double samples_per_file = 1;
  int cores = 0;            // of a host; 0: not known
  double au = 0;            // share
  double au_sd = 0;         // between runs, a share; 0: not known
  int runs = 1;             // averaged in au
  bool au_given = false;    // rather than made of a rate
  double passed_above = 0;  // share; 0: every run is published
  int line = 0;

  double on_host() const { return static_cast<double>(accelerators) / hosts; }
};

using StorageTable = RowTable<StorageRow>;

/// InputError with all rows that cannot be used.
StorageTable read_storage_rows(std::filesystem::path const& file);
StorageTable parse_storage_rows(std::string const& file, std::string const& text);
/// True if a table's first line is of stores rather than of runs.
bool is_storage_table(std::string const& text);

struct StorageFit {
  std::string family, system;
  std::vector<StorageRow> rows;
  std::vector<scenario::StoreDraw> draws;  // of equal weight
};

/// `rows` is not empty.
std::vector<StorageFit> fit_storage(std::vector<StorageRow> const& rows, std::uint64_t seed = 1,
                                    std::size_t points = 12000);

/// Waiting of a step of such a run beyond computing under that draw, without noise.
Seconds waiting_of(scenario::StoreDraw const& draw, StorageRow const& row);

struct UtilisationForecast {
  double median = 0;  // shares
  Interval interval;  // 90 %
};
/// For the row's accelerators, hosts and threads; given that it passed, if it has a limit.
UtilisationForecast forecast(StorageFit const& fit, StorageRow const& row);

/// A fitted parameter, in rows for people: name, unit and value of a draw.
template <class Draw>
struct FittedParameter {
  std::string name, unit;
  double (*value)(Draw const&);
};
std::vector<FittedParameter<scenario::StoreDraw>> const& storage_parameters();

}  // namespace gridcast::training

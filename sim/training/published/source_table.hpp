// Every row of every table in the source documents, beside the model's value of it; the tables of
// calibration/data/training that they are read from, as numbers by column; and what the tables of
// jobs and of scaling say by themselves.
#pragma once

#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/base/units.hpp"
#include "sim/history/job_table.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/profile.hpp"

namespace gridcast::training {

struct NumberRow {
  std::map<std::string, std::string> cells;
  /// NaN for an empty cell.
  double number(std::string const& column) const;
  std::string const& text(std::string const& column) const;
};

/// InputError if it cannot be read.
std::vector<NumberRow> read_number_rows(std::filesystem::path const& file);

struct SourceRow {
  std::string what;      // "8 GPUs"
  std::string quantity;  // "wall time"
  std::string unit;      // "s", "%", "GB", ...
  double source = 0;     // or not_published
  double model = 0;
  double tolerance = 0;   // 0: none is asked for
  bool relative = false;  // the tolerance is a share of the source's value
  std::string note;

  double difference() const { return relative ? model / source - 1 : model - source; }
  /// Whether the model is as near as it has to be; true where nothing is asked for.
  bool agrees() const;
};

struct SourceTable {
  std::string title;
  std::string before;  // a paragraph
  std::vector<SourceRow> rows;
  std::string after;  // a paragraph, may be empty
  std::string source_title = "source";
  std::string model_title = "model";
};

/// Where the data and the profiles are.
struct SourceFiles {
  std::filesystem::path data;      // calibration/data
  std::filesystem::path profiles;  // scenarios/profiles

  /// A table of data/training.
  std::vector<NumberRow> rows(std::string const& name) const;
  scenario::Hardware hardware() const;
  scenario::Profile profile(std::string const& name) const;
};

/// The source has no such value.
inline constexpr double not_published = std::numeric_limits<double>::quiet_NaN();

SourceTable kempner_table(SourceFiles const& files);
SourceTable kempner_outlook_table(SourceFiles const& files);  // forms and the 128-GPU row
SourceTable hpml_table(SourceFiles const& files);
SourceTable hpml_batches_table(SourceFiles const& files);
SourceTable darshan_table(SourceFiles const& files);
SourceTable what_if_table(SourceFiles const& files);
SourceTable dlio_table(SourceFiles const& files);
SourceTable osg_table(SourceFiles const& files);
SourceTable osg_executions_table(SourceFiles const& files);
SourceTable streaming_table(SourceFiles const& files);
SourceTable training_hold_out_table(SourceFiles const& files);
SourceTable within_four_nodes_table(SourceFiles const& files);  // the same inside the smaller ones
SourceTable storage_hold_out_table(SourceFiles const& files);
SourceTable straggler_table(SourceFiles const& files);

std::vector<SourceTable> source_tables(SourceFiles const& files);

// What the suggestions for improvement in the Darshan notes would bring, by the models beside this
// file: one change of a profile each, its I/O time and its run time before and after. Where I/O is
// hidden behind computing, less of it does not make the job faster, and the table says so.

struct WhatIf {
  std::string profile;
  std::string suggestion;       // of the notes
  std::string change;           // what was changed here
  Seconds io_before, io_after;  // in I/O calls of one rank
  Seconds total_before, total_after;
  double gain() const { return 1 - total_after / total_before; }
};

std::vector<WhatIf> what_ifs(SourceFiles const& files);

// Unpacking and epochs of the published OSG jobs, in seconds: T = u + e t at each site with e
// epochs, fitted to executions of 5 and of 20 epochs at once, and to executions that ended right
// after unpacking (e = 0). Least absolute deviations (Bloomfield & Steiger 1983), each over its
// group's median,
//   minimise sum |T_i - u - e_i t| / median_e(i),  u >= 0
// so that an execution that was twice as long as the others (GP-ARGO's heavy tail) pulls no harder
// than one that was a little longer. The optimum of such a fit passes through two of the points, so
// all pairs are tried.

struct PublishedExecution {
  std::string site;
  int epochs = 0;
  Seconds time;
  std::string job = {};  // "794569.2"
};

struct SiteTimes {
  std::string site;
  Seconds unpack;
  Seconds epoch;
  std::size_t executions = 0;
  Seconds of(int epochs) const { return unpack + epoch * epochs; }
};

/// Successful final executions of a table of jobs with that many epochs; where the network was
/// found unreachable after unpacking, the execution counts as one of no epochs.
std::vector<PublishedExecution> executions_of(history::JobTable const& table, int epochs);

/// One fit over all; sites in alphabetical order. Sites with fewer than two numbers of epochs are
/// left out.
std::vector<SiteTimes> fit_unpack_and_epochs(std::vector<PublishedExecution> const& executions);

/// Median time of a site's executions of that many epochs; NaN if there are none.
double median_time(std::vector<PublishedExecution> const& executions, std::string const& site,
                   int epochs);

// What a scaling table says about the loss of efficiency, and what it leaves open:
//   T(n) = T(1)/n x (1 + loss(n)),  loss(n) = a f(n) + b g(n),  a, b >= 0
// T(1) is taken as measured, in seconds; a and b are fitted by least squares on y = n T(n)/T(1) - 1
// over the rows with n > 1, by the normal equations
//   a sum ff + b sum fg = sum fy,   a sum fg + b sum gg = sum gy
// and where one would be negative, the other carries all. The shapes are those that are in use:
//   serial        n - 1            a cost that more GPUs do not share (Amdahl 1967)
//   square root   sqrt(n) - 1
//   ring          2 (n - 1)/n      the bytes of a ring all-reduce
//   slowest rank  sqrt(2 ln n)     the largest of n normal times
//   tree          log2 n           the levels of a tree of messages
// and serial with each of the last three. A form is refuted where its best fit misses a measured
// efficiency by more than `refuted_points`.

struct ScalingPoint {
  int gpus = 1;
  Seconds wall;
};

struct ScalingForm {
  std::string name;
  double (*first)(double n);
  double (*second)(double n);  // null: none
};
std::vector<ScalingForm> const& scaling_forms();
/// The form that the shipped profiles are fitted with: serial (a fixed cost an epoch) and log2.
ScalingForm const& preferred_form();

struct ScalingFit {
  ScalingForm form;
  Seconds one;  // T(1)
  double a = 0, b = 0;
  Seconds wall(int gpus) const;
  double efficiency(int gpus) const;  // T(1) / (n T(n))
};

/// `points` begin with one GPU and hold at least as many others as the form has shapes.
ScalingFit fit_scaling(ScalingForm const& form, std::vector<ScalingPoint> const& points);

/// Largest distance of efficiencies, in points of per cent.
double worst_efficiency(ScalingFit const& fit, std::vector<ScalingPoint> const& points);
/// Largest relative distance of wall times.
double worst_wall(ScalingFit const& fit, std::vector<ScalingPoint> const& points);

inline constexpr double refuted_points = 3;

struct ScalingOutlook {
  Seconds wall;         // by the preferred form
  Interval interval;    // of wall seconds: all forms that are not refuted, each with its worst miss
  Interval every_form;  // the refuted ones too
  std::vector<ScalingFit> fits;
};

/// What the forms, fitted on all points, say about another number of GPUs.
ScalingOutlook scaling_outlook(std::vector<ScalingPoint> const& points, int gpus);

}  // namespace gridcast::training

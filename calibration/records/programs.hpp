// Which jobs of a record ran the same program. Jobs have labels (DAG node, executable,
// arguments, batch name); the times of finished executions show by which of them the work of a
// job differs.
//
// (The DAG node's name in HTCondor's records is the job's name in other systems' tables.) Jobs are
// grouped by each label in turn: the executable, the arguments, the batch name, the text of the DAG
// node's name without its numbers, and the same with one of its numbers kept ("run*-train_epoch3"
// of "run7-train_epoch3"). If several campaigns were recorded with a mean of five finished
// executions each, the campaign is a label too. With n finished executions, ln time is a site's
// effect plus a group's, by least squares, and
//   BIC = n ln(s^2 + 0.05^2) + (groups - 1) ln n,   s^2 the mean square of the residuals
// (Schwarz 1978), which ignores differences of 5 %. The grouping with the least BIC counts, if
// that is 10 less than without any (Kass & Raftery 1995: very strong). A group without a finished
// execution has the work that a straight line through the others' numbers gives it, if the groups
// are numbered, three of them have finished executions and the line is within 15 % of each; else
// that of the newest group that has one.
//
// A label can outlive its program: a job that never finished, with an execution that lasted half as
// long again as the longest that did, of its group and at the same site's pace, ran another, whose
// work is unknown. Such jobs are no evidence on work and speeds.
//
// Works are relative to those of the newest program: that of the job submitted last whose program
// finished at least one execution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

struct Program {
  std::string name;  // "run*-train_epoch3"
  std::size_t jobs = 0, finished = 0;
  double scale = 1;                   // of its work, over the newest's
  std::optional<double> number = {};  // for programs that a number distinguishes
  double median_s = 0;                // of finished executions, wherever they were; 0: none
  bool newest = false;
  std::size_t ended = 0, crashed = 0;          // executions that ended by themselves, and so
  std::optional<FactorRange> crash_odds = {};  // over those of all programs together
};

/// ln scale = ln(at_zero + by_one x number), where a line describes the programs.
struct ProgramTrend {
  double at_zero = 1, by_one = 0;
};

struct Programs {
  std::string grouped_by;              // "number 2 of the DAG node's name"; empty: one program
  std::vector<Program> programs = {};  // in the order of their names; at least one
  std::vector<std::size_t> of_job = {};
  std::vector<bool> strangers = {};  // jobs that ran another program than their label's
  std::optional<ProgramTrend> trend = {};

  bool several() const { return programs.size() > 1; }
  /// ln scale of each job, for the fits; NaN of strangers.
  std::vector<double> log_scales() const;
  /// The middle of the odds of each job's program; empty for one program, or if none is known.
  std::vector<double> odds_of_jobs() const;
};

/// `campaigns`: clusters of each recorded campaign; empty: all jobs are of one.
Programs programs_of(history::JobHistory const& history, AttemptRecords const& records,
                     std::vector<std::set<std::uint32_t>> const& campaigns = {});

/// The name of a DAG node with its numbers as "*", except that of this index (from 1); 0: all.
std::string node_pattern(std::string_view node, std::size_t kept);
/// That number; none if there are fewer.
std::optional<double> node_number(std::string_view node, std::size_t index);

}  // namespace gridcast::calibration

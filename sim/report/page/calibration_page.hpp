// The calibration behind a forecast: each fitted process beside its data, how surely each
// parameter is known and from how many events, tests of the models, and the gaps of the data. For
// a pool whose parameters are known, the true values beside the calibration's.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/mixture.hpp"
#include "sim/base/statistics.hpp"
#include "sim/report/page/document.hpp"

namespace gridcast::report {

struct ProcessBeside {
  std::string name;
  std::vector<double> data;  // seconds, ascending
  std::size_t censored = 0;
  std::vector<DistributionMixture> draws;
};

struct ParameterLine {
  std::string name, unit, method, fit;
  double estimate = 0;
  Interval interval90;
  std::size_t events = 0, censored = 0;
};

struct TestLine {
  std::string hypothesis, statistic, verdict;
  double observed = 0, expected = 0, p_value = 0;
};

struct NotIdentifiedLine {
  std::string what, why, taken_from;
};

struct CalibrationPage {
  std::string file;
  std::vector<ParameterLine> parameters;
  std::vector<TestLine> tests;
  std::vector<NotIdentifiedLine> not_identified;
  std::vector<ProcessBeside> processes;
  std::string no_data;  // why there are no processes beside their data; empty if there are
};

/// Two or three sections: fits, parameters, tests.
std::vector<ReportSection> calibration_sections(CalibrationPage const& page);

}  // namespace gridcast::report

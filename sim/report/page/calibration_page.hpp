// The calibration behind a forecast: how surely each parameter is known and from how many events,
// tests of the models, and the gaps of the data.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/report/page/document.hpp"

namespace gridcast::report {

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
};

/// One to three sections: parameters, tests, gaps.
std::vector<ReportSection> calibration_sections(CalibrationPage const& page);

}  // namespace gridcast::report

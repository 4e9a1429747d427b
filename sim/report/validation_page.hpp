// The page of a validation: each parameter of a test pool that is known, beside what a calibration
// found.
#pragma once

#include <string>
#include <vector>

#include "sim/report/calibration_section.hpp"
#include "sim/report/page/document.hpp"
#include "sim/report/page/provenance.hpp"

namespace gridcast::report {

struct KnownParameter {
  ParameterLine fitted;
  double truth = 0;
  bool inside = false;  // its 90 % interval holds the truth
};

struct ValidationRequest {
  std::string title, created_by, command;
  std::vector<KnownParameter> parameters;
  CalibrationPage calibration;
  std::vector<InputFileFact> inputs;
};

ReportDocument validation_page(ValidationRequest const& request);

}  // namespace gridcast::report

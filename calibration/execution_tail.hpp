// A check of the fitted tail where it matters: does the fit kill as many executions at the limit as
// were killed?
#pragma once

#include <optional>
#include <string>

#include "calibration/epoch_fit.hpp"
#include "calibration/estimate.hpp"
#include "calibration/record.hpp"
#include "calibration/unpack_fit.hpp"

namespace gridcast::calibration {

struct ExecutionTail {
  ModelTest test;
  std::string text;  // "P(execution > 72000 s at 5 epochs) = ..."
};

/// Nothing, if no execution of the site was killed at the limit. The limit is the shortest killed
/// execution in full ten minutes (the starter looks now and then). p: two-sided, of the number
/// killed among those not evicted, binomial, averaged over the draws.
std::optional<ExecutionTail> execution_tail(Records const& records, std::string const& site,
                                            SiteUnpack const& unpack, SiteEpochs const& epoch_times,
                                            int epochs);

}  // namespace gridcast::calibration

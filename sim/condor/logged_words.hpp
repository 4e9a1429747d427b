// What a log says in its own words of why an attempt ended or a job was held: shown as it stands,
// never interpreted.
#pragma once

#include <string>

#include "sim/base/units.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

struct LoggedWords {
  history::JobName job;
  Seconds at;  // of the campaign's clock
  std::string text;
};

}  // namespace gridcast::condor

// The campaign: which jobs are submitted when, what they ask for, fetch and compute.
#pragma once

#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/scenario/factor_range.hpp"

namespace gridcast {

struct Submission {
  Seconds at;
  int jobs = 0;
  std::string user = {};          // submitter; with more than one, slots are shared fairly
  double priority_factor = 1000;  // of the user, DEFAULT_PRIO_FACTOR
};

/// request_gpus and friends. Zero means "no demand".
struct Request {
  int gpus = 1;
  Bytes disk;
  Bytes gpu_memory;           // gpus_minimum_memory
  double gpu_capability = 0;  // gpus_minimum_capability
  std::string gpu;            // device name, empty: any
  std::string site;           // GLIDEIN_ResourceName, empty: any
};

struct InputFile {
  std::string url;
  Bytes size;
};

/// What a job computes: `epochs` of a workload that the calibration knows by its profile name.
struct Work {
  std::string profile;
  int epochs = 1;
  double scale = 1;             // of the calibrated work (dated worlds)
  FactorRange crash_odds = {};  // factor on the calibrated odds of a crash (dated worlds)
};

struct Campaign {
  std::vector<Submission> submit;
  Request request;
  std::vector<InputFile> input;
  Work work;
  int max_idle = 0;         // late materialisation: so many idle jobs at a time; 0: no limit
  int max_materialize = 0;  // ... and so many in the queue

  int jobs() const;
  Bytes input_size() const;
};

}  // namespace gridcast

// The campaign: which jobs are submitted when, what they ask for, fetch and compute.
#pragma once

#include <string>
#include <vector>

#include "sim/base/units.hpp"

namespace gridcast {

struct Submission {
  Seconds at;
  int jobs = 0;
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
};

struct Campaign {
  std::vector<Submission> submit;
  Request request;
  std::vector<InputFile> input;
  Work work;

  int jobs() const;
  Bytes input_size() const;
};

}  // namespace gridcast

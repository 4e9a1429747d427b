// The campaign: which jobs are submitted when, what they ask for, fetch and compute.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/scenario/factor_range.hpp"

namespace gridcast::scenario {

struct Submission {
  Seconds at;
  int jobs = 0;
  double scale = 1;               // of the campaign's work, for these jobs (dated worlds)
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
  int nodes = 1;              // that share the GPUs; more than one only where a site is a cluster

  int gpus_per_node() const { return nodes > 1 ? (gpus + nodes - 1) / nodes : gpus; }
};

struct InputFile {
  std::string url;
  Bytes size;
};

struct CatalogueWork;

/// What a job computes: `epochs` of a workload that the calibration knows by its profile name, or
/// one of the catalogue, whose training models then say how long it takes.
struct Work {
  std::string profile;
  int epochs = 1;               // of the catalogue's workloads, 0: as the profile says
  double scale = 1;             // of the calibrated work (dated worlds)
  FactorRange crash_odds = {};  // factor on the calibrated odds of a crash (dated worlds)
  int batch = 0;                // samples a step of one GPU (the catalogue's); 0: the profile's
  std::string storage = {};     // that it trains from; empty: the slot's disk
  std::shared_ptr<CatalogueWork const> catalogue = {};  // null: calibrated
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
  /// Of each job, in the order of submission: its share in `work.scale`.
  std::vector<double> scales() const;
};

}  // namespace gridcast::scenario

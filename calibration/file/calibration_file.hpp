// The files that calibrate writes. The calibration file states the fitted values, their sources and
// their uncertainty, and contains the joint draws that the simulator uses; the pool file states
// which slots a campaign's log shows. Same document, same bytes. (sim/scenario reads both files.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/pilot_records.hpp"
#include "calibration/records/places.hpp"
#include "calibration/records/programs.hpp"
#include "calibration/records/waits.hpp"
#include "sim/base/units.hpp"
#include "sim/history/job_history.hpp"
#include "sim/scenario/calibration_file.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::calibration {

using scenario::CalibrationInput;

/// Facts about a campaign from its own logs.
struct CampaignFacts {
  std::size_t jobs = 0;
  std::size_t attempts = 0;
  int epochs = 1;
  std::vector<Bytes> input_sizes;          // of a job's URLs; zero where unknown
  std::vector<std::string> input_urls;     // empty where unknown
  Seconds plugin_lifetime;                 // after which hanging transfers ended; zero if none hung
  std::optional<CoolDown> cool_down = {};  // after a failed input transfer
  Seconds job_lease = {};                  // how long a lost job waits; zero: HTCondor's default
  std::vector<history::RanProgram> ran = {};  // empty where unknown
  Programs programs = {};                     // by the labels and times of the jobs
};

struct CalibrationDocument {
  std::string profile;  // the workload, e.g. "resnet50-imagenet"
  std::string version;  // of the program, without the commit: the bytes must not change with it
  std::string command;  // makes this very file
  std::vector<CalibrationInput> inputs;
  std::string pool_file;
  std::string pool_sha256;
  std::string jobs_file = {}, jobs_sha256 = {};  // the record's jobs; empty: undated
  int epochs = 1;
  Bytes input_size;
  std::uint64_t seed = 1;
  std::optional<CampaignFacts> campaign;  // of event logs: instead of epochs and input_size
  Fit fit;
};

/// Numbers with six significant digits; strings quoted where YAML would read them otherwise.
std::string calibration_yaml(CalibrationDocument const& document);

/// Facts about a site from the logs, for the pool.
struct SiteFacts {
  SlotCount count;
  Place place = {};
  bool slots_decide = false;             // how many GPUs a job gets there
  std::vector<std::string> caches = {};  // in the site's order of use; empty where unknown
};

/// Facts about the access point.
struct AccessPointFacts {
  Seconds policy_interval = scenario::AccessPointSpec().policy_interval;
  Seconds max_execution = scenario::AccessPointSpec().max_execution;
};

/// A pool file.
std::string pool_yaml(std::vector<SiteFacts> const& sites, std::string const& command,
                      AccessPointFacts const& access_point);

}  // namespace gridcast::calibration

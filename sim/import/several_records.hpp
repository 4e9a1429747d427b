// Records of several campaigns as one history: on one clock, with sites, slots and GPUs by name.
#pragma once

#include <string>
#include <vector>

#include "sim/condor/ads/job_ads.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::import {

struct OneRecord {
  history::JobHistory history;
  std::string file;  // as it is told
};

/// Whether the records' jobs keep apart though they are called alike.
enum class SameNames { refuse, keep_apart };

/// Records of which all know their dates, or none; InputError otherwise, and, naming both files, for
/// jobs of one name in two records unless they are to keep apart: then the number of the record, from 1,
/// is put before each cluster's: of clusters of up to three digits, 12.0 of the second is 2012.0.
history::JobHistory combined(std::vector<OneRecord> records, SameNames same_names);

// Which ads are of which log, where several campaigns use the same job numbers: those that date the
// jobs as the log does.

/// Whether most of the jobs that both know are the same jobs: submitted at the same time (QDate), or,
/// of ads that tell transfers alone, transferring within the job's life. Logs are in any time zone: of
/// submissions, what counts is the rest of a quarter of an hour, by which zones differ.
bool are_of_log(condor::JobAds const& ads, history::JobHistory const& log);

}  // namespace gridcast::import

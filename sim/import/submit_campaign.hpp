// What a submit file says, as campaign and strategy of a scenario. docs/submit.md says command by
// command what becomes of it.
//
// All jobs of a scenario are alike but for what they fetch: where a submit file's jobs differ in
// what they ask for, those of the largest group stand for all, and a note says so. What the program
// computes is not in a submit file; the work is set by whoever knows.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/condor/submit/submit_file.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::import {

/// Sites that jobs want, or do not want, by name.
struct ListedSites {
  Location where;
  std::string attribute;
  std::vector<std::string> sites;
};

struct SubmitImport {
  scenario::Campaign campaign;
  scenario::Strategy strategy;
  std::string title;
  std::string executable, arguments;  // of the first job
  std::string batch_name = {};        // empty: none
  bool checkpoints = false;           // the program checkpoints itself
  bool own_input = false;  // `campaign.input` is what each job fetches, not what one does
  std::vector<ListedSites> listed_sites = {};  // which the strategy's requirements name
  std::vector<condor::SubmitNote> notes;       // what was not taken as it stands
};

/// Sizes of files that the submit file does not tell, by URL or path; with or without its query.
using KnownSizes = std::map<std::string, Bytes>;
/// The key of what all URLs of a job have together: those without a size share what is left of it.
/// Zero: their sizes need not be known.
inline constexpr char const* all_other_urls = "*";

/// Whose files are the campaign's input: those of each job, as the queue statement's items name
/// them, or those of the largest group of jobs that are alike.
enum class InputOf { each_job, largest_group };

/// InputError with all problems: values and expressions that make no sense. A URL whose size
/// nothing shows is taken for 1 GB; a note lists all of them.
SubmitImport import_submit(condor::SubmitFile const& file, KnownSizes const& sizes,
                           InputOf input_of = InputOf::each_job);

/// Jobs that fetch the same, of any submit file of a campaign.
struct InputGroup {
  condor::SubmitGroup jobs;      // their processes are numbers among all jobs of the campaign
  std::filesystem::path folder;  // that paths are from
};

/// Of a campaign that `file` stands for but for what its jobs fetch: that is told by `groups`, in
/// which each job is once.
SubmitImport import_submit(condor::SubmitFile const& file, KnownSizes const& sizes,
                           std::vector<InputGroup> const& groups);

}  // namespace gridcast::import

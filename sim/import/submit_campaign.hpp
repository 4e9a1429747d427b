// The contents of a submit file, as campaign and strategy of a scenario. docs/submit.md explains
// each command.
//
// Jobs have inputs and requests of their own (campaign_requests.hpp). Rules of the largest group
// stand for all, with a note. A submit file does not describe the program's computation; the caller
// sets the work.
#pragma once

#include <filesystem>
#include <map>
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

/// A clause of the requirements that excludes a machine: Machine != "HOST".
struct ExcludedHost {
  std::string host;
  std::string note;  // that the clause is left out, as it is where hosts have no names
};

struct SubmitImport {
  scenario::Campaign campaign;
  scenario::Strategy strategy;
  std::string title;
  std::string executable, arguments;  // of the first job
  std::string batch_name = {};        // empty: none
  bool checkpoints = false;           // the program checkpoints itself
  bool own_input = false;             // `campaign.input` is the input of all jobs, not of one
  std::vector<ListedSites> listed_sites = {};     // which the strategy's requirements name
  std::vector<ExcludedHost> excluded_hosts = {};  // which jobs that repeat a record can avoid
  std::vector<condor::SubmitNote> notes;          // values that were changed or left out
};

/// Sizes of files, which the submit file does not have, by URL or path; with or without its query.
using KnownSizes = std::map<std::string, Bytes>;
/// The key of the total of all URLs of a job: those without a size share the remainder. Zero: their
/// sizes need not be known.
inline constexpr char const* all_other_urls = "*";

/// Whose files are the campaign's input, and whose request holds: those of each job, as the queue
/// statement's items name them, or those of the largest group of jobs that are alike.
enum class InputOf { each_job, largest_group };
enum class RequestOf { each_job, largest_group };

/// InputError with all problems: values and expressions that make no sense. A URL whose size
/// nothing shows is taken for 1 GB; a note lists all of them.
SubmitImport import_submit(condor::SubmitFile const& file, KnownSizes const& sizes,
                           InputOf input_of = InputOf::each_job,
                           RequestOf request_of = RequestOf::each_job);

/// Jobs that fetch the same, of any submit file of a campaign.
struct InputGroup {
  condor::SubmitGroup jobs;     // their processes are numbers among all jobs of the campaign
  condor::NameFolders folders;  // in which paths are looked for
};

/// Imports a campaign that `file` stands for except for its jobs' input, which is in `groups`, each
/// job once.
SubmitImport import_submit(condor::SubmitFile const& file, KnownSizes const& sizes,
                           std::vector<InputGroup> const& groups);

}  // namespace gridcast::import

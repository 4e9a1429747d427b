// From a submit file or a DAG and a calibration to the scenario that `init` writes and `forecast`
// simulates.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/condor/submit/submit_file.hpp"
#include "sim/import/calibrated_program.hpp"
#include "sim/import/dag_campaign.hpp"
#include "sim/import/needs_of_record.hpp"
#include "sim/import/recorded_rules.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::cli {

// The work of a job in its owner's terms: `--job-hours 6 --on-gpu A100`. The calibration knows how
// long its own jobs compute at each site; a job that computes for other hours has as many times
// their work. Between GPU models, time follows the catalogue's ResNet-50 speeds.
struct JobHours {
  double hours = 0;      // 0: not given
  std::string gpu = {};  // a model of the catalogue; empty: the pool's own GPUs
};

struct HoursAsWork {
  double scale = 1;        // of the calibrated jobs' work
  std::string words = {};  // of a note
  Seconds longest = {};    // that a job computes at a site of the pool
};

/// `campaign`: with the profile and the epochs of its work. InputError for an unknown GPU, and for
/// a workload that the calibration does not know.
HoursAsWork work_of_hours(JobHours const& job, scenario::Campaign const& campaign,
                          fs::path const& calibration, fs::path const& pool);

struct ImportSubmitOptions {
  fs::path file, pool, calibration, out;
  std::vector<std::string> sizes;    // URL=SIZE
  std::string made_from = {};        // name of the file in the scenario; empty: as seen from `out`
  import::KnownSizes measured = {};  // from the record, for URLs without a stated size
  import::RecordedNeeds needs = {};  // likewise
  std::optional<scenario::JobPolicy> rules = {};  // of the record's jobs, where they are known
  std::optional<import::RecordedSubmission> recorded = {};  // their submit file, likewise
  import::WorkOptions work;
  JobHours hours = {};
  double work_scale = 0;   // 0: not given
  std::string crash_odds;  // empty: not given
  bool force = false;
  bool actions_only = false;  // no notes but those that recommend an action
};

/// Options of the new jobs: --job-hours, --on-gpu, --work-scale, --crash-odds, --epochs.
void add_work_options(Verb& verb, ImportSubmitOptions& options);

/// The same with --size, --calibration, --pool and --submit, below a heading of their own.
/// `recorded`: the submit file of the record's jobs.
void add_options_of_job(Verb& verb, ImportSubmitOptions& options, std::filesystem::path& recorded);
/// --submit alone.
void add_submit_file_option(Verb& verb, std::filesystem::path& recorded);
enum class WorkKind { scenario, jobs, jobs_and_record, record };
/// InputError for given options of a job that have no effect: a scenario or a record contains its
/// jobs, and records are calibrated.
void refuse_options_of_job(Verb const& verb, WorkKind kind);

/// The files that a scenario refers to.
struct Sources {
  fs::path calibration, pool;
  import::CalibratedProgram program;
};

struct SubmitScenario {
  condor::SubmitFile file;
  import::SubmitImport import;
  Sources sources;
  std::string text;  // of the scenario, to be written to options.out
};

struct PoolChoice {
  fs::path pool;
  std::string reason = {};  // "no slot of a.yaml can run these jobs"; empty: nothing to explain
};
/// The pool of the shipped calibration has three sites of 2024. The wider shipped pool beside it
/// serves jobs that none of them can run, and jobs whose hours are stated on a GPU that it lacks.
PoolChoice pool_for(fs::path const& pool, scenario::Campaign const& campaign,
                    scenario::Strategy const& strategy, std::string const& stated_gpu);

/// The sizes in options of the form URL=SIZE. InputError for any other form.
import::KnownSizes stated_sizes(std::vector<std::string> const& options);

/// InputError if a file is no submit file or no calibration.
SubmitScenario make_submit_scenario(ImportSubmitOptions const& options);

/// The scenario of a recorded campaign once more (work_scenario.hpp). Its jobs repeat those of
/// the record, unless the options state other work.
SubmitScenario make_repeat_scenario(ImportSubmitOptions const& options,
                                    import::SubmitImport import);

/// Further choices for the scenario of a DAG.
struct DagChoices {
  std::set<std::string> done = {};    // nodes that a record shows to be done
  std::optional<int> max_nodes = {};  // condor_submit_dag -maxjobs; 0: no limit; none: the DAG's
};

struct DagScenario {
  import::DagImport dag;
  Sources sources;
  std::string text;  // of the scenario
};

/// The same of a DAG, whose file is options.file.
DagScenario make_dag_scenario(ImportSubmitOptions const& options, condor::Dag const& dag,
                              DagChoices const& choices);

/// The commands that were changed or ignored, a line each.
std::string notes_text(std::vector<condor::SubmitNote> const& notes);
/// Those of them that recommend an action.
std::string actions_text(std::vector<condor::SubmitNote> const& notes);

}  // namespace gridcast::cli

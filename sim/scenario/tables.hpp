// The tables of keys of scenario and pool files, and the structs that are read where a file's form
// differs from the simulator's. For readers and writers of such files; the structs themselves know
// no YAML.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/draw_columns.hpp"
#include "sim/scenario/hardware.hpp"
#include "sim/scenario/lesson.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/strategy.hpp"
#include "sim/scenario/yaml/document.hpp"
#include "sim/scenario/yaml/fields.hpp"

namespace gridcast::scenario {

inline constexpr char scenario_schema_name[] = "gridcast.scenario/1";
inline constexpr char pool_schema_name[] = "gridcast.pool/1";

/// The positions of named parts.
template <class Parts>
std::vector<std::string> names_of(Parts const& parts) {
  return each_of<std::string>(parts, [](auto const& part) { return part.name; });
}

/// Caches by name, to be looked up when all are known.
struct SiteEntry : SiteSpec {
  std::vector<std::string> cache_names;
};

struct PoolEntries : Pool {
  std::vector<SiteEntry> entries;
};

struct StatedSite {
  std::string name;
  std::vector<std::pair<SiteColumn const*, double>> values;
};

/// Parameters of a grid that the owner of a scenario states, instead of those that the calibration
/// has or lacks:
///   parameters:
///     stall_when_bad: 0.5
///     sites: {SITE-A: {link_capacity_Bps: 1.25e9}}
/// Each holds in every draw. The keys are the columns of calibrations
/// (sim/scenario/draw_columns.cpp), each with its unit and bounds. A site of the pool that no
/// record knows takes the parameters of one that is known (`like: SITE`), or of any of them (`like:
/// any`: a site drawn from the spread between the known ones, for each site and draw by itself), or
/// has the needed parameters stated.
struct StatedParameters {
  std::vector<std::pair<DrawColumn const*, double>> values;
  std::vector<StatedSite> sites;
};

/// `like` that means any known site.
inline constexpr char like_any[] = "any";

/// Puts the stated values over the calibration's draws, and makes the parameters of sites that are
/// `like` another. A calibration of few rows has each of them several times then, if that is `like:
/// any`.
void apply_stated(StatedParameters const& stated, Pool const& pool, GpuSpeeds const& gpus,
                  Calibration& calibration);

/// Names of the files, to be read afterwards.
struct ScenarioEntries : Scenario {
  StatedParameters stated;
  std::string pool_file;
  std::string calibration_file;
  Hardware hardware;  // beside the catalogue's
};

Table<Software> const& software_table();
Table<StatedParameters> const& stated_parameters_table();
Table<PoolEntries> const& pool_table();
Table<Request> const& request_table();
Table<NamedRequest> const& named_request_table();
Table<Campaign> const& campaign_table();
Table<Strategy> const& strategy_table();
Table<Preferences> const& preferences_table();
Table<Prices> const& prices_table();
Table<ScenarioEntries> const& scenario_table();

/// GPUs, stores and machines of a profile's or a scenario's own; the catalogue's file has all
/// three.
Table<Hardware> const& hardware_table();
/// Each value of these parts has a source in its part's own `sources`, and each source a value;
/// they are below `node`, whose path is `above` ("hardware.").
void check_hardware_sources(YamlDocument& document, YAML::Node const& node,
                            std::string const& above, Hardware const& hardware);

/// Why a replay of a record cannot show the effect of a key.
inline constexpr char recorded_executions[] = "executions last as recorded in a replay";

// The keys of a job's own policy, each group where a reader of scenarios looks for it.
Table<JobPolicy> const& exit_policy_table();      // retry: the meaning of an exit code
Table<JobPolicy> const& periodic_policy_table();  // retry: rules checked periodically
Table<JobPolicy> const& request_policy_table();   // retry: requests that depend on attempts
Table<JobPolicy> const& plugin_policy_table();    // transfer
Table<JobPolicy> const& match_policy_table();     // match
Table<JobPolicy> const& limits_policy_table();    // limits
Table<JobPolicy> const& checkpoint_policy_table();

/// A pool file, together with where in it everything stands.
struct PoolFile {
  YamlDocument document;  // with the problems found
  Pool pool = {};
  std::vector<Problem> notes = {};
};
PoolFile read_pool_file(std::filesystem::path const& file, std::string const& text,
                        std::vector<Override> const& overrides = {});

/// The same of a calibration; each override is of a column of the draws, and holds in every row.
Calibration read_calibration_text(std::filesystem::path const& file, std::string const& text,
                                  std::vector<Override> const& overrides = {});

/// Sets the keys that the strategies leave open to the rules of the software's versions: of the
/// strategy, else of the pool.
void apply_software(YamlDocument& document, std::vector<Strategy>& strategies,
                    Software const& of_pool);

/// Checks that the tables alone cannot make: keys that only make sense together.
void check_strategies(YamlDocument& document, std::vector<Strategy> const& strategies);

/// A note for each of their expressions that names attributes of neither jobs nor slots: most
/// likely never true.
std::vector<Problem> undefined_names(YamlDocument const& document,
                                     std::vector<Strategy> const& strategies);

/// Requests that no site of the pool meets, and requests of no submission.
void check_requests(YamlDocument& document, Scenario const& scenario);

/// Jobs with more slots than any site, and needs that recorded jobs do not have.
void check_sizes_of_jobs(YamlDocument& document, Campaign const& campaign, Pool const& pool);

/// A problem for each host to avoid (match.avoid_hosts) that the record does not name, and for each
/// strategy that leaves the campaign no host.
void check_avoided_hosts(YamlDocument& document, Scenario const& scenario);

/// True if the record's own limit of jobs in the queue kept it from more slots.
bool bound_by_queue(int slots, int max_materialize);
inline constexpr char more_slots_remedy[] =
    "--without recorded-jobs with --set pool.sites.NAME.slots=N states the slots.";

/// Notes on settings whose effect repeated jobs cannot show, as they run in the recorded slots.
/// Likewise on requests of memory and disk where the needs of the jobs are not known.
void note_settings_without_effect(YamlDocument const& document, Scenario& scenario);

/// A key that has no effect with the other keys: better refused than ignored.
void complain_of_no_effect(YamlDocument& document, std::string const& key, std::string why);

/// The campaign's workload, and those of its strategies, looked up in the catalogue unless they are
/// calibrated. The training models decide whether the jobs fit their hardware
/// (sim/training/execution.hpp).
void read_catalogue_work(YamlDocument& document, ScenarioEntries& scenario);
/// The sites where its jobs may run name GPUs and machines that the catalogue knows.
void check_catalogue_hardware(YamlDocument& pool, Scenario const& scenario);

/// The `lesson` group of scenarios and profiles.
Key lesson_key();
void read_lesson_group(YamlValue const& value, Lesson& lesson);

/// For the readers of scenarios and profiles, which have no use for it but know the key.
template <class Any>
void read_and_forget_lesson(YamlValue const& value, Any&) {
  Lesson lesson;
  read_lesson_group(value, lesson);
}

}  // namespace gridcast::scenario

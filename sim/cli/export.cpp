// gridcast export: campaigns in the formats of other programs, each a verb below it. It exports
// one replica of a scenario, or a real campaign from its logs and ads.
#include <algorithm>
#include <iosfwd>
#include <iostream>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/input_kind.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/condor/write/event_log_writer.hpp"
#include "sim/engine/network/platform_xml.hpp"
#include "sim/history/job_history.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/import/table/attempt_table.hpp"
#include "sim/report/data/campaign_tables.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {
namespace {

struct ExportOptions {
  std::vector<fs::path> sources;  // a scenario, or logs, ads, and folders of `forecast --once`
  fs::path scenario;              // the source of a platform
  std::vector<std::string> overrides = {};
  std::string strategy;               // empty: the baseline
  std::optional<std::uint64_t> seed;  // none: the scenario's
  std::uint32_t replica = 0;
  std::string network = "auto";
  RecordArguments record = {};
  fs::path out = "-";  // "-": standard output
  bool force = false;
  std::string condor_version = "23.9";
  std::string table;  // one of them; empty: all, into a folder
};

struct ExportedCampaign {
  history::JobHistory history;
  std::optional<scenario::Scenario> scenario = {};  // where it was simulated
  std::string strategy = {};
  std::vector<history::CacheSample> cache_samples = {};
  std::vector<condor::LoggedRun> runs = {};  // bytes received and sent, if a record has them
};

bool is_scenario(fs::path const& file) {
  return file.extension() == ".yaml" || file.extension() == ".yml";
}

// A folder stands for the log that `forecast --once` puts in it.
auto sources_of(ExportOptions const& options, std::string const& what) -> import::CampaignFiles {
  std::vector<fs::path> files;
  std::vector<Problem> problems;
  for (auto const& named : options.sources) {
    if (is_scenario(named)) {
      add_problem(problems, {named.string()}, "cannot be exported together with something else",
                  "a scenario is simulated, a log is read", "Export them one by one.");
    }
    files.push_back(is_folder(named) ? named / "events.log" : named);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  import::CampaignFiles sources = import::sort_by_kind(files, options.record.options());
  for (auto const& table : sources.tables) {
    add_problem(problems, {table.string()},
                fmt::format("no {} can be written of a job table", what), "it has no dates",
                "Name the event logs of its jobs.");
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return sources;
}

ExportedCampaign simulated(ExportOptions const& options) {
  ExportedCampaign exported;
  exported.scenario = read_runnable_scenario(options.sources.front(), options.overrides);
  scenario::Scenario const& scenario = *exported.scenario;
  engine::ReplicaOptions simulation{.network = network_model(options.network),
                                    .cache_samples = true,
                                    .horizon = horizon_of(usual_horizon)};
  auto const seed = options.seed.value_or(scenario.study.seed);
  scenario::Strategy const& strategy = chosen_strategy(scenario, options.strategy);
  auto replica = study::simulate_replica(scenario, strategy, seed, options.replica, simulation);
  exported.history = std::move(replica.history);
  exported.cache_samples = std::move(replica.audit.cache_samples);
  exported.strategy = strategy.name;
  return exported;
}

std::string names_of(std::vector<fs::path> const& files) {
  std::string names;
  for (auto const& file : files) names += (names.empty() ? "" : ", ") + file.filename().string();
  return names;
}

ExportedCampaign recorded(ExportOptions const& options, std::string const& what) {
  auto campaign = import::open_campaign(sources_of(options, what), options.record.dates);
  print_notes(campaign.ads_report + campaign.log_report + campaign.merge_report +
              campaign.table_report + campaign.notes);
  return {.history = std::move(campaign.history), .runs = std::move(campaign.runs)};
}

/// SOURCE, which is given back, and the options that go with it.
Option add_export_source(Verb& verb, ExportOptions& options) {
  Option const sources = verb.positional(
      "SOURCE", &options.sources,
      "A scenario (YAML), of which one campaign is simulated; or event logs, with them "
      "or alone the ads of condor_history, or a folder of forecast --once");
  Verb simulated = verb.group("From a scenario");
  add_set_option(simulated, options.overrides);
  add_strategy_option(simulated, options.strategy);
  add_replica_options(simulated, options.seed, options.replica);
  add_network_option(verb, options.network);
  Verb read = verb.group("From logs");
  add_record_options(read, options.record);
  return sources;
}

/// Simulates or reads. InputError for sources without a job, and for tables, which have no dates;
/// `what` names the output that needs dates ("event log").
ExportedCampaign read_export_source(ExportOptions const& options, std::string const& what) {
  refuse_other_kinds(options.sources, "export", "a scenario, or records of one campaign",
                     {InputKind::scenario, InputKind::record, InputKind::table});
  bool const simulate = options.sources.size() == 1 && is_scenario(options.sources.front());
  if (simulate) return simulated(options);
  if (!options.overrides.empty()) {
    refuse({names_of(options.sources)}, "--set changes a scenario, and this is a record",
           "a record is exported as it is", "Leave --set out, or name a scenario.");
  }
  ExportedCampaign exported = recorded(options, what);
  if (!exported.history.events.empty()) return exported;
  refuse({names_of(options.sources)}, "there is no job in it", "",
         "Name the event log of a campaign.");
}

Option add_export_output(Verb& verb, ExportOptions& options) {
  Option const out =
      verb.option("-o,--out", &options.out, "Output file; - is standard output", "FILE");
  verb.flag("--force", options.force, "Replace FILE if it is there");
  return out;
}

/// The files that are read, those too that a scenario or a folder stands for.
VerbFiles files_of_export(ExportOptions const& options) {
  VerbFiles files(if_there(options.force));
  files.reads(options.record.columns);
  for (auto const& named : options.sources) {
    files.reads(is_folder(named) ? named / "events.log" : named);
    if (kind_of(named) != InputKind::scenario) continue;
    files.reads(scenario::files_of(scenario::read_scenario(named, options.overrides)));
  }
  return files;
}

/// Before any work: InputError for a file that is there, unless --force, and for one of the inputs.
void prepare_export(ExportOptions const& options) {
  if (options.out == "-") return;
  files_of_export(options).writes(options.out).prepare();
}

void print_written(fs::path const& out, std::string const& tables = "") {
  std::cout << report::fitted(fmt::format("Written to {}{}\n", printable(out.string()), tables),
                              screen());
}

void write_export(ExportOptions const& options, std::function<void(std::ostream&)> const& write) {
  if (options.out == "-") {
    write(std::cout);
  } else {
    write_file(options.out, write);
    print_written(options.out);
  }
}

void add_condor_version(Verb& verb, ExportOptions& options) {
  verb.group("Event log")
      .option("--condor-version", &options.condor_version, "Whose event log: 23.9 or 25", "V")
      .one_of({"23.9", "25"})
      .shows_default();
}

condor::EventLogOptions log_options(ExportedCampaign const& exported) {
  if (!exported.scenario) {
    auto options = condor::options_of_unknown_jobs();
    options.runs = exported.runs;
    return options;
  }
  return event_log_options(*exported.scenario, exported.scenario->strategy(exported.strategy));
}

void run_export_events(ExportOptions const& options) {
  prepare_export(options);
  ExportedCampaign const exported = read_export_source(options, "event log");
  auto log = log_options(exported);
  if (options.condor_version == "25") log.version = condor::CondorVersion::v25;
  return write_export(
      options, [&](std::ostream& out) { condor::write_event_log(exported.history, out, log); });
}

void run_export_attempts(ExportOptions const& options) {
  prepare_export(options);
  ExportedCampaign const exported = read_export_source(options, "table of attempts");
  return write_export(options, [&](std::ostream& out) {
    out << import::attempts_csv(exported.history, exported.runs);
  });
}

report::CacheContext caches_of(ExportedCampaign const& exported) {
  report::CacheContext context{.samples = exported.cache_samples};
  if (!exported.scenario) return context;
  for (scenario::CacheSpec const& cache : exported.scenario->pool.caches) {
    context.names.push_back(cache.name);
    context.disks.push_back(cache.disk);
  }
  return context;
}

void write_one(ExportOptions const& options, std::vector<report::NamedText> const& tables) {
  auto const found = std::ranges::find_if(
      tables, [&](report::NamedText const& table) { return table.name == options.table + ".csv"; });
  if (found == tables.end()) {
    refuse({options.sources.front().string()},
           fmt::format("there is no table '{}' of it", options.table),
           options.table == "caches" ? "only simulations with caches know it"
                                     : "only the ads of condor_history contain it",
           "");
  }
  return write_export(options, [&](std::ostream& out) { out << found->text; });
}

void run_export_csv(ExportOptions const& options) {
  if (!options.table.empty()) {
    prepare_export(options);
  } else if (options.out == "-") {
    refuse({}, "there are several tables", "", "Give -o DIR, or one --table.");
  }
  ExportedCampaign const exported = read_export_source(options, "dated tables");
  auto const tables = report::campaign_tables(exported.history, caches_of(exported), exported.runs);
  if (!options.table.empty()) return write_one(options, tables);
  // The folder is made now: a source that is refused leaves none.
  std::vector<std::string> names;
  for (auto const& name : report::campaign_table_names()) names.push_back(name + ".csv");
  files_of_export(options).writes(options.out, names).prepare();
  write_output(options.out, tables);
  std::string written;
  for (auto const& table : tables) written += (written.empty() ? ": " : ", ") + table.name;
  print_written(options.out, written);
}

void add_export_events(Verb& group) {
  auto options = std::make_shared<ExportOptions>();
  Verb verb = group.verb("events", "A job event log that HTCondor's tools read");
  add_export_source(verb, *options).required();
  add_export_output(verb, *options).required();
  add_condor_version(verb, *options);
  verb.footer(
      "  gridcast export events scenarios/osg-imagenet.yaml --replica 3 -o events.log\n"
      "  gridcast export events job.log --condor-version 25 -o job-25.log\n"
      "  condor_wait -status events.log      # and condor_userlog, condor_q -userlog, ...");
  verb.runs([options] { return run_export_events(*options); });
}

void add_export_attempts(Verb& group) {
  auto options = std::make_shared<ExportOptions>();
  Verb verb = group.verb(
      "attempts", "A table of attempts (gridcast.attempts/1), which every verb reads as a record");
  add_export_source(verb, *options).required();
  add_export_output(verb, *options).shows_default();
  verb.footer(
      "  gridcast export attempts job.log -o attempts.csv\n"
      "  gridcast export attempts attempts-to-september.csv --columns metl -o attempts.csv");
  verb.runs([options] { return run_export_attempts(*options); });
}

void add_export_csv(Verb& group) {
  auto options = std::make_shared<ExportOptions>();
  Verb verb = group.verb("csv", "Tables of jobs, attempts, transfers, sites, caches");
  add_export_source(verb, *options).required();
  verb.option("-o,--out", &options->out,
              "Folder for the tables; with --table a file, - is standard output", "DIR");
  verb.flag("--force", options->force, "Replace tables that are already there");
  verb.option("--table", &options->table, "This table alone", "NAME")
      .one_of(report::campaign_table_names());
  verb.footer(
      "  gridcast export csv scenarios/osg-imagenet.yaml -o tables\n"
      "  gridcast export csv job.log --table jobs > jobs.csv");
  verb.runs([options] { return run_export_csv(*options); });
}

void run_export_platform(ExportOptions options) {
  options.sources = {options.scenario};
  refuse_other_kinds(options.sources, "export platform", "a scenario", {InputKind::scenario});
  prepare_export(options);
  scenario::Scenario const scenario = read_runnable_scenario(options.scenario, options.overrides);
  auto const seed = options.seed.value_or(scenario.study.seed);
  std::string const xml = engine::platform_xml(
      scenario.pool, scenario.campaign, chosen_strategy(scenario, options.strategy),
      study::draw_of(scenario.calibration, seed, options.replica));
  return write_export(options, [&](std::ostream& out) { out << xml; });
}

void add_export_platform(Verb& group) {
  auto options = std::make_shared<ExportOptions>();
  Verb verb = group.verb("platform", "A platform file of SimGrid: zones, hosts, links, routes");
  verb.positional("SCENARIO", &options->scenario,
                  "A scenario (YAML); bandwidths and slots are those of one campaign")
      .required();
  add_set_option(verb, options->overrides);
  add_strategy_option(verb, options->strategy);
  add_replica_options(verb, options->seed, options->replica);
  add_export_output(verb, *options).shows_default();
  verb.footer(
      "  gridcast export platform scenarios/osg-imagenet.yaml -o grid.xml\n"
      "  gridcast export platform scenarios/osg-imagenet.yaml --replica 3 -o third.xml");
  verb.runs([options] { return run_export_platform(*options); });
}

}  // namespace gridcast::cli

void add_export(Verb& program) {
  Verb group =
      program.verb("export", "Campaigns in the formats of other programs, results as pages");
  group.needs_verb();
  add_export_events(group);
  add_export_attempts(group);
  add_export_csv(group);
  add_export_platform(group);
  add_report(group);
}

}  // namespace gridcast::cli

#include <fmt/format.h>

#include "sim/base/closest.hpp"
#include "sim/scenario/lesson.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

constexpr double most_jobs = 1e6;
constexpr double most_replicas = 1e7;

Table<Submission> const& submission_table() {
  static Table<Submission> const table =
      Table<Submission>("Jobs that are submitted together")
          .optional("at", &Submission::at, "When, from the start of the campaign")
          .required("jobs", &Submission::jobs, "How many", between(1, most_jobs))
          .optional("scale", &Submission::scale,
                    "Their work as a multiple of the campaign's (calibrations of dated logs)",
                    positive())
          .optional("user", &Submission::user,
                    "Whose they are; two users or more share slots by their priorities")
          .optional("priority_factor", &Submission::priority_factor,
                    "Of the user (condor_userprio -setfactor): twice as much is half the share",
                    positive());
  return table;
}

Table<Request> const& request_table() {
  static Table<Request> const table =
      Table<Request>("What a job asks for; sites that offer less are never matched")
          .optional("gpus", &Request::gpus, "request_gpus; 0: slots without GPUs do")
          .optional("disk", &Request::disk, "request_disk")
          .optional("gpu_memory", &Request::gpu_memory, "gpus_minimum_memory")
          .optional("gpu_capability", &Request::gpu_capability, "gpus_minimum_capability")
          .optional("gpu", &Request::gpu, "Only this device; any without it")
          .optional("site", &Request::site, "Only this site; any without it")
          .optional("nodes", &Request::nodes,
                    "Nodes that share the GPUs evenly; more than one only at a site with `cluster`",
                    between(1, most_jobs));
  return table;
}

Table<InputFile> const& input_table() {
  static Table<InputFile> const table =
      Table<InputFile>("Files that every job fetches before it computes")
          .required("url", &InputFile::url, "Where it is")
          .required("size", &InputFile::size, "How large", positive());
  return table;
}

Table<Work> const& work_table() {
  Key epochs{"epochs", Form::whole,
             "How many of them; only a workload of the catalogue has a number of its own"};
  epochs.bounds = between(1, most_jobs);
  static Table<Work> const table =
      Table<Work>("What a job computes")
          .required("profile", &Work::profile,
                    "The workload: by the calibration's name; or one of the catalogue, by its name "
                    "(gridcast train --list) or its file (.yaml, from this file's folder)")
          .add(epochs, [](YamlValue const& value,
                          Work& work) { read_value(value, between(1, most_jobs), work.epochs); })
          .optional("scale", &Work::scale,
                    "Work of a job as a multiple of what was calibrated (calibrations of dated "
                    "logs)",
                    positive())
          .optional("crash_odds", &Work::crash_odds,
                    "Odds of a crash as a multiple of what was calibrated (calibrations of dated "
                    "logs); a range where it is not known",
                    positive())
          .optional("batch", &Work::batch,
                    "Samples a step of one GPU (the catalogue's workloads); 0: as the profile says",
                    between(0, most_jobs))
          .optional("storage", &Work::storage,
                    "Store of the catalogue that jobs train from once their input is there (the "
                    "catalogue's workloads); without it `slot-disk`");
  return table;
}

Table<Study> const& study_table() {
  static Table<Study> const table =
      Table<Study>("How it is studied unless the command line says otherwise")
          .optional("replicas", &Study::replicas, "Simulated campaigns", between(1, most_replicas))
          .optional("seed", &Study::seed, "Of all luck");
  return table;
}

Key file_key(std::string name, std::string help) {
  Key key{std::move(name), Form::file, std::move(help)};
  key.required = true;
  return key;
}

}  // namespace

Table<Campaign> const& campaign_table() {
  static Table<Campaign> const table =
      Table<Campaign>("Which jobs are submitted when, and what each fetches and computes")
          .list("submit", &Campaign::submit, submission_table())
          .group("request", false, &Campaign::request, request_table())
          .list("input", &Campaign::input, input_table(), false)
          .group("work", true, &Campaign::work, work_table())
          .optional("max_idle", &Campaign::max_idle,
                    "Late materialization: at most so many idle jobs in the queue; 0: no limit")
          .optional("max_materialize", &Campaign::max_materialize,
                    "Late materialization: at most so many jobs in the queue; 0: no limit");
  return table;
}

Table<ScenarioEntries> const& scenario_table() {
  auto const pool = [](YamlValue const& value, ScenarioEntries& scenario) {
    read_value(value, {}, scenario.pool_file);
  };
  auto const calibration = [](YamlValue const& value, ScenarioEntries& scenario) {
    read_value(value, {}, scenario.calibration_file);
  };
  static Table<ScenarioEntries> const table =
      Table<ScenarioEntries>("A scenario: a campaign, where it runs, and the strategies to compare")
          .schema(scenario_schema_name)
          .required("title", &Scenario::title, "What the campaign is, in a line")
          .optional("question", &Scenario::question, "What one wants to know of it")
          .add(file_key("pool", "The pool's file, from this file's folder"), pool)
          .add(file_key("calibration", "The calibration's file, from this file's folder"),
               calibration)
          .group("campaign", true, &Scenario::campaign, campaign_table())
          .named("strategies", &Scenario::strategies, strategy_table())
          .optional("baseline", &Scenario::baseline,
                    "The strategy that the others are held against; without it the first")
          .group("study", false, &Scenario::study, study_table())
          .add(lesson_key(), read_and_forget_lesson<ScenarioEntries>);
  return table;
}

bool check_schema(YamlDocument& document, std::string const& wanted) {
  if (!document.is_yaml()) return false;
  YAML::Node const& root = document.root();
  std::string const kind = wanted.substr(0, wanted.find('/'));
  if (!root.IsMap()) {
    document.add(document.at(root.Mark()), shown(root) + " where keys are wanted", "",
                 fmt::format("Begin with 'schema: {}'.", wanted));
    return false;
  }
  YAML::Node const schema = root["schema"];
  if (!schema) return true;
  if (schema.IsScalar() && schema.Scalar() == wanted) return true;
  bool const other_version = schema.IsScalar() && schema.Scalar().starts_with(kind + "/");
  document.add(
      document.at(schema.Mark()),
      fmt::format("schema: {} where '{}' is wanted", shown(schema), wanted),
      other_version ? "this gridcast reads one version of it only" : "this is another kind of file",
      "");
  return false;
}

}  // namespace gridcast::scenario

#include "sim/cli/running.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/log_input.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/input_kind.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/condor/log/event_reader.hpp"
#include "sim/history/job_history.hpp"
#include "sim/import/dag_campaign.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/import/table/table_times.hpp"
#include "sim/running/running_forecast.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/request.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {
namespace {

/// On the clock of the campaign; nothing for an empty text.
std::optional<Seconds> deadline_at(std::string const& text,
                                   running::RunningCampaign const& campaign) {
  if (text.empty()) return std::nullopt;
  if (auto const time = parse_seconds(text); time && *time > Seconds()) return time;
  auto const date = import::parse_table_time(text);
  if (date && date->kind != import::WrittenTime::Kind::relative && campaign.start_unix) {
    bool const is_local = date->kind == import::WrittenTime::Kind::local;
    std::int64_t const ahead = is_local ? campaign.local_ahead_s : 0;
    return Seconds(static_cast<double>(date->ms) / 1000 -
                   static_cast<double>(*campaign.start_unix + ahead));
  }
  refuse({}, fmt::format("--deadline: '{}' is no date and no time", text), "",
         "Write it as 2026-11-28T18:00:00, or as '3 d' since the first submission.");
}

void refuse_finished(RunningArguments const& arguments, running::RunningCampaign const& campaign) {
  if (campaign.count(running::Stand::over) < campaign.count()) return;
  std::string const log = arguments.logs.front().string();
  std::size_t const jobs = campaign.count();
  if (jobs == 0) {
    refuse({log}, "has no job", "nothing is there to forecast",
           "Name the log that the submit file names (log = ...).");
  }
  refuse({log}, jobs == 1 ? "its job is over" : fmt::format("all {} jobs are over", jobs),
         "nothing is left to forecast", "gridcast ledger " + log + " shows the result.");
}

void refuse_unknown_hosts(std::vector<std::string> const& hosts,
                          running::RunningCampaign const& campaign) {
  std::set<std::string> known;
  for (auto const& job : campaign.jobs) known.insert(job.host);
  for (auto const& attempts : campaign.places) {
    for (auto const& place : attempts) known.insert(place.host);
  }
  known.erase("");
  constexpr std::size_t most = 20;  // a longer list helps nobody
  for (std::string const& host : hosts) {
    if (known.contains(host)) continue;
    refuse({}, fmt::format("--change avoid:{}: no job was on that host", host), "",
           known.size() > most ? counted(known.size(), "host") + " are in the log."
                               : suggestion(host, {known.begin(), known.end()}));
  }
}

report::RunningResult forecast_of(RunningArguments const& arguments,
                                  history::JobHistory const& history,
                                  running::RunningCampaign const& campaign) {
  auto const deadline = deadline_at(arguments.deadline, campaign);
  constexpr double percent = 100;
  running::ForecastOptions options{
      .futures = arguments.futures, .seed = arguments.seed, .wanted = arguments.wanted / percent};
  if (!arguments.changes.empty()) options.chosen = running::changes_in(arguments.changes);
  bool const has_copies = options.chosen && options.chosen->rules.second_copy_after;
  if (has_copies && campaign.of_dag) {
    refuse({}, "--change second-copy: the campaign is a DAG",
           "DAGMan follows only the jobs that it submitted", "Leave it out.");
  }
  if (options.chosen) refuse_unknown_hosts(options.chosen->hosts, campaign);
  auto const forecast = running::forecast_running(campaign, history, options);
  return report::running_result(campaign, history, forecast, deadline);
}

std::string description_of(condor::DagNode const& node) {
  return node.submit.empty() ? node.description : node.submit.string();
}

std::vector<running::PlannedNode> planned_nodes(condor::Dag const& dag) {
  auto const read = import::import_dag(dag, {{import::all_other_urls, Bytes()}}, {}, std::nullopt);
  auto const& submit = read.import.campaign.submit;
  auto const order = scenario::node_order(read.import.campaign);
  std::map<std::string, std::size_t> nodes_of;  // by description
  for (std::size_t const number : read.numbers) ++nodes_of[description_of(dag.nodes[number])];
  scenario::JobRequests const requests(read.import.campaign);
  std::size_t job = 0;  // the node's first one
  std::vector<running::PlannedNode> nodes;
  for (std::size_t i = 0; i < submit.size(); ++i) {
    auto& node = nodes.emplace_back();
    node = {submit[i].name, static_cast<std::size_t>(submit[i].jobs), {}, submit[i].retries};
    node.gpus = requests[requests.of(job)].gpus;
    job += node.jobs;
    // Pegasus writes a submit file for each node, and its nodes' names end in numbers.
    std::string const description = description_of(dag.nodes[read.numbers[i]]);
    node.program = nodes_of[description] > 1 ? description : history::program_of_node(node.name);
    for (std::size_t const parent : order.parents[i]) node.after.push_back(submit[parent].name);
  }
  return nodes;
}

}  // namespace

PlannedWork planned_work(fs::path const& work, std::vector<std::string> const& overrides) {
  PlannedWork planned;
  // Only a record comes through a pipe. A look at it would take its beginning away.
  planned.is_log = import::is_read_once(work);
  if (planned.is_log) return planned;
  auto const kind = kind_of(work);
  bool const is_scenario = kind == InputKind::scenario;
  if (!overrides.empty() && !is_scenario) {
    refuse({work.string()}, "--set changes a scenario, and this is none",
           "a running campaign is forecast from its own log",
           "Leave it out; --change tries a change of the rest of the campaign.");
  }
  refuse_other_kinds(
      {work}, "forecast --running", "an event log, or a scenario, a submit file or a DAG with it",
      {InputKind::scenario, InputKind::submit_file, InputKind::dag, InputKind::record});
  planned.is_log = is_event_log(work);
  if (planned.is_log) return planned;
  if (kind == InputKind::record) {
    refuse({work.string()}, "is no event log", "only its events show a running campaign",
           "Name the log that the submit file names (log = ...).");
  }
  if (is_scenario) {
    auto const scenario = scenario::read_scenario(work, overrides);
    planned.jobs = static_cast<std::size_t>(scenario.campaign.jobs());
  } else if (condor::is_dag(work)) {
    planned.dag = condor::read_dag(work);
    planned.nodes = planned_nodes(planned.dag);
  } else {
    auto const file = condor::read_submit_file(work, import::deciding_submit_commands());
    auto const submit = import::import_submit(file, {{import::all_other_urls, Bytes()}});
    planned.jobs = static_cast<std::size_t>(submit.campaign.jobs());
  }
  return planned;
}

bool is_event_log(fs::path const& file) {
  LogInput input(file);
  LogWindow window(input);
  window.more();
  return condor::recognise_form(window.text()) != condor::LogForm::none;
}

std::vector<history::RecordedJob> earlier_jobs(fs::path const& calibration) {
  if (calibration.empty()) return {};
  auto read = scenario::read_calibration(calibration);
  if (scenario::recorded_jobs_of(read).empty()) {
    refuse({calibration.string()}, "the calibration has no recorded jobs",
           "they are the earlier campaign that a running one is compared with",
           "Make it from the event log of that campaign: gridcast calibrate LOG -o CAL.");
  }
  scenario::read_recorded_campaign(read);
  return read.recorded->jobs.jobs;
}

running::RunningCampaign state_of(history::JobHistory const& history, PlannedWork const& work) {
  std::size_t const known = history.jobs.size();
  if (!work.nodes.empty()) return running::running_dag(history, work.nodes);
  return running::running_campaign(history, std::max(work.jobs, known) - known);
}

report::RunningResult follow_campaign(RunningArguments const& arguments,
                                      history::JobHistory const& whole) {
  auto const history = import::record_of(arguments.planned.dag, whole);
  auto campaign = state_of(history, arguments.planned);
  campaign.earlier = arguments.earlier;
  return forecast_of(arguments, history, campaign);
}

int run_running(RunningArguments const& given) {
  RunningArguments arguments = given;
  auto const work = planned_work(arguments.work, arguments.overrides);
  if (work.is_log) arguments.logs.insert(arguments.logs.begin(), arguments.work);
  if (arguments.logs.empty()) {
    refuse({arguments.work.string()}, "there is no log of the running campaign", "",
           "Name the campaign's log behind it.");
  }
  arguments.earlier = earlier_jobs(arguments.calibration);
  auto const files = import::sort_by_kind(arguments.logs, arguments.record.options());
  if (files.logs.empty()) {
    refuse({arguments.logs.front().string()}, "is no event log",
           "only its events show a running campaign",
           "Name the log that the submit file names (log = ...).");
  }
  auto const campaign = import::open_campaign(files, arguments.record.dates);
  print_notes(campaign.notes + campaign.problems);  // oddities of the logs
  auto const history = import::record_of(work.dag, campaign.history);
  auto state = state_of(history, work);
  state.earlier = arguments.earlier;
  refuse_finished(arguments, state);
  auto const result = forecast_of(arguments, history, state);
  report::Screen const shown = screen();
  if (arguments.json) {
    print_results(json_text(report::running_json(result)));
  } else {
    print_results(arguments.details ? report::running_text(result, shown)
                                    : report::brief_running(result, shown));
  }
  return exit_code::done;
}

}  // namespace gridcast::cli

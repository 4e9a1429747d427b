#include "sim/scenario/strategy.hpp"

#include <functional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {

namespace {

using Names = std::set<std::string, LessIgnoringCase>;

/// The words of a text.
Names names_in(std::string_view text) {
  auto const words = split(text, ' ');
  return {words.begin(), words.end()};
}

bool tries_next_cache(Strategy const& strategy) {
  return strategy.transfer.protocol == Protocol::osdf &&
         strategy.transfer.on_stall == OnStall::next_cache;
}

bool asks_one_cache(Strategy const& strategy) { return !tries_next_cache(strategy); }
constexpr char no_other_cache[] = "the client tries no other cache (on_stall: next_cache does)";

/// The starter's timer ends no transfer.
bool starter_waits(Strategy const& strategy) {
  StallTimer const timer = strategy.transfer.stall_timer;
  if (strategy.transfer.protocol == Protocol::htcondor) return timer != StallTimer::silence;
  return timer == StallTimer::never;
}
constexpr char no_transfer_ends[] = "the stall timer ends no transfer (stall_timer)";

bool nobody_looks(Strategy const& strategy) {
  bool const of_client =
      tries_next_cache(strategy) && strategy.transfer.client_timeout == Seconds();
  return starter_waits(strategy) && !of_client;
}

bool never_cools(Strategy const& strategy) {
  return strategy.retry.on_transfer_failure != OnTransferFailure::cool_down;
}
constexpr char no_cool_down[] = "no job cools down (on_transfer_failure: cool_down)";

constexpr char retried_transfers[] = "transfer_retried_s transfer_retried_unsuccessful_s";
constexpr char holds[] = "transfer_held_s compute_held_s";

void add_starter_timer(Table<TransferStrategy>& table) {
  table
      .choice("stall_timer", &TransferStrategy::stall_timer,
              {{"silence", StallTimer::silence},
               {"whole_transfer", StallTimer::whole_transfer},
               {"never", StallTimer::never}},
              "Transfers that the starter's stall timer ends: one that has brought no byte for "
              "stall_timeout; every transfer that lasts longer than it, healthy or not "
              "(HTCondor 23.8.1 to 25.2.0); nothing")
      .labelled("Transfers that the stall timer ends")
      .optional("stall_timeout", &TransferStrategy::stall_timeout,
                "STARTER_FILE_XFER_STALL_TIMEOUT; with on_stall next_cache, and no "
                "client_timeout, the client's",
                positive())
      .labelled("Stall timeout")
      .idle(nobody_looks, no_transfer_ends)
      .remedies(retried_transfers)
      .optional("first_check", &TransferStrategy::first_check,
                "When the starter first looks, after the transfer's start")
      .labelled("First check for a stall")
      .idle(starter_waits, no_transfer_ends)
      .optional("check_interval", &TransferStrategy::check_interval,
                "How often it looks from then on", positive())
      .labelled("Time between checks for a stall")
      .idle(starter_waits, no_transfer_ends);
}

void add_client(Table<TransferStrategy>& table) {
  table
      .choice("on_stall", &TransferStrategy::on_stall,
              {{"requeue", OnStall::requeue}, {"next_cache", OnStall::next_cache}},
              "requeue: the client waits for ever, and the starter's timer sends the job back "
              "to the queue; next_cache: the client gives up a connection without a byte and "
              "tries the next cache; the attempt fails after the last")
      .labelled("At a stall: requeue, or the next cache")
      .remedies(retried_transfers)
      .optional("client_timeout", &TransferStrategy::client_timeout,
                "next_cache: a connection without a byte for this long is given up "
                "(Client.StoppedTransferTimeout); 0 s: stall_timeout")
      .labelled("Timeout of a connection, with the next cache")
      .idle(asks_one_cache, no_other_cache)
      .optional("slow_after", &TransferStrategy::slow_after,
                "next_cache: a connection below 100 KiB/s is given up after this long; 0 s: 130 s")
      .labelled("Timeout of a slow connection")
      .idle(asks_one_cache, no_other_cache)
      .optional("resume", &TransferStrategy::resume,
                "next_cache: the next try of an attempt keeps the bytes that have arrived")
      .labelled("Keep the bytes that have arrived")
      .idle(asks_one_cache, no_other_cache);
}

Table<TransferStrategy> const& transfer_table() {
  static Table<TransferStrategy> const table =
      Table<TransferStrategy>("How input is fetched, and when an attempt counts as stalled")
          .choice("protocol", &TransferStrategy::protocol,
                  {{"osdf", Protocol::osdf},
                   {"http", Protocol::http},
                   {"htcondor", Protocol::htcondor}},
                  "osdf: caches in the director's order; http: straight from the origin; htcondor: "
                  "the access point sends the files itself")
          .labelled("The source of the input")
          .with(add_starter_timer)
          .with(add_client)
          .optional("max_shadow_exceptions", &TransferStrategy::max_shadow_exceptions,
                    "A claim that has failed so often is given back (MAX_SHADOW_EXCEPTIONS)",
                    positive())
          .labelled("Failures before a claim is given back")
          .optional("most_at_a_time", &TransferStrategy::most_at_a_time,
                    "A site's jobs transfer so many at a time, the others wait for their turn; 0: "
                    "no limit")
          .labelled("Transfers of a site at a time")
          .not_replayed("jobs do not meet in a replay");
  return table;
}

/// Both ends of the delay come from one key.
void set_delay(YamlValue const& value, RetryStrategy& retry) {
  TimeRange range;
  read_value(value, positive(), range);
  retry.delay_min = range.least;
  retry.delay_max = range.most;
}

void write_delay(YamlWriter& out, Key const& key, RetryStrategy const& retry) {
  out.value(key.name, key.required, TimeRange{retry.delay_min, retry.delay_max}, {});
}

// The members of a strategy's parts, for tables that include theirs.
constexpr auto own_policy = [](auto& retry) -> auto& { return retry.policy; };
constexpr auto transfer_of = [](auto& strategy) -> auto& { return strategy.transfer; };
constexpr auto match_of = [](auto& strategy) -> auto& { return strategy.match; };
constexpr auto training_of = [](auto& strategy) -> auto& { return strategy.training; };
constexpr auto policy_of = [](auto& strategy) -> auto& { return strategy.retry.policy; };

Table<RetryStrategy> const& retry_table() {
  Key const delay{"delay", Form::time_range,
                  "cool_down: how long, one draw a job between the two times"};
  static Table<RetryStrategy> const table =
      Table<RetryStrategy>("The access point's actions after failures, and the job's policy")
          .choice("on_transfer_failure", &RetryStrategy::on_transfer_failure,
                  {{"requeue", OnTransferFailure::requeue},
                   {"cool_down", OnTransferFailure::cool_down},
                   {"hold", OnTransferFailure::hold},
                   {"recorded", OnTransferFailure::recorded}},
                  "requeue: idle at once; cool_down: idle, but not matched for a delay, or held at "
                  "once where the plugin's error is permanent (subcode 256); hold: held (code 13); "
                  "recorded: requeue or hold, as often as in the calibrated campaign. To limit "
                  "failed transfers, use cool_down and times, not max_retries")
          .labelled("After a failed transfer")
          .remedies(retried_transfers)
          .add(delay, set_delay, write_delay)
          .labelled("Cool-down after a failed transfer")
          .idle(never_cools, no_cool_down)
          .optional("times", &RetryStrategy::times, "cool_down: this often, then held")
          .labelled("Cool-downs before a hold")
          .idle(never_cools, no_cool_down)
          .include(own_policy, exit_policy_table())
          .include(own_policy, periodic_policy_table())
          .include(own_policy, request_policy_table());
  return table;
}

Table<ReleaseStrategy> const& release_table() {
  static Table<ReleaseStrategy> const table =
      Table<ReleaseStrategy>("Releases by policy (periodic_release); people release besides")
          .optional("transfer_holds_after", &ReleaseStrategy::transfer_holds_after,
                    "Jobs held for a failed transfer (code 13) are released after this long",
                    positive())
          .labelled("Release of transfer holds after")
          .remedies(holds)
          .optional("times", &ReleaseStrategy::times, "At most this often a job")
          .labelled("Releases of a job")
          .idle([](Strategy const& each) { return !each.release.transfer_holds_after; },
                "no hold is released by policy (transfer_holds_after)");
  return table;
}

Table<MatchStrategy> const& avoid_site_table() {
  static Table<MatchStrategy> const table =
      Table<MatchStrategy>("A job avoids a site where its input transfers stalled, or failed")
          .required("after_stalls", &MatchStrategy::avoid_site_after_stalls,
                    "After this many stalls there: transfers that the stall timer ended, or the "
                    "client since no bytes came; a plugin's error or a missing file is none",
                    positive())
          .labelled("Avoid a site after stalls")
          .unless("after_failures")
          .optional("after_failures", &MatchStrategy::avoid_site_after_failures,
                    "After this many input transfers that failed there, stalls among them",
                    positive())
          .labelled("Avoid a site after failed transfers")
          .remedies("compute_retried_s")
          .required("for", &MatchStrategy::avoid_site_for, "For this long", positive())
          .labelled("Avoid it for");
  return table;
}

Table<MatchStrategy> const& match_table() {
  static Table<MatchStrategy> const table =
      Table<MatchStrategy>("Requirements and rank, also those that follow from the job's history")
          .add({"avoid_hosts", Form::names,
                "Machines that no job goes to (requirements = (Machine != \"...\")), such as the "
                "black holes that `gridcast ledger --black-holes` names; the campaign repeats the "
                "jobs of a record, which names its hosts"},
               &MatchStrategy::avoid_hosts)
          .not_replayed("a replay keeps the hosts of its record")
          .group("avoid_site", avoid_site_table());
  return table;
}

Table<Strategy> const& transfer_group() {
  static Table<Strategy> const table = Table<Strategy>(transfer_table().section().help)
                                           .include(transfer_of, transfer_table())
                                           .include(policy_of, plugin_policy_table());
  return table;
}

Table<Strategy> const& match_group() {
  static Table<Strategy> const table = Table<Strategy>(match_table().section().help)
                                           .include(match_of, match_table())
                                           .include(policy_of, match_policy_table());
  return table;
}

Table<Strategy> const& limits_group() {
  static Table<Strategy> const table = Table<Strategy>(limits_policy_table().section().help)
                                           .include(policy_of, limits_policy_table());
  return table;
}

Table<TrainingStrategy> const& training_table() {
  static Table<TrainingStrategy> const table =
      Table<TrainingStrategy>("How a workload of the catalogue gets its data")
          .choice("data", &TrainingStrategy::data,
                  {{"copy", DataAccess::copy}, {"stream", DataAccess::stream}},
                  "copy: the input is fetched first; stream: training reads from the cache (osdf) "
                  "or the origin (http) as it goes, and no input is fetched")
          .labelled("How the training reads its data")
          .not_replayed(recorded_executions)
          .optional("profile", &TrainingStrategy::profile,
                    "Another workload of the catalogue than the campaign's, by its name or file")
          .not_replayed(recorded_executions);
  return table;
}

Table<TrainingStrategy> const& saving_table() {
  static Table<TrainingStrategy> const table =
      Table<TrainingStrategy>("When a workload of the catalogue saves itself")
          .optional("every_steps", &TrainingStrategy::checkpoint_every_steps,
                    "After so many steps (the catalogue's workloads); 0: as in the profile")
          .labelled("Steps between checkpoints")
          .not_replayed(recorded_executions)
          .optional("every", &TrainingStrategy::checkpoint_every,
                    "After so much training (the catalogue's workloads); 0 s: as in the profile")
          .labelled("Training between checkpoints")
          .not_replayed(recorded_executions);
  return table;
}

Table<Strategy> const& checkpoint_group() {
  static Table<Strategy> const table = Table<Strategy>(checkpoint_policy_table().section().help)
                                           .include(policy_of, checkpoint_policy_table())
                                           .include(training_of, saving_table());
  return table;
}

Table<SubmitStrategy> const& submit_table() {
  static constexpr char recorded_jobs[] = "a replay keeps the jobs of its record";
  static Table<SubmitStrategy> const table =
      Table<SubmitStrategy>("Other jobs, submissions and requests for the campaign's work")
          .optional("max_materialize", &SubmitStrategy::max_materialize,
                    "Instead of campaign.max_materialize; 0: no limit", between(0, 1e7))
          .labelled("Jobs in the queue, at most")
          .optional("jobs_at_a_time", &SubmitStrategy::jobs_at_a_time,
                    "Submitted in groups of so many jobs; 0: as the campaign does")
          .labelled("Jobs in a group of the submission")
          .optional("every", &SubmitStrategy::every, "From one group to the next")
          .labelled("Time between groups")
          .idle([](Strategy const& each) { return each.submit.jobs_at_a_time == 0; },
                "jobs are not submitted in groups (jobs_at_a_time)")
          .optional("gpus", &SubmitStrategy::gpus, "request_gpus; 0: as campaign.request has it")
          .labelled("GPUs of a job")
          .not_replayed(recorded_jobs)
          .optional("jobs_in_one", &SubmitStrategy::jobs_in_one,
                    "One job computes the work of so many jobs, with one input; it counts as "
                    "so many",
                    positive())
          .labelled("Jobs that become one job")
          .remedies("overhead_s")
          .not_replayed(recorded_jobs)
          .optional("input_parts", &SubmitStrategy::input_parts,
                    "Each input file is split into so many", between(1, 100))
          .labelled("Parts of each input file")
          .remedies("compute_evicted_s")
          .not_replayed(recorded_jobs)
          .optional("second_copy_after", &SubmitStrategy::second_copy_after,
                    "A job that has not ended so long after its submission gets a second copy; "
                    "the first result counts, and the other of the two is removed",
                    positive())
          .labelled("Second copy of a job after")
          .not_replayed(recorded_jobs);
  return table;
}

void check_training(YamlDocument& document, std::string const& path, Strategy const& strategy) {
  TrainingStrategy const& training = strategy.training;
  bool const sends = strategy.transfer.protocol == Protocol::htcondor;
  if (training.data == DataAccess::stream && sends) {
    document.complain(path + ".training.data", "HTCondor's own transfer cannot stream",
                      "the access point sends files before a job starts", "Take osdf or http.");
  }
  int const intervals = (strategy.retry.policy.checkpoint_every_epochs > 0) +
                        (training.checkpoint_every_steps > 0) +
                        (training.checkpoint_every > Seconds(0));
  if (intervals > 1) {
    document.complain(path + ".checkpoint", "more than one interval",
                      "epochs, steps and time exclude each other", "Keep one of them.");
  }
}

constexpr Version cools_down_since{{25, 6, 1}};  // FEATURE:PelicanRetryPolicy (param_info.in)

/// That policy is of jobs alone whose input comes by pelican, osdf or stash.
bool cools_down(Software const& software, Protocol protocol) {
  return protocol == Protocol::osdf && software.htcondor && *software.htcondor >= cools_down_since;
}

/// The rules of the versions, for the keys that are `open`. The calibration contains how often a
/// failed plugin held a job in its own pool (OnTransferFailure::recorded). A record of a pool that
/// cools jobs down does not show the action of an older access point, nor that under another
/// protocol: either holds at once.
void apply_versions(Strategy& strategy, Software const& software, Software const& of_pool,
                    std::function<bool(char const*)> const& open) {
  TransferStrategy& transfer = strategy.transfer;
  RetryStrategy& retry = strategy.retry;
  if (software.htcondor) {
    Version const& version = *software.htcondor;
    bool const counts_all = version >= Version{{23, 8, 1}} && version < Version{{25, 2, 1}};
    if (open("transfer.stall_timer"))
      transfer.stall_timer = counts_all ? StallTimer::whole_transfer : StallTimer::never;
    if (open("transfer.max_shadow_exceptions"))
      transfer.max_shadow_exceptions = version < Version{{23, 9, 6}} ? 5 : 2;  // HTCONDOR-2300
    bool const is_open = open("retry.on_transfer_failure");
    bool const cools = cools_down(software, transfer.protocol);
    if (is_open && !cools && cools_down(of_pool, Protocol::osdf))
      retry.on_transfer_failure = OnTransferFailure::hold;
    if (is_open && cools) {
      retry.on_transfer_failure = OnTransferFailure::cool_down;
      if (open("retry.delay")) retry.delay_min = minutes(5), retry.delay_max = minutes(10);
      if (open("retry.times")) retry.times = 4;
    }
  }
  if (software.pelican && transfer.protocol == Protocol::osdf) {
    if (open("transfer.on_stall")) transfer.on_stall = OnStall::next_cache;
    if (transfer.on_stall != OnStall::next_cache) return;
    if (open("transfer.client_timeout")) transfer.client_timeout = Seconds(100);
    // Client.SlowTransferRampupTime of 30 s, later 100, before SlowTransferWindow.
    if (open("transfer.slow_after") && *software.pelican < Version{{7, 11, 0}})
      transfer.slow_after = Seconds(30 + 30);
    if (open("transfer.resume")) transfer.resume = *software.pelican >= Version{{7, 16, 0}};
  }
}

}  // namespace

bool is_job_attribute(std::string_view name) {
  static Names const names = names_in(
      "ClusterId ProcId JobStatus LastJobStatus JobUniverse HoldReasonCode HoldReasonSubCode "
      "NumHolds NumSystemHolds NumShadowStarts JobRunCount NumJobStarts NumJobMatches "
      "NumInputTransferStarts NumJobCoolDowns NumVacates NumJobCompletions JobMaxRetries "
      "JobSuccessExitCode ExitCode ExitBySignal QDate EnteredCurrentStatus JobStartDate "
      "JobCurrentStartDate JobCurrentStartExecutingDate CurrentTime ServerTime RequestGPUs "
      "RequestMemory RequestDisk MemoryUsage DiskUsage LastHoldReasonCode LastHoldReasonSubCode "
      "LastRemoteHost MachineAttrGLIDEIN_ResourceName0 LastRemotePool DAGNodeRetry");
  return names.contains(name);
}

std::vector<std::string> unknown_names(classad::Expression const& expression, bool with_slot) {
  static Names const of_slots = names_in(
      "GLIDEIN_ResourceName GLIDEIN_Site Arch OpSys HasFileTransfer HasSingularity GPUs "
      "TotalGPUs GPUs_DeviceName GPUs_Capability CUDACapability GPUs_GlobalMemoryMb "
      "CUDAGlobalMemoryMb Disk Memory");
  std::vector<std::string> unknown;
  for (std::string const& name : expression.attributes()) {
    bool const known = is_job_attribute(name) || (with_slot && of_slots.contains(name));
    if (!known) unknown.push_back(name);
  }
  return unknown;
}

void apply_software(YamlDocument& document, std::vector<Strategy>& strategies,
                    Software const& of_pool) {
  for (Strategy& strategy : strategies) {
    std::string const path = "strategies." + strategy.name + ".";
    apply_versions(strategy, software_of(strategy.software, of_pool), of_pool,
                   [&](char const* key) { return !document.has(path + key); });
  }
}

std::vector<Problem> undefined_names(YamlDocument const& document,
                                     std::vector<Strategy> const& strategies) {
  struct NamedRule {
    char const* key;
    JobPolicy::Rule JobPolicy::*rule;
    bool with_slot = false;
  };
  static constexpr NamedRule rules[] = {
      {"retry.retry_until", &JobPolicy::retry_until},
      {"retry.on_exit_hold", &JobPolicy::on_exit_hold},
      {"retry.on_exit_remove", &JobPolicy::on_exit_remove},
      {"retry.periodic_hold", &JobPolicy::periodic_hold},
      {"retry.periodic_release", &JobPolicy::periodic_release},
      {"retry.periodic_remove", &JobPolicy::periodic_remove},
      {"retry.periodic_vacate", &JobPolicy::periodic_vacate},
      {"retry.request_memory", &JobPolicy::request_memory},
      {"retry.request_disk", &JobPolicy::request_disk},
      {"retry.retry_request_memory", &JobPolicy::retry_request_memory},
      {"retry.retry_request_disk", &JobPolicy::retry_request_disk},
      {"match.requirements", &JobPolicy::requirements, true},
      {"match.rank", &JobPolicy::rank, true}};
  std::vector<Problem> notes;
  for (Strategy const& strategy : strategies) {
    for (NamedRule const& each : rules) {
      JobPolicy::Rule const& rule = strategy.retry.policy.*each.rule;
      auto const unknown = rule ? unknown_names(*rule, each.with_slot) : std::vector<std::string>();
      if (unknown.empty()) continue;
      std::string const path = fmt::format("strategies.{}.{}", strategy.name, each.key);
      notes.push_back(
          {document.at(path),
           fmt::format("{}: simulated {} have no {}: undefined", path,
                       each.with_slot ? "jobs and slots" : "jobs", fmt::join(unknown, ", ")),
           "", ""});
    }
  }
  return notes;
}

Strategy strategy_under(Software const& software) {
  Strategy strategy;
  apply_versions(strategy, software, software, [](char const*) { return true; });
  return strategy;
}

Table<Strategy> const& strategy_table() {
  static Table<Strategy> const table =
      Table<Strategy>("Strategies to compare, each under a name of its own; `{}` has the defaults")
          .add(
              {"about", Form::text, "The change, and who must act: you, the site or the pool"},
              [](YamlValue const& value, Strategy& strategy) {
                read_value(value, {}, strategy.description.about);
              },
              [](YamlWriter& out, Key const& of, Strategy const& strategy) {
                out.value(of.name, of.required, strategy.description.about, {});
              })
          .for_people()
          .add({"work", Form::time, "Work of people that the change takes, for `prices`"},
               [](YamlValue const& value, Strategy& strategy) {
                 read_value(value, not_negative(), strategy.description.work);
               })
          .for_people()
          .group("software", false, &Strategy::software, software_table())
          .group("transfer", transfer_group())
          .group("retry", false, &Strategy::retry, retry_table())
          .group("release", false, &Strategy::release, release_table())
          .group("match", match_group())
          .group("limits", limits_group())
          .group("checkpoint", checkpoint_group())
          .group("training", false, &Strategy::training, training_table())
          .group("submit", false, &Strategy::submit, submit_table());
  return table;
}

void check_strategies(YamlDocument& document, std::vector<Strategy> const& strategies) {
  for (Strategy const& strategy : strategies) {
    std::string const path = "strategies." + strategy.name;
    bool const cools_down = strategy.retry.on_transfer_failure == OnTransferFailure::cool_down;
    bool const has_delay =
        document.has(path + ".retry.delay") || strategy.retry.delay_max > Seconds();
    if (cools_down && !has_delay) {
      document.complain(path + ".retry", "cool_down has no delay", "without one it is requeue",
                        "Write 'delay: 5 min..10 min'.");
    }
    bool const asks_caches = strategy.transfer.protocol == Protocol::osdf;
    if (strategy.transfer.on_stall == OnStall::next_cache && !asks_caches) {
      document.complain(path + ".transfer.on_stall", "there is no next cache",
                        "only protocol osdf goes through caches");
    }
    check_training(document, path, strategy);
  }
}

}  // namespace gridcast::scenario

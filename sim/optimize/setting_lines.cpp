#include "sim/optimize/setting_lines.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/ledger/black_holes.hpp"

namespace gridcast::optimize {
namespace {

using scenario::Strategy;

/// TransferInputError, of HoldReasonCode and VacateReasonCode (condor_holdcodes.h).
constexpr int failed_input = 13;

std::string seconds_text(Seconds time) { return fmt::format("{:.0f}", std::ceil(time.value())); }

std::string release_line(Strategy const& wanted) {
  auto const& release = wanted.release;
  auto const& own = wanted.retry.policy.periodic_release;
  if (!release.transfer_holds_after) return "periodic_release = " + (own ? own->text() : "false");
  std::string rule =
      fmt::format("HoldReasonCode == {} && NumHolds <= {} && time() - EnteredCurrentStatus > {}",
                  failed_input, release.times, seconds_text(*release.transfer_holds_after));
  if (own) rule = fmt::format("({}) || ({})", own->text(), rule);
  return "periodic_release = " + rule;
}

int starts_to_avoid(scenario::MatchStrategy const& match) {
  return match.avoid_site_after_stalls.value_or(match.avoid_site_after_failures.value_or(1));
}

/// The nearest expression: the sites of the last starts, whatever ended those.
std::string other_sites(scenario::MatchStrategy const& match) {
  std::string same;
  for (int i = 0; i < starts_to_avoid(match); ++i) {
    same += fmt::format("{}TARGET.GLIDEIN_ResourceName =?= MachineAttrGLIDEIN_ResourceName{}",
                        i == 0 ? "" : " && ", i);
  }
  return fmt::format("(time() - EnteredCurrentStatus > {} || !({}))",
                     seconds_text(match.avoid_site_for), same);
}

std::string other_hosts(scenario::MatchStrategy const& match) {
  std::vector<ledger::HostAttempts> avoided;
  for (auto const& host : match.avoid_hosts) avoided.push_back({host, "", 0, 0, {}});
  return ledger::requirements_without(avoided);
}

/// All clauses in one expression: of two lines, condor_submit takes the last.
std::string requirements_of(Strategy const& wanted) {
  std::vector<std::string> clauses;
  if (wanted.match.avoids_sites()) clauses.push_back(other_sites(wanted.match));
  if (!wanted.match.avoid_hosts.empty()) clauses.push_back(other_hosts(wanted.match));
  auto const& own = wanted.retry.policy.requirements;
  if (own) clauses.insert(clauses.begin(), clauses.empty() ? own->text() : "(" + own->text() + ")");
  return fmt::format("{}", fmt::join(clauses, " && "));
}

class Lines {
 public:
  Lines(Strategy const& current, Strategy const& wanted, Party as)
      : current_(current), wanted_(wanted), client_(as == Party::owner ? as : Party::site) {}

  std::vector<SettingLine> all() {
    submit_file();
    access_point();
    sites();
    client();
    return std::move(lines_);
  }

 private:
  void add(Party where, std::string text) { lines_.push_back({where, std::move(text)}); }
  void add_if(bool changed, Party where, std::string text) {
    if (changed) add(where, std::move(text));
  }

  void submit_file() {
    auto const& now = current_.retry.policy;
    auto const& then = wanted_.retry.policy;
    if (wanted_.release != current_.release) add(Party::owner, release_line(wanted_));
    add_if(then.max_retries != now.max_retries, Party::owner,
           fmt::format("max_retries = {}", then.max_retries.value_or(0)));
    requirements();
    if (then.rank != now.rank) add(Party::owner, "rank = " + (then.rank ? then.rank->text() : ""));
    add_if(then.job_lease_duration != now.job_lease_duration, Party::owner,
           then.job_lease_duration
               ? "job_lease_duration = " + seconds_text(*then.job_lease_duration)
               : "# no job_lease_duration: HTCondor's default");
    requests();
    program();
    submission();
  }

  void requirements() {
    auto const& match = wanted_.match;
    bool const same_own = wanted_.retry.policy.requirements == current_.retry.policy.requirements;
    if (match == current_.match && same_own) return;
    std::string const then = requirements_of(wanted_);
    if (match.avoids_sites()) {
      add(Party::owner, "job_machine_attrs = GLIDEIN_ResourceName");
      add(Party::owner,
          fmt::format("job_machine_attrs_history_length = {}", starts_to_avoid(match)));
    } else if (current_.match.avoids_sites() && then.empty()) {
      return add(Party::owner, "# requirements without the sites of earlier starts");
    }
    add(Party::owner, "requirements = " + then);
  }

  void submission() {
    auto const& now = current_.submit;
    auto const& then = wanted_.submit;
    if (then.max_materialize != now.max_materialize) {
      int const most = then.max_materialize.value_or(0);
      add(Party::owner, most > 0 ? fmt::format("max_materialize = {}", most)
                                 : "# no limit of the jobs in the queue (max_materialize)");
    }
    add_if(then.jobs_at_a_time != now.jobs_at_a_time || then.every != now.every, Party::owner,
           then.jobs_at_a_time == 0 ? "# submit all jobs at once"
                                    : fmt::format("# submit {} jobs, the next {} later",
                                                  then.jobs_at_a_time, to_text(then.every)));
    if (then.gpus != now.gpus) add(Party::owner, fmt::format("request_gpus = {}", then.gpus));
    if (then.jobs_in_one != now.jobs_in_one) {
      add(Party::owner,
          fmt::format("# your program: each job computes the epochs of {0} jobs; queue one for {0}",
                      then.jobs_in_one));
    }
    add_if(
        then.input_parts != now.input_parts, Party::owner,
        fmt::format("# transfer_input_files: {0} parts of each file (split -n {0}), to be joined",
                    then.input_parts));
    if (then.second_copy_after == now.second_copy_after) return;
    if (!then.second_copy_after) return add(Party::owner, "# no second copies of late jobs");
    add(Party::owner, fmt::format("# submit a job again that has not ended {} later;",
                                  to_text(*then.second_copy_after)));
    add(Party::owner, "# condor_rm the other copy at the first result");
  }

  void requests() {
    using Policy = scenario::JobPolicy;
    for (auto const& [command, rule] : {std::pair{"request_memory", &Policy::request_memory},
                                        {"retry_request_memory", &Policy::retry_request_memory},
                                        {"request_disk", &Policy::request_disk},
                                        {"retry_request_disk", &Policy::retry_request_disk}}) {
      auto const& then = wanted_.retry.policy.*rule;
      if (!then || then == current_.retry.policy.*rule) continue;
      add(Party::owner, fmt::format("{} = {}", command, then->text()));
    }
  }

  void program() {
    auto const& then = wanted_.retry.policy;
    if (then.checkpoint_every_epochs != current_.retry.policy.checkpoint_every_epochs) {
      add(Party::owner, fmt::format("# your program: a checkpoint every {} epochs (exit code {})",
                                    then.checkpoint_every_epochs, then.checkpoint_exit_code));
    }
    add_if(wanted_.training.checkpoint_every != current_.training.checkpoint_every, Party::owner,
           "# your program: a checkpoint every " + to_text(wanted_.training.checkpoint_every) +
               " of training");
    int const steps = wanted_.training.checkpoint_every_steps;
    add_if(steps != current_.training.checkpoint_every_steps, Party::owner,
           fmt::format("# your program: a checkpoint every {} steps", steps));
    if (wanted_.training.data != current_.training.data) {
      bool const streams = wanted_.training.data == scenario::DataAccess::stream;
      add(Party::owner, streams ? "# your program: it reads its input as it trains"
                                : "# your program: its input is fetched before it starts");
    }
  }

  void access_point() {
    int const most = wanted_.transfer.max_shadow_exceptions;
    add_if(most != current_.transfer.max_shadow_exceptions, Party::access_point,
           fmt::format("MAX_SHADOW_EXCEPTIONS = {}", most));
    auto const& retry = wanted_.retry;
    bool const same = retry.on_transfer_failure == current_.retry.on_transfer_failure &&
                      retry.delay_min == current_.retry.delay_min &&
                      retry.times == current_.retry.times;
    if (same || retry.on_transfer_failure != scenario::OnTransferFailure::cool_down) return;
    // The schedd evaluates it after each attempt that was interrupted, also by an eviction.
    add(Party::access_point,
        fmt::format("SYSTEM_ON_VACATE_COOL_DOWN = ifThenElse(VacateReasonCode == {0} && "
                    "(NumJobCoolDowns ?: 0) < {1}, {2} + random({2}), 0)",
                    failed_input, retry.times, seconds_text(retry.delay_min)));
  }

  void sites() {
    auto const& now = current_.transfer;
    auto const& then = wanted_.transfer;
    add_if(then.stall_timer != now.stall_timer, Party::site,
           "# HTCondor 25.2.1 or later: its stall timer leaves plugins alone");
    add_if(then.stall_timeout != now.stall_timeout, Party::site,
           "STARTER_FILE_XFER_STALL_TIMEOUT = " + seconds_text(then.stall_timeout));
    auto const& lifetime = wanted_.retry.policy.plugin_lifetime;
    add_if(lifetime != current_.retry.policy.plugin_lifetime, Party::site,
           lifetime ? "MAX_FILE_TRANSFER_PLUGIN_LIFETIME = " + seconds_text(*lifetime)
                    : "# no MAX_FILE_TRANSFER_PLUGIN_LIFETIME: HTCondor's default");
    add_if(
        then.most_at_a_time != now.most_at_a_time, Party::site,
        then.most_at_a_time == 0
            ? "# no limit of the input transfers of a site at a time"
            : fmt::format("# at most {} input transfers of a site at a time", then.most_at_a_time));
  }

  /// Settings of the Pelican client, at the site or in a plugin that the owner brings.
  void client() {
    auto const& now = current_.transfer;
    auto const& then = wanted_.transfer;
    bool const asks = then.on_stall == scenario::OnStall::next_cache;
    bool const newly = asks && then.on_stall != now.on_stall;
    bool const resumes = then.resume && !now.resume;
    if (newly || resumes) {
      std::string const version = resumes ? "7.16" : "7.10";
      bool const own = client_ == Party::owner;
      add(client_, fmt::format("# {}Pelican {} or later: it asks the next cache",
                               own ? "a plugin of your own, " : "", version));
      if (own) add(client_, "transfer_plugins = osdf=pelican_plugin");
    }
    add_if(asks && now.resume && !then.resume, client_,
           "# Pelican before 7.16: it does not resume a transfer");
    add_if(asks && (newly || then.client_timeout != now.client_timeout), client_,
           fmt::format("# of Pelican: Client.StoppedTransferTimeout: {}s",
                       seconds_text(then.client_timeout)));
  }

  Strategy const& current_;
  Strategy const& wanted_;
  Party client_;
  std::vector<SettingLine> lines_;
};

}  // namespace

std::vector<SettingLine> setting_lines(Strategy const& current, Strategy const& wanted, Party as) {
  return Lines(current, wanted, as).all();
}

}  // namespace gridcast::optimize

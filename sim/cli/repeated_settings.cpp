#include "sim/cli/repeated_settings.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/engine/job_ad.hpp"
#include "sim/engine/replay.hpp"
#include "sim/history/recorded_jobs.hpp"
#include "sim/import/submit_requirements.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::cli {
namespace {

constexpr char remedy[] = "--without recorded-jobs simulates it, in the slots of the pool";

/// Requirements that are not the record's and move no job.
bool moves_no_job(import::SubmitImport const& import, import::RecordedSubmission const& recorded,
                  history::RecordedJobs const& jobs, fs::path const& pool) {
  auto const& rule = import.strategy.retry.policy.requirements;
  auto const& hosts = import.strategy.match.avoid_hosts;
  if (rule == recorded.policy.requirements && hosts.empty()) return false;
  bool const of_job = rule && (rule->reads_clock() ||
                               std::ranges::any_of(rule->attributes(), scenario::is_job_attribute));
  if (of_job) return true;
  auto const sites = engine::sites_not_required(jobs.names.sites, scenario::read_pool(pool),
                                                import.campaign.request, import.strategy);
  return !engine::leaves_slots(jobs, {hosts, sites});
}

/// The settings that differ from the record's, and have no effect.
std::vector<std::string> without_effect(import::SubmitImport const& import,
                                        import::RecordedSubmission const& recorded,
                                        history::RecordedJobs const& jobs, fs::path const& pool) {
  auto const& [policy, request, most] = recorded;
  scenario::Request const& now = import.campaign.request;
  std::vector<std::string> names;
  if (moves_no_job(import, recorded, jobs, pool)) names.emplace_back("requirements");
  if (import.strategy.retry.policy.rank != policy.rank) names.emplace_back("rank");
  if (now.gpus != request.gpus) names.emplace_back("request_gpus");
  if (now.concurrency_limits != request.concurrency_limits)
    names.emplace_back("concurrency_limits");
  return names;
}

bool lets_more_in(int now, int recorded) { return recorded > 0 && (now == 0 || now > recorded); }

}  // namespace

void fit_to_record(import::SubmitImport& import, ImportSubmitOptions const& options,
                   Sources const& sources) {
  bool const repeats = import.campaign.work.from == scenario::JobSource::record;
  if (!repeats || (import.excluded_hosts.empty() && !options.recorded)) return;
  auto const file = scenario::recorded_jobs_of(scenario::read_calibration(sources.calibration));
  if (file.empty()) return;
  auto const jobs = history::read_recorded_jobs(file);
  import::avoid_excluded_hosts(import, jobs.hosts);
  auto& hosts = import.strategy.match.avoid_hosts;
  bool const none_left = !hosts.empty() && !history::has_other_hosts(jobs, hosts);
  if (none_left) hosts.clear();
  if (!options.recorded) return;
  auto const note = [&](std::string what) {
    import.notes.push_back({{options.file.string()},
                            std::move(what),
                            condor::SubmitTopic::other,
                            condor::SubmitAction::recommended});
  };
  auto names = without_effect(import, *options.recorded, jobs, sources.pool);
  if (none_left) names.insert(names.begin(), "requirements");
  if (!names.empty()) {
    note(fmt::format("{}: no effect on jobs that repeat the record, which run in its slots. {}",
                     fmt::join(names, ", "), remedy));
  }
  int const most = options.recorded->max_materialize;
  int const slots = static_cast<int>(history::first_free_slots(jobs).size());
  if (lets_more_in(import.campaign.max_materialize, most) &&
      scenario::bound_by_queue(slots, most)) {
    note(
        fmt::format("max_materialize: the record had no more than {} jobs at a time, as its own "
                    "was {}, and the forecast has no more either. {}",
                    slots, most, scenario::more_slots_remedy));
  }
}

}  // namespace gridcast::cli

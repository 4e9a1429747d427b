// The engine's small campaigns with many failures, event by event, against logs
// that were kept: campaigns/NAME.log. They say that nothing has changed, not that it is right;
// tests/engine and tests/model say that. A change on purpose writes them anew with
//   test_golden '[renew]'
// and the difference is to be read.
#include <fstream>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/engine/replay.hpp"
#include "sim/study/record.hpp"
#include "tests/golden/rough_grids.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

std::filesystem::path const folder = source_dir() / "tests/golden/campaigns";

constexpr char const* kinds[] = {"submitted",
                                 "matched",
                                 "transfer_input_started",
                                 "transfer_input_finished",
                                 "executing",
                                 "transfer_output_started",
                                 "transfer_output_finished",
                                 "terminated",
                                 "evicted",
                                 "shadow_exception",
                                 "held",
                                 "released",
                                 "aborted",
                                 "requeued",
                                 "checkpointed",
                                 "suspended",
                                 "unsuspended",
                                 "disconnected",
                                 "reconnected",
                                 "reconnect_failed"};

std::string line_of(history::JobHistory const& history, history::JobEvent const& event) {
  std::string line = fmt::format("{:.3f} {} {}", event.at.value(),
                                 history::to_text(history.jobs[event.job.index()]),
                                 kinds[static_cast<std::size_t>(event.kind)]);
  if (event.site.valid())
    line += fmt::format(" {}.{}", history.sites[event.site.index()], event.slot);
  if (event.reason != history::Reason::none)
    line += fmt::format(" {}", history::name(event.reason));
  if (!event.useful) line += " useless";
  if (event.executed > Seconds()) line += fmt::format(" executed {:.3f}", event.executed.value());
  if (event.code != 0) line += fmt::format(" code {}.{}", event.code, event.subcode);
  if (event.exit_code != 0) line += fmt::format(" exit {}", event.exit_code);
  return line;
}

using Lines = std::vector<std::string>;

void add_history(Lines& lines, history::JobHistory const& history) {
  for (history::JobEvent const& event : history.events) lines.push_back(line_of(history, event));
  for (history::UrlTransfer const& each : history.transfers) {
    lines.push_back(fmt::format("transfer {} {} {} {:.3f} {:.3f} {:.3f} {}",
                                history::to_text(history.jobs[each.job.index()]), each.attempt,
                                each.url, each.start.value(), each.end.value(),
                                each.duration.value(), each.succeeded));
  }
}

void add_audit(Lines& lines, engine::ReplicaAudit const& audit) {
  lines.push_back(fmt::format("slots busy {:.3f} idle {:.3f} life {:.3f} dead {:.3f}",
                              audit.slot_busy.value(), audit.slot_idle.value(),
                              audit.slot_life.value(), audit.dead_leases.value()));
  lines.push_back(fmt::format("bytes {:.0f} from origin {:.0f} hits {} misses {}",
                              audit.bytes_delivered.value(), audit.bytes_from_origin.value(),
                              audit.cache_hits, audit.cache_misses));
  lines.push_back(fmt::format("timers {} transfers {} of links {}", audit.timers, audit.transfers,
                              audit.link_timers));
  for (auto const& each : audit.cache_samples) {
    lines.push_back(
        fmt::format("cache {} {:.3f} {:.0f}", each.cache, each.at.value(), each.used.value()));
  }
}

/// Transfers over two links are approximated, as they were when the logs were kept.
Lines simulated(Grid const& grid, std::uint32_t replica = 0, bool sampled = false) {
  engine::Replica const done =
      grid.run(replica, {.network = engine::NetworkModel::fast, .cache_samples = sampled});
  Lines lines;
  add_history(lines, done.history);
  add_audit(lines, done.audit);
  return lines;
}

Lines record_of(Grid const& grid) {
  std::vector<std::string> sites;
  for (scenario::SiteSpec const& site : grid.pool.sites) sites.push_back(site.name);
  study::Record const record = study::make_record(grid.run().history, sites, grid.draw);
  auto const names = study::record_names(sites);
  Lines lines;
  for (std::size_t i = 0; i < names.size(); ++i) {
    lines.push_back(fmt::format("{} {:.6g}", names[i], record.at(i)));
  }
  return lines;
}

Lines replayed(scenario::Strategy const& strategy) {
  scenario::ParameterDraw draw = rough_grid().draw;
  draw.outages.bad_duration = minutes(40);
  Lines lines;
  for (scenario::OutageScope const scope :
       {scenario::OutageScope::origin, scenario::OutageScope::cache, scenario::OutageScope::path}) {
    draw.outages.scope = scope;
    engine::ReplayGrid const grid{{}, Bytes(1e9)};
    add_history(lines, engine::replay(history::to_history(rough_table()), grid, strategy, draw,
                                      RandomStreams(1, 0))
                           .history);
  }
  return lines;
}

Grid with_strategy(Grid grid, scenario::Strategy const& strategy) {
  grid.strategy = strategy;
  return grid;
}

scenario::Strategy hasty() {
  scenario::Strategy strategy;
  strategy.transfer.stall_timeout = Seconds(600);
  strategy.transfer.check_interval = Seconds(60);
  return strategy;
}

scenario::Strategy next_cache() {
  scenario::Strategy strategy = hasty();
  strategy.transfer.on_stall = scenario::OnStall::next_cache;
  strategy.transfer.resume = true;
  return strategy;
}

scenario::Strategy cool_down() {
  scenario::Strategy strategy = hasty();
  strategy.retry = {scenario::OnTransferFailure::cool_down, minutes(5), minutes(10), 2, {}};
  return strategy;
}

scenario::Strategy hold() {
  scenario::Strategy strategy = hasty();
  strategy.retry.on_transfer_failure = scenario::OnTransferFailure::hold;
  strategy.release = {minutes(20), 2};
  return strategy;
}

scenario::Strategy avoid() {
  scenario::Strategy strategy = hasty();
  strategy.match = {2, hours(2)};
  return strategy;
}

scenario::Strategy over(scenario::Protocol protocol) {
  scenario::Strategy strategy;
  strategy.transfer.protocol = protocol;
  return strategy;
}

Grid scoped(scenario::OutageScope scope, scenario::Strategy const& strategy) {
  Grid grid = with_strategy(rough_grid(), strategy);
  grid.draw.outages.scope = scope;
  return grid;
}

Grid through_access_point() {
  Grid grid = with_strategy(rough_grid(), over(scenario::Protocol::htcondor));
  grid.pool.access_point.max_transfer_input = Bytes(1e12);
  grid.pool.access_point.transfer_slots = 2;
  grid.pool.access_point.bandwidth = BytesPerSecond(1.5e8);
  return grid;
}

Grid two_users() {
  Grid grid = rough_grid();
  grid.campaign.submit[0].user = "alice";
  grid.campaign.submit[1].user = "bob";
  grid.campaign.submit[1].priority_factor = 3000;
  grid.campaign.submit.push_back({.at = hours(4), .jobs = 4, .user = "alice"});
  grid.campaign.max_idle = 3;
  return grid;
}

Grid expressions(Grid grid) {
  scenario::JobPolicy& policy = policy_of(grid);
  policy.requirements = classad::parse(
      "TARGET.GLIDEIN_ResourceName =!= MY.MachineAttrGLIDEIN_ResourceName0 || NumJobMatches > 3");
  policy.rank =
      classad::parse(R"(GLIDEIN_ResourceName == "south" || GLIDEIN_ResourceName == "site")");
  policy.periodic_release =
      classad::parse("HoldReasonCode == 13 && NumHolds < 4 && time() - EnteredCurrentStatus > 300");
  policy.periodic_hold = classad::parse(
      "JobStatus == 2 && time() - JobCurrentStartDate > 8000 && NumSystemHolds + NumHolds < 2");
  policy.periodic_hold_subcode = 7;
  policy.periodic_remove = classad::parse("CurrentTime - QDate > 100000 && NumShadowStarts > 2");
  policy.periodic_vacate =
      classad::parse("ProcId == 1 && NumVacates < 1 && time() - JobCurrentStartDate > 400");
  policy.on_exit_hold = classad::parse("ExitCode =!= 0 && NumHolds < 2");
  grid.campaign.max_materialize = 6;
  return grid;
}

Grid limited() {
  Grid grid = rough_grid();
  grid.pool.access_point.max_execution = hours(2);
  return grid;
}

Grid timed_with(scenario::OnTransferFailure action) {
  Grid grid = rough_timed_grid();
  grid.strategy.retry.on_transfer_failure = action;
  grid.strategy.retry.delay_min = Seconds(60);
  grid.strategy.retry.delay_max = Seconds(120);
  grid.strategy.retry.times = 3;
  grid.strategy.match = {{}, minutes(10), 1};
  policy_of(grid).checkpoint_every_epochs = 2;
  policy_of(grid).crash_holds = action == scenario::OnTransferFailure::cool_down;
  return grid;
}

/// Half of the executions that are found again bring no file home, and checkpoints are due.
Grid timed_without_files() {
  Grid grid = rough_timed_grid();
  grid.draw.files_lost = 0.5;
  grid.draw.output_try = {Family::gamma, 4, 1.25, 0};
  policy_of(grid).checkpoint_every_epochs = 2;
  return grid;
}

Grid timed_limits() {
  Grid grid = expressions(rough_timed_grid());
  policy_of(grid).allowed_execute_duration = Seconds(700);
  policy_of(grid).allowed_job_duration = Seconds(1000);
  return grid;
}

struct Golden {
  std::string name;
  std::function<Lines()> lines;
};

std::vector<Golden> goldens() {
  return {
      {"osdf", [] { return simulated(rough_grid(), 0, true); }},
      {"osdf-next-cache",
       [] { return simulated(scoped(scenario::OutageScope::path, next_cache()), 1, true); }},
      {"osdf-cool-down",
       [] { return simulated(scoped(scenario::OutageScope::origin, cool_down()), 2, true); }},
      {"osdf-hold", [] { return simulated(scoped(scenario::OutageScope::cache, hold()), 3); }},
      {"osdf-avoid-site",
       [] { return simulated(scoped(scenario::OutageScope::path, avoid()), 4); }},
      {"http",
       [] {
         return simulated(with_strategy(rough_grid(), over(scenario::Protocol::http)), 5, true);
       }},
      {"access-point", [] { return simulated(through_access_point(), 6, true); }},
      {"two-users", [] { return simulated(two_users(), 7); }},
      {"expressions", [] { return simulated(expressions(rough_grid()), 8); }},
      {"limited", [] { return simulated(limited(), 9); }},
      {"training-copy",
       [] { return simulated(rough_training_grid(scenario::DataAccess::copy), 0); }},
      {"training-stream",
       [] { return simulated(rough_training_grid(scenario::DataAccess::stream), 1, true); }},
      {"timed", [] { return simulated(rough_timed_grid(), 0); }},
      {"timed-cool-down",
       [] { return simulated(timed_with(scenario::OnTransferFailure::cool_down), 1); }},
      {"timed-requeue",
       [] { return simulated(timed_with(scenario::OnTransferFailure::requeue), 2); }},
      {"timed-limits", [] { return simulated(timed_limits(), 3); }},
      {"timed-without-files", [] { return simulated(timed_without_files(), 4); }},
      {"replay", [] { return replayed({}); }},
      {"replay-hasty", [] { return replayed(hasty()); }},
      {"replay-next-cache", [] { return replayed(next_cache()); }},
      {"replay-cool-down", [] { return replayed(cool_down()); }},
      {"replay-hold", [] { return replayed(hold()); }},
      {"replay-avoid-site", [] { return replayed(avoid()); }},
      {"replay-http", [] { return replayed(over(scenario::Protocol::http)); }},
      {"replay-access-point", [] { return replayed(over(scenario::Protocol::htcondor)); }},
      {"record", [] { return record_of(rough_grid()); }},
      {"record-timed", [] { return record_of(rough_timed_grid()); }},
  };
}

std::filesystem::path file_of(Golden const& golden) { return folder / (golden.name + ".log"); }

}  // namespace

TEST_CASE("campaigns go as they went when their logs were kept") {
  for (Golden const& golden : goldens()) {
    INFO(golden.name);
    std::ifstream file(file_of(golden));
    Lines kept;
    for (std::string line; std::getline(file, line);) kept.push_back(line);
    Lines const now = golden.lines();
    auto const [was, is] = std::mismatch(kept.begin(), kept.end(), now.begin(), now.end());
    CAPTURE(is - now.begin(), was == kept.end() ? "" : *was, is == now.end() ? "" : *is);
    CHECK(kept == now);
  }
}

TEST_CASE("logs are kept anew", "[.][renew]") {
  std::filesystem::create_directories(folder);
  for (Golden const& golden : goldens()) {
    std::ofstream file(file_of(golden));
    for (std::string const& line : golden.lines()) file << line << '\n';
  }
}

}  // namespace gridcast::test

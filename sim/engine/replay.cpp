#include "sim/engine/replay.hpp"

#include <deque>

#include <simgrid/s4u/Engine.hpp>

#include "sim/engine/replay_job.hpp"

namespace gridcast::engine {

bool decides_as_recorded(scenario::Strategy const& strategy) {
  scenario::TransferStrategy const recorded;
  scenario::TransferStrategy const& transfer = strategy.transfer;
  return transfer.protocol == recorded.protocol &&
         transfer.stall_timeout == recorded.stall_timeout &&
         transfer.check_interval == recorded.check_interval &&
         transfer.on_stall == recorded.on_stall &&
         (strategy.retry.on_transfer_failure == scenario::OnTransferFailure::requeue ||
          strategy.retry.on_transfer_failure == scenario::OnTransferFailure::recorded) &&
         !strategy.release.transfer_holds_after && strategy.match.avoid_site_after_stalls == 0;
}

Replica replay(history::JobTable const& table, ReplayGrid const& grid,
               scenario::Strategy const& strategy, scenario::ParameterDraw const& draw,
               RandomStreams const& streams) {
  prepare_engine();
  Scripts const scripts = make_scripts(table);
  Replica replica{scripts.names, {}};
  replica.history.dated = false;
  replica.history.retries_opaque = true;
  Clock clock;
  history::HistoryKeeper keeper(replica.history);
  Recorder recorder(clock, keeper);
  std::deque<ReplayJob> jobs;
  for (std::size_t i = 0; i < scripts.jobs.size(); ++i) {
    jobs.emplace_back(clock, recorder, scripts, grid, strategy, draw, streams, Id<history::Job>(i));
    jobs.back().play();
  }
  simgrid::s4u::Engine::get_instance()->run();
  replica.audit.timers = clock.timers();
  return replica;
}

}  // namespace gridcast::engine

// The table's campaign, ready to be simulated again and again while latent numbers are fitted: same
// pool, as many jobs as got as far as a transfer, in the same clusters; what the other fits found
// is drawn, what this fit tries is set.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "calibration/estimate.hpp"
#include "sim/base/random.hpp"
#include "sim/history/job_table.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::calibration {

/// Values for columns of the draws that a fit through the simulator proposes.
struct Proposal {
  std::vector<std::string> columns;
  std::vector<double> values;

  void set(std::string column, double value);
};

class SimulatedCampaign {
 public:
  /// `direct`: the columns that other fits have settled; proposals must supply the rest.
  SimulatedCampaign(history::JobTable const& table, scenario::Pool pool, int epochs,
                    Bytes input_size, DrawTable direct);

  /// The table that a replica of the campaign gives, in the world of draw `draw` with the proposal.
  history::JobTable simulate(Proposal const& proposal, std::uint32_t draw,
                             RandomStreams const& streams) const;

  std::size_t jobs() const { return static_cast<std::size_t>(campaign_.jobs()); }
  scenario::Pool const& pool() const { return pool_; }
  DrawTable const& direct() const { return direct_; }

 private:
  scenario::Pool pool_;
  scenario::Campaign campaign_;
  DrawTable direct_;
};

}  // namespace gridcast::calibration

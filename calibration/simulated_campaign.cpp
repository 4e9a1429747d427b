#include "calibration/simulated_campaign.hpp"

#include <map>
#include <utility>

#include "sim/scenario/calibration.hpp"
#include "sim/study/simulated_table.hpp"

namespace gridcast::calibration {

namespace {

scenario::Campaign campaign_of(history::JobTable const& table, int epochs, Bytes input_size) {
  std::map<std::uint32_t, int> clusters;
  for (history::JobRow const& row : table.rows) {
    clusters[row.name.cluster] +=
        row.outcome != history::Outcome::held_404 && row.outcome != history::Outcome::held_size;
  }
  scenario::Campaign campaign;
  for (auto const& [cluster, jobs] : clusters) {
    if (jobs > 0) campaign.submit.push_back({Seconds(0), jobs});
  }
  campaign.input.push_back({"input", input_size});
  campaign.work.epochs = epochs;
  return campaign;
}

}  // namespace

void Proposal::set(std::string column, double value) {
  columns.push_back(std::move(column));
  values.push_back(value);
}

SimulatedCampaign::SimulatedCampaign(history::JobTable const& table, scenario::Pool pool,
                                     int epochs, Bytes input_size, DrawTable direct)
    : pool_(std::move(pool)),
      campaign_(campaign_of(table, epochs, input_size)),
      direct_(std::move(direct)) {}

history::JobTable SimulatedCampaign::simulate(Proposal const& proposal, std::uint32_t draw,
                                              RandomStreams const& streams) const {
  std::vector<std::string> columns = direct_.columns;
  std::vector<double> row = direct_.rows[draw % direct_.rows.size()];
  columns.insert(columns.end(), proposal.columns.begin(), proposal.columns.end());
  row.insert(row.end(), proposal.values.begin(), proposal.values.end());
  return study::simulated_table(pool_, campaign_, scenario::make_parameter_draw(columns, row),
                                streams);
}

}  // namespace gridcast::calibration

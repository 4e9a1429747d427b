// Rates of input transfers: one stream alone, and the links that transfers share. The fits are in
// fits/transfer_fit.hpp.
#include "calibration/processes/processes.hpp"

namespace gridcast::calibration {

namespace {

// The sites are there before their columns are read.
void set_rate_noise(scenario::ParameterDraw& draw, double sigma) {
  for (auto& [name, site] : draw.sites) site.rate_sigma = sigma;
}

}  // namespace

Process transfer_rates() {
  using namespace words_of_columns;
  return {
      .described =
          {.name = "transfer-rates",
           .meaning = "rates of input transfers",
           .columns = {{"rate_noise", not_negative, set_rate_noise, "rate_sigma of every site"}},
           .site_columns = {{"latency_s", not_negative, at_site<&Site::latency>,
                             "Part of a URL's time that does not depend on its size, s"},
                            {"stream_limit_Bps", capacity, at_site<&Site::stream_limit>,
                             "Rate of a transfer alone, B/s"},
                            {"rate_sigma", not_negative, at_site<&Site::rate_sigma>,
                             "Standard deviation of ln(time of a URL) between tries"},
                            {"link_capacity_Bps", capacity, at_site<&Site::link_capacity>,
                             "Rate that the site's transfers share, B/s; inf: no limit"},
                            {"node_capacity_Bps", capacity, at_site<&Site::node_capacity>,
                             "Rate that the transfers of a node's slots share, B/s; inf: no limit"},
                            {"slots_per_node", count, at_site<&Site::slots_per_node>,
                             "Slots that share a node; 0: those of a pilot"}}},
      .varies = {{.parameter = "latency_s",
                  .law = engine::usual_variation().transfers,
                  .inverse = "stream_limit_Bps"}}};
}

}  // namespace gridcast::calibration

// The parts of JSON that predictions and comparisons have in common. Keys stay in the order in
// which they are put; what is not a finite number is null.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "sim/study/prediction.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::report {

using Json = nlohmann::ordered_json;

/// {"mean", "sd", "p05", "p25", "p50", "p75", "p95", "mean_ci95": [low, high]}
Json summary_json(study::Summary const& summary);
/// {NAME: summary} of all figures (sim/study/record.hpp).
Json metrics_json(study::StudySample const& sample);
Json interval_json(Interval const& interval);
/// {SITE: {NAME: summary}} of the sites' figures.
Json sites_json(study::StudySample const& sample);
/// {"at_s", "succeeded_p05", "succeeded_p50", "succeeded_p95", "makespan_quantiles_s"} at the times
/// `at`; null without dates.
Json finish_json(study::StudySample const& sample, std::vector<Seconds> const& at);

/// The command that shows a replica once more.
std::string replica_command(std::string const& scenario, std::string const& strategy,
                            std::uint64_t seed, std::uint32_t replica);

/// The object, indented, ended by a newline.
std::string json_text(Json const& json);

}  // namespace gridcast::report

#include "calibration/dated_calibrate.hpp"

#include <algorithm>
#include <cmath>

#include "calibration/gaps_fit.hpp"
#include "calibration/hazard_fit.hpp"
#include "calibration/people_fit.hpp"
#include "calibration/speed_fit.hpp"
#include "sim/base/error.hpp"

namespace gridcast::calibration {

namespace {

void require_executions(AttemptRecords const& records) {
  bool const any =
      std::any_of(records.attempts.begin(), records.attempts.end(), [](auto const& attempt) {
        return attempt.executing && attempt.exit && attempt.site.valid();
      });
  if (any) return;
  throw InputError({{},
                    "no job of the logs computed to its end at a site",
                    "speeds and work cannot be fitted",
                    "Give logs with at least a few jobs that are done."});
}

UrlInput url_input(history::JobHistory const& history, DatedOptions const& options) {
  if (history.transfers.empty() && !options.url_sizes.empty()) return {options.url_sizes, false};
  if (options.urls <= 0) return urls_of(history);
  UrlInput input = urls_of(history);
  if (input.sizes.size() != static_cast<std::size_t>(options.urls)) {
    input.sizes.assign(static_cast<std::size_t>(options.urls), Bytes());
  }
  input.assumed = false;
  return input;
}

void add_slots(Fit& fit, std::vector<SlotCount> const& slots, std::size_t draws) {
  for (SlotCount const& site : slots) {
    Estimate line;
    line.name = "slots." + site.site;
    line.unit = "1";
    line.estimate = site.slots;
    line.method = "most jobs at one time";
    line.fit = site.saturated ? "jobs waited meanwhile: there were no more"
                              : "jobs did not wait for more: a lower bound";
    line.events = site.attempts;
    add_parameter(fit, line, std::vector<double>(draws, site.slots));
    if (!site.saturated) {
      fit.not_identified.push_back(
          {line.name, "jobs never waited for more slots than these", "the most that were in use"});
    }
  }
}

// Another campaign's program crashes more or less often at all sites.
void widen_crashes(Fit& fit, double between, RandomStream stream) {
  std::vector<double> factors;
  for (std::size_t i = 0; i < fit.draws.rows.size(); ++i) {
    factors.push_back(std::exp(between * normal_quantile(stream.uniform())));
  }
  for (std::size_t c = 0; c < fit.draws.columns.size(); ++c) {
    if (!fit.draws.columns[c].starts_with("crash.")) continue;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      double& p = fit.draws.rows[i][c];
      p = p * factors[i] / (1 - p + p * factors[i]);
    }
  }
}

void say_between_campaigns(Fit& fit, double between) {
  Estimate line;
  line.name = "between_campaigns";
  line.unit = "1";
  line.estimate = between;
  line.interval90 = {between, between};
  line.method =
      "given, not fitted: sd from one campaign to the next of ln(release delay) and of "
      "ln(odds of a crash); in the draws, not in the parameters' intervals";
  fit.estimates.push_back(line);
  fit.not_identified.push_back({"how the next campaign differs",
                                "one campaign shows one mood of people and one program",
                                "--between-campaigns, see the parameter of that name"});
}

Seconds longest_hang(AttemptRecords const& records) {
  Seconds longest;
  for (AttemptRecord const& attempt : records.attempts) {
    if (input_hung(attempt)) longest = std::max(longest, attempt.claimed());
  }
  return longest;
}

}  // namespace

DatedCalibration calibrate_dated(history::JobHistory const& history, DatedOptions const& options) {
  AttemptRecords const records = make_attempt_records(history);
  require_executions(records);
  RandomStreams const streams(options.seed, 0);
  std::size_t const draws = options.draws;
  DatedCalibration result;
  result.urls = url_input(history, options);
  result.slots = count_slots(history, records);
  result.epochs = records.epochs;
  result.jobs = history.jobs.size();
  result.attempts = records.attempts.size();
  result.plugin_lifetime = longest_hang(records);
  Fit& fit = result.fit;
  add_slots(fit, result.slots, draws);
  append(fit, url_fit(history, records, result.urls, draws, streams));
  Fit const speed = speed_fit(history.sites, records, draws, streams);
  append(fit, speed);
  append(fit, hazard_fit(history, records, typical_times(speed, history.sites), draws, streams));
  append(fit, gaps_fit(history, records, draws, streams));
  append(fit, people_fit(records, options.between_campaigns, draws, streams));
  widen_crashes(fit, options.between_campaigns,
                bootstrap_stream(streams, DrawsOf::crash_between_campaigns));
  say_between_campaigns(fit, options.between_campaigns);
  return result;
}

}  // namespace gridcast::calibration

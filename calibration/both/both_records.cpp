#include "calibration/both/both_records.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "calibration/both/common_cause.hpp"
#include "calibration/both/paired_draws.hpp"
#include "calibration/both/two_campaigns.hpp"
#include "calibration/inference/campaign_spread.hpp"
#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/draw_columns.hpp"

namespace gridcast::calibration {

namespace {

/// Scales of how campaigns differ: of links hardly (an assumption); of how hard outages hit, as
/// times do.
constexpr double spread_of_links = 0.1;
constexpr double spread_of_hits = spread_of_times;

/// A parameter that both tell, and how it differs between campaigns.
struct SharedParameter {
  std::string_view in_table, in_log;
  PoolingScale scale;
  double spread;
};
using enum PoolingScale;
constexpr std::array of_sites = {
    SharedParameter{"stream_limit_Bps", "stream_limit_Bps", logarithm, spread_of_times},
    SharedParameter{"link_capacity_Bps", "link_capacity_Bps", logarithm, spread_of_links}};
constexpr std::array of_people = {
    SharedParameter{"release_transfer_hold", "release_transfer_hold", logit, spread_of_failures},
    SharedParameter{"release_other_hold", "release_other_hold", logit, spread_of_failures}};
constexpr std::array of_outages = {
    SharedParameter{"stall_bad_fraction", "stall_bad_fraction", logit, spread_of_failures},
    SharedParameter{"stall_bad_duration_s", "stall_bad_duration_s", logarithm, spread_of_failures},
    SharedParameter{"stall_when_bad", "stall_when_bad", logit, spread_of_hits},
    SharedParameter{"stall_when_quiet", "stall_when_quiet", logit, spread_of_failures},
    SharedParameter{"slow_fraction", "slow_fraction", logit, spread_of_hits}};

/// Columns that only a table's form of the model has.
constexpr std::array added_by_table = {
    "not_found_lasts_s",    "not_found_per_start",    "not_found_mean_hits",
    "network_down_lasts_s", "network_down_per_start", "network_down_mean_hits",
    "corrupt_input",        "corrupt_execution_s",    "slow_before_stall",
    "slow_duration_s",      "luck_holds_s",           "hold_on_stall"};

class Combining {
 public:
  Combining(BothRecords const& both, RandomStreams const& streams)
      : both_(both),
        streams_(streams),
        cause_(common_cause(both.table, both.log)),
        draws_(both.table, both.log, both.recorded,
               pair_rows(both.table, both.log, cause_, streams)) {
    auto const of_log = scenario::DrawLayout(both.log.draws.columns).sites();
    for (auto const& site : of_log) {
      (is_one_of(site, both.table_sites) ? shared_ : log_only_).push_back(site);
    }
    for (auto const& site : both.table_sites) {
      if (!is_one_of(site, of_log)) table_only_.push_back(site);
    }
  }

  Fit run() {
    take_log();
    for (SharedParameter const& each : of_people) pool(each, "");
    pool_delay();
    for (std::string const& site : shared_) {
      // Beside cold caches a table's stream is that of the others; a log's is of all.
      bool const cold = !both_.table.draws.column(column_at("cold_share", site)).empty();
      for (SharedParameter const& each : of_sites) {
        if (!cold) pool(each, "." + site);
      }
      for (auto const name : columns_of_program) draws_.add_table(column_at(name, site));
    }
    pool_outages();
    for (auto const name : added_by_table) draws_.add_table(name);
    add_what_log_lacks();
    for (auto const& site : table_only_) add_site_of_table(draws_, site, shared_, streams_);
    for (auto const& site : log_only_) add_program_at(draws_, site, shared_, streams_);
    add_tests();
    add_gaps();
    return std::move(draws_.fit);
  }

 private:
  /// As the log has it; people's releases as a table does, who tell holds for transfers from
  /// others.
  void take_log() {
    bool const split = !both_.table.draws.column("release_transfer_hold").empty();
    for (std::string const& column : both_.log.draws.columns) {
      for (auto const& name : names_of(column, split)) draws_.set(name, draws_.log_column(column));
    }
    for (Estimate const& line : both_.log.estimates) {
      for (auto const& name : names_of(line.name, split)) {
        Estimate renamed = line;
        renamed.name = name;
        draws_.add_line(renamed, "log");
      }
    }
  }

  static std::vector<std::string> names_of(std::string const& column, bool split) {
    if (column != "release" || !split) return {column};
    return {"release_transfer_hold", "release_other_hold"};
  }

  // --- what both tell ---
  /// Uses the rows that were taken, since the links depend on the cause of the stalls.
  std::vector<double> recorded(std::string const& name) const {
    auto const values = draws_.recorded_column(name);
    return values.empty() ? draws_.recorded_column("release") : values;
  }

  CampaignsDiffer differ(SharedParameter const& each) const {
    return {each.spread, both_.between_campaigns};
  }

  std::optional<PooledRecords> pooled_of(SharedParameter const& each, std::string const& name,
                                         std::vector<double> const& of_table,
                                         std::vector<double> const& of_log) {
    auto const table = told_by_draws(each.scale, of_table);
    auto log = told_by_draws(each.scale, of_log);
    if (!table || !log) return std::nullopt;
    log->campaigns = both_.log_campaigns;
    auto const pooled = pool_records(*table, *log, differ(each));
    note(name, pooled);
    return pooled;
  }

  /// The table's instead, where the log has a default or nothing.
  void pool(SharedParameter const& each, std::string const& site) {
    std::string const in_table = std::string(each.in_table) + site;
    std::string const in_log = std::string(each.in_log) + site;
    Estimate const* const own = line_of(both_.table, in_table);
    if (own == nullptr) return;
    if (!tells(draws_.fit, in_log)) return draws_.take_table(in_log, in_table);
    auto const pooled = pooled_of(each, in_log, draws_.table_column(in_table), recorded(in_log));
    if (!pooled) return;
    draws_.set(in_log, moved_to(each.scale, draws_.column(in_log), pooled->mean, pooled->next_sd));
    draws_.add_line(pooled_line(*line_of(draws_.fit, in_log), *own, each.scale, *pooled), "both");
  }

  /// Means of a log's delays; their form stays the log's. A log without a release has the table's,
  /// exponential.
  void pool_delay() {
    std::string const name = "release_delay_mean_s";
    Estimate const* const own = line_of(both_.table, name);
    Estimate const* const line = line_of(draws_.fit, name);
    auto const means = draws_.table_column(name);
    if (own == nullptr || means.empty()) return;
    if (line == nullptr || line->events == 0) {
      std::vector<double> const zeros(means.size(), 0), ones(means.size(), 1);
      draws_.set("release_delay_family", zeros);
      draws_.set("release_delay_shape", ones);
      draws_.set("release_delay_scale_s", means);
      draws_.set("release_delay_shift_s", zeros);
      return draws_.add_line(*own, "table");
    }
    SharedParameter const delay{name, name, logarithm, spread_of_times};
    auto const of_log = mean_delays([&](auto const& of) { return draws_.recorded_column(of); });
    auto const pooled = pooled_of(delay, name, means, of_log);
    if (!pooled) return;
    auto const old = mean_delays([&](auto const& of) { return draws_.column(of); });
    auto const moved = moved_to(logarithm, old, pooled->mean, pooled->next_sd);
    for (std::string const column : {"release_delay_scale_s", "release_delay_shift_s"}) {
      auto values = draws_.column(column);
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isfinite(old[i])) values[i] *= moved[i] / old[i];
      }
      draws_.set(column, values);
    }
    draws_.add_line(pooled_line(*line, *own, logarithm, *pooled), "both");
  }

  template <class Column>
  static std::vector<double> mean_delays(Column const& column) {
    auto const family = column("release_delay_family"), shape = column("release_delay_shape"),
               scale = column("release_delay_scale_s"), shift = column("release_delay_shift_s");
    std::vector<double> means;
    for (std::size_t i = 0; i < scale.size(); ++i) {
      Distribution const delay{static_cast<Family>(static_cast<int>(family[i])), shape[i], scale[i],
                               shift[i]};
      means.push_back(delay.mean());
    }
    return means;
  }

  static Estimate pooled_line(Estimate line, Estimate const& table, PoolingScale scale,
                              PooledRecords const& pooled) {
    auto const value = [&](double sds) { return off_scale(scale, pooled.mean + sds * pooled.sd); };
    line.estimate = value(0);
    line.interval90 = {value(-ninety_percent), value(ninety_percent)};
    double const slope = scale == logarithm ? line.estimate : line.estimate * (1 - line.estimate);
    line.standard_error = slope * pooled.sd;
    line.events += table.events;
    line.censored += table.censored;
    line.origin = Origin::fitted;
    line.method = fmt::format(
        "what campaigns have in common, pooled on the {} scale: table {:.0f} %, log {:.0f} %, sd "
        "between campaigns {:.3g}; {}",
        scale == logarithm ? "log" : "logit", 100 * pooled.weight, 100 * (1 - pooled.weight),
        pooled.tau, line.method);
    return line;
  }

  void note(std::string const& name, PooledRecords const& pooled) {
    ++compared_;
    if (std::abs(pooled.apart) > std::abs(most_apart_.apart)) most_apart_ = pooled;
    if (!pooled.disagree()) return;
    draws_.fit.tests.push_back(
        {"table and log tell the same " + name,
         "difference over its sd, with what campaigns differ by beforehand", pooled.apart, 0,
         pooled.p_value(),
         "rejected: the two campaigns disagree, and the pooled value is of neither"});
  }

  // --- outages ---
  void pool_outages() {
    draws_.fit.hypotheses = cause_.lines.empty() ? both_.table.hypotheses : cause_.lines;
    std::vector<std::string> const all = {
        "outage_scope",         "outage_kind",    "next_cache_dependence", "stall_bad_fraction",
        "stall_bad_duration_s", "stall_when_bad", "stall_when_quiet",      "slow_fraction"};
    for (std::string const& name : all) {
      auto const table = draws_.table_column(name);
      auto values = draws_.column(name);
      if (table.empty() || values.empty()) continue;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (draws_.pairs[i].outages_of_table) values[i] = table[i];
      }
      draws_.set(name, values);
    }
    if (!cause_.lines.empty()) {
      for (SharedParameter const& each : of_outages) pool_by_cause(each);
    }
    for (std::string const& name : all) summarize_outages(name);
  }

  /// Among the rows of each cause, with those of either record that have it.
  void pool_by_cause(SharedParameter const& each) {
    std::string const name(each.in_log);
    auto values = draws_.column(name);
    if (values.empty()) return;
    auto const causes = causes_of_rows(draws_.fit.draws);
    auto const in_table = causes_of_rows(both_.table.draws),
               in_log = causes_of_rows(both_.log.draws);
    auto const table_all = both_.table.draws.column(name), log_all = both_.recorded.column(name);
    for (std::string const& cause : std::set<std::string>(causes.begin(), causes.end())) {
      auto const table = told_by_draws(each.scale, having(table_all, in_table, cause));
      auto const log = told_by_draws(each.scale, having(log_all, in_log, cause));
      auto const now = having(values, causes, cause);
      if (!table || !log) continue;
      auto const pooled = pool_records(*table, *log, differ(each));
      auto const moved = moved_to(each.scale, now, pooled.mean, pooled.next_sd);
      std::size_t next = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (causes[i] == cause) values[i] = moved[next++];
      }
    }
    draws_.set(name, values);
  }

  static std::vector<double> having(std::vector<double> const& values,
                                    std::vector<std::string> const& causes,
                                    std::string const& cause) {
    std::vector<double> some;
    for (std::size_t i = 0; i < values.size() && i < causes.size(); ++i) {
      if (causes[i] == cause) some.push_back(values[i]);
    }
    return some;
  }

  /// Uses the rows in which the column has a meaning.
  void summarize_outages(std::string const& name) {
    Estimate const* const line = line_of(draws_.fit, name);
    Estimate const* const own = line_of(both_.table, name);
    if (line == nullptr || own == nullptr) return;
    auto const causes = causes_of_rows(draws_.fit.draws);
    auto const values = draws_.column(name);
    bool const any = name == "outage_scope" || name == "stall_when_quiet";
    std::vector<double> some;
    for (std::size_t i = 0; i < values.size(); ++i) {
      bool const slow = causes[i].starts_with("slow");
      bool const means = name == "slow_fraction" ? slow : causes[i] != no_outage;
      if (any || means) some.push_back(values[i]);
    }
    if (some.empty()) return;
    Estimate summary = *line;
    summary.estimate = median(some);
    summarize(summary, some);
    summary.events += own->events;
    summary.origin = Origin::fitted;
    summary.method += "; pooled with the table's, cause by cause";
    draws_.add_line(summary, "both");
  }

  // --- what the log lacks ---
  void add_what_log_lacks() {
    bool const failed = std::any_of(shared_.begin(), shared_.end(), [&](std::string const& site) {
      return tells(both_.log, column_at("url_failure", site));
    });
    if (!failed) draws_.add_table("spurious_404");
    if (!tells(both_.log, "http_abort")) draws_.take_table("http_abort", "http_abort");
  }

  // --- what the file says ---
  void add_tests() {
    auto own = std::move(draws_.fit.tests);
    draws_.fit.tests = both_.table.tests;
    draws_.fit.tests.insert(draws_.fit.tests.end(), both_.log.tests.begin(), both_.log.tests.end());
    draws_.fit.tests.insert(draws_.fit.tests.end(), own.begin(), own.end());
    if (compared_ > 0) {
      double const p = 1 - std::pow(1 - most_apart_.p_value(), compared_);
      draws_.fit.tests.push_back(
          {fmt::format("table and log agree on the {} parameters that both tell", compared_),
           "largest difference over its sd, with what campaigns differ by beforehand",
           most_apart_.apart, 0, p,
           p < 0.05 ? "rejected: campaigns differ by more" : "not rejected"});
    }
    if (cause_.lines.empty()) return;
    double const odds = std::exp(cause_.log_bayes_factor), p = odds / (1 + odds);
    draws_.fit.tests.push_back(
        {"what makes transfers stall is the same in the table and in the log",
         "ln(Bayes factor) against a cause of each one's own; p: probability of one cause, "
         "beforehand one half",
         cause_.log_bayes_factor, 0, p,
         p < 0.05 ? "rejected: the records show different causes, and the draws have one for both"
                  : "not rejected"});
  }

  void add_gaps() {
    auto const& of_table = both_.table.not_identified;
    bool const table_tells = !both_.table.hypotheses.empty() &&
                             std::none_of(of_table.begin(), of_table.end(), [](auto const& gap) {
                               return gap.what == scenario::no_stalls;
                             });
    for (NotIdentified const& gap : both_.log.not_identified) {
      if (gap.what == scenario::no_stalls && table_tells) {
        draws_.fit.not_identified.push_back(
            {"how often a campaign meets outages",
             "the table's did, and " + gap.why + " in the log",
             "half of the draws have the table's, the others the log's: "
             "Jeffreys' mean of the share"});
        continue;
      }
      Estimate const* const line = line_of(draws_.fit, gap.what);
      if (line == nullptr || line->record != "table") draws_.fit.not_identified.push_back(gap);
    }
    for (NotIdentified gap : both_.table.not_identified) {
      gap.what = "table: " + gap.what;
      draws_.fit.not_identified.push_back(gap);
    }
    draws_.fit.not_identified.push_back({"evictions, overheads and GPUs at a time, of the table",
                                         "sums of a row that the log tells apart by date",
                                         "the log's, where it has any"});
    draws_.fit.not_identified.push_back(
        {"how much campaigns differ in what both tell", "two campaigns hardly show it",
         both_.between_campaigns ? "as stated by --between-campaigns"
                                 : "half-normal priors with the scales 0.1 (links), 0.3 (streams, "
                                   "how hard outages hit) and 1.0 (failures, people)"});
  }

  BothRecords const& both_;
  RandomStreams const& streams_;
  std::vector<std::string> shared_, table_only_, log_only_;
  CommonCause cause_;
  PairedDraws draws_;
  int compared_ = 0;
  PooledRecords most_apart_;
};

}  // namespace

void require_common_site(std::vector<std::string> const& of_table,
                         std::vector<std::string> const& of_log) {
  for (std::string const& site : of_log) {
    if (is_one_of(site, of_table)) return;
  }
  throw InputError({{},
                    "the table and the log have no site in common",
                    fmt::format("jobs of the table were at {}; of the log, at {}",
                                fmt::join(of_table, ", "), fmt::join(of_log, ", ")),
                    "Name the sites alike in both, or calibrate from each by itself."});
}

void require_transfers_of_log(Fit const& log) {
  for (NotIdentified const& gap : log.not_identified) {
    if (gap.what != scenario::no_input_transfers) continue;
    throw InputError({{},
                      "the log tells no input transfers",
                      "their time is in that of its setups, and the table's transfers would come "
                      "on top of it",
                      "Give logs with events of transfers (040), or ads; or calibrate from each by "
                      "itself."});
  }
}

Fit fit_of_both(BothRecords const& both, RandomStreams const& streams) {
  require_transfers_of_log(both.log);
  require_common_site(both.table_sites, scenario::DrawLayout(both.log.draws.columns).sites());
  return Combining(both, streams).run();
}

}  // namespace gridcast::calibration

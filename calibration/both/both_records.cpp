#include "calibration/both/both_records.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "calibration/both/common_cause.hpp"
#include "calibration/both/two_campaigns.hpp"
#include "calibration/fits/partial_pooling.hpp"
#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/draw_columns.hpp"

namespace gridcast::calibration {

namespace {

/// Scales of how campaigns differ: of links hardly (an assumption); of how hard outages hit, as times do.
constexpr double spread_of_links = 0.1;
constexpr double spread_of_hits = spread_of_times;
/// Of the ratio of two sites' speeds, from one program to another.
constexpr double sd_of_tastes = 0.6;

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

/// Of a table alone: what its form of the model has beyond a log's.
constexpr std::array added_by_table = {
    "not_found_lasts_s",    "not_found_per_start",    "not_found_mean_hits",
    "network_down_lasts_s", "network_down_per_start", "network_down_mean_hits",
    "corrupt_input",        "corrupt_execution_s",    "slow_before_stall",
    "slow_duration_s",      "luck_holds_s",           "hold_on_stall"};
/// Of a site that only the table knows; its slots are the pool's GPUs in the draw.
constexpr std::array of_table_sites = {
    "unpack_s",          "epoch_family",      "epoch_shape",    "epoch_scale_s",
    "epoch_shift_s",     "pilot_kill_per_s",  "gpus",           "stream_limit_Bps",
    "link_capacity_Bps", "node_capacity_Bps", "slots_per_node", "cold_share",
    "cold_limit_Bps",    "cold_sigma"};
/// Of a site that both know, for the table's program.
constexpr std::array of_program = {"unpack_s", "epoch_family", "epoch_shape", "epoch_scale_s",
                                   "epoch_shift_s"};
/// What a site that only the table knows has of its own, or not at all.
constexpr std::array not_borrowed = {"slots",
                                     "gpus",
                                     "speed",
                                     "evict_per_s",
                                     "pilot_kill_per_s",
                                     "pilot_death_per_s",
                                     "latency_s",
                                     "stream_limit_Bps",
                                     "rate_sigma",
                                     "link_capacity_Bps"};

std::string at(std::string_view parameter, std::string const& site) {
  return fmt::format("{}.{}", parameter, site);
}

bool is_among(std::vector<std::string> const& names, std::string const& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Estimate const* line_of(Fit const& fit, std::string const& name) {
  auto const found = std::find_if(fit.estimates.begin(), fit.estimates.end(),
                                  [&](Estimate const& line) { return line.name == name; });
  return found == fit.estimates.end() ? nullptr : &*found;
}

bool tells(Fit const& fit, std::string const& name) {
  Estimate const* const line = line_of(fit, name);
  return line != nullptr && line->origin != Origin::by_default;
}

class Combining {
 public:
  Combining(BothRecords const& both, RandomStreams const& streams)
      : both_(both), streams_(streams) {
    find_sites();
    cause_ = common_cause(both.table, both.log);
    pairs_ = pair_rows(both.table, both.log, cause_, streams);
  }

  Fit run() {
    take_log();
    for (SharedParameter const& each : of_people) pool(each, "");
    for (std::string const& site : shared_) {
      // Beside cold caches a table's stream is that of the others; a log's is of all.
      bool const cold = !both_.table.draws.column(at("cold_share", site)).empty();
      for (SharedParameter const& each : of_sites) {
        if (!cold) pool(each, "." + site);
      }
      for (auto const name : of_program) add_table(at(name, site));
    }
    pool_outages();
    for (auto const name : added_by_table) add_table(name);
    add_what_log_lacks();
    for (std::string const& site : table_only_) add_table_site(site);
    for (std::string const& site : log_only_) add_program_at(site);
    add_tests();
    add_gaps();
    return std::move(fit_);
  }

 private:
  void find_sites() {
    auto const log = scenario::DrawLayout(both_.log.draws.columns).sites();
    for (auto const& site : log) {
      (is_among(both_.table_sites, site) ? shared_ : log_only_).push_back(site);
    }
    for (auto const& site : both_.table_sites) {
      if (!is_among(log, site)) table_only_.push_back(site);
    }
  }

  // --- columns of both, row by row ---
  std::vector<double> of_log(std::string const& name) const {
    return rows_of(both_.log.draws, name, false);
  }
  std::vector<double> of_table(std::string const& name) const {
    return rows_of(both_.table.draws, name, true);
  }
  std::vector<double> rows_of(DrawTable const& draws, std::string const& name, bool table) const {
    auto const column = draws.column(name);
    std::vector<double> values;
    if (column.empty()) return values;
    for (RowPair const& pair : pairs_) values.push_back(column[table ? pair.table : pair.log]);
    return values;
  }

  bool has(std::string const& name) const {
    auto const& columns = fit_.draws.columns;
    return std::find(columns.begin(), columns.end(), name) != columns.end();
  }
  void set(std::string const& name, std::vector<double> const& values) {
    auto const& columns = fit_.draws.columns;
    auto const found = std::find(columns.begin(), columns.end(), name);
    if (found == columns.end()) return fit_.draws.add(name, values);
    auto const c = static_cast<std::size_t>(found - columns.begin());
    for (std::size_t i = 0; i < values.size(); ++i) fit_.draws.rows[i][c] = values[i];
  }
  void add_line(Estimate line, char const* record) {
    line.record = record;
    auto const found = std::find_if(fit_.estimates.begin(), fit_.estimates.end(),
                                    [&](Estimate const& each) { return each.name == line.name; });
    if (found != fit_.estimates.end()) {
      *found = std::move(line);
    } else {
      fit_.estimates.push_back(std::move(line));
    }
  }

  /// As the log has it; people's releases as a table does, who tell holds for transfers from others.
  void take_log() {
    for (std::string const& column : both_.log.draws.columns) {
      if (column == "release" && !both_.table.draws.column("release_transfer_hold").empty()) {
        set("release_transfer_hold", of_log(column));
        set("release_other_hold", of_log(column));
      } else {
        set(column, of_log(column));
      }
    }
    for (Estimate const& line : both_.log.estimates) {
      if (line.name != "release" || has("release")) {
        add_line(line, "log");
        continue;
      }
      for (char const* const name : {"release_transfer_hold", "release_other_hold"}) {
        Estimate renamed = line;
        renamed.name = name;
        add_line(renamed, "log");
      }
    }
  }

  void add_table(std::string const& name) {
    auto const values = of_table(name);
    if (values.empty() || has(name)) return;
    set(name, values);
    if (Estimate const* const line = line_of(both_.table, name)) add_line(*line, "table");
  }

  // --- what both tell ---
  /// Of the rows that were taken, as what links carry hangs on what makes transfers stall.
  std::vector<double> recorded(std::string const& name) const {
    auto const values = rows_of(both_.recorded, name, false);
    return values.empty() ? rows_of(both_.recorded, "release", false) : values;
  }

  CampaignsDiffer differ(SharedParameter const& each) const {
    return {each.spread, both_.between_campaigns};
  }

  /// The table's instead, where the log has a default or nothing.
  void pool(SharedParameter const& each, std::string const& site) {
    std::string const in_table = std::string(each.in_table) + site;
    std::string const in_log = std::string(each.in_log) + site;
    auto const table = told_by_draws(each.scale, of_table(in_table));
    Estimate const* const own = line_of(both_.table, in_table);
    if (!table || own == nullptr) return;
    if (!tells(fit_, in_log)) return take_instead(*own, in_table, in_log);
    auto log = told_by_draws(each.scale, recorded(in_log));
    if (!log) return;
    log->campaigns = both_.log_campaigns;
    auto const pooled = pool_records(*table, *log, differ(each));
    set(in_log, moved_to(each.scale, column_now(in_log), pooled.mean, pooled.next_sd));
    add_line(pooled_line(*line_of(fit_, in_log), *own, each.scale, pooled), "both");
    note(in_log, pooled);
  }

  std::vector<double> column_now(std::string const& name) const { return fit_.draws.column(name); }

  void take_instead(Estimate line, std::string const& in_table, std::string const& in_log) {
    set(in_log, of_table(in_table));
    line.name = in_log;
    add_line(line, "table");
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
    fit_.tests.push_back(
        {"table and log tell the same " + name,
         "difference over its sd, with what campaigns differ by beforehand", pooled.apart, 0,
         pooled.p_value(),
         "rejected: the two campaigns disagree, and the pooled value is of neither"});
  }

  // --- outages ---
  void pool_outages() {
    fit_.hypotheses = cause_.lines.empty() ? both_.table.hypotheses : cause_.lines;
    std::vector<std::string> const all = {
        "outage_scope",         "outage_kind",    "next_cache_dependence", "stall_bad_fraction",
        "stall_bad_duration_s", "stall_when_bad", "stall_when_quiet",      "slow_fraction"};
    for (std::string const& name : all) {
      auto const table = of_table(name);
      auto values = column_now(name);
      if (table.empty() || values.empty()) continue;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (pairs_[i].outages_of_table) values[i] = table[i];
      }
      set(name, values);
    }
    if (!cause_.lines.empty()) {
      for (SharedParameter const& each : of_outages) pool_by_cause(each);
    }
    for (std::string const& name : all) summarize_outages(name);
  }

  /// Among the rows of each cause, with those of either record that have it.
  void pool_by_cause(SharedParameter const& each) {
    std::string const name(each.in_log);
    auto values = column_now(name);
    if (values.empty()) return;
    auto const causes = causes_of_rows(fit_.draws);
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
    set(name, values);
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

  /// Of the rows in which it means something.
  void summarize_outages(std::string const& name) {
    Estimate const* const line = line_of(fit_, name);
    Estimate const* const own = line_of(both_.table, name);
    if (line == nullptr || own == nullptr) return;
    auto const causes = causes_of_rows(fit_.draws);
    auto const values = column_now(name);
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
    add_line(summary, "both");
  }

  // --- what the log lacks ---
  void add_what_log_lacks() {
    bool const failed = std::any_of(shared_.begin(), shared_.end(), [&](std::string const& site) {
      return tells(both_.log, at("url_failure", site));
    });
    if (!failed) add_table("spurious_404");
    Estimate const* const abort = line_of(both_.table, "http_abort");
    if (abort != nullptr && !tells(both_.log, "http_abort")) {
      take_instead(*abort, "http_abort", "http_abort");
    }
    Estimate const* const released = line_of(both_.log, "release_delay_mean_s");
    auto const means = of_table("release_delay_mean_s");
    Estimate const* const delay = line_of(both_.table, "release_delay_mean_s");
    if (means.empty() || delay == nullptr || (released != nullptr && released->events > 0)) return;
    set("release_delay_family", std::vector<double>(means.size(), 0));
    set("release_delay_shape", std::vector<double>(means.size(), 1));
    set("release_delay_scale_s", means);
    set("release_delay_shift_s", std::vector<double>(means.size(), 0));
    add_line(*delay, "table");
  }

  // --- sites of one record ---
  /// Of the time of an epoch, row by row.
  std::vector<double> medians_at(std::string const& site) const {
    auto const family = of_table(at("epoch_family", site)),
               shape = of_table(at("epoch_shape", site)),
               scale = of_table(at("epoch_scale_s", site)),
               shift = of_table(at("epoch_shift_s", site));
    std::vector<double> medians;
    for (std::size_t i = 0; i < scale.size(); ++i) {
      Distribution const epoch{static_cast<Family>(static_cast<int>(family[i])), shape[i], scale[i],
                               shift[i]};
      medians.push_back(epoch.quantile(0.5));
    }
    return medians;
  }

  /// Of each row one of the sites, evenly; other sites have other choices.
  std::vector<std::string> models(std::string const& site,
                                  std::vector<std::string> const& from) const {
    auto const picks = stratified_draws(
        bootstrap_stream(streams_, "like " + site), pairs_.size(),
        [&](double u) { return std::floor(u * static_cast<double>(from.size())); });
    std::vector<std::string> chosen;
    for (double const pick : picks) {
      chosen.push_back(from[std::min(from.size() - 1, static_cast<std::size_t>(pick))]);
    }
    return chosen;
  }

  std::vector<double> from_models(std::string const& name,
                                  std::vector<std::string> const& models) const {
    std::vector<double> values(models.size());
    for (std::string const& site : shared_) {
      auto const there = column_now(at(name, site));
      for (std::size_t i = 0; i < models.size() && !there.empty(); ++i) {
        if (models[i] == site) values[i] = there[i];
      }
    }
    return values;
  }

  std::vector<double> tastes(std::string const& site) const {
    return stratified_draws(bootstrap_stream(streams_, "taste at " + site), pairs_.size(),
                            [](double u) { return std::exp(sd_of_tastes * normal_quantile(u)); });
  }

  void add_borrowed(std::string const& name, std::vector<double> const& values, char const* record,
                    Estimate const* like, std::string const& from) {
    set(name, values);
    Estimate line;
    line.name = name;
    line.unit = like != nullptr ? like->unit : "1";
    line.estimate = median(values);
    summarize(line, values);
    line.method = from;
    line.origin = Origin::borrowed;
    add_line(line, record);
  }

  void add_table_site(std::string const& site) {
    for (auto const name : of_table_sites) add_table(at(name, site));
    if (auto const noise = of_table("rate_noise"); !noise.empty()) {
      set(at("rate_sigma", site), noise);
      if (Estimate const* const line = line_of(both_.table, "rate_noise")) {
        Estimate renamed = *line;
        renamed.name = at("rate_sigma", site);
        add_line(renamed, "table");
      }
    }
    auto const like = models(site, shared_);
    auto speeds = from_models("speed", like);
    auto const own = medians_at(site), luck = tastes(site);
    for (std::string const& model : shared_) {
      auto const there = medians_at(model);
      for (std::size_t i = 0; i < speeds.size(); ++i) {
        if (like[i] == model) speeds[i] *= there[i] / own[i] * luck[i];
      }
    }
    add_borrowed(at("speed", site), speeds, "both",
                 line_of(both_.log, at("speed", shared_.front())),
                 "the log's program at a site that both know, by the ratio of the table's epochs");
    for (scenario::SiteColumn const& column : scenario::site_columns()) {
      bool const own_kind =
          std::find(not_borrowed.begin(), not_borrowed.end(), column.name) != not_borrowed.end();
      if (own_kind || both_.log.draws.column(at(column.name, shared_.front())).empty()) continue;
      if (has(at(column.name, site))) continue;
      add_borrowed(at(column.name, site), from_models(column.name, like), "log",
                   line_of(both_.log, at(column.name, shared_.front())),
                   "a site of the log in each draw: the table does not tell it");
    }
  }

  void add_program_at(std::string const& site) {
    auto const like = models(site, shared_);
    auto const there = from_models("speed", like), here = column_now(at("speed", site)),
               luck = tastes(site);
    for (auto const name : of_program) {
      auto values = from_models(name, like);
      bool const time =
          std::string_view(name) == "epoch_scale_s" || std::string_view(name) == "epoch_shift_s";
      for (std::size_t i = 0; time && i < values.size(); ++i)
        values[i] *= there[i] / here[i] * luck[i];
      add_borrowed(
          at(name, site), values, "both", line_of(both_.table, at(name, shared_.front())),
          "the table's program at a site that both know, by the ratio of the log's speeds");
    }
  }

  // --- what the file says ---
  void add_tests() {
    auto own = std::move(fit_.tests);
    fit_.tests = both_.table.tests;
    fit_.tests.insert(fit_.tests.end(), both_.log.tests.begin(), both_.log.tests.end());
    fit_.tests.insert(fit_.tests.end(), own.begin(), own.end());
    if (compared_ > 0) {
      double const p = 1 - std::pow(1 - most_apart_.p_value(), compared_);
      fit_.tests.push_back(
          {fmt::format("table and log agree on the {} parameters that both tell", compared_),
           "largest difference over its sd, with what campaigns differ by beforehand",
           most_apart_.apart, 0, p,
           p < 0.05 ? "rejected: campaigns differ by more" : "not rejected"});
    }
    if (cause_.lines.empty()) return;
    bool const apart = cause_.log_bayes_factor < -std::log(20.);
    fit_.tests.push_back({"what makes transfers stall is the same in the table and in the log",
                          "ln(Bayes factor) against a cause of each one's own",
                          cause_.log_bayes_factor, 0, apart ? std::exp(cause_.log_bayes_factor) : 1,
                          apart ? "rejected: the records show different causes, and the draws have "
                                  "one for both"
                                : "not rejected"});
  }

  void add_gaps() {
    bool const table_tells = !both_.table.hypotheses.empty();
    for (NotIdentified const& gap : both_.log.not_identified) {
      if (gap.what == scenario::no_stalls && table_tells) {
        fit_.not_identified.push_back({"how often a campaign meets outages",
                                       "the table's did, and " + gap.why + " in the log",
                                       "half of the draws have the table's, the others the log's: "
                                       "Jeffreys' mean of the share"});
      } else if (gap.what != "http_abort" || tells(both_.log, "http_abort")) {
        fit_.not_identified.push_back(gap);
      }
    }
    for (NotIdentified gap : both_.table.not_identified) {
      gap.what = "table: " + gap.what;
      fit_.not_identified.push_back(gap);
    }
    fit_.not_identified.push_back(
        {"evictions, overheads, delays of releases and GPUs at a time, of the table",
         "sums of a row that the log tells apart by date", "the log's, where it has any"});
    fit_.not_identified.push_back(
        {"how much campaigns differ in what both tell", "two campaigns hardly show it",
         both_.between_campaigns ? "as stated by --between-campaigns"
                                 : "half-normal priors with the scales 0.1 (links), 0.3 (streams, "
                                   "how hard outages hit) and 1.0 (failures, people)"});
  }

  BothRecords const& both_;
  RandomStreams const& streams_;
  std::vector<std::string> shared_, table_only_, log_only_;
  CommonCause cause_;
  std::vector<RowPair> pairs_;
  Fit fit_;
  int compared_ = 0;
  PooledRecords most_apart_;
};

}  // namespace

void require_common_site(std::vector<std::string> const& of_table,
                         std::vector<std::string> const& of_log) {
  for (std::string const& site : of_log) {
    if (is_among(of_table, site)) return;
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

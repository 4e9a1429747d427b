// Strangers, also within one program. Let r be the logarithm of a finished execution over its
// site's median and its program's work, and s the spread of r by its median absolute deviation. An
// execution with |r| > max(ln 1.5, 6 s) is not of the program (an end that was recorded days late,
// a failure that passed for a success), where the site has five finished executions, all sites have
// eight, and at most a tenth of them deviate so far. If more deviate, they are another program
// under the same label, and they count. An execution that did not finish has to be as far, and half
// as long again as the longest that did. Within one program all this holds only where s is at most
// 0.1: otherwise its executions differ too much to identify strangers.
#include "calibration/records/programs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::calibration {

namespace {

constexpr double no_difference = 0.05;  // of ln time
constexpr double very_strong = 10;      // of BIC
constexpr double near_line = 0.15;
constexpr double much_longer = 1.5;
constexpr double spreads_apart = 6;
constexpr double times_repeat = 0.1;
constexpr double deviation_of_normal = 1.4826;  // sd over the median absolute deviation
constexpr std::size_t enough_at_site = 5, enough_in_all = 8;
constexpr std::size_t most_numbers = 4;        // of a node's name
constexpr std::size_t enough_of_campaign = 5;  // in the mean: BIC is for many of each group

bool digit(char c) { return '0' <= c && c <= '9'; }

struct Finished {
  std::size_t job = 0, site = 0;
  double seconds = 0;
};

std::vector<Finished> finished_executions(AttemptRecords const& records) {
  std::vector<Finished> executions;
  for (AttemptRecord const& attempt : records.attempts) {
    bool const whole = attempt.executing && attempt.exit && attempt.site.valid() &&
                       attempt.epochs_before == 0 && !records.differs(attempt) &&
                       !crashed(attempt) && attempt.end_kind == history::EventKind::terminated;
    if (!whole) continue;
    double seconds = attempt.tail.value();
    for (Seconds const& epoch : attempt.epochs) seconds += epoch.value();
    if (seconds > 0) executions.push_back({attempt.job.index(), attempt.site.index(), seconds});
  }
  return executions;
}

/// A way to group jobs: the group's name of each job, and the label that it uses.
struct Grouping {
  std::string by;
  std::vector<std::string> names;  // of each job
  std::size_t number = 0;          // of a node's name, from 1; 0: not by one
};

/// By the first cluster of the job's campaign.
Grouping by_campaign(history::JobHistory const& history,
                     std::vector<std::set<std::uint32_t>> const& campaigns) {
  Grouping grouping{"campaign", {}};
  for (history::JobName const& job : history.jobs) {
    auto const of_job = std::ranges::find_if(
        campaigns, [&](auto const& clusters) { return clusters.contains(job.cluster); });
    grouping.names.push_back(
        of_job == campaigns.end() ? "" : fmt::format("cluster {}", *of_job->begin()));
  }
  return grouping;
}

std::vector<Grouping> by_labels(history::JobHistory const& history) {
  std::vector<Grouping> groupings;
  if (history.labels.empty()) return groupings;
  auto const add = [&](std::string by, std::size_t number, auto const& name) {
    Grouping grouping{std::move(by), {}, number};
    for (history::JobLabel const& label : history.labels) grouping.names.push_back(name(label));
    groupings.push_back(std::move(grouping));
  };
  add("executable", 0, [](auto const& label) { return label.executable; });
  add("arguments", 0, [](auto const& label) { return label.executable + " " + label.arguments; });
  add("batch name", 0, [](auto const& label) { return label.batch; });
  bool const nodes = history.batch_system == history::BatchSystem::htcondor;
  std::string const name = nodes ? "DAG node's name" : "job's name";
  for (std::size_t kept = 0; kept <= most_numbers; ++kept) {
    std::string const by = kept == 0 ? name : fmt::format("number {} of the {}", kept, name);
    add(by, kept, [kept](auto const& label) { return node_pattern(label.node, kept); });
  }
  return groupings;
}

/// Site and group effects of ln time, in turns until they stand still.
struct Effects {
  std::map<std::size_t, double> site;
  std::map<std::string, double> group;
  double left = 0;  // mean square
};

Effects fit_effects(std::vector<Finished> const& finished, std::vector<std::string> const& names) {
  constexpr int turns = 30;
  Effects effects;
  auto const group_of = [&](Finished const& one) {
    return one.job < names.size() ? names[one.job] : std::string();
  };
  auto const average = [&](auto& effect, auto const& key, auto const& rest) {
    std::map<typename std::decay_t<decltype(effect)>::key_type, std::pair<double, int>> sums;
    for (Finished const& one : finished) {
      auto& [sum, number] = sums[key(one)];
      sum += std::log(one.seconds) - rest(one);
      ++number;
    }
    for (auto const& [k, sum] : sums) effect[k] = sum.first / sum.second;
  };
  for (int turn = 0; turn < turns; ++turn) {
    average(effects.group, group_of, [&](Finished const& one) { return effects.site[one.site]; });
    average(
        effects.site, [](Finished const& one) { return one.site; },
        [&](Finished const& one) { return effects.group[group_of(one)]; });
  }
  for (Finished const& one : finished) {
    double const off =
        std::log(one.seconds) - effects.site[one.site] - effects.group[group_of(one)];
    effects.left += off * off / static_cast<double>(finished.size());
  }
  return effects;
}

double bic(Effects const& effects, std::size_t n) {
  auto const number = static_cast<double>(n);
  return number * std::log(effects.left + no_difference * no_difference) +
         (static_cast<double>(effects.group.size()) - 1) * std::log(number);
}

/// A line through the groups' works against their numbers; none that is not near all of them.
std::optional<ProgramTrend> line_through(std::vector<Program> const& programs) {
  std::vector<std::pair<double, double>> points;
  for (Program const& program : programs) {
    if (program.finished > 0 && program.number) points.emplace_back(*program.number, program.scale);
  }
  if (points.size() < 3) return std::nullopt;
  double x = 0, y = 0, xx = 0, xy = 0;
  auto const n = static_cast<double>(points.size());
  for (auto const& [number, scale] : points) {
    x += number / n;
    y += scale / n;
  }
  for (auto const& [number, scale] : points) {
    xx += (number - x) * (number - x);
    xy += (number - x) * (scale - y);
  }
  if (xx <= 0) return std::nullopt;
  ProgramTrend const line{y - xy / xx * x, xy / xx};
  for (auto const& [number, scale] : points) {
    double const there = line.at_zero + line.by_one * number;
    if (there <= 0 || std::abs(there - scale) > near_line * std::max(scale, there)) {
      return std::nullopt;
    }
  }
  return line;
}

class ProgramSearch {
 public:
  ProgramSearch(history::JobHistory const& history, AttemptRecords const& records,
                std::vector<std::set<std::uint32_t>> const& campaigns)
      : history_(history),
        records_(records),
        campaigns_(campaigns),
        finished_(finished_executions(records)) {}

  Programs run() {
    std::vector<std::string> const alike(history_.jobs.size());
    Programs one;
    one.of_job.assign(history_.jobs.size(), 0);
    one.programs = {{.name = "", .jobs = history_.jobs.size(), .finished = finished_.size()}};
    one.programs.front().newest = true;
    if (finished_.empty()) return one;
    double least = bic(fit_effects(finished_, alike), finished_.size()) - very_strong;
    std::optional<Grouping> best;
    for (Grouping& grouping : groupings()) {
      double const here = bic(fit_effects(finished_, grouping.names), finished_.size());
      if (here >= least) continue;
      least = here;
      best = std::move(grouping);
    }
    if (best) return describe(*best);
    find_strangers(one);
    return one;
  }

 private:
  std::vector<Grouping> groupings() const {
    auto candidates = by_labels(history_);
    bool const of_campaigns = finished_.size() >= enough_of_campaign * campaigns_.size();
    if (campaigns_.size() > 1 && of_campaigns)
      candidates.push_back(by_campaign(history_, campaigns_));
    return candidates;
  }

  Programs describe(Grouping const& grouping) {
    Programs grouped{.grouped_by = grouping.by};
    std::map<std::string, std::size_t> index;
    for (std::string const& name : grouping.names) index.emplace(name, 0);
    for (auto& [name, at] : index) {
      at = grouped.programs.size();
      grouped.programs.push_back({.name = name});
    }
    for (std::size_t job = 0; job < grouping.names.size(); ++job) {
      std::size_t const at = index.at(grouping.names[job]);
      grouped.of_job.push_back(at);
      Program& program = grouped.programs[at];
      ++program.jobs;
      if (grouping.number > 0) {
        program.number = node_number(history_.labels[job].node, grouping.number);
      }
    }
    set_works(grouped, fit_effects(finished_, grouping.names), grouping);
    find_strangers(grouped);
    return grouped;
  }

  void set_works(Programs& grouped, Effects const& effects, Grouping const& grouping) {
    std::vector<std::vector<double>> times(grouped.programs.size());
    for (Finished const& one : finished_) times[grouped.of_job[one.job]].push_back(one.seconds);
    for (std::size_t p = 0; p < grouped.programs.size(); ++p) {
      Program& program = grouped.programs[p];
      program.finished = times[p].size();
      if (times[p].empty()) continue;
      program.median_s = median(times[p]);
      program.scale = std::exp(effects.group.at(program.name));
    }
    std::size_t const newest = newest_of(grouped);
    double const unit = grouped.programs[newest].scale;
    grouped.programs[newest].newest = true;
    for (Program& program : grouped.programs) {
      program.scale = program.finished > 0 ? program.scale / unit : 1;
    }
    if (grouping.number > 0) grouped.trend = line_through(grouped.programs);
    if (!grouped.trend) return;
    for (Program& program : grouped.programs) {
      if (program.finished > 0 || !program.number) continue;
      program.scale =
          std::max(0.01, grouped.trend->at_zero + grouped.trend->by_one * *program.number);
    }
  }

  /// The program of the job submitted last, among programs with a finished execution.
  std::size_t newest_of(Programs const& grouped) const {
    std::optional<Seconds> last;
    std::size_t newest = 0;
    for (history::JobEvent const& event : history_.events) {
      if (event.kind != history::EventKind::submitted) continue;
      std::size_t const program = grouped.of_job[event.job.index()];
      if (grouped.programs[program].finished == 0 || (last && event.at < *last)) continue;
      last = event.at;
      newest = program;
    }
    if (last) return newest;
    auto const any = std::ranges::find_if(
        grouped.programs, [](Program const& program) { return program.finished > 0; });
    return static_cast<std::size_t>(any - grouped.programs.begin());
  }

  /// Logarithm of the time that the first program's work would take at each site: the median.
  std::map<std::size_t, double> paces(Programs const& grouped) const {
    std::map<std::size_t, std::vector<double>> logs;
    for (Finished const& one : finished_) logs[one.site].push_back(log_work(grouped, one));
    std::map<std::size_t, double> medians;
    for (auto& [site, values] : logs) medians[site] = median(values);
    return medians;
  }

  static double log_work(Programs const& grouped, Finished const& one) {
    return std::log(one.seconds / grouped.programs[grouped.of_job[one.job]].scale);
  }

  /// Jobs with an execution that their program cannot have been.
  void find_strangers(Programs& grouped) const {
    grouped.strangers.assign(grouped.of_job.size(), false);
    if (finished_.size() < enough_in_all) return;
    auto const pace = paces(grouped);
    double const longest = mark_finished(grouped, pace);
    std::vector<bool> const proven = jobs_that_finished();
    for (AttemptRecord const& attempt : records_.attempts) {
      if (!attempt.executing || !attempt.site.valid() || attempt.tail <= Seconds()) continue;
      if (!attempt.times_known) continue;
      std::size_t const job = attempt.job.index();
      if (proven[job]) continue;  // its longer execution hung, or had a slow host
      Program const& program = grouped.programs[grouped.of_job[job]];
      auto const site = pace.find(attempt.site.index());
      bool const finished = attempt.exit && !crashed(attempt);
      if (finished || program.finished == 0 || site == pace.end()) continue;
      double const off = std::log(attempt.tail.value() / program.scale) - site->second;
      if (off > longest + std::log(much_longer)) grouped.strangers[job] = true;
    }
  }

  std::vector<bool> jobs_that_finished() const {
    std::vector<bool> jobs(history_.jobs.size(), false);
    for (Finished const& one : finished_) jobs[one.job] = true;
    return jobs;
  }

  /// Marks those of the finished that are far from all others; the longest of the rest over its
  /// site's median.
  double mark_finished(Programs& grouped, std::map<std::size_t, double> const& pace) const {
    std::map<std::size_t, std::size_t> at_site;
    for (Finished const& one : finished_) ++at_site[one.site];
    std::vector<double> sizes;
    for (Finished const& one : finished_) {
      if (at_site[one.site] < enough_at_site) continue;
      sizes.push_back(std::abs(log_work(grouped, one) - pace.at(one.site)));
    }
    double const spread = sizes.empty() ? 0 : deviation_of_normal * median(sizes);
    double const far = std::max(std::log(much_longer), spreads_apart * spread);
    if (!grouped.several() && spread > times_repeat) return std::numeric_limits<double>::infinity();
    std::vector<std::size_t> outliers;
    double longest = far - std::log(much_longer);  // a shorter time is near enough, finished or not
    for (Finished const& one : finished_) {
      double const off = log_work(grouped, one) - pace.at(one.site);
      bool const judged = at_site[one.site] >= enough_at_site;
      if (judged && std::abs(off) > far) {
        outliers.push_back(one.job);
      } else {
        longest = std::max(longest, off);
      }
    }
    if (outliers.size() * 10 <= finished_.size()) {
      for (std::size_t const job : outliers) grouped.strangers[job] = true;
      return longest;
    }
    for (Finished const& one : finished_) {
      longest = std::max(longest, log_work(grouped, one) - pace.at(one.site));
    }
    return longest;
  }

  history::JobHistory const& history_;
  AttemptRecords const& records_;
  std::vector<std::set<std::uint32_t>> const& campaigns_;
  std::vector<Finished> finished_;
};

}  // namespace

std::vector<double> Programs::log_scales() const {
  std::vector<double> logs;
  bool const alike = !contains(strangers, true);
  if (!several() && alike) return logs;
  for (std::size_t job = 0; job < of_job.size(); ++job) {
    logs.push_back(strangers[job] ? std::numeric_limits<double>::quiet_NaN()
                                  : std::log(programs[of_job[job]].scale));
  }
  return logs;
}

std::vector<double> Programs::odds_of_jobs() const {
  std::vector<double> odds;
  bool const known = std::ranges::all_of(
      programs, [](Program const& program) { return program.crash_odds.has_value(); });
  if (!several() || !known) return odds;
  for (std::size_t const program : of_job) odds.push_back(programs[program].crash_odds->at(0.5));
  return odds;
}

Programs programs_of(history::JobHistory const& history, AttemptRecords const& records,
                     std::vector<std::set<std::uint32_t>> const& campaigns) {
  return ProgramSearch(history, records, campaigns).run();
}

std::string node_pattern(std::string_view name, std::size_t kept) {
  std::string_view const node = history::without_uuid(name);
  std::string pattern;
  std::size_t number = 0;
  for (std::size_t i = 0; i < node.size();) {
    if (!digit(node[i])) {
      pattern += node[i++];
      continue;
    }
    std::size_t const from = i;
    while (i < node.size() && digit(node[i])) ++i;
    pattern += ++number == kept ? std::string(node.substr(from, i - from)) : "*";
  }
  return pattern;
}

std::optional<double> node_number(std::string_view name, std::size_t index) {
  std::string_view const node = history::without_uuid(name);
  std::size_t number = 0;
  for (std::size_t i = 0; i < node.size();) {
    if (!digit(node[i])) {
      ++i;
      continue;
    }
    double value = 0;
    for (; i < node.size() && digit(node[i]); ++i) value = 10 * value + (node[i] - '0');
    if (++number == index) return value;
  }
  return std::nullopt;
}

}  // namespace gridcast::calibration

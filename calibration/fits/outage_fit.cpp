#include "calibration/fits/outage_fit.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <boost/math/special_functions/beta.hpp>
#include <fmt/format.h>

#include "calibration/inference/evidence.hpp"
#include "calibration/inference/partial_pooling.hpp"
#include "calibration/inference/special_functions.hpp"
#include "sim/base/statistics.hpp"
#include "sim/scenario/calibration.hpp"

namespace gridcast::calibration {

namespace {

constexpr std::size_t points = 1000;      // of the integral over the outages
constexpr std::size_t links_in_mean = 8;  // draws of the links in an average
constexpr std::size_t many_tries = 5000;  // ... and two where there are more tries than these
// They are chosen from all draws, or from so few that they have this many tries together.
constexpr std::size_t enough_tries = 100'000;
constexpr double least_slow = 0.01, most_slow = 0.5;

/// Dependence on the next cache without such tries. Causes that caches share have scopes of their
/// own (origin, node, uplink), so that caches of the scope `cache` fail on their own, unless
/// something else is common to them. A uniform u to this share of 0, else uniform.
constexpr double independent_caches = 0.8;
double prior_dependence(double u) {
  return std::max(0.0, (u - independent_caches) / (1 - independent_caches));
}

/// The sampled values: logits of shares, each with a Beta prior.
struct BetaPrior {
  double a = 1, b = 1;
};
enum OutageCoordinate : std::size_t {
  quiet_at,
  dependence_at,
  fraction_at,
  duration_at,
  bad_at,
  slow_at
};
constexpr BetaPrior logit_priors[] = {{1, 9}, {1, 1}, {1, 2}, {1, 1}, {2, 1}, {1, 1}};

/// Log density of the logit of a Beta(a, b) variable.
double log_prior(double logit, BetaPrior const& prior) {
  double const p = inverse_logit(logit);
  return prior.a * std::log(std::max(p, 1e-300)) + prior.b * std::log(std::max(1 - p, 1e-300)) -
         log_beta(prior.a, prior.b);
}

struct Hypothesis {
  OutageScope scope = OutageScope::none;
  OutageKind kind = OutageKind::dead;
  double prior = 1;

  CutView view() const {
    if (scope == OutageScope::none) return CutView::healthy;
    return kind == OutageKind::dead ? CutView::dead : CutView::slow;
  }
  std::string text() const {
    if (scope == OutageScope::none) return "none (congestion where links are narrow)";
    return fmt::format("{}, {}", kind == OutageKind::dead ? "dead" : "slow", name(scope));
  }
};

std::vector<Hypothesis> all_hypotheses() {
  std::vector<Hypothesis> all = {{OutageScope::none, OutageKind::dead, 1.0 / 3}};
  for (OutageKind const kind : {OutageKind::dead, OutageKind::slow}) {
    for (std::size_t s = 0; s < outage_scopes; ++s) {
      all.push_back({static_cast<OutageScope>(s), kind, 1.0 / 3 / outage_scopes});
    }
  }
  return all;
}

/// The coordinates of a hypothesis; those without evidence in the record are not sampled.
std::vector<std::size_t> coordinates_of(Hypothesis const& hypothesis, bool next_caches) {
  std::vector<std::size_t> used = {quiet_at};
  if (next_caches) used.push_back(dependence_at);
  if (hypothesis.scope == OutageScope::none) return used;
  used.insert(used.end(), {fraction_at, duration_at, bad_at});
  if (hypothesis.kind == OutageKind::slow) used.push_back(slow_at);
  return used;
}

/// From the logarithm of the shortest bad period to that of the longest.
struct Durations {
  double log_low = 0, log_high = 1;
};

OutageLaw law_of(std::vector<double> const& x, std::vector<std::size_t> const& used,
                 Durations const& durations) {
  OutageLaw law;
  law.bad_duration = std::exp(durations.log_high);
  for (std::size_t k = 0; k < used.size(); ++k) {
    double const p = inverse_logit(x[k]);
    switch (used[k]) {
      case quiet_at:
        law.when_quiet = p;
        break;
      case dependence_at:
        law.dependence = p;
        break;
      case fraction_at:
        law.bad_fraction = p;
        break;
      case duration_at:
        law.bad_duration =
            std::exp(durations.log_low + p * (durations.log_high - durations.log_low));
        break;
      case bad_at:
        law.when_bad = p;
        break;
      default:
        law.slow_fraction = least_slow * std::pow(most_slow / least_slow, p);
    }
  }
  return law;
}

struct Weighed {
  Hypothesis hypothesis;
  std::vector<std::size_t> used;
  std::size_t view = 0;
  std::vector<double> center;  // of its outages
  ImportanceDraws outages;
  double log_evidence = 0, probability = 0;
  double own_variance = 0;  // of log_evidence: the integrals' own error, without that of its view
  std::size_t weighed_as =
      0;  // itself, or the hypothesis before it that is the same in this record
};

class Weighing {
 public:
  Weighing(TransferRecords const& records, OutageRecord const& record, OutagePosterior& posterior,
           RandomStreams const& streams)
      : record_(record), posterior_(posterior), streams_(streams) {
    links_ = record.tries() > many_tries ? 2 : links_in_mean;
    std::size_t const links =
        std::max(links_, enough_tries / std::max<std::size_t>(1, record.tries()));
    for (FlowPosterior const& view : posterior.views) {
      auto& laws = laws_.emplace_back();
      std::size_t const step = std::max<std::size_t>(1, view.draws.size() / links);
      for (std::size_t i = 0; i < view.draws.size() && laws.size() < links; i += step) {
        laws.emplace_back(record, records, view, i);
      }
    }
    double seconds = 0;
    for (TransferTry const& one : records.tries) seconds += one.duration().value();
    double const usual = std::max(seconds / static_cast<double>(records.tries.size()), 1e-3);
    durations_ = {std::log(std::min(usual, posterior.span)), std::log(3 * posterior.span)};
  }

  Weighed weigh(Hypothesis const& hypothesis, std::size_t number) const {
    Weighed result;
    result.hypothesis = hypothesis;
    result.used = coordinates_of(hypothesis, record_.next_tries > 0);
    while (posterior_.views[result.view].view != hypothesis.view()) ++result.view;
    ImportanceProposal found;
    for (std::size_t const k : result.used) {
      found.center.push_back(k == quiet_at ? -3 : k == bad_at ? 1 : 0);
      found.sd.push_back(1.5);
    }
    auto stream = bootstrap_stream(streams_, DrawsOf::outages, number);
    Links links = links_for(result, found.center, links_, stream);
    for (int round = 0; round < 2; ++round) {
      found = adapted_proposal(target(result, links), found, points / 4, stream);
      links = links_for(result, found.center, links_, stream);
    }
    result.center = found.center;
    result.outages = importance_sample(target(result, links), found, points, stream);
    result.log_evidence = result.outages.log_evidence + posterior_.views[result.view].log_evidence;
    result.own_variance = links.variance + 1 / result.outages.effective;
    return result;
  }

  OutageLaw law(Weighed const& weighed, std::size_t point) const {
    return law_of(weighed.outages.at[point], weighed.used, durations_);
  }

  /// Draws of its view's links, weighted by their probability at the centre of its outages.
  std::vector<std::size_t> flow_draws(Weighed const& weighed, std::size_t count,
                                      RandomStream& stream) const {
    std::size_t const draws = posterior_.views[weighed.view].draws.size();
    std::size_t const laws = laws_[weighed.view].size(),
                      each = std::max<std::size_t>(1, draws / laws);
    std::vector<std::size_t> chosen = links_for(weighed, weighed.center, count, stream).chosen;
    // A draw that was weighed stands for those up to the next one.
    for (std::size_t& at : chosen) {
      at = std::min(draws - 1, at * each + stream.below(static_cast<std::uint32_t>(each)));
    }
    return chosen;
  }

 private:
  /// Draws of a view's links, weighted by their probability under a hypothesis at one point of its
  /// outages.
  struct Links {
    std::vector<std::size_t> chosen;
    std::vector<double> logs;  // of the record's probability at that point with each of these
    double log_mean = 0;       // ... with all
    double variance = 0;       // ... of log_mean
  };

  double likelihood(Weighed const& of, std::size_t links, OutageLaw const& law) const {
    return laws_[of.view][links](law, of.hypothesis.scope, of.hypothesis.kind);
  }

  Links links_for(Weighed const& of, std::vector<double> const& at, std::size_t count,
                  RandomStream& stream) const {
    OutageLaw const law = law_of(at, of.used, durations_);
    std::vector<double> logs;
    for (std::size_t m = 0; m < laws_[of.view].size(); ++m) logs.push_back(likelihood(of, m, law));
    Links links;
    links.log_mean = log_mean_exp(logs);
    links.variance = variance_of_log_mean(logs);
    ImportanceDraws all;
    for (double const log : logs) {
      all.weights.push_back(std::exp(log - links.log_mean) / static_cast<double>(logs.size()));
    }
    links.chosen = all.resampled(count, stream);
    for (std::size_t const m : links.chosen) links.logs.push_back(logs[m]);
    return links;
  }

  LogTarget target(Weighed const& of, Links const& links) const {
    return [&](std::vector<double> const& x) {
      double sum = links.log_mean;
      for (std::size_t k = 0; k < x.size(); ++k) {
        if (std::abs(x[k]) > 30) return -HUGE_VAL;
        sum += log_prior(x[k], logit_priors[of.used[k]]);
      }
      OutageLaw const law = law_of(x, of.used, durations_);
      std::vector<double> ratios;
      for (std::size_t i = 0; i < links.chosen.size(); ++i) {
        bool const again = i > 0 && links.chosen[i] == links.chosen[i - 1];
        ratios.push_back(again ? ratios.back()
                               : likelihood(of, links.chosen[i], law) - links.logs[i]);
      }
      return sum + log_mean_exp(ratios);
    };
  }

  OutageRecord const& record_;
  OutagePosterior& posterior_;
  RandomStreams const& streams_;
  std::vector<std::vector<OutageLikelihood>> laws_;  // by view, of draws of its links
  std::size_t links_ = links_in_mean;
  Durations durations_;
};

/// All hypotheses; those of scopes that the record cannot separate are weighed once.
std::vector<Weighed> weigh_all(OutageRecord const& record, Weighing const& weighing) {
  std::vector<Weighed> all;
  for (Hypothesis const& hypothesis : all_hypotheses()) {
    auto const same = std::ranges::find_if(all, [&](Weighed const& one) {
      return one.hypothesis.scope != OutageScope::none && one.hypothesis.kind == hypothesis.kind &&
             record.entities(one.hypothesis.scope) == record.entities(hypothesis.scope);
    });
    Weighed next = same == all.end() ? weighing.weigh(hypothesis, all.size()) : *same;
    if (same == all.end()) next.weighed_as = all.size();
    next.hypothesis = hypothesis;
    all.push_back(std::move(next));
  }
  return all;
}

/// Averaged over the errors of the integrals: those of the links are the same in all hypotheses of
/// a view.
void set_probabilities(std::vector<Weighed>& all, OutagePosterior& posterior, RandomStream stream) {
  constexpr double wide = 0.3;  // of a probability's 90 %, to be worth a note
  std::vector<UnsureEvidence> evidences;
  std::vector<double> variances;
  for (Weighed const& one : all) {
    evidences.push_back({std::log(one.hypothesis.prior) + one.log_evidence,
                         {one.weighed_as, all.size() + one.view}});
    variances.push_back(one.own_variance);
  }
  for (FlowPosterior const& view : posterior.views) variances.push_back(view.evidence_variance);
  auto const averaged = averaged_probabilities(evidences, variances, points, stream);
  for (std::size_t h = 0; h < all.size(); ++h) {
    double const log_odds = averaged[h].log_probability - averaged[0].log_probability;
    HypothesisProbability line;
    line.name = all[h].hypothesis.text();
    line.prior = all[h].hypothesis.prior;
    line.probability = all[h].probability = std::exp(averaged[h].log_probability);
    line.log_bayes_factor = log_odds - std::log(line.prior / all[0].hypothesis.prior);
    line.interval90 = averaged[h].interval90;
    posterior.hypotheses.push_back(line);
    if (line.interval90.high - line.interval90.low < wide) continue;
    double variance = 0;
    for (std::size_t const error : evidences[h].errors) variance += variances[error];
    posterior.evidence_sd = std::max(posterior.evidence_sd, std::sqrt(variance));
  }
}

/// Rows of each hypothesis in proportion to its probability.
std::vector<std::size_t> shares(std::vector<Weighed> const& all, std::size_t rows) {
  std::vector<std::size_t> counts;
  double sum = 0;
  std::size_t given = 0;
  for (Weighed const& one : all) {
    sum += one.probability;
    auto const until =
        std::min(rows, static_cast<std::size_t>(std::llround(sum * static_cast<double>(rows))));
    counts.push_back(until - given);
    given = until;
  }
  counts.front() += rows - given;
  return counts;
}

void add_rows(std::vector<Weighed> const& all, Weighing const& weighing, std::size_t draws,
              OutagePosterior& posterior, RandomStreams const& streams) {
  auto const counts = shares(all, draws);
  auto stream = bootstrap_stream(streams, DrawsOf::outage_rows);
  for (std::size_t h = 0; h < all.size(); ++h) {
    if (counts[h] == 0) continue;
    auto const flow_draws = weighing.flow_draws(all[h], counts[h], stream);
    std::size_t next = 0;
    for (std::size_t const point : all[h].outages.resampled(counts[h], stream)) {
      OutageDraw row{.scope = all[h].hypothesis.scope,
                     .kind = all[h].hypothesis.kind,
                     .view = all[h].view,
                     .flow_draw = flow_draws[next++],
                     .law = weighing.law(all[h], point)};
      if (row.scope == OutageScope::none) row.law.when_bad = row.law.when_quiet;
      if (posterior.next_tries == 0) row.law.dependence = prior_dependence(stream.uniform());
      posterior.rows.push_back(row);
    }
  }
  // In random order: the first rows contain all hypotheses.
  for (std::size_t i = posterior.rows.size(); i > 1; --i) {
    std::swap(posterior.rows[i - 1], posterior.rows[stream.below(static_cast<std::uint32_t>(i))]);
  }
}

std::vector<std::string> same_scopes(OutageRecord const& record) {
  std::vector<std::string> groups;
  std::vector<bool> done(outage_scopes, false);
  for (std::size_t i = 0; i < outage_scopes; ++i) {
    if (done[i]) continue;
    std::string group;
    for (std::size_t j = i + 1; j < outage_scopes; ++j) {
      auto const a = static_cast<OutageScope>(i), b = static_cast<OutageScope>(j);
      if (record.entities(a) != record.entities(b)) continue;
      if (group.empty()) group = name(a);
      group += fmt::format(", {}", name(b));
      done[j] = true;
    }
    if (!group.empty()) groups.push_back(group);
  }
  return groups;
}

double span_of(TransferRecords const& records) {
  double last = 0;
  for (TransferTry const& one : records.tries) last = std::max(last, one.end.value());
  return records.tries.empty() ? 1 : std::max(1.0, last - records.tries.front().start.value());
}

// Stalls that were never seen exist in few draws (partial_pooling.hpp, Unseen), in which a try
// stalls with Jeffreys' posterior of none in so many, without periods: of these nothing is known.
void none_seen(OutagePosterior& posterior, std::size_t draws, RandomStreams const& streams) {
  double const tried = static_cast<double>(posterior.conclusive);
  double const exists = Unseen{tried}.exists();
  auto const stalls =
      stratified_draws(bootstrap_stream(streams, DrawsOf::outage_rows), draws, [&](double u) {
        if (u >= exists) return 0.;
        return beta_quantile(u / exists, 0.5, tried + 0.5);
      });
  OutageDraw row;
  row.law.bad_duration = posterior.span;
  for (std::size_t i = 0; i < draws; ++i) {
    row.flow_draw = i % posterior.views[0].draws.size();
    row.law.dependence =
        prior_dependence((static_cast<double>(i) + 0.5) / static_cast<double>(draws));
    row.law.when_bad = row.law.when_quiet = stalls[i];
    posterior.rows.push_back(row);
  }
}

/// A column of the rows. Its interval is of the rows in which it means something.
template <class Value, class Means>
void add(Fit& fit, OutagePosterior const& posterior, Estimate line, Value const& value,
         Means const& means) {
  std::vector<double> all, informative;
  for (OutageDraw const& row : posterior.rows) {
    all.push_back(value(row));
    if (means(row)) informative.push_back(all.back());
  }
  if (!informative.empty()) {
    summarize(line, informative);
    // Between two numbers of hypotheses there is none.
    std::ranges::sort(informative);
    bool const number = std::string_view(line.unit) == "index";
    line.estimate = number ? informative[(informative.size() - 1) / 2] : median(informative);
  } else {
    line.events = 0;
    line.origin = Origin::by_default;
    line.method += "; of no row";
  }
  fit.estimates.push_back(line);
  fit.draws.add(line.name, all);
}

bool is_any(OutageDraw const&) { return true; }
bool has_periods(OutageDraw const& row) { return row.scope != OutageScope::none; }
bool has_slow_periods(OutageDraw const& row) {
  return has_periods(row) && row.kind == OutageKind::slow;
}

Estimate line_of(char const* what, char const* unit, std::size_t events, char const* method) {
  return {.name = what,
          .unit = unit,
          .events = events,
          .method = method,
          .origin = events > 0 ? Origin::fitted : Origin::by_default};
}

void note_gaps(Fit& fit, OutagePosterior const& posterior) {
  if (posterior.struck == 0) {
    fit.not_identified.push_back(no_stall_seen(
        posterior.attempts,
        fmt::format(
            "{:.1f} % of the draws have them, with Jeffreys' posterior of no event; nothing "
            "is known of outages, their scope and their length",
            100 * Unseen{static_cast<double>(posterior.conclusive)}.exists())));
    return;
  }
  if (posterior.evidence_sd > 0) {
    fit.not_identified.push_back(
        {"probabilities of outages",
         fmt::format(
             "their integrals are known to a factor of {:.2g} only (90 % either way), which is "
             "about as much as they differ by",
             std::exp(std::min(1.6449 * posterior.evidence_sd, 50.0))),
         "averages over that error; another --seed gives others"});
  }
  for (std::string const& group : posterior.same) {
    fit.not_identified.push_back({"scope of outages: " + group,
                                  "the record's tries share the same ones of each",
                                  "as likely as each other, by their prior"});
  }
  if (posterior.next_tries == 0) {
    fit.not_identified.push_back(
        {"next_cache_dependence", "no try at a next cache is on record",
         "independent in 80 % of the draws, else uniform from 0 (independent) "
         "to 1 (the same)"});
  }
}

}  // namespace

OutagePosterior outage_posterior(TransferRecords const& records, std::size_t sites,
                                 std::size_t draws, RandomStreams const& streams) {
  OutagePosterior posterior;
  OutageRecord const record(records);
  static_cast<StallCounts&>(posterior) = record;
  posterior.same = same_scopes(record);
  posterior.span = span_of(records);
  std::vector<CutView> views = {CutView::healthy};
  if (record.struck > 0) views.insert(views.end(), {CutView::dead, CutView::slow});
  for (CutView const view : views) {
    posterior.views.push_back(flow_posterior(
        records, sites, view, draws,
        bootstrap_stream(streams, DrawsOf::url_times, static_cast<std::size_t>(view))));
  }
  if (record.struck == 0) {
    none_seen(posterior, draws, streams);
    return posterior;
  }
  Weighing const weighing(records, record, posterior, streams);
  std::vector<Weighed> all = weigh_all(record, weighing);
  set_probabilities(all, posterior, bootstrap_stream(streams, DrawsOf::outages, all.size() + 1));
  add_rows(all, weighing, draws, posterior, streams);
  return posterior;
}

NotIdentified no_stall_seen(std::size_t attempts, std::string taken_from) {
  // 0.95 of all records with this rate would have a stall.
  double const limit = attempts > 0 ? 1 - std::pow(0.05, 1 / static_cast<double>(attempts)) : 1;
  return {scenario::no_stalls,
          fmt::format("no stall was seen: with 0 of {} attempts the rate is below {:.2g} %",
                      attempts, 100 * limit),
          std::move(taken_from)};
}

Fit outage_fit(OutagePosterior const& posterior) {
  Fit fit;
  fit.hypotheses = posterior.hypotheses;
  auto const add_index = [&](char const* what, char const* method, auto OutageDraw::*index,
                             auto const& means) {
    auto const value = [index](OutageDraw const& row) { return static_cast<double>(row.*index); };
    add(fit, posterior, line_of(what, "index", posterior.struck, method), value, means);
  };
  auto const add_law = [&](Estimate const& documented, double OutageLaw::*part, auto const& means) {
    add(
        fit, posterior, documented, [part](OutageDraw const& row) { return row.law.*part; }, means);
  };
  add_index("outage_scope",
            "0 origin, 1 cache, 2 path, 3 node, 4 uplink, 5 none; by posterior probability",
            &OutageDraw::scope, is_any);
  add_index("outage_kind", "0 dead, 1 slow; by posterior probability", &OutageDraw::kind,
            has_periods);
  add_law(line_of("stall_bad_fraction", "1", posterior.struck,
                  "two-state process, forward algorithm; if there are outages; prior Beta(1, 2)"),
          &OutageLaw::bad_fraction, has_periods);
  add_law(line_of("stall_bad_duration_s", "s", posterior.struck,
                  "mean bad period; prior log-uniform, a transfer to three times the record"),
          &OutageLaw::bad_duration, has_periods);
  add_law(line_of("stall_when_bad", "1", posterior.struck,
                  "of a URL's try that starts in a bad period; prior Beta(2, 1)"),
          &OutageLaw::when_bad, has_periods);
  add_law(line_of("stall_when_quiet", "1", posterior.struck, "of any other; prior Beta(1, 9)"),
          &OutageLaw::when_quiet, is_any);
  add_law(line_of("slow_fraction", "1", posterior.struck,
                  "of the rate, if they are slow; prior log-uniform, 0.01 to 0.5"),
          &OutageLaw::slow_fraction, has_slow_periods);
  add_law(line_of("next_cache_dependence", "1", posterior.next_tries,
                  "the next cache's state is the same; prior uniform"),
          &OutageLaw::dependence, is_any);
  note_gaps(fit, posterior);
  return fit;
}

}  // namespace gridcast::calibration

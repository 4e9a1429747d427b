#include "calibration/fits/transfer_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

struct SiteTries {
  double tried = 0, failed = 0, hung = 0;  // URLs; where it is not known which, by expectation
  std::size_t arrived = 0, sized = 0, cut = 0, failed_in_time = 0;
};

/// For a try that was cut off while it waited, the probability that its URL hung, with half an
/// event of doubt: against a lognormal time that is longer, by those that arrived, and against a
/// stall by those that the stall timer or the client ended, which the fit of outages accounts for.
class CutTries {
 public:
  explicit CutTries(TransferRecords const& records) {
    std::vector<double> logs;
    for (TransferTry const& one : records.tries) {
      tried_ += one.urls;
      hung_ += one.end_kind == TransferEnd::hung ? 1 : 0;
      bool const stalled =
          one.end_kind == TransferEnd::by_timer || one.end_kind == TransferEnd::by_client;
      stalled_ += stalled ? 1 : 0;
      bool const arrived = one.end_kind == TransferEnd::arrived && one.times_known;
      if (arrived) logs.push_back(log_time(one));
    }
    if (logs.empty()) return;
    mean_ = mean(logs);
    sd_ = std::max(least_sd, standard_deviation(logs));
    known_ = true;
  }

  double hung(TransferTry const& one) const {
    if (!known_) return 0;
    double const hung = (hung_ + 0.5) / (tried_ + 1), stalled = stalled_ / (tried_ + 1);
    double const later = std::erfc((log_time(one) - mean_) / (sd_ * M_SQRT2)) / 2;
    return hung / (hung + stalled + (1 - hung - stalled) * later);
  }

 private:
  static double log_time(TransferTry const& one) {
    return std::log(std::max(one.duration().value(), 0.5) / one.urls);
  }

  static constexpr double least_sd = 0.2;
  double tried_ = 0, hung_ = 0, stalled_ = 0, mean_ = 0, sd_ = least_sd;
  bool known_ = false;
};

std::vector<SiteTries> count_tries(TransferRecords const& records, std::size_t sites) {
  std::vector<SiteTries> counts(sites);
  CutTries const cut_tries(records);
  for (TransferTry const& one : records.tries) {
    SiteTries& site = counts[one.site.index()];
    double const at_one_of = (one.urls + 1) / 2.0;
    switch (one.end_kind) {
      case TransferEnd::arrived:
        site.tried += one.urls;
        site.arrived += static_cast<std::size_t>(one.urls);
        site.sized += one.bytes > Bytes() ? 1 : 0;
        break;
      case TransferEnd::failed:
        site.failed += 1;
        site.failed_in_time += one.timed ? 1 : 0;
        site.tried += at_one_of;
        break;
      case TransferEnd::hung:
        site.hung += 1;
        site.tried += at_one_of;
        break;
      case TransferEnd::cut: {
        double const hung = cut_tries.hung(one);
        site.cut += 1;
        site.hung += hung;
        site.tried += hung * at_one_of;
        break;
      }
      default:
        site.cut += one.end_kind == TransferEnd::by_timer ? 1 : 0;
        site.tried += at_one_of;
    }
  }
  return counts;
}

/// Values of the rows, of one site.
std::vector<double> of_site(OutagePosterior const& posterior, std::size_t s,
                            double FlowLaw::*value) {
  return each_of(posterior.rows, [&](OutageDraw const& row) {
    return posterior.views[row.view].draws[row.flow_draw][s].*value;
  });
}

/// The error of the law itself, for a limit or capacity: factors of the rows. Streams of one link
/// do not get exactly equal shares, and the noise of a transfer is its stream's more than the
/// link's.
std::vector<double> law_errors(std::size_t rows, RandomStream stream) {
  constexpr double share = 0.05;  // sd of the logarithm
  auto factors = stratified_draws(stream, rows, normal_quantile);
  for (double& factor : factors) factor = std::exp(share * factor);
  return factors;
}

/// 90 % width of the prior of the logarithm of a stream limit (flow_fit.hpp: N(., 3^2)).
constexpr double prior_width_of_streams = 2 * 1.6449 * 3;

/// A posterior that is a quarter as wide as its prior is evidence: where nothing limits a stream,
/// one in ten is half as wide by chance.
constexpr double narrow = 0.25;

double log_width(std::vector<double> const& values) {
  return std::log(quantile(values, 0.95) / quantile(values, 0.05));
}

/// A site's draws of a part of the law of flows; limits have the error of the law too.
std::vector<double> draws_at_site(OutagePosterior const& posterior, std::size_t s,
                                  double FlowLaw::*part, RandomStreams const& streams) {
  auto values = of_site(posterior, s, part);
  bool const of_stream = part == &FlowLaw::stream_limit;
  if (!of_stream && part != &FlowLaw::link_capacity) return values;
  auto const errors =
      law_errors(values.size(), bootstrap_stream(streams, DrawsOf::link_law, s, of_stream ? 0 : 1));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= errors[i];
  return values;
}

void add_links(Fit& fit, history::JobHistory const& history, OutagePosterior const& posterior,
               std::vector<SiteTries> const& counts, std::size_t s, RandomStreams const& streams) {
  std::string const& site = history.sites[s];
  SiteTries const& tries = counts[s];
  auto const add = [&](char const* what, char const* unit, char const* method,
                       double FlowLaw::*value, std::size_t events, Origin origin) {
    Estimate line = site_line(what, site, unit, method, events);
    line.censored = tries.cut;
    line.origin = origin;
    add_posterior(fit, line, draws_at_site(posterior, s, value, streams));
  };
  Origin const timed = tries.arrived > 0 ? Origin::fitted : Origin::borrowed;
  Origin const sized = tries.sized > 0 ? Origin::fitted : Origin::borrowed;
  bool const any_sized =
      std::ranges::any_of(counts, [](SiteTries const& one) { return one.sized > 0; });
  bool const stream_known = any_sized && log_width(of_site(posterior, s, &FlowLaw::stream_limit)) <
                                             narrow * prior_width_of_streams;
  bool const seen = stream_known && tries.sized > 0 &&
                    log_width(of_site(posterior, s, &FlowLaw::link_capacity)) <
                        narrow * 0.9 * posterior.views.front().capacities[s].width();
  add("latency_s", "s", "before the bytes of a URL come; lognormal between sites",
      &FlowLaw::latency, tries.arrived, timed);
  add("stream_limit_Bps", "B/s", "one stream alone, after its latency; lognormal between sites",
      &FlowLaw::stream_limit, stream_known ? tries.sized : 0,
      stream_known ? sized : Origin::by_default);
  add("rate_sigma", "1",
      "sd of ln(duration of a transfer), given who else transferred; sites pooled", &FlowLaw::sigma,
      tries.arrived, timed);
  add("link_capacity_Bps", "B/s",
      "the site's link, shared equally; log-uniform up to four times the sum of its streams",
      &FlowLaw::link_capacity, seen ? tries.sized : 0, seen ? Origin::fitted : Origin::by_default);
  if (tries.sized > 0 && !seen) {
    fit.not_identified.push_back(
        {"link_capacity_Bps." + site,
         "too few transfers at a time to be slowed by the link for sure",
         "at least the rate of the recorded transfers together, log-uniform above it"});
  }
}

/// Jeffreys' prior of a share.
void add_http_prior(Fit& fit, std::vector<std::string> const& urls, std::size_t draws,
                    RandomStreams const& streams) {
  bool const any_http = std::ranges::any_of(urls, [](std::string const& url) {
    return url.starts_with("http://") || url.starts_with("https://");
  });
  if (any_http) return;
  Estimate line{.name = "http_abort",
                .unit = "1",
                .method = "prior Beta(0.5, 0.5): the record has no input that came by HTTP"};
  line.origin = Origin::by_default;
  add_beta(fit, line, 0, 0, draws, bootstrap_stream(streams, DrawsOf::http_abort));
  fit.not_identified.push_back({"http_abort", "the record has no input that came by HTTP",
                                "Jeffreys' prior, Beta(0.5, 0.5)"});
}

void note_sources(Fit& fit, TransferRecords const& records, UrlInput const& urls, bool any_sized,
                  CacheLists const& stated) {
  if (urls.assumed) {
    fit.not_identified.push_back({"URLs of a job", "no ad shows their number",
                                  "one, which stands for all; --submit FILE sets it"});
  }
  if (!any_sized) {
    fit.not_identified.push_back(
        {"stream_limit_Bps, link_capacity_Bps", "sizes are in neither ads nor a submit file",
         "all is latency: a URL takes equally long for each size and each number of "
         "transfers beside it; slow outages and congestion are not separated"});
  }
  if (records.assumed_caches > 0) {
    bool const known = std::ranges::any_of(
        records.tries, [](TransferTry const& one) { return one.first_byte.has_value(); });
    fit.not_identified.push_back(
        {"cache of an attempt",
         fmt::format("no ad names it for {} tries{}", records.assumed_caches,
                     stated.empty() ? "" : " at sites without a stated list"),
         known ? "the first cache of the site's other tries; --caches SITE=CACHE,... sets it"
               : "one cache for each site; --caches SITE=CACHE,... sets it"});
  }
  if (records.without_site > 0) {
    fit.not_identified.push_back(
        {"site of failed transfers",
         fmt::format("{} attempts ended before they executed, at a site that the log does not name",
                     records.without_site),
         "left out of links and failure probabilities; give condor_history's ads"});
  }
}

void note_rule(Fit& fit, TransferRecords const& records, std::optional<Seconds> const& stated) {
  auto const rule = stall_rule(records);
  if (!rule && !stated) return;
  Estimate line{.name = "stall_timer_s", .unit = "s"};
  if (rule) {
    line.estimate = rule->usual.value();
    line.interval90 = {rule->shortest.value(), rule->longest.value()};
    line.events = rule->ended;
    line.censored = rule->longer;
    line.method = fmt::format(
        "when the stall timer acts, inferred: {} transfers were ended after {:.6g} to {:.6g} s, {} "
        "others lasted longer",
        rule->ended, rule->shortest.value(), rule->longest.value(), rule->longer);
  }
  if (stated) {
    line.estimate = stated->value();
    line.interval90 = {stated->value(), stated->value()};
    line.method = "when the stall timer acts, as stated";
    line.origin = Origin::stated;
  }
  fit.estimates.push_back(line);
}

std::optional<RuleInForce> rule_of(std::vector<double> const& lasted) {
  if (lasted.empty()) return std::nullopt;
  auto const [least, most] = std::ranges::minmax_element(lasted);
  return RuleInForce{lasted.size(), Seconds(*least), Seconds(median(lasted)), Seconds(*most)};
}

TransferRecords with_times(TransferRecords records) {
  std::erase_if(records.tries, [](TransferTry const& one) { return !one.times_known; });
  return records;
}

void note_client(Fit& fit, history::JobHistory const& history) {
  auto const rule = client_rule(history);
  if (!rule) return;
  Estimate line{.name = "client_timeout_s", .unit = "s"};
  line.estimate = rule->usual.value();
  line.interval90 = {rule->shortest.value(), rule->longest.value()};
  line.events = rule->ended;
  line.method = fmt::format(
      "when clients try the next cache, inferred: {} tries were given up after {:.4g} to {:.4g} s "
      "without a byte",
      rule->ended, rule->shortest.value(), rule->longest.value());
  fit.estimates.push_back(line);
}

void add_failed_after(Fit& fit, OutagePosterior const& posterior, std::size_t in_time) {
  std::vector<double> const shares = each_of(posterior.rows, [&](OutageDraw const& row) {
    return posterior.views[row.view].failed_after[row.flow_draw];
  });
  Estimate share{.name = "url_failed_after",
                 .unit = "1",
                 .events = in_time,
                 .method = "share of its time after which a failing URL fails; prior Beta(2, 2)",
                 .origin = in_time > 0 ? Origin::fitted : Origin::by_default};
  add_posterior(fit, share, shares);
  if (in_time == 0) {
    fit.not_identified.push_back(
        {"url_failed_after", "no ad gives the time of a URL that failed", "Beta(2, 2)"});
  }
}

}  // namespace

UrlInput urls_of(history::JobHistory const& history) {
  // Uses the attempt of each job that fetched most URLs: all of them, unless no attempt succeeded.
  // An ad whose attempt is not known can be counted to another attempt, so a URL counts once.
  using Sizes = std::vector<std::pair<std::uint32_t, Bytes>>;  // in the order of their transfers
  std::map<std::pair<std::size_t, std::uint32_t>, Sizes> by_attempt;
  for (history::UrlTransfer const& transfer : history.transfers) {
    if (transfer.upload || !transfer.succeeded) continue;
    Sizes& sizes = by_attempt[{transfer.job.index(), transfer.attempt}];
    bool const counted =
        std::ranges::any_of(sizes, [&](auto const& one) { return one.first == transfer.url; });
    if (!counted) sizes.emplace_back(transfer.url, transfer.size);
  }
  std::map<std::size_t, Sizes const*> by_job;
  for (auto const& [attempt, sizes] : by_attempt) {
    Sizes const*& most = by_job[attempt.first];
    if (most == nullptr || sizes.size() > most->size()) most = &sizes;
  }
  // The usual number of the jobs; of two as usual the larger.
  std::map<std::size_t, std::vector<Sizes const*>> by_number;
  for (auto const& [job, sizes] : by_job) by_number[sizes->size()].push_back(sizes);
  std::vector<Sizes const*> usual;
  for (auto const& [number, jobs] : by_number) {
    if (jobs.size() >= usual.size()) usual = jobs;
  }
  if (usual.empty()) return {{Bytes()}, true};
  std::vector<Bytes> sizes;
  for (auto const& [url, size] : *usual.front()) sizes.push_back(size);
  return {sizes, false};
}

std::optional<RuleInForce> stall_rule(TransferRecords const& records) {
  std::vector<double> lasted;
  for (TransferTry const& one : records.tries) {
    if (one.end_kind == TransferEnd::by_timer) lasted.push_back(one.duration().value());
  }
  auto rule = rule_of(lasted);
  if (!rule) return rule;
  for (TransferTry const& one : records.tries) {
    rule->longer += one.end_kind == TransferEnd::arrived && one.duration() > rule->longest ? 1 : 0;
  }
  return rule;
}

std::optional<RuleInForce> client_rule(history::JobHistory const& history) {
  std::vector<double> lasted;
  for (history::UrlTransfer const& transfer : history.transfers) {
    if (transfer.upload) continue;
    for (std::size_t i = 0; i + 1 < transfer.tries.size(); ++i) {
      history::CacheTry const& one = transfer.tries[i];
      // One that brought bytes lasted as long as those came, too.
      bool const silent = one.end == history::TryEnd::stalled && one.bytes <= Bytes();
      bool const goes_on = transfer.tries[i + 1].cache != one.cache;
      if (silent && goes_on && one.duration > Seconds()) lasted.push_back(one.duration.value());
    }
  }
  return rule_of(lasted);
}

Fit transfer_fit(history::JobHistory const& history, AttemptRecords const& attempts,
                 TransferFitInput const& input, std::size_t draws, RandomStreams const& streams) {
  std::size_t const sites = history.sites.size();
  TransferRecords const records =
      make_transfer_records(history, attempts, input.urls.sizes, input.caches);
  OutagePosterior const posterior = outage_posterior(with_times(records), sites, draws, streams);
  auto const counts = count_tries(records, sites);
  Fit fit;
  std::vector<SiteCount> failed, hung;
  std::size_t in_time = 0;
  bool any_sized = false;
  for (std::size_t s = 0; s < sites; ++s) {
    add_links(fit, history, posterior, counts, s, streams);
    failed.push_back({counts[s].failed, counts[s].tried});
    hung.push_back({counts[s].hung, counts[s].tried});
    in_time += counts[s].failed_in_time;
    any_sized = any_sized || counts[s].sized > 0;
  }
  double const tried = total_of(failed).exposure;
  add_pooled(fit, PooledAs::share, "url_failure", "failures / URLs tried", history.sites, failed,
             {tried, on_most_grids}, draws, bootstrap_stream(streams, DrawsOf::url_failure));
  add_pooled(fit, PooledAs::share, "url_hang", "hangs / URLs tried", history.sites, hung, {tried},
             draws, bootstrap_stream(streams, DrawsOf::url_hang));
  add_failed_after(fit, posterior, in_time);
  append(fit, outage_fit(posterior));
  add_http_prior(fit, input.urls.names, draws, streams);
  note_rule(fit, records, input.stall_timer);
  note_client(fit, history);
  note_sources(fit, records, input.urls, any_sized, input.caches);
  return fit;
}

UrlCounts url_counts(history::JobHistory const& history, AttemptRecords const& records,
                     TransferFitInput const& input) {
  UrlCounts all;
  for (SiteTries const& site :
       count_tries(make_transfer_records(history, records, input.urls.sizes, input.caches),
                   history.sites.size())) {
    all.failed.events += site.failed;
    all.hung.events += site.hung;
    all.failed.exposure += site.tried;
  }
  all.hung.exposure = all.failed.exposure;
  return all;
}

}  // namespace gridcast::calibration

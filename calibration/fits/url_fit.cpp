#include "calibration/fits/url_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "calibration/fits/likelihood.hpp"
#include "calibration/fits/partial_pooling.hpp"

namespace gridcast::calibration {

namespace {

/// One URL with a time of its own: failed ones took a share of it.
struct UrlTime {
  double log_time = 0;
  double log_size = 0;  // of bytes / reference
  bool failed = false;
};

/// Several URLs of which only the sum is known, or that it is longer.
struct UrlSum {
  double seconds = 0;
  std::size_t first = 0, last = 0;  // among the job's URLs, `last` not included
  enum class End { arrived, longer } end = End::arrived;
  double times = 1;  // as often
};

struct SiteUrls {
  std::vector<UrlTime> urls;
  std::vector<UrlSum> sums;
  double tried = 0, failed = 0, hung = 0;  // URLs; where it is not known which, by expectation
};

struct UrlTimes {
  std::vector<SiteUrls> sites;  // as JobHistory::sites
  double reference = 1;         // bytes; geometric mean of the sizes
  std::vector<double> log_sizes;
  std::size_t failed_without_site = 0;
  double tick = 1;
};

using AttemptKey = std::pair<std::size_t, std::uint32_t>;
using Transfers = std::map<AttemptKey, std::vector<history::UrlTransfer>>;

Transfers downloads(history::JobHistory const& history) {
  Transfers by_attempt;
  for (history::UrlTransfer const& transfer : history.transfers) {
    if (transfer.upload) continue;
    by_attempt[{transfer.job.index(), transfer.attempt}].push_back(transfer);
  }
  return by_attempt;
}

/// Sorts attempts into times and sums.
class Sorter {
 public:
  Sorter(history::JobHistory const& history, UrlInput const& input, UrlTimes& times)
      : input_(input), times_(times), transfers_(downloads(history)) {}

  void add(AttemptRecord const& attempt) {
    if (!attempt.site.valid()) {
      times_.failed_without_site += input_failed(attempt) || input_hung(attempt) ? 1 : 0;
      return;
    }
    SiteUrls& site = times_.sites[attempt.site.index()];
    auto const known = transfers_.find({attempt.job.index(), attempt.number});
    std::size_t done = 0;
    double spent = 0;
    bool told = false;  // the ads tell how it ended
    if (known != transfers_.end()) {
      for (history::UrlTransfer const& transfer : known->second) {
        add(site, transfer, input_hung(attempt), done, spent);
        told = told || !transfer.succeeded;
      }
      told = told || done >= urls();
    }
    if (told) return;
    rest(site, attempt, done, spent);
  }

 private:
  std::size_t urls() const { return input_.sizes.size(); }

  void add(SiteUrls& site, history::UrlTransfer const& transfer, bool hung, std::size_t& done,
           double& spent) const {
    double seconds = transfer.duration.value();
    if (seconds <= 0) seconds = std::max((transfer.end - transfer.start).value(), 0.3);
    site.tried += 1;
    if (!transfer.succeeded && hung) {
      site.hung += 1;
      return;
    }
    site.failed += transfer.succeeded ? 0 : 1;
    double const bytes = transfer.size.value();
    double const log_size = transfer.succeeded && bytes > 0
                                ? std::log(bytes / times_.reference)
                                : times_.log_sizes[std::min(done, urls() - 1)];
    // A failure's own time is in some ads and not in others, where it is zero.
    if (transfer.succeeded || transfer.duration.value() > 0) {
      site.urls.push_back({std::log(seconds), log_size, !transfer.succeeded});
    }
    spent += seconds;
    done += transfer.succeeded ? 1 : 0;
  }

  // What ads do not tell of an attempt: the URLs from `done` on.
  void rest(SiteUrls& site, AttemptRecord const& attempt, std::size_t done, double spent) {
    std::size_t const first = std::min(done, urls() - 1);
    double const left = static_cast<double>(urls() - first);
    double const until = (attempt.executing ? *attempt.executing : attempt.end).value();
    double const seconds = std::max(0.0, until - attempt.start.value() - spent);
    if (attempt.executing) {
      site.tried += left;
      site.sums.push_back({seconds, first, urls(), UrlSum::End::arrived});
    } else if (input_failed(attempt) || input_hung(attempt)) {
      // At any of them, the earlier a little more likely. Its time until the hold has more in it
      // than a share of the URL's.
      site.tried += (left + 1) / 2;
      (input_failed(attempt) ? site.failed : site.hung) += 1;
    } else if (attempt.disconnections.empty() && seconds > 0) {
      site.sums.push_back({seconds, first, urls(), UrlSum::End::longer});
    }
  }

  UrlInput const& input_;
  UrlTimes& times_;
  Transfers transfers_;
};

// Equal sums into one.
void group(std::vector<UrlSum>& sums) {
  std::map<std::tuple<double, std::size_t, int>, UrlSum> groups;
  for (UrlSum const& sum : sums) {
    auto const [at, added] =
        groups.try_emplace({sum.seconds, sum.first, static_cast<int>(sum.end)}, sum);
    if (!added) at->second.times += sum.times;
  }
  sums.clear();
  for (auto const& [key, sum] : groups) sums.push_back(sum);
}

UrlTimes url_times(history::JobHistory const& history, AttemptRecords const& records,
                   UrlInput const& input) {
  UrlTimes times;
  times.tick = records.tick;
  times.sites.resize(history.sites.size());
  double sum = 0;
  bool known = true;
  for (Bytes const& size : input.sizes) {
    known = known && size.value() > 0;
    sum += std::log(std::max(size.value(), 1.0));
  }
  times.reference = known ? std::exp(sum / static_cast<double>(input.sizes.size())) : 1;
  for (Bytes const& size : input.sizes) {
    times.log_sizes.push_back(known ? std::log(size.value() / times.reference) : 0);
  }
  Sorter sorter(history, input, times);
  for (AttemptRecord const& attempt : records.attempts) sorter.add(attempt);
  for (SiteUrls& site : times.sites) group(site.sums);
  return times;
}

double square(double x) { return x * x; }

/// Coordinates: mu and ln sigma of each site, then what all sites share.
struct Layout {
  std::size_t sites;
  std::size_t mu(std::size_t s) const { return 2 * s; }
  std::size_t sigma(std::size_t s) const { return 2 * s + 1; }
  std::size_t mean_mu() const { return 2 * sites; }
  std::size_t log_tau_mu() const { return 2 * sites + 1; }
  std::size_t mean_sigma() const { return 2 * sites + 2; }
  std::size_t log_tau_sigma() const { return 2 * sites + 3; }
  std::size_t exponent() const { return 2 * sites + 4; }
  std::size_t failed_after() const { return 2 * sites + 5; }
  std::size_t setup() const { return 2 * sites + 6; }
  std::size_t size() const { return 2 * sites + 7; }
};

/// Posterior of the transfer times.
class TimeDensity {
 public:
  explicit TimeDensity(UrlTimes const& times) : times_(times), at_{times.sites.size()} {
    for (SiteUrls const& site : times.sites) {
      for (UrlSum const& sum : site.sums) {
        if (sum.end == UrlSum::End::arrived) shortest_ = std::min(shortest_, sum.seconds);
      }
    }
    spans_ = shortest_ < 1e17;
    if (!spans_) shortest_ = 0;
    least_exponent_ = least_exponent(times);
  }

  /// A setup below zero is none: half of its prior is there, the other half flat up to the longest.
  /// Coordinates as they are sampled to those of the model. Where only sums are known, the setup
  /// and the URLs' times make them up together: what is sampled is ln of a typical sum, so that a
  /// step of the setup moves all medians with it.
  std::vector<double> natural(std::vector<double> x) const {
    x[at_.setup()] = std::max(0.0, x[at_.setup()]);
    if (!spans_) return x;
    for (std::size_t s = 0; s < at_.sites; ++s) {
      double& mu = x[at_.mu(s)];
      mu = std::log(std::max(std::exp(mu) - x[at_.setup()], 0.0) / urls());
    }
    return x;
  }

  double operator()(std::vector<double> const& sampled, std::size_t changed) const {
    if (sampled[at_.setup()] < -longest_setup()) return -HUGE_VAL;
    std::vector<double> const x = natural(sampled);
    double sum = prior(x);
    if (spans_ && std::isfinite(sum)) {
      for (std::size_t s = 0; s < at_.sites; ++s) {
        sum += sampled[at_.mu(s)] - x[at_.mu(s)];  // Jacobian, up to a constant
      }
    }
    if (!std::isfinite(sum)) return sum;
    if (changed < at_.mean_mu()) return sum + site(x, changed / 2);
    if (changed < at_.exponent()) return sum;
    for (std::size_t s = 0; s < at_.sites; ++s) sum += site(x, s);
    return sum;
  }

  double longest_setup() const { return shortest_ + times_.tick; }
  double urls() const { return static_cast<double>(times_.log_sizes.size()); }
  bool spans() const { return spans_; }

 private:
  // Spreads between sites: half-normal(1) for the medians, half-normal(1/2) for ln sigma.
  double prior(std::vector<double> const& x) const {
    double const tau_mu = std::exp(x[at_.log_tau_mu()]);
    double const tau_sigma = std::exp(x[at_.log_tau_sigma()]);
    double const exponent = x[at_.exponent()];
    double const share = x[at_.failed_after()];
    double const setup = x[at_.setup()];
    if (exponent < least_exponent_ || exponent > 1 || share <= 0 || share >= 1 || setup < 0 ||
        setup > longest_setup() || tau_mu < 1e-3 || tau_sigma < 1e-3) {
      return -HUGE_VAL;
    }
    double sum = -square(tau_mu) / 2 + x[at_.log_tau_mu()] - square(tau_sigma / 0.5) / 2 +
                 x[at_.log_tau_sigma()] - square(x[at_.mean_sigma()] + 0.7) / 2;
    sum -= std::log(exponent);
    sum += std::log(share) + std::log1p(-share);  // Beta(2, 2)
    for (std::size_t s = 0; s < at_.sites; ++s) {
      if (std::abs(x[at_.sigma(s)]) > 6) return -HUGE_VAL;
      sum -= square((x[at_.mu(s)] - x[at_.mean_mu()]) / tau_mu) / 2 + std::log(tau_mu);
      sum -= square((x[at_.sigma(s)] - x[at_.mean_sigma()]) / tau_sigma) / 2 + std::log(tau_sigma);
    }
    return sum - square(x[at_.mean_mu()] / 20) / 2;
  }

  double site(std::vector<double> const& x, std::size_t s) const {
    double const mu = x[at_.mu(s)];
    double const sigma = std::exp(x[at_.sigma(s)]);
    double const exponent = x[at_.exponent()];
    double const log_share = std::log(x[at_.failed_after()]);
    double sum = 0;
    for (UrlTime const& url : times_.sites[s].urls) {
      double const z =
          (url.log_time - mu - exponent * url.log_size - (url.failed ? log_share : 0)) / sigma;
      sum -= z * z / 2;
    }
    sum -= static_cast<double>(times_.sites[s].urls.size()) * std::log(sigma);
    for (UrlSum const& one : times_.sites[s].sums) {
      sum += one.times * log_sum(one, mu, sigma, exponent, x[at_.setup()]);
    }
    return sum;
  }

  double log_sum(UrlSum const& one, double mu, double sigma, double exponent, double setup) const {
    double const lead = one.first == 0 ? setup : 0;
    LogNormalSum sum;
    for (std::size_t i = one.first; i < one.last; ++i) {
      sum.add({mu + exponent * times_.log_sizes[i], sigma});
    }
    if (one.end == UrlSum::End::longer) return log_longer(sum.total(), lead, one.seconds);
    return log_rounded(sum.total(), lead, one.seconds, times_.tick);
  }

  // The exponent is the share of a typical time that is bandwidth, bytes / bandwidth / time, the
  // rest being latency: with a bandwidth that may be of any order of magnitude up to 1 GB/s it is
  // log-uniform from here to one.
  static double least_exponent(UrlTimes const& times) {
    constexpr double fastest = 1e9;  // bytes a second
    double seconds = 0, n = 0;
    for (SiteUrls const& site : times.sites) {
      for (UrlTime const& url : site.urls) seconds += std::exp(url.log_time), n += 1;
      for (UrlSum const& sum : site.sums) {
        seconds += sum.seconds, n += static_cast<double>(sum.last - sum.first);
      }
    }
    double const share = n > 0 && seconds > 0 ? times.reference * n / (fastest * seconds) : 1e-3;
    return std::clamp(share, 1e-3, 0.5);
  }

  UrlTimes const& times_;
  Layout at_;
  double least_exponent_ = 1e-3;
  double shortest_ = 1e18;
  bool spans_ = false;
};

// Where to begin: around the pooled mean of ln time.
std::vector<double> start_of(UrlTimes const& times, Layout const& at, double longest_setup) {
  std::vector<double> x(at.size(), 0.0);
  double total = 0, count = 0;
  std::vector<double> own(at.sites, 0.0), n(at.sites, 0.0);
  for (std::size_t s = 0; s < at.sites; ++s) {
    for (UrlTime const& url : times.sites[s].urls) own[s] += url.log_time, n[s] += 1;
    for (UrlSum const& sum : times.sites[s].sums) {
      if (sum.end != UrlSum::End::arrived) continue;
      double const one = sum.seconds / static_cast<double>(sum.last - sum.first);
      own[s] += sum.times * std::log(std::max(one, 0.3));
      n[s] += sum.times;
    }
    total += own[s];
    count += n[s];
  }
  double const mean = count > 0 ? total / count : 0;
  for (std::size_t s = 0; s < at.sites; ++s) {
    x[at.mu(s)] = (own[s] + mean) / (n[s] + 1);
    x[at.sigma(s)] = -0.7;
  }
  x[at.mean_mu()] = mean;
  x[at.log_tau_mu()] = -0.5;
  x[at.mean_sigma()] = -0.7;
  x[at.log_tau_sigma()] = -1;
  x[at.exponent()] = 0.2;
  x[at.failed_after()] = 0.5;
  x[at.setup()] = std::min(longest_setup / 4, 0.2);
  return x;
}

std::vector<double> sampled_start(UrlTimes const& times, Layout const& at,
                                  TimeDensity const& density) {
  auto x = start_of(times, at, density.longest_setup());
  if (!density.spans()) return x;
  for (std::size_t s = 0; s < at.sites; ++s) {
    x[at.mu(s)] = std::log(std::exp(x[at.mu(s)]) * density.urls() + x[at.setup()]);
  }
  return x;
}

std::vector<double> column(std::vector<std::vector<double>> const& draws, std::size_t i,
                           bool exponentiated) {
  std::vector<double> values;
  for (auto const& row : draws) values.push_back(exponentiated ? std::exp(row[i]) : row[i]);
  return values;
}

std::size_t arrived(SiteUrls const& site) {
  double n = 0;
  for (UrlTime const& url : site.urls) n += url.failed ? 0 : 1;
  for (UrlSum const& sum : site.sums) {
    if (sum.end == UrlSum::End::arrived) n += sum.times * static_cast<double>(sum.last - sum.first);
  }
  return static_cast<std::size_t>(n);
}

std::size_t cut_short(SiteUrls const& site) {
  double n = 0;
  for (UrlSum const& sum : site.sums) n += sum.end == UrlSum::End::longer ? sum.times : 0;
  return static_cast<std::size_t>(n);
}

/// Single times against the fitted normal distribution of their logarithms.
std::string normal_fit(SiteUrls const& site, double mu, double sigma, double exponent) {
  std::vector<double> standardised;
  for (UrlTime const& url : site.urls) {
    if (url.failed) continue;
    standardised.push_back((url.log_time - mu - exponent * url.log_size) / sigma);
  }
  return normality(standardised);
}

/// url_exponent and url_failed_after.
void add_shared(Fit& fit, UrlTimes const& times, bool sizes_known,
                std::vector<double> const& exponents, std::vector<double> const& failed_after) {
  auto const [least, most] = std::minmax_element(times.log_sizes.begin(), times.log_sizes.end());
  bool const sizes_differ = *most - *least > 0.1;
  std::size_t of_exponent = 0, of_share = 0;
  for (SiteUrls const& site : times.sites) {
    of_exponent += sizes_differ ? arrived(site) : 0;
    for (UrlTime const& url : site.urls) of_share += url.failed ? 1 : 0;
  }
  add_posterior(fit,
                {.name = "url_exponent",
                 .unit = "1",
                 .events = of_exponent,
                 .method = "time ~ bytes^exponent; prior log-uniform, any bandwidth up to 1 GB/s"},
                exponents);
  add_posterior(
      fit,
      {.name = "url_failed_after",
       .unit = "1",
       .events = of_share,
       .method = "share of its time after which a URL that fails does so; prior Beta(2, 2)"},
      failed_after);
  if (!sizes_known) {
    fit.not_identified.push_back({"url_exponent", "neither ads nor a submit file tell sizes",
                                  "0: a URL takes as long whatever its size"});
  } else if (!sizes_differ) {
    fit.not_identified.push_back({"url_exponent", "all URLs are of one size",
                                  "log-uniform, from all latency to 1 (all bandwidth)"});
  }
  if (of_share == 0) {
    fit.not_identified.push_back(
        {"url_failed_after", "no ad gives the time of a URL that failed", "Beta(2, 2)"});
  }
}

}  // namespace

UrlInput urls_of(history::JobHistory const& history) {
  // The attempt that fetched most, which is all of them.
  std::vector<Bytes> most;
  for (auto const& [key, transfers] : downloads(history)) {
    std::vector<Bytes> sizes;
    for (history::UrlTransfer const& transfer : transfers) {
      if (transfer.succeeded) sizes.push_back(transfer.size);
    }
    if (sizes.size() > most.size()) most = sizes;
  }
  if (!most.empty()) return {most, false};
  return {{Bytes()}, true};
}

Fit url_fit(history::JobHistory const& history, AttemptRecords const& records,
            UrlInput const& input, std::size_t draws, RandomStreams const& streams) {
  UrlTimes const times = url_times(history, records, input);
  Layout const at{times.sites.size()};
  TimeDensity const density(times);
  std::vector<double> widths(at.size(), 0.4);
  widths[at.setup()] = std::max(density.longest_setup() / 3, 1e-3);
  SliceSampler sampler([&](auto const& x, std::size_t changed) { return density(x, changed); },
                       sampled_start(times, at, density), widths,
                       bootstrap_stream(streams, DrawsOf::url_times));
  auto posterior = sampler.draws(draws, density.spans() ? 8 : 4);
  for (auto& row : posterior) row = density.natural(row);
  bool const sizes_known = std::all_of(input.sizes.begin(), input.sizes.end(),
                                       [](Bytes size) { return size > Bytes(); });
  auto exponents = column(posterior, at.exponent(), false);
  if (!sizes_known) std::fill(exponents.begin(), exponents.end(), 0.0);
  Fit fit;
  std::vector<SiteCount> failed, hung;
  for (std::size_t s = 0; s < at.sites; ++s) {
    SiteUrls const& site = times.sites[s];
    auto const medians = column(posterior, at.mu(s), true);
    auto const sigmas = column(posterior, at.sigma(s), true);
    Estimate line =
        site_line("url_median_s", history.sites[s], "s",
                  "time of a URL of the reference size: lognormal, sites pooled", arrived(site));
    line.censored = cut_short(site);
    line.fit = normal_fit(site, std::log(median(medians)), median(sigmas), median(exponents));
    add_posterior(fit, line, medians);
    line.name = "url_sigma." + history.sites[s];
    line.unit = "1";
    line.method = "sd of ln(time of a URL), sites pooled";
    add_posterior(fit, line, sigmas);
    failed.push_back({site.failed, site.tried});
    hung.push_back({site.hung, site.tried});
  }
  add_pooled(fit, PooledAs::share, "url_failure", "failures / URLs tried", history.sites, failed,
             draws, bootstrap_stream(streams, DrawsOf::url_failure));
  add_pooled(fit, PooledAs::share, "url_hang", "hangs / URLs tried", history.sites, hung, draws,
             bootstrap_stream(streams, DrawsOf::url_hang));
  add_shared(fit, times, sizes_known, exponents, column(posterior, at.failed_after(), false));
  fit.draws.add("url_reference_B", std::vector<double>(draws, times.reference));
  if (input.assumed) {
    fit.not_identified.push_back({"URLs of a job", "no ad tells how many there are",
                                  "one, which stands for all; --submit FILE or --urls N tells"});
  }
  if (times.failed_without_site > 0) {
    fit.not_identified.push_back(
        {"site of failed transfers",
         fmt::format("{} attempts failed before they executed, at a site that the log does not "
                     "name",
                     times.failed_without_site),
         "left out of the failure probabilities; give condor_history's ads"});
  }
  return fit;
}

}  // namespace gridcast::calibration

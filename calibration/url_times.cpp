#include "calibration/url_times.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace gridcast::calibration {

namespace {

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
  Sorter(history::JobHistory const& history, AttemptRecords const& records, UrlInput const& input,
         UrlTimes& times)
      : records_(records), input_(input), times_(times), transfers_(downloads(history)) {}

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
    UrlSum sum{seconds, first, urls(), UrlSum::End::arrived, 1};
    if (attempt.executing) {
      site.tried += left;
    } else if (input_failed(attempt)) {
      // At any of them, the earlier a little more likely. Its time until the hold has more in it
      // than a share of the URL's.
      site.tried += (left + 1) / 2;
      site.failed += 1;
      return;
    } else if (input_hung(attempt)) {
      site.tried += (left + 1) / 2;
      site.hung += 1;
      return;
    } else {
      sum.end = UrlSum::End::longer;
      if (attempt.disconnections.empty() && seconds > 0) site.sums.push_back(sum);
      return;
    }
    site.sums.push_back(sum);
  }

  AttemptRecords const& records_;
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
  Sorter sorter(history, records, input, times);
  for (AttemptRecord const& attempt : records.attempts) sorter.add(attempt);
  for (SiteUrls& site : times.sites) group(site.sums);
  return times;
}

}  // namespace gridcast::calibration

#include "sim/condor/url_transfers.hpp"

#include <algorithm>

namespace gridcast::condor {
namespace {

// Clocks of execution points are a little off.
constexpr std::int64_t clocks_differ_s = 2;

// Index of the attempt; the number of attempts if it is none.
std::size_t attempt_of(UrlTransferAd const& ad, std::vector<DatedAttempt> const& attempts) {
  auto found = attempts.end();
  if (ad.attempt != 0) {
    found = std::find_if(attempts.begin(), attempts.end(), [&ad](DatedAttempt const& attempt) {
      return std::find(attempt.numbers.begin(), attempt.numbers.end(), ad.attempt) !=
             attempt.numbers.end();
    });
  }
  if (found == attempts.end()) {
    found = std::find_if(attempts.begin(), attempts.end(), [&ad](DatedAttempt const& attempt) {
      return attempt.begin <= ad.start + clocks_differ_s && ad.start <= attempt.end;
    });
  }
  return static_cast<std::size_t>(found - attempts.begin());
}

}  // namespace

std::size_t UrlTransfers::add(Id<history::Job> job, std::vector<UrlTransferAd> const& ads,
                              std::vector<DatedAttempt> const& attempts) {
  std::size_t left_out = 0;
  auto const at = [this](std::int64_t unix_s) {
    return Seconds(static_cast<double>(unix_s - *history_.start_unix));
  };
  for (UrlTransferAd const& ad : ads) {
    std::size_t const attempt = attempt_of(ad, attempts);
    if (attempt == attempts.size()) {
      ++left_out;
      continue;
    }
    history_.transfers.push_back({job, static_cast<std::uint32_t>(attempt + 1), url_named(ad.url),
                                  ad.upload, ad.succeeded, at(ad.start), at(ad.end), ad.duration,
                                  ad.size});
  }
  return left_out;
}

std::uint32_t UrlTransfers::url_named(std::string const& url) {
  auto const [found, fresh] =
      urls_.try_emplace(url, static_cast<std::uint32_t>(history_.urls.size()));
  if (fresh) history_.urls.push_back(url);
  return found->second;
}

}  // namespace gridcast::condor

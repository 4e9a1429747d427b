// Any bytes as ads of jobs: reading them, the histories made of them and of a log with them, and
// the comparison of the two.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/condor/ads/ad_history.hpp"
#include "sim/condor/ads/merge_ads.hpp"

namespace gridcast::fuzz {
namespace {

// In time, and of things that are there.
void check_history(history::JobHistory const& history) {
  std::vector<Seconds> last(history.jobs.size(), Seconds(-1e18));
  for (history::JobEvent const& event : history.events) {
    if (event.at < last.at(event.job.index())) __builtin_trap();
    last[event.job.index()] = event.at;
    if (event.site.valid() && event.site.index() >= history.sites.size()) __builtin_trap();
  }
  for (history::UrlTransfer const& transfer : history.transfers) {
    if (transfer.url >= history.urls.size() || transfer.end < transfer.start) __builtin_trap();
  }
}

}  // namespace
}  // namespace gridcast::fuzz

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace gridcast;
  condor::JobAds ads;
  try {
    condor::add_job_ads({reinterpret_cast<char const*>(data), size}, "ads", ads);
    condor::settle_job_ads(ads);
    condor::MergeReport alone;
    condor::LoggedHistory log;
    log.history = condor::history_from_ads(ads, alone);
    fuzz::check_history(log.history);
    // Their own history without its second half.
    log.history.events.resize(log.history.events.size() / 2);
    log.history.transfers.clear();
    condor::MergeReport merged;
    log = condor::merge(std::move(log), ads, merged);
    fuzz::check_history(log.history);
  } catch (InputError const&) {
    return 0;
  }
  return 0;
}

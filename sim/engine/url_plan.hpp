// The URLs of an input transfer, one after the other as HTCondor's plugin fetches them, with what
// becomes of each: known when it starts, as nothing that happens meanwhile changes it.
//   time = url_median * (bytes / reference)^exponent * exp(sigma z)
// A URL fails with the site's probability after a share of its time, or hangs. One run of the
// plugin fetches them all, and its lifetime (MAX_FILE_TRANSFER_PLUGIN_LIFETIME) ends whatever it
// does. Left out: transfers that share a link.
#pragma once

#include <vector>

#include "sim/base/random.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::engine {

enum class UrlEnd { arrived, failed, timed_out };

struct UrlPlan {
  Seconds time;
  UrlEnd end = UrlEnd::arrived;
};

/// As many as are tried: all, or up to the first that does not arrive.
std::vector<UrlPlan> plan_urls(std::vector<scenario::InputFile> const& input,
                               scenario::EventLogParameters const& draw,
                               scenario::EventLogSiteParameters const& site,
                               Seconds plugin_lifetime, RandomStream stream);

}  // namespace gridcast::engine

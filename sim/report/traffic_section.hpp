// Caches and links: traffic over time, hit ratios, how many transfers ran at a time, and when
// caches or the origin were overloaded. Of a simulated campaign from what its resources did; of a
// log from its transfers, and from the URLs in its ads where there are any.
#pragma once

#include "sim/report/page/document.hpp"
#include "sim/report/page/one_campaign.hpp"

namespace gridcast::report {

ReportPart traffic_section(OneCampaign const& campaign);

}  // namespace gridcast::report

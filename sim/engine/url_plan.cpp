#include "sim/engine/url_plan.hpp"

#include <cmath>
#include <limits>

namespace gridcast::engine {

namespace {

constexpr Seconds forever(std::numeric_limits<double>::infinity());

Seconds url_time(Bytes size, scenario::EventLogParameters const& draw,
                 scenario::EventLogSiteParameters const& site, double z) {
  double const larger = std::pow(size / draw.url_reference, draw.url_exponent);
  return site.url_median * (larger * std::exp(site.url_sigma * z));
}

}  // namespace

std::vector<UrlPlan> plan_urls(std::vector<scenario::InputFile> const& input,
                               scenario::EventLogParameters const& draw,
                               scenario::EventLogSiteParameters const& site,
                               Seconds plugin_lifetime, RandomStream stream) {
  std::vector<UrlPlan> plan;
  Seconds left = plugin_lifetime;
  for (scenario::InputFile const& file : input) {
    Seconds time = url_time(file.size, draw, site, normal_quantile(stream.uniform()));
    UrlEnd end = UrlEnd::arrived;
    double const fate = stream.uniform();
    if (fate < site.url_failure) {
      time = time * draw.url_failed_after;
      end = UrlEnd::failed;
    } else if (fate < site.url_failure + site.url_hang) {
      time = forever;
    }
    if (time > left) {
      time = left;
      end = UrlEnd::timed_out;
    }
    left -= time;
    plan.push_back({time, end});
    if (end != UrlEnd::arrived) break;
  }
  return plan;
}

}  // namespace gridcast::engine

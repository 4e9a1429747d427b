// Caches that lack a file and fetch it from the origin. The fit is in simulated/link_fit.hpp.
#include "calibration/processes/processes.hpp"

namespace gridcast::calibration {

Process cold_caches() {
  using namespace words_of_columns;
  return {
      .described = {.name = "cold-caches",
                    .meaning = "a cache fetches a file from the origin",
                    .site_columns =
                        {{"cold_share", probability, at_site<&Site::cold_share>,
                          "Share of the tries at a cache that lacks the file, and fetches it at "
                          "cold_limit_Bps"},
                         {"cold_limit_Bps", capacity, at_site<&Site::cold_limit>,
                          "Rate of a transfer from such a cache alone, B/s"},
                         {"cold_sigma", not_negative, at_site<&Site::cold_sigma>,
                          "Standard deviation of ln(time of a URL) between tries at such caches"}},
                    .zero_is_off = {"cold_share"}}};
}

}  // namespace gridcast::calibration

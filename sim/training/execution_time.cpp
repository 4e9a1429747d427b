#include "sim/training/execution_time.hpp"

namespace gridcast::training {

Seconds execution_time(scenario::SiteParameters const& site, int epochs, RandomStream& stream) {
  return site.unpack + Seconds(site.epoch.sample(stream)) * epochs;
}

}  // namespace gridcast::training

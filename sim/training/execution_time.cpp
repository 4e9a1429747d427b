#include "sim/training/execution_time.hpp"

namespace gridcast {

Seconds execution_time(SiteWorld const& site, int epochs, RandomStream& stream) {
  return site.unpack + Seconds(site.epoch.sample(stream)) * epochs;
}

}  // namespace gridcast

#include "sim/engine/simgrid_engine.hpp"

#include <xbt/log.h>

#include "sim/engine/replica.hpp"

namespace gridcast::engine {

namespace sg4 = simgrid::s4u;

sg4::NetZone* grid_zone() {
  xbt_log_control_set("xbt_cfg.thresh:warning");  // or it reports each setting on stderr
  auto* const engine = sg4::Engine::get_instance();
  if (auto* const root = engine->get_netzone_root()) return root;
  sg4::Engine::set_config("network/model:CM02");
  sg4::Engine::set_config("network/crosstraffic:no");
  auto* const zone = sg4::create_full_zone("grid");
  zone->create_host("access-point", 1e9)->seal();
  return zone;
}

void prepare_engine() { grid_zone(); }

}  // namespace gridcast::engine

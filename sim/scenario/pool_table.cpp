#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

Table<SiteEntry> const& site_table() {
  static Table<SiteEntry> const table =
      Table<SiteEntry>("Sites where pilots run")
          .required("name", &SiteSpec::name,
                    "As in GLIDEIN_ResourceName and in the calibration's parameters")
          .required("gpus", &SiteSpec::gpus, "Most GPUs that pilots hold at once", positive())
          .unless("slots")
          .required("gpu", &SiteSpec::gpu, "Device name, e.g. A100")
          .unless("slots")
          .required("gpu_capability", &SiteSpec::gpu_capability,
                    "CUDA compute capability, e.g. 8.0")
          .unless("slots")
          .required("gpu_memory", &SiteSpec::gpu_memory, "Of each GPU")
          .unless("slots")
          .required("disk", &SiteSpec::disk, "Scratch space that a slot offers")
          .unless("slots")
          .required("uplink", &SiteSpec::uplink,
                    "The site's link; the calibration's fitted capacity replaces it", positive())
          .unless("slots")
          .optional("slots", &SiteSpec::slots,
                    "Most slots that pilots hold at once, for pools calibrated from dated logs; "
                    "0: one for each GPU")
          .optional("slots_per_pilot", &SiteSpec::slots_per_pilot,
                    "Slots that a pilot's death takes with it", positive())
          .optional("pilot_walltime", &SiteSpec::pilot_walltime,
                    "Of this site's factory entry; 0 s: `pilots.walltime`")
          .required("caches", &SiteEntry::cache_names,
                    "Names of caches, in the order in which the director offers them")
          .unless("slots")
          .optional("gpus_per_node", &SiteSpec::gpus_per_node,
                    "GPUs of a node: the most that a job on one node can get", positive())
          .optional("cluster", &SiteSpec::cluster,
                    "Jobs may have several nodes (Slurm-like); elsewhere each has one")
          .optional("machine", &SiteSpec::machine,
                    "Machine of the catalogue (hardware.yaml) whose links and memory the nodes "
                    "have; without it `pool-slot`");
  return table;
}

Table<CacheSpec> const& cache_table() {
  static Table<CacheSpec> const table =
      Table<CacheSpec>("OSDF caches; whole files, least recently used ones go first")
          .required("name", &CacheSpec::name, "By which sites refer to it")
          .required("disk", &CacheSpec::disk, "Space for files", positive())
          .optional("high_watermark", &CacheSpec::high_watermark,
                    "A fill above this share of the disk starts a purge", share())
          .optional("low_watermark", &CacheSpec::low_watermark,
                    "... which goes on down to this share", share());
  return table;
}

Table<OriginSpec> const& origin_table() {
  static Table<OriginSpec> const table =
      Table<OriginSpec>("Where the input comes from")
          .required("name", &OriginSpec::name, "For reports")
          .required("bandwidth", &OriginSpec::bandwidth,
                    "Egress, shared by cache fills and direct reads", positive())
          .required("stream_limit", &OriginSpec::stream_limit, "What one stream reaches",
                    positive());
  return table;
}

Table<AccessPointSpec> const& access_point_table() {
  static Table<AccessPointSpec> const table =
      Table<AccessPointSpec>("The schedd and its limits")
          .optional("max_transfer_input", &AccessPointSpec::max_transfer_input,
                    "MAX_TRANSFER_INPUT_MB: more than this through the access point is held "
                    "(code 32)",
                    positive())
          .optional("transfer_slots", &AccessPointSpec::transfer_slots,
                    "MAX_CONCURRENT_UPLOADS: input transfers at a time", positive())
          .optional("bandwidth", &AccessPointSpec::bandwidth, "The access point's own link",
                    positive())
          .optional("shadow_start_interval", &AccessPointSpec::shadow_start_interval,
                    "From the start of one shadow to the next")
          .optional("max_execution", &AccessPointSpec::max_execution,
                    "allowed_execute_duration: a longer execution is held (code 47)", positive())
          .optional("policy_interval", &AccessPointSpec::policy_interval,
                    "How often periodic expressions are evaluated", positive());
  return table;
}

Table<NegotiatorSpec> const& negotiator_table() {
  static Table<NegotiatorSpec> const table =
      Table<NegotiatorSpec>("Matchmaking")
          .optional("interval", &NegotiatorSpec::interval, "NEGOTIATOR_INTERVAL", positive())
          .optional("priority_halflife", &NegotiatorSpec::priority_halflife,
                    "PRIORITY_HALFLIFE: how fast users' priorities follow what they use",
                    positive());
  return table;
}

Table<PilotSpec> const& pilot_table() {
  static Table<PilotSpec> const table =
      Table<PilotSpec>("Pilots (glideins): how long they live and what they accept")
          .optional("walltime", &PilotSpec::walltime,
                    "GLIDEIN_Max_Walltime of entries that give none of their own", positive())
          .optional("min_remaining", &PilotSpec::min_remaining,
                    "Jobs start only on pilots with this much life left")
          .optional("replacement", &PilotSpec::replacement,
                    "Mean wait for the next pilot after one has ended", positive());
  return table;
}

}  // namespace

Table<PoolEntries> const& pool_table() {
  static Table<PoolEntries> const table =
      Table<PoolEntries>("A pool: where jobs can run, and what lies between them and their data")
          .schema(pool_schema_name)
          .list("sites", &PoolEntries::entries, site_table())
          .list("caches", &Pool::caches, cache_table(), false)
          .group("origin", false, &Pool::origin, origin_table())
          .group("access_point", false, &Pool::access_point, access_point_table())
          .group("negotiator", false, &Pool::negotiator, negotiator_table())
          .group("pilots", false, &Pool::pilots, pilot_table());
  return table;
}

}  // namespace gridcast::scenario

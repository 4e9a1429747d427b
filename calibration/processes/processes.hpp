// All processes of the model, one file each.
#pragma once

#include "calibration/processes/process.hpp"

namespace gridcast::calibration {

Process slots();
Process pilot_deaths();
Process transfer_holds();
Process failed_urls();
Process missing_namespaces();
Process site_outages();
Process corrupt_inputs();
Process releases();
Process direct_downloads();
Process delays();
Process transfer_rates();
Process cold_caches();
Process transfer_outages();
Process pauses();
Process executions();
Process limits();
Process crashes();
Process evictions();
Process lost_contacts();
Process suspensions();
Process removals();

}  // namespace gridcast::calibration

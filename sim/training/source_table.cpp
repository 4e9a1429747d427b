#include "sim/training/source_table.hpp"

#include <cmath>

#include "sim/scenario/profile_hardware.hpp"
#include "sim/training/what_if.hpp"

namespace gridcast::training {

bool SourceRow::agrees() const {
  if (tolerance == 0 || std::isnan(source)) return true;
  return std::abs(difference()) <= tolerance;
}

SourceTable what_if_table(SourceFiles const& files) {
  SourceTable table{
      "The notes' suggestions, as what-ifs",
      "Run time of the job as the notes describe it, and with the suggestion. A suggestion that "
      "makes I/O cheaper gains nothing where training does not wait for it; copying first "
      "(staging) costs its own time in so short a run. Not modelled: RDMA between nodes, tf.data's "
      "AUTOTUNE, TensorBoard, in-memory HDF5 (the same as staging to memory here), and "
      "interference "
      "between files.",
      {},
      "",
      "as it was",
      "what if"};
  scenario::Hardware const hardware = scenario::read_hardware(files.profiles / "hardware.yaml");
  for (WhatIf const& row : what_ifs(files.profiles, hardware)) {
    table.rows.push_back({row.profile + ": " + row.suggestion, "I/O of a rank, " + row.change, "s",
                          row.io_before.value(), row.io_after.value(), 0, true, ""});
    table.rows.push_back({row.profile + ": " + row.suggestion, "run time", "s",
                          row.total_before.value(), row.total_after.value(), 0, true, ""});
  }
  return table;
}

std::vector<SourceTable> source_tables(SourceFiles const& files) {
  return {kempner_table(files),        kempner_outlook_table(files),
          hpml_table(files),           hpml_batches_table(files),
          darshan_table(files),        what_if_table(files),
          dlio_table(files),           osg_table(files),
          osg_executions_table(files), streaming_table(files)};
}

}  // namespace gridcast::training

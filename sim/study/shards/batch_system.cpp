#include "sim/study/shards/batch_system.hpp"

#include <filesystem>

namespace gridcast::study {

std::string_view name(BatchSystem system) {
  return system == BatchSystem::slurm ? "slurm" : "htcondor";
}

void check_is_there(BatchSystem system) {
  system == BatchSystem::slurm ? check_slurm() : check_htcondor();
}

std::vector<std::string> submit(BatchSystem system, StudyFolder const& folder,
                                std::vector<Shard> const& shards, SubmitOptions const& options) {
  return system == BatchSystem::slurm ? submit_to_slurm(folder, shards, options)
                                      : submit_to_htcondor(folder, shards, options);
}

std::vector<QueuedShard> queued_shards(BatchSystem system, StudyFolder const& folder) {
  return system == BatchSystem::slurm ? shards_in_slurm(folder) : shards_in_htcondor(folder);
}

void cancel(BatchSystem system, StudyFolder const& folder) {
  system == BatchSystem::slurm ? cancel_in_slurm(folder) : cancel_in_htcondor(folder);
}

std::vector<BatchSystem> systems_used(StudyFolder const& folder) {
  bool slurm = false, htcondor = false;
  std::error_code ignored;
  for (int n = 1; n <= folder.submissions(); ++n) {
    slurm |= std::filesystem::exists(folder.submission_file(n, "sbatch"), ignored);
    htcondor |= std::filesystem::exists(folder.submission_file(n, "sub"), ignored);
  }
  std::vector<BatchSystem> systems;
  if (slurm) systems.push_back(BatchSystem::slurm);
  if (htcondor) systems.push_back(BatchSystem::htcondor);
  return systems;
}

}  // namespace gridcast::study

// What was fitted to a table of runs: each parameter with its interval, the candidates with their
// weights and what refutes them, and each row beside its forecast, those that were held back apart.
// {"schema": "gridcast.training-fit/1", ...} and {"schema": "gridcast.storage-fit/1", ...} for scripts.
#pragma once

#include <string>
#include <vector>

#include "sim/report/text/characters.hpp"
#include "sim/training/fit/storage_fit.hpp"
#include "sim/training/fit/straggler_fit.hpp"
#include "sim/training/fit/training_fit.hpp"

namespace gridcast::report {

/// `held`: rows that were not fitted to.
std::string fit_text(training::TrainingFit const& fit, std::vector<training::RunRow> const& held,
                     std::vector<std::string> const& notes, Screen const& screen);
std::string fit_json(training::TrainingFit const& fit, std::vector<training::RunRow> const& held,
                     std::vector<std::string> const& notes);

std::string fit_text(std::vector<training::StorageFit> const& fits,
                     std::vector<training::StorageRow> const& held,
                     std::vector<std::string> const& notes, Screen const& screen);
std::string fit_json(std::vector<training::StorageFit> const& fits,
                     std::vector<training::StorageRow> const& held,
                     std::vector<std::string> const& notes);

/// `slowest`: of each step, over the usual time.
std::string fit_text(training::StragglerFit const& fit, std::vector<double> const& slowest,
                     Screen const& screen);
/// {"schema": "gridcast.straggler-fit/1", ...}
std::string fit_json(training::StragglerFit const& fit, std::vector<double> const& slowest);

}  // namespace gridcast::report

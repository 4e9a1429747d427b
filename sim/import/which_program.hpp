// Which of a record's programs a submit file is of.
//
// HTCondor records Cmd as a whole path, Iwd and the submit file's executable behind it; Iwd is not
// in a submit file. A relative executable is that of a recorded path that ends with it.
#pragma once

#include <string>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/import/calibrated_program.hpp"

namespace gridcast::import {

/// True if jobs of a submit file with this executable are recorded as such.
bool is_recorded_as(std::string const& executable, std::string const& recorded);

/// The submit file's name of its program.
struct SubmittedProgram {
  std::string executable = {}, arguments = {}, batch_name = {};
};

/// Those of the variants that it may be: by its executable, or that with its arguments, as they
/// stand; else by the ends of paths; else by its arguments alone or its batch name.
std::vector<ProgramVariant> fitting_variants(std::vector<ProgramVariant> const& variants,
                                             SubmittedProgram const& submitted);

/// "'/a/train.sh', '/a/debug.sh'".
std::string quoted_names(std::vector<ProgramVariant> const& variants);

/// InputError if none has this name (--program).
ProgramVariant named_variant(std::vector<ProgramVariant> const& variants, std::string const& named);

/// True if a job of a record ran the program of this name, as a calibration or
/// `ledger --by program` names it.
bool runs_program(history::JobHistory const& history, std::size_t job, std::string const& name);

/// The recorded program that it is, with the same arguments where there is one.
struct RecognisedProgram {
  history::RanProgram const* program = nullptr;  // none: no job ran it
  bool same_arguments = false;                   // or they are unknown
};
RecognisedProgram recognised(std::vector<history::RanProgram> const& ran,
                             SubmittedProgram const& submitted);

}  // namespace gridcast::import

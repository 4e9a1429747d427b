// How far a campaign lies beyond the record of a calibration, in one line. A forecast within the
// record is tested by other campaigns; one with 47 times the input rests on the form of the model.
// Test jobs remove that doubt, so the line recommends them.
#pragma once

#include <filesystem>

#include "sim/import/calibrated_program.hpp"

namespace gridcast::import {

/// Adds a note if input, work or jobs at a time are twice the record's or more. A record that does
/// not show one of them says nothing about it. The slots of the pool limit the jobs at a time.
///   "beyond the record: input 47 times the record's (137 GB, not 2.9 GB). ..."
void note_beyond_record(SubmitImport& import, CalibratedProgram const& program,
                        scenario::Pool const& pool, std::filesystem::path const& submit_file);

}  // namespace gridcast::import

// How far a campaign lies beyond the record of a calibration, in words. A forecast within the
// record is tested by other campaigns; one with 47 times the input rests on the form of the model.
#pragma once

#include <string>

#include "sim/import/calibrated_program.hpp"

namespace gridcast::import {

/// Input, work and jobs at a time that are twice the record's or more, and GPU models on which no
/// recorded job ran; empty if none is. A record that does not show one of them implies nothing
/// about it. The slots of the pool limit the jobs
/// at a time.
///   "input 47 times the record's (137 GB, not 2.9 GB), work of a job 3 times the record's"
std::string beyond_record(CalibratedProgram const& program, scenario::Campaign const& campaign,
                          scenario::Pool const& pool);

}  // namespace gridcast::import

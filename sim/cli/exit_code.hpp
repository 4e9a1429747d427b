// What the program's exit status says. The same for every verb, and never another number.
#pragma once

namespace gridcast::cli::exit_code {

inline constexpr int done = 0;
inline constexpr int failed = 1;        // the simulation, or gridcast itself
inline constexpr int bad_input = 2;     // usage or input
inline constexpr int incomplete = 3;    // the study was finished, but replicas failed
inline constexpr int wrong_answer = 4;  // to a lesson
inline constexpr int interrupted =
    130;  // Ctrl-C: what was done till then is shown, marked as partial

}  // namespace gridcast::cli::exit_code

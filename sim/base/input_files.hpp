// The files that this process has read: OutputFile writes over none of them, under whichever name, so that what
// a verb forgot to look at before its work is not lost either.
#pragma once

#include <filesystem>

namespace gridcast::inline base {

/// From now on files that are read are kept. For programs; what reads and writes in turns does without.
void protect_input_files();

/// That a file is read.
void note_input_file(std::filesystem::path const& file);
/// That it is the process's own, which it has written or may write anew.
void note_own_file(std::filesystem::path const& file);

bool is_input_file(std::filesystem::path const& file);

}  // namespace gridcast::inline base

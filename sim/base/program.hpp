// The running program: its file, beside which it finds the files shipped with it, and the files
// that it runs from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gridcast::inline base {

/// The file of the running program, through links, also where the dynamic loader was called with it
/// (`ld-linux-x86-64.so.2 PROGRAM`); as it was called where there is no /proc (a bare root).
std::filesystem::path program_file();

/// The files that a machine without any of them needs to run this very program.
struct ProgramFiles {
  std::filesystem::path program;
  std::filesystem::path loader;  // empty: the program is linked statically
  std::vector<std::filesystem::path>
      libraries;  // by the names in the dynamic section of the program
};
ProgramFiles program_files();

/// The script that started the program with the loader of their folder (cmake/portable.sh); empty
/// where there is none, or the loader was not called.
std::filesystem::path start_script();

/// The name of this machine.
std::string host_name();

}  // namespace gridcast::inline base

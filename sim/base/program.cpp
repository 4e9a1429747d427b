#include "sim/base/program.hpp"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <link.h>
#include <sys/auxv.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace gridcast::inline base {

namespace {

namespace fs = std::filesystem;

/// The file that is mapped where this very function is (proc(5), maps); empty if it is unknown.
fs::path mapped_here() {
  auto const here = reinterpret_cast<std::uintptr_t>(&mapped_here);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t from = 0, to = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR, &from, &to) != 2) continue;
    std::size_t const name = line.find('/');
    if (from <= here && here < to && name != std::string::npos) return line.substr(name);
  }
  return {};
}

struct Loaded {
  ProgramFiles files;
  bool is_first = true;  // the program itself always is
};

int add_object(dl_phdr_info* object, std::size_t, void* data) {
  auto& loaded = *static_cast<Loaded*>(data);
  if (std::exchange(loaded.is_first, false)) {
    for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
      auto const& segment = object->dlpi_phdr[i];
      // The loader's address of the segment: it gives only an address.
      auto const* const at = reinterpret_cast<char const*>(object->dlpi_addr + segment.p_vaddr);
      if (segment.p_type == PT_INTERP) loaded.files.loader = at;
    }
    return 0;
  }
  fs::path const file = object->dlpi_name;
  std::error_code ignored;
  bool const is_loader = file.filename().string().starts_with("ld-") ||
                         fs::equivalent(file, "/proc/self/exe", ignored);
  // Without a folder: the kernel's own (vdso(7)).
  if (file.has_parent_path() && !is_loader) loaded.files.libraries.push_back(file);
  return 0;
}

}  // namespace

fs::path program_file() {
  std::error_code error;
  fs::path const own = fs::read_symlink("/proc/self/exe", error);
  // If the loader was called with the program, /proc names the loader as the program.
  fs::path const mapped = mapped_here();
  if (!error) return mapped.empty() ? own : mapped;
  // getauxval(3): the path that execve was given.
  auto const* const called = reinterpret_cast<char const*>(::getauxval(AT_EXECFN));
  if (!called) return {};
  fs::path const file = fs::canonical(called, error);
  return error ? fs::path(called) : file;
}

ProgramFiles program_files() {
  Loaded loaded;
  ::dl_iterate_phdr(add_object, &loaded);
  loaded.files.program = program_file();
  std::error_code error;
  fs::path const own = fs::read_symlink("/proc/self/exe", error);
  if (!error && own != loaded.files.program) loaded.files.loader = own;
  return loaded.files;
}

fs::path start_script() {
  std::error_code error;
  fs::path const own = fs::read_symlink("/proc/self/exe", error), program = program_file();
  fs::path const script = program.parent_path().parent_path() / program.filename();
  bool const by_loader = !error && own != program;
  return by_loader && ::access(script.c_str(), X_OK) == 0 && fs::is_regular_file(script, error)
             ? script
             : fs::path();
}

std::string host_name() {
  constexpr std::size_t longest = 256;
  char name[longest + 1] = {};
  return ::gethostname(name, longest) == 0 ? std::string(name) : std::string();
}

}  // namespace gridcast::inline base

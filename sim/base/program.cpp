#include "sim/base/program.hpp"

#include <sys/auxv.h>
#include <system_error>

namespace gridcast::inline base {

namespace fs = std::filesystem;

fs::path program_file() {
  std::error_code error;
  fs::path const own = fs::read_symlink("/proc/self/exe", error);
  if (!error) return own;
  // getauxval(3): the path that execve was given.
  auto const* const called = reinterpret_cast<char const*>(::getauxval(AT_EXECFN));
  if (!called) return {};
  fs::path const file = fs::canonical(called, error);
  return error ? fs::path(called) : file;
}

}  // namespace gridcast::inline base

#include "sim/cli/browser.hpp"

#include <cstdlib>
#include <spawn.h>
#include <string>

#include "sim/base/tell.hpp"

extern "C" char** environ;  // POSIX declares it nowhere

namespace gridcast::cli {

void open_in_browser(std::filesystem::path const& file) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  std::string program = "xdg-open", name = file.string();
  char* const arguments[] = {program.data(), name.data(), nullptr};
  pid_t process = -1;
  if (::posix_spawnp(&process, program.c_str(), nullptr, nullptr, arguments, environ) != 0) return;
  tell("Opening it in the browser.\n");
}

}  // namespace gridcast::cli

#include "sim/cli/terminal.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace gridcast {

Charset charset() {
  for (char const* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    char const* const value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    std::string name = value;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    bool const utf8 =
        name.find("utf-8") != std::string::npos || name.find("utf8") != std::string::npos;
    return utf8 ? Charset::utf8 : Charset::ascii;
  }
  return Charset::ascii;
}

bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }

}  // namespace gridcast

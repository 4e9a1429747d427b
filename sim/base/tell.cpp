#include "sim/base/tell.hpp"

#include <cstdio>
#include <string>

#include "sim/base/text.hpp"

namespace gridcast::inline base {

void tell(std::string_view lines) { tell_terminal(printable_lines(lines)); }

void tell_terminal(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace gridcast::inline base

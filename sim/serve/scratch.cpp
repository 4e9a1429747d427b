#include "sim/serve/scratch.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "sim/base/error.hpp"

namespace gridcast::serve {

Scratch::Scratch() {
  std::error_code error;
  auto const above = std::filesystem::temp_directory_path(error);
  std::string name = ((error ? std::filesystem::path("/tmp") : above) / "gridcast-XXXXXX").string();
  if (!::mkdtemp(name.data())) {
    throw ResourceError(
        Problem{{name}, "no folder can be made there", std::strerror(errno), "Set TMPDIR."});
  }
  folder_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace gridcast::serve

#include "sim/scenario/parameter_draw.hpp"

#include "sim/base/error.hpp"

namespace gridcast::scenario {

std::string_view name(StallScope scope) {
  switch (scope) {
    case StallScope::origin:
      return "origin";
    case StallScope::cache:
      return "cache";
    case StallScope::path:
      return "path";
  }
  throw InternalError("a stall scope has a name");
}

std::string_view hypothesis(StallScope scope) {
  return scope == StallScope::path ? "bad_path" : "overload";
}

}  // namespace gridcast::scenario

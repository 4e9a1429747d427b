#include "sim/classad/functions.hpp"

#include <map>

#include "sim/base/letter_case.hpp"

namespace gridcast::classad {

Function const* find_function(std::string_view name) {
  using Names = std::map<std::string_view, Function const*, LessIgnoringCase>;
  static Names const names = [] {
    Names all;
    for (auto const& subject :
         {functions_of_types(), functions_of_numbers(), functions_of_texts(), functions_of_lists(),
          functions_of_text_lists(), functions_of_patterns(), functions_of_versions(),
          functions_of_time()}) {
      for (Function const& function : subject) all.emplace(function.name, &function);
    }
    return all;
  }();
  auto const found = names.find(name);
  return found == names.end() ? nullptr : found->second;
}

}  // namespace gridcast::classad

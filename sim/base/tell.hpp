// What is told beside the results, on standard error. A terminal that was closed or a full disk
// behind it must not end the work that it is told of.
#pragma once

#include <string_view>

namespace gridcast::inline base {

/// Lines of text for people, with their ends; what would give a terminal orders is spelled out
/// (sim/base/text.hpp). Whether they arrive is not asked.
void tell(std::string_view lines);

/// The same as it stands: for a line on a terminal that is written anew.
void tell_terminal(std::string_view text);

}  // namespace gridcast::inline base

// Names of DAG nodes as workflow systems write them.
#pragma once

#include <string_view>

namespace gridcast::history {

/// Without the UUID and its underscore at the beginning, as Rubin's bps writes them
/// ("057c8caf-66f6-4612-abf7-cdea5b666b1b_isr"): each submission has other ones.
std::string_view without_uuid(std::string_view node);

}  // namespace gridcast::history

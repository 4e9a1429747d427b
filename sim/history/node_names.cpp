#include "sim/history/node_names.hpp"

#include <cctype>
#include <cstddef>

namespace gridcast::history {

std::string_view without_uuid(std::string_view node) {
  constexpr std::string_view form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx_";
  if (node.size() <= form.size()) return node;
  for (std::size_t i = 0; i < form.size(); ++i) {
    bool const fits = form[i] == 'x' ? std::isxdigit(static_cast<unsigned char>(node[i])) != 0
                                     : node[i] == form[i];
    if (!fits) return node;
  }
  return node.substr(form.size());
}

}  // namespace gridcast::history

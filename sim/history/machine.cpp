#include "sim/history/machine.hpp"

namespace gridcast::history {

std::string machine_of(JobHistory const& history, std::uint32_t slot) {
  if (slot == 0 && !history.slots.empty()) return {};
  std::string const name = host_name(history, slot);
  std::string host = name.substr(0, name.find(' '));
  if (host == "unknown") return {};
  bool const is_address = host.find_first_not_of("0123456789.:") == std::string::npos;
  return is_address ? host.substr(0, host.find(':')) : host;
}

}  // namespace gridcast::history

// Any bytes as a workflow instance of WfCommons: tasks, each behind its parents, which become a
// campaign; or an InputError.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/error.hpp"
#include "sim/import/wfformat.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace gridcast;
  try {
    import::WfInstance const instance =
        import::wf_instance({reinterpret_cast<char const*>(data), size}, "wf.json");
    for (import::WfTask const& task : instance.tasks) {
      if (!(task.start >= Seconds())) __builtin_trap();
    }
    import::import_wfformat(instance, "wf.json", {});
  } catch (InputError const&) {
  }
  return 0;
}

#include "sim/cli/import.hpp"

#include "sim/cli/import_dlio.hpp"
#include "sim/cli/import_submit.hpp"
#include "sim/cli/import_trace.hpp"

namespace gridcast::cli {

void add_import(CLI::App& app, Select const& select) {
  CLI::App* group =
      app.add_subcommand("import", "Make a scenario or a profile from what others use");
  group->require_subcommand(1);
  add_import_submit(*group, select);
  add_import_dlio(*group, select);
  add_import_traces(*group, select);
}

}  // namespace gridcast::cli

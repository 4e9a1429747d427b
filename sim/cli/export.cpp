#include "sim/cli/export.hpp"

#include "sim/cli/export_csv.hpp"
#include "sim/cli/export_events.hpp"
#include "sim/cli/export_formats.hpp"

namespace gridcast::cli {

void add_export(CLI::App& app, Select const& select) {
  CLI::App* group = app.add_subcommand("export", "Campaigns in the formats of other programs");
  group->require_subcommand(1);
  add_export_events(*group, select);
  add_export_formats(*group, select);
  add_export_csv(*group, select);
}

}  // namespace gridcast::cli

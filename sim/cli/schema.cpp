#include "sim/cli/schema.hpp"

#include <iostream>
#include <memory>
#include <utility>

#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

int run_schema(SchemaOptions const& options) {
  std::cout << (options.markdown ? scenario::scenario_reference() : scenario::scenario_schema());
  return 0;
}

void add_schema(CLI::App& app, Select select) {
  auto options = std::make_shared<SchemaOptions>();
  CLI::App* verb =
      app.add_subcommand("schema", "The keys of scenario and pool files, as JSON Schema");
  verb->add_flag("--markdown", options->markdown, "The same keys as a page to read");
  verb->footer(
      "Examples:\n"
      "  gridcast schema > docs/scenario.schema.json\n"
      "  gridcast schema --markdown > docs/scenario.md");
  verb->callback([options, select = std::move(select)] {
    select([options] { return run_schema(*options); });
  });
}

}  // namespace gridcast::cli

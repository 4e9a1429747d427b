#include "sim/cli/record_arguments.hpp"

namespace gridcast::cli {

void add_record_options(Verb& verb, RecordArguments& arguments) {
  verb.option("--columns", &arguments.columns,
              "What the columns of another program's table are: a map (YAML), or the name of\n"
              "one that is shipped (metl, panda, sacct)",
              "MAP");
  verb.flag("--prefix", arguments.prefix,
            "Each file is a campaign of its own; its number is put before its clusters'");
}

}  // namespace gridcast::cli

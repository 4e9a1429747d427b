#include "sim/cli/ledger.hpp"

#include <iostream>
#include <memory>
#include <utility>

#include "sim/history/job_table.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/report/ledger_json.hpp"
#include "sim/report/ledger_text.hpp"

namespace gridcast {

int run_ledger(LedgerOptions const& options) {
  Ledger const ledger = account(to_history(read_job_tables(options.files)));
  std::cout << (options.json ? ledger_json(ledger) : ledger_text(ledger));
  return 0;
}

void add_ledger(CLI::App& app, std::function<void(std::function<int()>)> select) {
  auto options = std::make_shared<LedgerOptions>();
  CLI::App* verb = app.add_subcommand("ledger", "Where every hour of a recorded campaign went");
  verb->add_option("FILE", options->files, "Job tables (CSV), taken as one campaign")->required();
  verb->add_flag("--json", options->json, "One JSON object, times in seconds");
  verb->callback([options, select = std::move(select)] {
    select([options] { return run_ledger(*options); });
  });
}

}  // namespace gridcast

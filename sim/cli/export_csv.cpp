#include "sim/cli/export_csv.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/export_source.hpp"
#include "sim/cli/output_folder.hpp"
#include "sim/report/data/campaign_tables.hpp"

namespace gridcast::cli {
namespace {

struct ExportCsvOptions {
  ExportSource source;
  ExportOutput output;
  std::string table;        // one of them; empty: all, into a folder
  bool dictionary = false;  // the columns alone
};

report::TraceContext context_of(ExportedCampaign const& exported) {
  report::TraceContext context{exported.title, {}, {}, exported.cache_samples};
  if (!exported.scenario) return context;
  for (scenario::CacheSpec const& cache : exported.scenario->pool.caches) {
    context.caches.push_back(cache.name);
    context.cache_disks.push_back(cache.disk);
  }
  return context;
}

int write_one(ExportCsvOptions const& options, std::vector<report::NamedText> const& tables) {
  auto const found = std::find_if(
      tables.begin(), tables.end(),
      [&](report::NamedText const& table) { return table.name == options.table + ".csv"; });
  if (found == tables.end()) {
    throw InputError(Problem{{options.source.sources.front().string()},
                             fmt::format("there is no table '{}' of it", options.table),
                             options.table == "caches" ? "only simulations with caches know it"
                                                       : "only the ads of condor_history tell it",
                             ""});
  }
  write_export(options.output, [&](std::ostream& out) { out << found->text; });
  return exit_code::done;
}

void check_options(ExportCsvOptions const& options) {
  if (options.dictionary || !options.table.empty()) return check_export_output(options.output);
  if (options.output.out == "-") {
    throw InputError(Problem{{}, "there are several tables", "", "Give -o DIR, or one --table."});
  }
}

int run(ExportCsvOptions const& options) {
  check_options(options);
  if (options.dictionary) {
    write_export(options.output, [](std::ostream& out) { out << report::column_dictionary(); });
    return exit_code::done;
  }
  if (options.source.sources.empty()) {
    throw InputError(Problem{{}, "there is nothing to export", "", "Name a scenario or a log."});
  }
  ExportedCampaign const exported = read_export_source(options.source, "dated tables");
  auto const tables = report::campaign_tables(exported.history, context_of(exported));
  if (!options.table.empty()) return write_one(options, tables);
  std::vector<std::string> files;
  for (auto const& name : report::campaign_table_names()) files.push_back(name + ".csv");
  prepare_output(options.output.out, files, options.output.force);
  write_output(options.output.out, tables);
  std::string names;
  for (auto const& table : tables) names += (names.empty() ? "" : ", ") + table.name;
  std::cout << "Written to " << options.output.out.string() << ": " << names << '\n';
  return exit_code::done;
}

}  // namespace

void add_export_csv(CLI::App& group, Select select) {
  auto options = std::make_shared<ExportCsvOptions>();
  CLI::App* verb =
      group.add_subcommand("csv", "Tables of jobs, attempts, transfers, sites, caches");
  add_export_source(*verb, options->source);
  verb->get_option("SOURCE")->required(false);
  verb->add_option("-o,--out", options->output.out,
                   "Folder for the tables; with --table or --dictionary a file, - is standard "
                   "output")
      ->type_name("DIR");
  verb->add_flag("--force", options->output.force, "Replace tables that are already there");
  verb->add_option("--table", options->table, "This table alone")
      ->check(one_of(report::campaign_table_names()))
      ->type_name("NAME");
  verb->add_flag("--dictionary", options->dictionary,
                 "What each column is, and its unit; of no campaign");
  verb->footer(
      "Examples:\n"
      "  gridcast export csv scenarios/osg-imagenet.yaml -o tables\n"
      "  gridcast export csv job.log --table jobs > jobs.csv\n"
      "  gridcast export csv --dictionary");
  verb->callback(
      [options, select = std::move(select)] { select([options] { return run(*options); }); });
}

}  // namespace gridcast::cli

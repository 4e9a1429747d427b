#include "sim/cli/export_formats.hpp"

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "sim/cli/exit_code.hpp"
#include "sim/cli/export_source.hpp"
#include "sim/report/data/swf_report.hpp"
#include "sim/report/data/wfformat_report.hpp"
#include "sim/report/trace/trace.hpp"

namespace gridcast::cli {
namespace {

struct Format {
  std::string verb, what, example;
  std::string noun;  // "no NOUN can be written of a job table"
  std::function<void(ExportedCampaign const&, std::ostream&)> write;
};

report::TraceContext context_of(ExportedCampaign const& exported) {
  report::TraceContext context{exported.title, {}, {}, exported.cache_samples};
  if (!exported.scenario) return context;
  for (scenario::CacheSpec const& cache : exported.scenario->pool.caches)
    context.caches.push_back(cache.name);
  return context;
}

std::vector<scenario::InputFile> input_of(ExportedCampaign const& exported) {
  return exported.scenario ? exported.scenario->campaign.input : std::vector<scenario::InputFile>();
}

std::vector<Format> formats() {
  return {
      {"chrome-trace", "A trace that opens in Perfetto: sites, slots, phases, counters",
       "  gridcast export chrome-trace scenarios/osg-imagenet.yaml -o trace.json\n"
       "  gridcast export chrome-trace job.log -o job.json  # to open in ui.perfetto.dev",
       "trace",
       [](ExportedCampaign const& exported, std::ostream& out) {
         report::write_chrome_trace(exported.history, context_of(exported), out);
       }},
      {"paje", "A trace in the Paje format: Grid, Site, Slot, their states and variables",
       "  gridcast export paje scenarios/osg-imagenet.yaml -o grid.trace\n"
       "  pj_dump grid.trace | head",
       "trace",
       [](ExportedCampaign const& exported, std::ostream& out) {
         report::write_paje_trace(exported.history, context_of(exported), out);
       }},
      {"wfformat", "A workflow instance of WfCommons (WfFormat 1.5) with its execution",
       "  gridcast export wfformat job.log -o instance.json\n"
       "  gridcast export wfformat scenarios/osg-imagenet.yaml --replica 3 -o instance.json",
       "instance",
       [](ExportedCampaign const& exported, std::ostream& out) {
         out << report::wfformat_json(exported.history, exported.title, input_of(exported));
       }},
      {"swf", "A log in the Standard Workload Format (2.2), a line a job",
       "  gridcast export swf job.log -o job.swf\n"
       "  gridcast export swf scenarios/osg-imagenet.yaml --replica 3 -o simulated.swf",
       "log",
       [](ExportedCampaign const& exported, std::ostream& out) {
         out << to_text(report::swf_log(exported.history, exported.title));
       }},
  };
}

struct Options {
  ExportSource source;
  ExportOutput output;
};

int run(Format const& format, Options const& options) {
  check_export_output(options.output);
  ExportedCampaign const exported = read_export_source(options.source, format.noun);
  write_export(options.output, [&](std::ostream& out) { format.write(exported, out); });
  return exit_code::done;
}

}  // namespace

void add_export_formats(CLI::App& group, Select const& select) {
  for (Format const& format : formats()) {
    auto options = std::make_shared<Options>();
    CLI::App* verb = group.add_subcommand(format.verb, format.what);
    add_export_source(*verb, options->source);
    add_export_output(*verb, options->output);
    verb->footer("Examples:\n" + format.example);
    verb->callback(
        [format, options, select] { select([format, options] { return run(format, *options); }); });
  }
}

}  // namespace gridcast::cli

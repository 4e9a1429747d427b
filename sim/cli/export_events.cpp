#include "sim/cli/export_events.hpp"

#include <iostream>
#include <memory>
#include <utility>

#include "sim/base/files.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/condor/event_log_writer.hpp"
#include "sim/condor/history_ads_writer.hpp"

namespace gridcast::cli {
namespace {

condor::EventLogOptions log_options(ExportedCampaign const& exported) {
  if (!exported.scenario) return condor::options_of_unknown_jobs();
  return event_log_options(*exported.scenario, exported.scenario->strategy(exported.strategy));
}

void write_exported(ExportEventsOptions const& options, ExportedCampaign const& exported,
                    std::ostream& out) {
  if (options.ads.empty()) {
    return condor::write_event_log(exported.history, out,
                                   in_form(options.form, log_options(exported)));
  }
  condor::HistoryAdsOptions form;
  form.form = options.ads == "long" ? condor::AdsForm::long_form : condor::AdsForm::json;
  condor::write_history_ads(exported.history, out, form);
}

}  // namespace

int run_export_events(ExportEventsOptions const& options) {
  ExportedCampaign const exported = read_export_source(options.source, "event log");
  if (options.out == "-") {
    write_exported(options, exported, std::cout);
  } else {
    write_file(options.out, [&](std::ostream& out) { write_exported(options, exported, out); });
  }
  return exit_code::done;
}

void add_export_events(CLI::App& group, Select select) {
  auto options = std::make_shared<ExportEventsOptions>();
  CLI::App* verb = group.add_subcommand("events", "A job event log that HTCondor's tools read");
  add_export_source(*verb, options->source);
  verb->add_option("-o,--out", options->out, "What is written; - is standard output")
      ->required()
      ->type_name("FILE");
  verb->add_option("--ads", options->ads, "The ads of condor_history (long, json), not the log")
      ->check(one_of({"long", "json"}))
      ->type_name("FORM");
  add_event_log_form(*verb, options->form);
  verb->footer(
      "Examples:\n"
      "  gridcast export events scenarios/osg-imagenet.yaml --replica 3 -o events.log\n"
      "  gridcast export events job.log --condor-version 25 --utc -o job-25.log\n"
      "  gridcast export events job.log --ads json -o history.json\n"
      "  condor_wait -status events.log      # and condor_userlog, condor_q -userlog, ...");
  verb->callback([options, select = std::move(select)] {
    select([options] { return run_export_events(*options); });
  });
}

}  // namespace gridcast::cli

// gridcast ledger FILE...: where every hour of a recorded campaign went.
#include "sim/ledger/ledger.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/calibrate.hpp"
#include "sim/cli/input_kind.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/history/attempt_stream.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/ledger/accountant.hpp"
#include "sim/ledger/black_holes.hpp"
#include "sim/ledger/requests.hpp"
#include "sim/report/data/result_json.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/ledger_text.hpp"
#include "sim/report/text/requests_text.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::cli {
namespace {

struct LedgerOptions {
  std::vector<fs::path> files;
  RecordArguments record = {};
  import::RecordFilter filter = {};
  std::string by;  // a grouping; empty: none
  bool json = false, details = false, jobs = false, black_holes = false;
  bool requests = false;
  fs::path pool;  // of --requests
  bool verbose = false, quiet = false, force = false;
  ReportArguments report = {};
};

/// The ledger, and the remarks of its readers.
struct Reading {
  import::RecordedCampaign campaign;  // with its events, unless they were streamed
  ledger::Ledger ledger;
  ledger::BlackHoles black_holes;
  ledger::Traffic traffic;
  std::string summary;   // "N events, M jobs, K lines not understood", of logs
  std::string actions;   // in place of summary and problems, where only those are shown
  std::string problems;  // problems with their place in a file
  std::string details;   // --verbose: these and all other remarks
};

/// Splits a reader's report into its first line, which is always shown, and the rest.
void add_report(Reading& reading, std::string const& report) {
  auto const end = report.find('\n');
  reading.summary += report.substr(0, end + 1);
  reading.details += report.substr(end + 1);
}

/// Those that --where, --since and --until leave out, and a line about them. The bytes that a log
/// sums up by site are of all jobs, and are dropped then.
std::string leave_out_jobs(import::RecordFilter const& filter, Reading& reading) {
  if (filter.is_empty()) return "";
  auto const uses = import::resource_uses(reading.campaign);
  auto some = import::filtered(std::move(reading.campaign.history), filter, uses);
  reading.campaign.history = std::move(some.history);
  reading.campaign.bytes.clear();
  if (some.left_out == 0) return "";
  return counted(some.left_out, "job") + " left out by --where, --since or --until\n";
}

Reading read(LedgerOptions const& options) {
  import::CampaignFiles const files = import::sort_by_kind(options.files, options.record.options());
  Reading reading;
  std::string left_out;
  // Events are only kept for a page, for other answers than the ledger, and for merging logs and
  // ads.
  bool const looks_back =
      options.black_holes || options.requests || !options.by.empty() || !options.filter.is_empty();
  if (files.logs_alone() && options.report.file.empty() && !looks_back) {
    ledger::Accountant accountant({.each_job = options.jobs});
    history::AttemptStream stream;
    ledger::SlotOutcomes outcomes;
    reading.campaign =
        import::stream_campaign(files, options.record.dates, [&](history::JobEvent const& event) {
          auto const step = stream.next(event);
          accountant.add(step);
          outcomes.add(step);
        });
    reading.ledger = accountant.finish(reading.campaign.history);
    reading.black_holes = outcomes.black_holes(reading.campaign.history);
  } else {
    reading.campaign = import::open_campaign(files, options.record.dates);
    left_out = leave_out_jobs(options.filter, reading);
    reading.ledger = ledger::account(reading.campaign.history);
    reading.black_holes = ledger::find_black_holes(reading.campaign.history);
  }
  reading.traffic = ledger::count_traffic(reading.campaign.history, reading.campaign.bytes);
  add_report(reading, reading.campaign.log_report);
  auto const logs = reading.summary.size();
  add_report(reading, reading.campaign.ads_report);
  reading.summary += reading.campaign.table_report + left_out;
  reading.actions = reading.campaign.log_actions + reading.summary.substr(logs) +
                    reading.campaign.notes + problems_text(reading.campaign.ads.report.reading);
  reading.problems = reading.campaign.notes + reading.campaign.problems;
  reading.details += reading.campaign.merge_report + reading.campaign.notes;
  return reading;
}

/// The file names with blanks between, for the page's title.
std::string first_names(std::vector<fs::path> const& files) {
  constexpr std::size_t most_named = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(most_named, files.size()); ++i) {
    text += (i > 0 ? ", " : "") + files[i].filename().string();
  }
  return files.size() > most_named ? text + ", ..." : text;
}

void print_json(LedgerOptions const& options, Reading const& reading) {
  report::Result result = report::result_without_sites(reading.ledger, options.jobs);
  result.ledger->traffic = reading.traffic;
  report::print_ledger_json(report::result_json(result), "sites", "site", reading.ledger,
                            print_results);
}

/// A section after others; empty for an empty text.
std::string section(std::string const& text) { return text.empty() ? "" : "\n" + text; }

void write_ledger_report(LedgerOptions const& options, Reading const& reading) {
  if (options.report.file.empty()) return;
  std::string const names = first_names(options.files);
  report::ReportRequest request = report_request(options.report);
  report::Result result = report::result_of(reading.ledger, false);
  result.ledger->traffic = reading.traffic;
  result.source = names;
  request.inputs = inputs_of("record", options.files);
  request.campaign = report::one_campaign(names, reading.campaign.history, reading.ledger);
  request.campaign->words = reading.campaign.words;
  request.results.push_back(std::move(result));
  for (std::string const& line : split(reading.summary, '\n')) {
    if (!line.empty()) request.notices.push_back(line);
  }
  write_report(options.report, std::move(request));
}

std::string remarks_of(LedgerOptions const& options, Reading const& reading) {
  std::string const remarks = options.quiet ? "" : reading.summary;
  if (options.verbose) return remarks + reading.details;
  return options.quiet ? remarks : remarks + reading.problems;
}

/// In brief, or with all tables (--details); each job with --jobs.
void print_ledger(LedgerOptions const& options, Reading const& reading,
                  std::string const& remarks) {
  report::Screen const shown = screen();
  std::string const jobs = options.jobs ? "\n" + report::jobs_text(reading.ledger, shown) : "";
  if (!options.details) {
    print_notes(options.verbose || options.quiet ? remarks : reading.actions);
    print_results(report::brief_ledger(reading.ledger, reading.black_holes, shown) + jobs);
    return;
  }
  bool const gap = !options.quiet && !reading.summary.empty();
  print_results(report::fitted(printable_lines(remarks), shown) + (gap ? "\n" : "") +
                report::whole_ledger_text(reading.ledger, shown) +
                section(report::traffic_text(reading.traffic, shown)) +
                (reading.black_holes.hosts.empty()
                     ? ""
                     : section(report::black_holes_text(reading.black_holes, shown))) +
                jobs);
}

/// The ledger by --by.
ledger::Ledger grouped_ledger(LedgerOptions const& options, Reading const& reading) {
  auto const by = ledger::grouping_named(options.by);
  ledger::Ledger grouped = ledger::account_by(reading.campaign.history, *by);
  if (grouped.sites.size() == 1 && grouped.sites.begin()->first.empty()) {
    refuse({"--by"}, fmt::format("the record names no {}", options.by), "",
           "Give the ads of condor_history as well, which name it.");
  }
  return grouped;
}

std::string grouped_answer(LedgerOptions const& options, Reading const& reading) {
  constexpr std::size_t most_brief = 7;
  ledger::Ledger const grouped = grouped_ledger(options, reading);
  return report::grouped_text(grouped, options.by,
                              options.details ? grouped.sites.size() : most_brief, screen());
}

void print_grouped_json(LedgerOptions const& options, Reading const& reading) {
  ledger::Ledger const grouped = grouped_ledger(options, reading);
  Json json = report::result_json(report::result_without_sites(grouped, false));
  json.erase("sites");
  json["by"] = options.by;
  report::print_ledger_json(std::move(json), "groups", options.by, grouped, print_results);
}

/// The slots of the pool that --pool names.
std::vector<ledger::OfferedSlots> offered_slots(fs::path const& file) {
  std::vector<ledger::OfferedSlots> offered;
  if (file.empty()) return offered;
  for (scenario::SiteSpec const& site : scenario::read_pool(file).sites) {
    int const slots = site.slots > 0 ? site.slots : site.gpus;
    offered.push_back({static_cast<std::size_t>(slots), site.memory.value(), site.disk.value()});
  }
  return offered;
}

std::string requests_answer(LedgerOptions const& options, Reading const& reading) {
  auto const found =
      ledger::find_requests(reading.campaign.history, import::resource_uses(reading.campaign),
                            offered_slots(options.pool));
  if (options.json) return json_text(report::requests_json(found));
  report::Screen const shown = screen();
  return options.details ? report::requests_text(found, shown)
                         : report::brief_requests(found, shown);
}

/// The answer of the option that replaces the ledger.
std::optional<std::string> other_answer(LedgerOptions const& options, Reading const& reading) {
  report::Screen const shown = screen();
  if (options.black_holes) {
    auto const& found = reading.black_holes;
    return options.json ? json_text(report::black_holes_json(found))
                        : report::black_holes_text(found, shown);
  }
  if (options.requests) return requests_answer(options, reading);
  if (!options.by.empty() && !options.json) return grouped_answer(options, reading);
  return std::nullopt;
}

/// Prints the ledger on stdout. Returns the exit code.
void run_ledger(LedgerOptions const& options) {
  refuse_other_kinds(options.files, "ledger", "records of one campaign",
                     {InputKind::record, InputKind::table});
  VerbFiles files(if_there(options.force));
  files.reads(options.files).reads(options.record.columns);
  prepare_report(options.report, files);
  files.prepare();
  Reading const reading = read(options);
  std::string const remarks = remarks_of(options, reading);
  if (auto const answer = other_answer(options, reading)) {
    print_notes(remarks);
    print_results(*answer);
  } else if (options.json) {
    print_notes(remarks);
    if (options.by.empty()) {
      print_json(options, reading);
    } else {
      print_grouped_json(options, reading);
    }
  } else {
    print_ledger(options, reading, remarks);
  }
  write_ledger_report(options, reading);
}

}  // namespace

void add_ledger(Verb& program) {
  auto options = std::make_shared<LedgerOptions>();
  Verb verb = program.verb("ledger", "Where every hour of a recorded campaign went");
  verb.positional(
          "FILE", &options->files,
          "Job event logs (text, JSON, XML), with them the ads of condor_history (-long, -json,\n"
          "-jsonl, -xml, -epochs); tables of attempts; or job tables (CSV). gzip, zstd, pipes and\n"
          "- (standard input) as files")
      .required();
  add_record_options(verb, options->record);
  add_details_option(verb, options->details);
  verb.flag("--json", options->json, "One JSON object, times in seconds");
  auto const jobs = verb.flag("--jobs", options->jobs, "Each job's time as well");
  auto const black_holes = verb.flag(
      "--black-holes", options->black_holes,
      "Instead: hosts at which job after job fails, their cost, and the requirements that\n"
      "avoid them");
  auto requests = verb.flag(
      "--requests", options->requests,
      "Instead: memory, disk, CPUs, GPUs and time used and requested, which request would\n"
      "have held how many jobs, and jobs that hung");
  verb.option("--pool", &options->pool, "For --requests: count the slots of this pool that match",
              "POOL.yaml")
      .needs(requests);
  auto by = verb.option("--by", &options->by,
                        "Instead: the ledger by user, site, host, exit or program", "WHAT")
                .one_of(ledger::grouping_names());
  requests.excludes(jobs).excludes(black_holes);
  by.excludes(jobs).excludes(black_holes).excludes(requests);
  Option(black_holes).excludes(jobs);
  add_filter_options(verb, options->filter);
  add_report_option(verb, options->report);
  verb.flag("--force", options->force, "Replace a page that is already there");
  verb.flag("--verbose", options->verbose, "Oddities in the logs, and their merging with the ads");
  verb.flag("--quiet", options->quiet, "Without the number of lines read");
  verb.footer(
      "  gridcast ledger calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv\n"
      "  gridcast ledger campaign.log history.json --jobs");
  verb.runs([options] { return run_ledger(*options); });
}

}  // namespace gridcast::cli

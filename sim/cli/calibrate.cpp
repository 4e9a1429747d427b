// gridcast calibrate FILE... [--pool POOL] -o OUT: a calibration file from recorded campaigns,
// which are job tables, or event logs with ads if there are any.
#include "calibration/calibrate.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "calibration/file/calibration_file.hpp"
#include "gridcast_version.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/tell.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {
namespace {

struct CalibrateOptions {
  std::vector<std::filesystem::path> files;
  std::filesystem::path pool;
  std::filesystem::path out;
  int epochs = 5;
  std::string input_size = "137 GB";
  std::string makespan;  // of the campaign of a table, as a report has it; empty: not told
  std::uint64_t seed = 1;
  unsigned processes = 0;  // 0: as many as there are cores
  bool verbose = false, quiet = false, force = false;

  // Of event logs.
  int year = 0;  // 0: as the log says
  std::string time_zone;
  std::string profile = "campaign";
  std::filesystem::path submit;     // of the campaign; empty: not given
  int urls = 0;                     // of a job; 0: as the ads or the submit file say
  std::vector<std::string> caches;  // SITE=CACHE,CACHE,...
  std::string stall_timer;          // empty: as the log shows it
  int draws = 400;
  std::optional<double> between_campaigns;
};

Bytes input_size(CalibrateOptions const& options) {
  auto const size = parse_bytes(options.input_size);
  if (size && size->value() > 0) return *size;
  throw InputError({{},
                    "--input-size: '" + options.input_size + "' is not a size",
                    "",
                    "Give a positive number with a unit, such as '137 GB'."});
}

calibration::CacheLists cache_lists(CalibrateOptions const& options) {
  calibration::CacheLists lists;
  std::vector<Problem> problems;
  for (std::string const& text : options.caches) {
    auto const equals = text.find('=');
    std::vector<std::string> caches;
    if (equals != std::string::npos) {
      for (auto const& cache : split(text.substr(equals + 1), ',')) {
        if (!cache.empty()) caches.emplace_back(cache);
      }
    }
    if (equals == 0 || caches.empty()) {
      problems.push_back({{},
                          "--caches: '" + text + "' is no list of caches",
                          "",
                          "Give SITE=CACHE,CACHE,... in the order in which the site asks them."});
      continue;
    }
    lists[text.substr(0, equals)] = caches;
  }
  if (!problems.empty()) throw InputError(problems);
  return lists;
}

/// A time that need not be given.
std::optional<Seconds> optional_time(std::string const& option, std::string const& text,
                                     std::string const& example) {
  if (text.empty()) return std::nullopt;
  auto const time = parse_seconds(text);
  if (time && time->value() > 0) return time;
  throw InputError({{},
                    option + ": '" + text + "' is no time",
                    "",
                    "Give a positive number with a unit, such as '" + example + "'."});
}

// As one would type it again; options only where they differ from the defaults.
std::string command_for_tables(CalibrateOptions const& options) {
  CalibrateOptions const usual;
  std::string text = "./gridcast calibrate";
  for (auto const& file : options.files) text += " " + file.string();
  text += " --pool " + options.pool.string();
  if (options.epochs != usual.epochs) text += fmt::format(" --epochs {}", options.epochs);
  if (options.input_size != usual.input_size) {
    text += fmt::format(" --input-size '{}'", options.input_size);
  }
  if (!options.makespan.empty()) text += fmt::format(" --makespan '{}'", options.makespan);
  if (options.seed != usual.seed) text += fmt::format(" --seed {}", options.seed);
  return text + " -o " + options.out.string();
}

enum class CensoredColumn { left_out, shown };

std::string estimates_text(calibration::Fit const& fit, CensoredColumn censored) {
  using report::Align;
  std::vector<report::TextColumn> columns = {{"parameter"},
                                             {"estimate", Align::right},
                                             {"90 % interval", Align::right},
                                             {"unit"},
                                             {"events", Align::right}};
  if (censored == CensoredColumn::shown) columns.push_back({"censored", Align::right});
  report::TextTable table(columns);
  for (calibration::Estimate const& line : fit.estimates) {
    std::vector<report::TextCell> row = {
        line.name, fmt::format("{:.4g}", line.estimate),
        fmt::format("{:.4g} to {:.4g}", line.interval90.low, line.interval90.high), line.unit,
        std::to_string(line.events)};
    if (censored == CensoredColumn::shown) row.emplace_back(std::to_string(line.censored));
    table.add_row(row);
  }
  return table.str();
}

std::string summary_of_tables(calibration::CalibrationDocument const& document) {
  std::string text = estimates_text(document.fit, CensoredColumn::left_out);
  text += "\nWhat makes attempts stall (weight, 90 % interval):\n";
  for (calibration::HypothesisProbability const& model : document.fit.hypotheses) {
    text += fmt::format("  {:9} {:.2f} ({:.2f} to {:.2f})\n", model.name, model.probability,
                        model.interval90.low, model.interval90.high);
  }
  return text;
}

// A pool can be read off a log, not off a table.
void require_pool(CalibrateOptions const& options) {
  if (!options.pool.empty()) return;
  throw InputError({{},
                    "--pool is missing",
                    "a job table does not tell what the pool is like",
                    "Give the pool that the campaign ran on."});
}

std::string command_for_logs(CalibrateOptions const& options) {
  CalibrateOptions const usual;
  std::string text = "./gridcast calibrate";
  for (auto const& file : options.files) text += " " + file.string();
  if (!options.pool.empty()) text += " --pool " + options.pool.string();
  if (options.year != usual.year) text += fmt::format(" --year {}", options.year);
  if (!options.time_zone.empty()) text += " --tz " + options.time_zone;
  if (options.profile != usual.profile) text += " --profile " + options.profile;
  if (!options.submit.empty()) text += " --submit " + options.submit.string();
  if (options.urls != usual.urls) text += fmt::format(" --urls {}", options.urls);
  for (std::string const& list : options.caches) text += " --caches " + list;
  if (!options.stall_timer.empty()) text += " --stall-timer '" + options.stall_timer + "'";
  if (options.seed != usual.seed) text += fmt::format(" --seed {}", options.seed);
  if (options.draws != usual.draws) text += fmt::format(" --draws {}", options.draws);
  if (options.between_campaigns) {
    text += fmt::format(" --between-campaigns {}", *options.between_campaigns);
  }
  return text + " -o " + options.out.string();
}

std::filesystem::path pool_beside(std::filesystem::path const& out) {
  auto pool = out;
  return pool.replace_extension(".pool.yaml");
}

// Every site of the log in the pool.
void require_sites(calibration::LogCalibration const& calibrated,
                   std::filesystem::path const& pool_file) {
  scenario::Pool const pool = scenario::read_pool(pool_file);
  std::vector<Problem> problems;
  for (calibration::SlotCount const& site : calibrated.slots) {
    bool const known =
        std::any_of(pool.sites.begin(), pool.sites.end(),
                    [&](scenario::SiteSpec const& spec) { return spec.name == site.site; });
    if (known) continue;
    problems.push_back({{pool_file.string()},
                        "the pool has no site '" + site.site + "'",
                        "jobs of the log ran there",
                        "Add it to the pool."});
  }
  if (!problems.empty()) throw InputError(problems);
}

/// Of the first job that an ad tells them of.
void add_program(condor::JobAds const& ads, calibration::CampaignFacts& facts) {
  for (auto const& [name, ad] : ads.jobs) {
    if (ad.facts.cmd.empty()) continue;
    facts.executable = ad.facts.cmd;
    facts.arguments = ad.facts.arguments;
    return;
  }
}

/// That a job fetches, in order: of the attempt that fetched most of them.
std::vector<std::string> fetched_urls(history::JobHistory const& history) {
  std::vector<std::string> most, urls;
  history::UrlTransfer const* last = nullptr;
  for (history::UrlTransfer const& transfer : history.transfers) {
    if (transfer.upload || !transfer.succeeded) continue;
    bool const same = last && last->job == transfer.job && last->attempt == transfer.attempt;
    if (!same) urls.clear();
    last = &transfer;
    urls.push_back(transfer.url < history.urls.size() ? history.urls[transfer.url] : "");
    if (urls.size() > most.size()) most = urls;
  }
  return most;
}

// Prior beside posterior, so that nobody takes the one for the other.
std::string hypotheses_text(calibration::Fit const& fit) {
  if (fit.hypotheses.empty()) return "";
  using report::Align;
  report::TextTable table({{"outages"},
                           {"prior", Align::right},
                           {"posterior", Align::right},
                           {"Bayes factor against none", Align::right}});
  for (calibration::HypothesisProbability const& each : fit.hypotheses) {
    table.add_row({each.name, fmt::format("{:.3f}", each.prior),
                   fmt::format("{:.3f}", each.probability),
                   fmt::format("{:.3g}", std::exp(each.log_bayes_factor))});
  }
  return "\nWhat made transfers end without their bytes:\n" + table.str();
}

std::string summary_of_logs(calibration::Fit const& fit) {
  std::string text = estimates_text(fit, CensoredColumn::shown) + hypotheses_text(fit) +
                     "\nWhat the log cannot tell, and what stands in for it:\n";
  for (calibration::NotIdentified const& gap : fit.not_identified) {
    text += fmt::format("  {}: {}. {}\n", gap.what, gap.why, gap.taken_from);
  }
  return text;
}

// What is read from standard input has no name to be read again by.
std::string digest(std::filesystem::path const& file) {
  if (file == "-") return "";
  std::ifstream in(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return sha256(bytes.str());
}

// What the ads do not tell.
void add_submit_file(std::filesystem::path const& file, calibration::CampaignFacts& facts,
                     calibration::LogCalibrationOptions& fitting) {
  import::SubmitImport const said = import::import_submit(
      condor::read_submit_file(file, import::deciding_submit_commands()), import::KnownSizes());
  for (scenario::InputFile const& each : said.campaign.input)
    fitting.url_sizes.push_back(each.size);
  if (facts.input_urls.empty()) {
    for (scenario::InputFile const& each : said.campaign.input)
      facts.input_urls.push_back(each.url);
  }
  if (facts.executable.empty()) {
    facts.executable = said.executable;
    facts.arguments = said.arguments;
  }
}

struct LogFit {
  calibration::LogCalibration calibrated;
  calibration::CampaignFacts facts;
};

LogFit fit_logs(CalibrateOptions const& options, import::CampaignFiles const& files) {
  condor::ReadLogOptions reading;
  if (options.year > 0) reading.year = options.year;
  reading.time_zone = options.time_zone;
  auto const campaign = import::open_campaign(files, reading);
  tell(files.logs.empty() ? campaign.ads_report : campaign.log_report);
  calibration::CampaignFacts facts;
  add_program(campaign.ads, facts);
  facts.input_urls = fetched_urls(campaign.history);
  calibration::LogCalibrationOptions fitting;
  if (!options.submit.empty()) add_submit_file(options.submit, facts, fitting);
  fitting.draws = static_cast<std::size_t>(options.draws);
  fitting.seed = options.seed;
  fitting.urls = options.urls;
  fitting.caches = cache_lists(options);
  fitting.stall_timer = optional_time("--stall-timer", options.stall_timer, "3620 s");
  fitting.between_campaigns = options.between_campaigns;
  auto calibrated = calibration::calibrate_from_logs(campaign.history, fitting);
  facts.jobs = calibrated.jobs;
  facts.attempts = calibrated.attempts;
  facts.epochs = calibrated.epochs;
  facts.input_sizes = calibrated.urls.sizes;
  facts.plugin_lifetime = calibrated.plugin_lifetime;
  return {std::move(calibrated), std::move(facts)};
}

/// The pool that was named, or one read off the logs, which is written beside the calibration.
void add_pool(CalibrateOptions const& options, calibration::LogCalibration const& calibrated,
              calibration::CalibrationDocument& document, std::vector<report::NamedText>& files) {
  if (!options.pool.empty()) {
    require_sites(calibrated, options.pool);
    document.pool_file = options.pool.string();
    document.pool_sha256 = sha256(read_text_file(options.pool));
    return;
  }
  auto const beside = pool_beside(options.out);
  std::string const pool = calibration::pool_yaml(calibrated.slots, document.command,
                                                  scenario::AccessPointSpec().policy_interval);
  files.push_back({beside.filename().string(), pool});
  document.pool_file = beside.filename().string();
  document.pool_sha256 = sha256(pool);
}

int calibrate_from_logs(CalibrateOptions const& options, import::CampaignFiles const& files) {
  LogFit fit = fit_logs(options, files);
  calibration::CalibrationDocument document;
  document.profile = options.profile;
  document.version = version_number;
  document.command = command_for_logs(options);
  for (auto const& file : options.files) {
    document.inputs.push_back({file.string(), digest(file), fit.calibrated.jobs});
  }
  std::vector<report::NamedText> written;
  add_pool(options, fit.calibrated, document, written);
  document.seed = options.seed;
  document.campaign = std::move(fit.facts);
  document.fit = std::move(fit.calibrated.fit);
  written.push_back({options.out.filename().string(), calibration::calibration_yaml(document)});
  print_results(summary_of_logs(document.fit));
  write_output(options.out.parent_path(), written);
  std::cout << "\nWritten to " << options.out.string();
  if (options.pool.empty()) std::cout << " and " << pool_beside(options.out).string();
  std::cout << "\n";
  return exit_code::done;
}

int calibrate_from_tables(CalibrateOptions const& options) {
  require_pool(options);
  calibration::TableCalibrationRequest request;
  request.tables = options.files;
  request.pool = options.pool;
  request.epochs = options.epochs;
  request.input_size = input_size(options);
  request.seed = options.seed;
  request.command = command_for_tables(options);
  request.version = version_number;
  request.simulated.stalls.reported_makespan = optional_time("--makespan", options.makespan, "7 d");
  request.simulated.stalls.processes =
      options.processes > 0 ? options.processes : std::max(1u, std::thread::hardware_concurrency());
  try {
    calibration::CalibrationDocument const document = [&] {
      ProgressReport progress(options.verbose, options.quiet);
      request.simulated.progress = progress.callback();
      return calibration::calibrate_from_tables(request);
    }();
    print_results(summary_of_tables(document));
    write_file(options.out, calibration::calibration_yaml(document));
    std::cout << "\nWritten to " << options.out.string() << "\n";
  } catch (calibration::CalibrationInterrupted const&) {
    tell("gridcast: interrupted; nothing was written\n");
    return exit_code::interrupted;
  }
  return exit_code::done;
}

int run_calibrate(CalibrateOptions const& options) {
  import::CampaignFiles const files = import::sort_by_kind(options.files);
  VerbFiles all(if_there(options.force));
  all.reads(options.files);
  all.reads({options.pool, options.submit});
  all.writes(options.out);
  if (files.tables.empty() && options.pool.empty()) all.writes(pool_beside(options.out));
  all.prepare();
  return files.tables.empty() ? calibrate_from_logs(options, files)
                              : calibrate_from_tables(options);
}

}  // namespace

void add_calibrate(Verb& program) {
  auto options = std::make_shared<CalibrateOptions>();
  Verb verb = program.verb("calibrate", "Fit the simulator to recorded campaigns");
  verb.positional("FILE", &options->files,
                  "Job tables (CSV), or event logs and ads, of one campaign")
      .required();
  verb.option("--pool", &options->pool,
              "Pool that the campaign ran on (YAML); without it, one is read off the logs", "POOL");
  verb.option("-o,--out", &options->out, "Calibration file to write", "OUT").required();
  verb.option("--epochs", &options->epochs, "Epochs that each job trained", "N")
      .whole_number(1, 1000000)
      .shows_default();
  verb.option("--input-size", &options->input_size, "Input of each job", "SIZE").shows_default();
  verb.option("--seed", &options->seed, "Seed of bootstrap and simulations", "N")
      .whole_number(0)
      .shows_default();
  verb.option("-j,--jobs", &options->processes, "Processes (default: one a core)", "N")
      .whole_number(1, 1024);
  verb.option("--year", &options->year, "Year of logs whose dates have none", "YEAR")
      .whole_number(1970, 2200);
  verb.option("--tz", &options->time_zone, "Time zone of the logs, e.g. America/Chicago", "ZONE");
  verb.option("--profile", &options->profile, "Name for what the jobs of the logs compute", "NAME")
      .shows_default();
  verb.option("--submit", &options->submit,
              "Submit file of the logs' jobs: which URLs they fetch, and which program they run",
              "FILE");
  verb.option("--urls", &options->urls, "URLs that each job of the logs fetches", "N")
      .whole_number(1, 10000);
  verb.option("--caches", &options->caches,
              "Caches that a site asks, in order (SITE=CACHE,CACHE,...); again for each site; "
              "without it, as ads show them",
              "LIST")
      .repeatable();
  verb.option("--makespan", &options->makespan,
              "How long the campaign of a table took, as its report says in words; a factor of 2.3 "
              "either way is left open",
              "TIME");
  verb.option("--stall-timer", &options->stall_timer,
              "When the starter's stall timer acted (HTCondor's default: 3620 s); without it, as "
              "the durations show it",
              "TIME");
  verb.option("--draws", &options->draws, "Joint draws, of logs", "N")
      .whole_number(10, 100000)
      .shows_default();
  verb.option(
          "--between-campaigns", &options->between_campaigns,
          "How much the next campaign's crashes, failed transfers, lost slots and people differ "
          "(sd of logarithms); without it priors, or what several campaigns show",
          "SD")
      .number_within(0.0, 3.0);
  verb.flag("--verbose", options->verbose, "Progress also where there is no terminal");
  verb.flag("--quiet", options->quiet, "No progress; problems are still told");
  verb.flag("--force", options->force, "Replace OUT, and its pool, if they are there");
  verb.footer(
      "Examples:\n"
      "  gridcast calibrate calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv \\\n"
      "    --pool scenarios/pools/ospool-2024.yaml -o calibration/fitted/osg-imagenet.yaml\n"
      "  gridcast calibrate campaign.log history.json epochs.INPUT.json -o campaign.yaml");
  verb.runs([options] { return run_calibrate(*options); });
}

}  // namespace gridcast::cli

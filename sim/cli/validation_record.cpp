#include "sim/cli/validation_record.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/calibrate.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/submit_scenario.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/work_scenario.hpp"
#include "sim/history/attempts.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/import/which_program.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::cli {
namespace {

/// Sorts the files of a folder by their names into the record.
void add_folder(fs::path const& folder, ValidationRecord& record) {
  std::vector<fs::path> all, tables;
  for (auto const& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file()) all.push_back(entry.path());
  }
  std::ranges::sort(all);
  for (fs::path const& file : all) {
    std::string const name = file.filename().string();
    bool const ads = name.starts_with("history") || name.starts_with("epochs");
    if (name.ends_with(".log")) record.files.logs.push_back(file);
    if (name.ends_with(".json") && ads) record.files.ads.push_back(file);
    if (name.ends_with(".sub") && record.submit.empty()) record.submit = file;
    if (name.ends_with(".csv")) tables.push_back(file);
  }
  if (!record.files.logs.empty()) return;
  if (!tables.empty()) record.files.attempts = import::sort_by_kind(tables).attempts;
  if (record.files.attempts.empty()) {
    refuse({folder.string()}, "the folder has neither an event log nor a table of attempts",
           "its files *.log or *.csv are a campaign's record", "Name the record itself.");
  }
}

auto known_sizes(ValidationRecord const& record, ValidationArguments const& arguments)
    -> import::KnownSizes {
  auto sizes = import::KnownSizes();
  for (auto const& transfer : record.history.transfers) {
    if (transfer.succeeded && transfer.size.value() > 0) {
      sizes[record.history.urls[transfer.url]] = transfer.size;
    }
  }
  for (auto const& [url, size] : stated_sizes(arguments.sizes)) sizes[url] = size;
  return sizes;
}

/// Assigns the input files of single jobs to the record's jobs by process number, in any cluster.
void name_jobs(history::JobHistory const& record, scenario::Campaign& campaign) {
  std::vector<scenario::InputFile> input;
  std::multimap<std::uint32_t, scenario::InputFile> own;
  for (scenario::InputFile const& file : campaign.input) {
    if (file.job) {
      own.emplace(static_cast<std::uint32_t>(*file.job), file);
    } else {
      input.push_back(file);
    }
  }
  for (std::size_t i = 0; i < record.jobs.size() && !own.empty(); ++i) {
    auto const [first, last] = own.equal_range(record.jobs[i].proc);
    for (auto file = first; file != last; ++file) {
      input.push_back({file->second.url, file->second.size, static_cast<int>(i)});
    }
  }
  campaign.input = std::move(input);
}

/// The campaign and strategy of its submit file.
auto submit_import(ValidationRecord const& record, ValidationArguments const& arguments,
                   import::InputOf input_of) -> import::SubmitImport {
  auto import = import::import_submit(
      condor::read_submit_file(record.submit, import::deciding_submit_commands()),
      known_sizes(record, arguments), input_of, import::RequestOf::largest_group);
  name_jobs(record.history, import.campaign);
  return import;
}

/// A number among the arguments in `file`.
std::optional<double> word(fs::path const& file, std::string const& arguments, int number) {
  if (number <= 0) return std::nullopt;
  std::istringstream words(arguments);
  std::string text;
  for (int i = 0; i < number; ++i) words >> text;
  auto const value = text_as<double>(text);
  if (words.fail() || !value || *value <= 0) {
    refuse({file.string()},
           fmt::format("word {} of the arguments '{}' is no number above 0", number, arguments), "",
           "Count the words from 1.");
  }
  return value;
}

/// The program's work relative to the calibrated program's.
auto work_options(ValidationRecord const& record, fs::path const& calibration,
                  import::CalibratedProgram const& program, ValidationArguments const& arguments)
    -> import::WorkOptions {
  auto work = import::WorkOptions();
  if (arguments.work_scale > 0) work.scale = arguments.work_scale;
  if (!arguments.crash_odds.empty()) work.crash_odds = parse_factor_range(arguments.crash_odds);
  // A calibration of one program has no names to choose from.
  if (!program.variants.empty()) work.program = arguments.program;
  if (record.submit.empty()) return work;
  std::string const calibrated =
      program.ran.empty() ? "" : program.ran.front().arguments.value_or("");
  if (arguments.work_word > 0 && !calibrated.empty()) {
    work.scale = *word(record.submit, record.program_arguments, arguments.work_word) /
                 *word(calibration, calibrated, arguments.work_word);
  }
  if (auto const epochs = word(record.submit, record.program_arguments, arguments.epochs_word)) {
    work.epochs = static_cast<int>(*epochs);
  }
  return work;
}

/// The rules RECORD:PATH=VALUE for this record, or for all ("*"), as overrides of a scenario.
std::vector<std::string> overrides(std::string const& record, std::string const& strategy,
                                   std::vector<std::string> const& rules) {
  std::vector<std::string> found;
  for (std::string const& rule : rules) {
    auto const colon = rule.find(':');
    if (colon == std::string::npos || rule.find('=', colon) == std::string::npos) {
      refuse({}, fmt::format("--rule '{}' is not RECORD:PATH=VALUE", rule), "",
             "Write --rule 'w3.r1:transfer.on_stall=next_cache'.");
    }
    auto const of = rule.substr(0, colon);
    if (of == record || of == "*") {
      std::string const path = rule.substr(colon + 1);
      found.push_back(path.starts_with("pool.") ? path
                                                : fmt::format("strategies.{}.{}", strategy, path));
    }
  }
  return found;
}

/// Moves problems of a temporary scenario to the record that it was made from.
std::vector<Problem> of_record(std::vector<Problem> problems, fs::path const& made,
                               fs::path const& record) {
  for (Problem& problem : problems) {
    if (problem.where.file == made.string()) problem.where = {record.string()};
  }
  return problems;
}

/// Without a submit file the request is the number of GPUs that most jobs had. If slots decide the
/// number, other jobs had fewer.
void fit_to_pool(import::SubmitImport& import, scenario::Pool const& pool,
                 ValidationRecord const& record) {
  if (!record.submit.empty()) return import::fit_to_pool(import, pool, record.submit);
  int& gpus = import.campaign.request.gpus;
  for (scenario::SiteSpec const& site : pool.sites) {
    if (site.gpus_per_slot > 0) gpus = std::min(gpus, site.gpus_per_slot);
  }
}

/// Median execution time of successful jobs; none without such jobs.
std::optional<Seconds> usual_execution(history::JobHistory const& history) {
  std::vector<double> times;
  for (history::Attempt const& attempt : history::attempts_of(history)) {
    bool const done = attempt.end == history::EventKind::terminated && attempt.useful;
    if (auto const time = attempt.execution(); done && time) times.push_back(time->value());
  }
  if (times.empty()) return std::nullopt;
  return Seconds(median(times));
}

/// Marks repeats (by their submit files) whose jobs computed more than twice as long as
/// those of the first, or less than half: the program has changed, or a submit file is shared.
void mark_other_work(std::vector<ValidationRecord>& records, ValidationArguments const& arguments) {
  constexpr double alike = 2;
  std::map<std::string, std::pair<std::string, Seconds>> first;
  for (ValidationRecord& record : records) {
    auto const time = usual_execution(record.logged);
    if (!time || *time <= Seconds()) continue;
    auto const [known, fresh] =
        first.try_emplace(repeats_key(record, arguments), std::pair(record.name, *time));
    auto const& [name, usual] = known->second;
    if (fresh || (*time <= usual * alike && usual <= *time * alike)) continue;
    record.of_other_work = true;
    print_notes(
        fmt::format("{}: by its submit file a repeat of {}, but its jobs computed {:.3g} s where "
                    "those did {:.3g} s: taken for another campaign\n",
                    record.name, name, time->value(), usual.value()));
  }
}

/// The record's campaign on the pool of a calibration.
auto campaign_of(ValidationRecord const& record, fs::path const& calibration,
                 import::CalibratedProgram const& program, ValidationArguments const& arguments,
                 fs::path const& said_by) -> import::SubmitImport {
  auto import = record.submit.empty()
                    ? repeated_campaign(record.name, record.history, record.received)
                    : submit_import(record, arguments, import::InputOf::each_job);
  if (record.submit.empty()) {
    import.notes.push_back({{record.name},
                            "no submit file: the rules are taken for HTCondor's defaults. --submit "
                            "FILE gives them"});
  }
  import::fit_to_calibration(import, program, said_by);
  scenario::Pool const pool = scenario::read_pool(program.pool);
  import::note_slots(import, program, pool, said_by);
  fit_to_pool(import, pool, record);
  import::set_work(import, program, work_options(record, calibration, program, arguments), said_by);
  import.campaign.submit = submissions(record.logged);
  return import;
}

}  // namespace

void add_validation_options(Verb& verb, ValidationArguments& arguments) {
  Verb group = verb.group("Recorded campaigns");
  add_without_option(group, arguments.without);
  add_filter_options(group, arguments.filter);
  group.option("--program", &arguments.program,
               "Only jobs of this program of the records and of the calibration", "NAME");
  group.option("--submit", &arguments.submit, "Submit file of records that have none beside them",
               "FILE");
  add_date_options(group, arguments.dates);
  group
      .option("--work-scale", &arguments.work_scale,
              "Work of a job as a multiple of the calibrated jobs'", "X")
      .positive_number();
  group
      .option("--crash-odds", &arguments.crash_odds,
              "Odds of a crash as a multiple of the calibrated jobs', or a range of them",
              "X|LOW..HIGH")
      .check([](std::string const& text) {
        return parse_factor_range(text) ? "" : "write 2, or 0.5..4";
      });
  group
      .option("--work-word", &arguments.work_word,
              "Which word of a submit file's `arguments` is the work of a job, from 1", "N")
      .whole_number(1, 1000);
  group
      .option("--epochs-word", &arguments.epochs_word,
              "Which word of them is the number of pieces with a checkpoint after each", "N")
      .whole_number(1, 1000);
  group
      .option("--size", &arguments.sizes, "Size of a file, if submit file and ads lack it",
              "URL=SIZE")
      .repeatable();
  group
      .option("--rule", &arguments.rules,
              "A rule of a record's strategy that its submit file lacks; for all\n"
              "records: '*'; for the pool: '*:pool.access_point.policy_interval=5 s'",
              "RECORD:PATH=VALUE")
      .repeatable();
  add_set_option(group, arguments.overrides);
}

history::JobHistory chosen_jobs(import::RecordedCampaign& campaign, fs::path const& place,
                                ValidationArguments const& arguments) {
  auto const uses = import::resource_uses(campaign);
  auto history = import::filtered(std::move(campaign.history), arguments.filter, uses).history;
  if (arguments.program.empty()) return history;
  std::vector<bool> kept(history.jobs.size());
  for (std::size_t job = 0; job < kept.size(); ++job) {
    kept[job] = import::runs_program(history, job, arguments.program);
  }
  if (!contains(kept, true)) {
    refuse({place.string()}, fmt::format("no job of the record ran '{}'", arguments.program),
           "--program scores the jobs of one program", "gridcast ledger --by program names them.");
  }
  return history::only(std::move(history), kept);
}

auto dated_files(import::CampaignFiles const& files) -> import::CampaignFiles {
  return {.logs = files.logs, .attempts = files.attempts};
}

ValidationRecord read_validation_record(fs::path const& place,
                                        ValidationArguments const& arguments) {
  ValidationRecord record;
  bool const folder = is_folder(place);
  fs::path const named = place.has_filename() ? place : place.parent_path();
  record.name = folder ? named.filename().string() : named.stem().string();
  if (folder) {
    add_folder(place, record);
  } else {
    record.files = import::sort_by_kind({place});
    if (record.files.logs.empty() && record.files.attempts.empty()) {
      refuse({place.string()}, "this is neither an event log nor a table of attempts",
             "forecasts are compared with dated events",
             "Name a log or a table of attempts, or a folder with one.");
    }
  }
  if (record.submit.empty()) record.submit = arguments.submit;
  auto campaign = import::open_campaign(record.files, arguments.dates);
  record.history = chosen_jobs(campaign, place, arguments);
  record.job_lease = import::usual_lease(campaign);
  record.outputs_unlisted = condor::usually_unlisted(campaign.ads);
  record.received = import::usual_input(campaign, record.history);
  auto dated = import::open_campaign(dated_files(record.files), arguments.dates);
  record.logged = chosen_jobs(dated, place, arguments);
  if (!record.submit.empty()) {
    auto const submit = submit_import(record, arguments, import::InputOf::largest_group);
    record.executable = submit.executable;
    record.program_arguments = submit.arguments;
    record.input = submit.campaign.input;
    record.outputs_unlisted = submit.strategy.retry.policy.outputs_unlisted;
  }
  return record;
}

std::vector<fs::path> files_of(std::vector<ValidationRecord> const& records) {
  std::vector<fs::path> files;
  for (ValidationRecord const& record : records) {
    for (auto const* each :
         {&record.files.logs, &record.files.ads, &record.files.tables, &record.files.attempts}) {
      files.insert(files.end(), each->begin(), each->end());
    }
    if (!record.submit.empty()) files.push_back(record.submit);
  }
  return files;
}

std::string repeats_key(ValidationRecord const& record, ValidationArguments const& arguments) {
  if (record.submit.empty()) return record.name;  // the program of its jobs is unknown
  std::string key = fmt::format("{} {} {} jobs", record.executable, record.program_arguments,
                                record.history.jobs.size());
  for (auto const& rule : overrides(record.name, "", arguments.rules)) key += " " + rule;
  if (record.of_other_work) key += " in " + record.name;
  return key;
}

std::vector<Bytes> url_sizes(ValidationRecord const& record) {
  return each_of(record.input, [](auto const& file) { return file.size; });
}

std::vector<std::string> input_urls(ValidationRecord const& record) {
  return each_of(record.input, [](auto const& file) { return file.url; });
}

ForecastScenario forecast_scenario(ValidationRecord const& record, fs::path const& calibration,
                                   ValidationArguments const& arguments, fs::path const& folder,
                                   JobsOf jobs_of) {
  auto const program = import::read_calibrated_program(calibration);
  fs::path const said_by = record.submit.empty() ? fs::path(record.name) : record.submit;
  auto import = campaign_of(record, calibration, program, arguments, said_by);
  // Recorded jobs only hold under the record's own rules; other rules need the processes.
  auto rules = overrides(record.name, import.strategy.name, arguments.rules);
  if (!rules.empty()) import.campaign.work.from = scenario::JobSource::processes;
  std::string without = arguments.without;
  if (jobs_of == JobsOf::same_record) {
    without += fmt::format("{}{}", without.empty() ? "" : ",", scenario::campaign_variation);
  }
  rules = with_processes_off(std::move(rules), without);
  rules.insert(rules.end(), arguments.overrides.begin(), arguments.overrides.end());
  ForecastScenario forecast;
  for (auto const& note : import.notes) {
    forecast.notes.push_back(Problem{note.where, note.what, "", ""}.to_text());
  }
  scenario::ScenarioText text;
  text.title = import.title;
  // Relative paths stay valid in a copy of all three.
  fs::create_directories(folder);
  text.pool = fs::relative(program.pool, folder).string();
  text.calibration = fs::relative(calibration, folder).string();
  text.campaign = import.campaign;
  text.strategy = import.strategy;
  fs::path const file = folder / (record.name + ".yaml");
  write_file(file, scenario::scenario_yaml(text));
  try {
    forecast.scenario = scenario::read_scenario(file, rules);
  } catch (InputError const& error) {
    throw InputError(of_record(error.problems(), file, said_by));
  }
  return forecast;
}

std::vector<ValidationRecord> read_records(std::vector<fs::path> const& places,
                                           ValidationArguments const& arguments) {
  std::vector<ValidationRecord> records;
  std::vector<Problem> problems;
  std::set<fs::path> named;
  for (fs::path const& place : places) {
    std::error_code ignored;
    if (!named.insert(fs::weakly_canonical(place, ignored)).second) {
      add_problem(problems, {place.string()}, "the record is named twice", "a campaign counts once",
                  "Name each once.");
      continue;
    }
    collect(problems, [&] { records.push_back(read_validation_record(place, arguments)); });
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  mark_other_work(records, arguments);
  return records;
}

}  // namespace gridcast::cli

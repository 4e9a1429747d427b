// gridcast calibrate FILE... [--pool POOL] -o OUT: a calibration file from recorded campaigns,
// which are job tables, or event logs with ads if there are any (sim/cli/log_calibration.cpp), or
// both (sim/cli/both_calibration.cpp).
#include "sim/cli/calibrate.hpp"

#include <algorithm>
#include <functional>
#include <iostream>
#include <span>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gridcast_version.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/study_on.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Bytes input_size(CalibrateOptions const& options) {
  auto const size = parse_bytes(options.input_size);
  if (size && size->value() > 0) return *size;
  throw InputError({{},
                    "--input-size: '" + options.input_size + "' is not a size",
                    "",
                    "Give a positive number with a unit, such as '137 GB'."});
}

// As one would type it again; options only where they differ from the defaults.
std::string command_for_tables(CalibrateOptions const& options) {
  CalibrateOptions const usual;
  std::string text = named_files_text(options) + table_options_text(options);
  if (options.seed != usual.seed) text += fmt::format(" --seed {}", options.seed);
  return text + " -o " + shell_word(options.out.string());
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

/// Fewer simulations leave fewer to keep, and links that are searched for in fewer steps.
calibration::StallFitOptions fit_options(CalibrateOptions const& options) {
  calibration::StallFitOptions fit;
  constexpr std::size_t least_kept = 40;
  constexpr int least_evaluations = 20;
  double const share =
      std::min(1., static_cast<double>(options.simulations) / static_cast<double>(fit.simulations));
  auto const of = [share](auto usual) {
    return static_cast<decltype(usual)>(share * static_cast<double>(usual));
  };
  fit.keep = std::max(least_kept, of(fit.keep));
  fit.links.evaluations = std::max(least_evaluations, of(fit.links.evaluations));
  fit.simulations = options.simulations;
  fit.reported_makespan = optional_time("--makespan", options.makespan, "7 d");
  return fit;
}

int write_calibration(calibration::CalibrationDocument const& document, fs::path const& out) {
  std::size_t rows = 0;
  for (auto const& input : document.inputs) rows += input.rows;
  print_results(summary_of_tables(document) + more_data_text(document.fit, rows));
  write_file(out, calibration::calibration_yaml(document));
  std::cout << "\nWritten to " << printable(out.string()) << "\n";
  return exit_code::done;
}

/// A round that has to be played before the fit can go on. No fault: what ends a fit, as Ctrl-C
/// does.
struct RoundMissing {
  std::uint32_t number = 0, tasks = 0;
  double campaigns = 1;  // that a task simulates
};

/// What is done about a round that is not there.
using Otherwise = std::function<std::vector<study::Record>(calibration::Round const& round,
                                                           std::uint32_t number)>;

std::vector<study::Record> missing(calibration::Round const& round, std::uint32_t number) {
  throw RoundMissing{number, round.tasks, round.campaigns};
}

[[noreturn]] void refuse_round(std::uint32_t number) {
  throw InputError(
      Problem{{},
              fmt::format("the results of round {} are damaged", number + 1),
              "a fit would read other numbers than its simulations gave",
              number == 0 ? "Remove the files without 'round-' in their names from the study's "
                            "folder results, and resume the study."
                          : fmt::format("Remove the files *.round-{}.* from the study's folder "
                                        "results, and resume the study.",
                                        number)});
}

calibration::PlayRound rounds_there(study::RoundRecords there, Otherwise otherwise) {
  return [there = std::move(there), otherwise = std::move(otherwise),
          next = std::uint32_t{0}](calibration::Round const& round) mutable {
    std::uint32_t const number = next++;
    auto const found = there.find(number);
    if (found == there.end() || found->second.size() != round.tasks) {
      return otherwise(round, number);
    }
    std::vector<study::Record> records;
    for (auto const& [task, record] : found->second) records.push_back(record);
    if (!calibration::are_of(round, records)) refuse_round(number);
    return records;
  };
}

/// The first that is missing.
RoundMissing first_missing(calibration::TableCalibrationRequest const& request) {
  try {
    calibration::calibrate_from_tables(request, rounds_there({}, missing));
  } catch (RoundMissing const& round) {
    return round;
  }
  throw InternalError("a fit through the simulator simulates");
}

Json request_json(TableCalibration const& asked) {
  auto const& request = asked.request;
  auto const& fit = request.simulated;
  return {{"profile", request.profile},
          {"epochs", request.epochs},
          {"input_size_B", request.input_size.value()},
          {"seed", request.seed},
          {"command", request.command},
          {"simulations", fit.simulations},
          {"keep", fit.keep},
          {"evaluations", fit.links.evaluations},
          {"makespan_s", fit.reported_makespan ? Json(fit.reported_makespan->value()) : Json()},
          {"out", fs::absolute(asked.out).string()},
          {"shard_size", asked.shard_size ? Json(*asked.shard_size) : Json()}};
}

/// As it was asked, of the frozen files.
TableCalibration frozen_request(study::FrozenStudy const& study) {
  Json const json = Json::parse(read_text_file(study::calibration_request(study)));
  TableCalibration asked;
  auto& request = asked.request;
  request.pool = study.folder / study.record_files.front();
  for (std::size_t i = 1; i < study.record_files.size(); ++i) {
    request.tables.push_back(study.folder / study.record_files[i]);
  }
  request.profile = json.at("profile");
  request.epochs = json.at("epochs");
  request.input_size = Bytes(json.at("input_size_B").get<double>());
  request.seed = json.at("seed");
  request.command = json.at("command");
  request.version = version_number;
  auto& fit = request.simulated;
  fit.simulations = json.at("simulations");
  fit.keep = json.at("keep");
  fit.links.evaluations = json.at("evaluations");
  if (!json.at("makespan_s").is_null()) {
    fit.reported_makespan = Seconds(json.at("makespan_s").get<double>());
  }
  asked.out = json.at("out").get<std::string>();
  if (!json.at("shard_size").is_null()) asked.shard_size = json.at("shard_size");
  return asked;
}

std::uint32_t shard_size(TableCalibration const& asked, RoundMissing const& round,
                         Seconds campaign_takes) {
  return asked.shard_size.value_or(
      study::shard_size_for(round.tasks, campaign_takes * round.campaigns));
}

/// Rounds as they are asked for, one after the other, from the first.
calibration::PlayRound noted(calibration::PlayRound play, std::vector<RoundMissing>& asked) {
  return [play = std::move(play), &asked](calibration::Round const& round) {
    auto const number = static_cast<std::uint32_t>(asked.size());
    asked.push_back({number, round.tasks, round.campaigns});
    return play(round);
  };
}

/// From the rounds that are in the study's folder, with files named as they were asked.
calibration::CalibrationDocument fitted(study::FrozenStudy const& study,
                                        TableCalibration const& asked) {
  auto const there =
      study::records_of_rounds(study.folder.parent_path() / "results", study.fingerprint);
  auto document = calibration::calibrate_from_tables(asked.request, rounds_there(there, missing));
  auto const& named = study.question.records;
  document.pool_file = named.front();
  for (std::size_t i = 0; i < document.inputs.size(); ++i) document.inputs[i].file = named[i + 1];
  return document;
}

}  // namespace

std::string table_options_text(CalibrateOptions const& options) {
  CalibrateOptions const usual;
  std::string text;
  if (options.epochs != usual.epochs) text += fmt::format(" --epochs {}", options.epochs);
  if (options.input_size != usual.input_size) {
    text += " --input-size " + quoted_for_shell(options.input_size);
  }
  if (!options.makespan.empty()) text += " --makespan " + quoted_for_shell(options.makespan);
  if (options.simulations != usual.simulations) {
    text += fmt::format(" --simulations {}", options.simulations);
  }
  return text;
}

TableCalibration table_calibration(CalibrateOptions const& options) {
  require_pool(options);
  TableCalibration asked;
  auto& request = asked.request;
  request.tables = options.files;
  request.pool = options.pool;
  request.epochs = options.epochs;
  request.input_size = input_size(options);
  request.seed = options.seed;
  request.command = command_for_tables(options);
  request.version = version_number;
  request.simulated = fit_options(options);
  asked.out = options.out;
  return asked;
}

std::optional<calibration::CalibrationDocument> fitted_tables(TableCalibration const& asked,
                                                              CalibrateOptions const& options) {
  unsigned const processes =
      options.processes > 0 ? options.processes : std::max(1u, std::thread::hardware_concurrency());
  try {
    ProgressReport progress(options.verbose, options.quiet);
    return fit_of(asked.request.tables, [&] {
      return calibration::calibrate_from_tables(
          asked.request, calibration::played_here(processes, progress.callback()));
    });
  } catch (calibration::CalibrationInterrupted const&) {
    tell("gridcast: interrupted; nothing was written\n");
    return std::nullopt;
  }
}

std::optional<FirstRound> first_round(TableCalibration const& asked) {
  RoundMissing const first =
      fit_of(asked.request.tables, [&] { return first_missing(asked.request); });
  // A search of a single step is played, which takes as many campaigns as it says.
  auto quick = asked.request;
  quick.simulated.links.evaluations = 1;
  double campaigns = 1;
  study::ShardPlayer const play = [&](study::Shard const& shard,
                                      study::StudyOptions const& options) {
    std::optional<study::ShardResult> result;
    try {
      calibration::calibrate_from_tables(quick, [&](calibration::Round const& round) {
        campaigns = round.campaigns;
        result = study::play(shard, round.task, options);
        return missing(round, 0);
      });
    } catch (RoundMissing const&) {
      // It was played: that is all that was wanted.
    }
    return result;
  };
  study::StudyOptions options;
  options.replicas = 1;
  auto plan = study::plan_shards(play, options, std::nullopt);
  if (!plan) return std::nullopt;
  plan->replica_takes = plan->replica_takes / campaigns;
  plan->shard_size = shard_size(asked, first, plan->replica_takes);
  return FirstRound{first.tasks, *plan};
}

std::string table_calibration_json(TableCalibration const& asked) {
  return request_json(asked).dump(2) + "\n";
}

study::ShardPlayer calibration_player(study::FrozenStudy const& study) {
  return [&study](study::Shard const& shard, study::StudyOptions const& options) {
    auto there =
        study::records_of_rounds(study.folder.parent_path() / "results", study.fingerprint);
    there.erase(there.lower_bound(shard.round), there.end());
    std::optional<study::ShardResult> result;
    auto const play = [&](calibration::Round const& round, std::uint32_t number) {
      if (number < shard.round || shard.to > round.tasks) {
        throw InputError(Problem{
            {},
            fmt::format("'{}' cannot be played", study::name(shard)),
            number < shard.round ? fmt::format("the results of round {} are not all there", number)
                                 : fmt::format("round {} has {} tasks", number, round.tasks),
            "gridcast study resume hands over what can be."});
      }
      result = study::play(shard, round.task, options);
      return missing(round, number);
    };
    try {
      calibration::calibrate_from_tables(frozen_request(study).request, rounds_there(there, play));
    } catch (RoundMissing const&) {
      // It was played, or interrupted.
    }
    return result;
  };
}

// Whatever rounds.json says, and whichever results are there: rounds follow from those before them.
void find_next_round(study::StudyFolder& folder) {
  auto const& study = folder.study();
  auto const asked = frozen_request(study);
  auto const there =
      study::records_of_rounds(study.folder.parent_path() / "results", study.fingerprint);
  std::vector<RoundMissing> rounds;
  try {
    calibration::calibrate_from_tables(asked.request, noted(rounds_there(there, missing), rounds));
  } catch (RoundMissing const&) {
    // The last of them is to be played.
  }
  std::vector<study::WantedRound> wanted;
  for (std::size_t i = 1; i < rounds.size(); ++i) {
    wanted.push_back({rounds[i].tasks, shard_size(asked, rounds[i], study.replica_takes)});
  }
  folder.want(wanted);
}

int gather_calibration(study::StudyFolder const& folder, StudyArguments const& arguments) {
  auto const asked = frozen_request(folder.study());
  if (arguments.json || !arguments.csv.empty() || !arguments.report.file.empty()) {
    throw InputError(Problem{{},
                             "--json, --csv and --report cannot be given for a calibration",
                             "its answer is the file " + asked.out.string(),
                             "Leave them out."});
  }
  VerbFiles files(if_there(arguments.force));
  files.reads(inputs_of_answer(folder));
  files.writes(asked.out);
  files.prepare();
  try {
    return write_calibration(fitted(folder.study(), asked), asked.out);
  } catch (RoundMissing const& round) {
    tell(fmt::format(
        "gridcast: no calibration is written before all rounds of simulations are there; round {} "
        "is to be played, each from what those before it gave: gridcast study resume {}\n",
        round.number + 1, folder.typed()));
    return exit_code::incomplete;
  }
}

namespace {

int calibrate_from_logs(CalibrateOptions const& options, import::CampaignFiles const& files) {
  CalibratedLogs const done = calibrate_logs(options, read_record(options, files));
  print_results(summary_of_logs(done.document.fit) +
                more_data_text(done.document.fit, done.history.jobs.size()));
  tell(programs_text(done.calibrated.programs));
  if (auto const rejected = rejected_text(done.document.fit); !rejected.empty()) {
    tell("Fits that a test rejects (p < 0.05):\n" + rejected);
  }
  write_output(options.out.parent_path(), done.files);
  std::cout << "\nWritten to " << printable(options.out.string());
  if (options.pool.empty()) std::cout << " and " << printable(pool_beside(options.out).string());
  std::cout << "\n";
  return exit_code::done;
}

/// Fits, writes and tells. The exit code.
int calibrate_tables(TableCalibration const& asked, CalibrateOptions const& options) {
  auto const document = fitted_tables(asked, options);
  return document ? write_calibration(*document, asked.out) : exit_code::interrupted;
}

/// Logs are fitted by likelihoods: nothing is simulated that others could play.
void refuse_shards_of_logs(OnArguments const& on) {
  if (on.system.empty()) return;
  throw InputError(Problem{{},
                           "--on without a job table",
                           "calibrating from logs, ads and tables of attempts simulates nothing",
                           "Leave --on out."});
}

void refuse_shards_of_both(OnArguments const& on) {
  if (on.system.empty()) return;
  throw InputError(Problem{{},
                           "--on with a job table and other records",
                           "shards play the simulations of a table alone",
                           "Leave --on out, or calibrate from the table by itself."});
}

/// Options that only one kind of record has a use for.
constexpr char const* of_tables[] = {"--epochs", "--input-size", "--makespan", "--simulations"};
constexpr char const* of_logs[] = {"--year",
                                   "--tz",
                                   "--profile",
                                   "--submit",
                                   "--urls",
                                   "--caches",
                                   "--software",
                                   "--where",
                                   "--since",
                                   "--until",
                                   "--stall-timer",
                                   "--draws",
                                   "--between-campaigns"};

void refuse_given(Verb const& verb, std::span<char const* const> options, Problem const& of_each,
                  std::vector<Problem>& problems) {
  for (char const* const option : options) {
    if (!verb.given(option)) continue;
    problems.push_back(of_each);
    problems.back().what = option + of_each.what;
  }
}

void refuse_options_without_use(Verb const& verb, import::CampaignFiles const& files,
                                std::string const& profile) {
  std::vector<Problem> problems;
  if (files.tables.empty()) {
    refuse_given(verb, of_tables,
                 {{},
                  " without a job table",
                  "of logs it changes nothing",
                  "Leave it out; --submit FILE tells what the record does not of its jobs."},
                 problems);
  } else if (!files.mixed()) {
    refuse_given(
        verb, of_logs,
        {{}, " with nothing but job tables", "of them it changes nothing", "Leave it out."},
        problems);
  }
  if (verb.given("--columns") && files.attempts.empty()) {
    problems.push_back({{},
                        "--columns without a table of another program",
                        "event logs and ads have no columns",
                        "Leave it out."});
  }
  if (verb.given("--profile") && profile.empty()) {
    problems.push_back({{},
                        "--profile has no name",
                        "scenarios name what their jobs run by it",
                        "Give one, as resnet50, or leave it out."});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

int run_calibrate(Verb const& verb, CalibrateOptions const& options, OnArguments const& on) {
  auto taking = options.record.options();
  taking.mixtures = import::Mixtures::take;
  import::CampaignFiles const files = import::sort_by_kind(options.files, taking);
  refuse_options_without_use(verb, files, options.profile);
  VerbFiles all(if_there(options.force));
  all.reads(options.files);
  all.reads({options.pool, options.submit, options.record.columns});
  all.writes(options.out);
  if (files.tables.empty() && options.pool.empty()) all.writes(pool_beside(options.out));
  all.prepare();
  if (files.tables.empty()) {
    refuse_shards_of_logs(on);
    return calibrate_from_logs(options, files);
  }
  if (files.mixed()) {
    refuse_shards_of_both(on);
    return calibrate_both(options, files);
  }
  auto asked = table_calibration(options);
  asked.shard_size = on.shard_size;
  if (on.system.empty()) return calibrate_tables(asked, options);
  StudyArguments arguments;
  if (options.processes > 0)
    arguments.processes = options.processes;
  else
    arguments.processes = std::max(1U, std::thread::hardware_concurrency());
  arguments.force = options.force;
  arguments.verbose = options.verbose;
  arguments.quiet = options.quiet;
  return begin_calibration(on, arguments, asked);
}

}  // namespace

void add_calibrate(Verb& program) {
  auto options = std::make_shared<CalibrateOptions>();
  auto on = std::make_shared<OnArguments>();
  Verb verb = program.verb("calibrate", "Fit the simulator to recorded campaigns");
  verb.positional("FILE", &options->files,
                  "Job tables (CSV), event logs and ads, tables of attempts; or both")
      .required();
  add_record_options(verb, options->record);
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
              "else as ads show them",
              "LIST")
      .repeatable();
  verb.option("--makespan", &options->makespan,
              "How long a table's campaign took in the words of its report; a factor of 2.3 either "
              "way is left open",
              "TIME");
  verb.option("--stall-timer", &options->stall_timer,
              "When the starter's stall timer acted (HTCondor's default: 3620 s); else as the "
              "durations show it",
              "TIME");
  add_software_option(verb, options->software);
  add_filter_options(verb, options->filter);
  verb.option("--draws", &options->draws, "Joint draws, of logs", "N")
      .whole_number(10, 100000)
      .shows_default();
  verb.option(
          "--between-campaigns", &options->between_campaigns,
          "How much crashes, failed transfers, lost slots and people differ in the next campaign "
          "(sd of logarithms); else priors, or what campaigns show",
          "SD")
      .number_within(0.0, 3.0);
  verb.option("--simulations", &options->simulations, "Campaigns simulated to fit a table", "N")
      .whole_number(400, 10'000'000)
      .shows_default();
  add_on_options(verb, *on);
  verb.flag("--verbose", options->verbose, "Progress also where there is no terminal");
  verb.flag("--quiet", options->quiet, "No progress; problems are still told");
  verb.flag("--force", options->force, "Replace OUT, and its pool, if they are there");
  verb.footer(
      "Examples:\n"
      "  gridcast calibrate calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv \\\n"
      "    --pool scenarios/pools/ospool-2024.yaml -o calibration/fitted/osg-imagenet.yaml\n"
      "  gridcast calibrate campaign.log history.json epochs.INPUT.json -o campaign.yaml\n"
      "  gridcast calibrate jobs.csv campaign.log --pool pool.yaml -o both.yaml");
  verb.runs([options, on, verb] { return run_calibrate(verb, *options, *on); });
}

}  // namespace gridcast::cli

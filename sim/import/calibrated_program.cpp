#include "sim/import/calibrated_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/import/submit_requirements.hpp"
#include "sim/import/which_program.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::import {
namespace {

namespace fs = std::filesystem;

// The odds of a crash of a program that has not run, as a multiple of those of another of the same
// user: between two real campaigns they rose 2 to 16 times (assumption A-PROGRAM, docs/model.md).
constexpr FactorRange unknown_program{1. / 16, 16};
constexpr double most_crash = 2. / 3;
// Where the record does not say what ran, it may be the same or another: half of that, in
// logarithms.
constexpr FactorRange untold_program{1. / 4, 4};

std::string text_at(YAML::Node const& node, char const* key) {
  if (!node.IsMap()) return "";
  YAML::Node const value = node[key];
  return value && value.IsScalar() ? value.Scalar() : "";
}

YAML::Node below(YAML::Node const& node, char const* key) {
  YAML::Node const value = node.IsMap() ? node[key] : YAML::Node();
  return value ? value : YAML::Node();
}

/// From the calibration's folder, or from one above it: a calibration that is shipped names its
/// pool from the folder of all.
fs::path find_pool(fs::path const& calibration, fs::path const& pool) {
  std::error_code error;
  fs::path folder = calibration.parent_path();
  fs::path const beside = (folder / pool).lexically_normal();
  if (fs::exists(beside, error)) return beside;
  folder = fs::absolute(calibration, error).lexically_normal().parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    fs::path const above = fs::proximate(folder / pool, error);
    if (!error && fs::exists(above, error)) return above;
  }
  return beside;
}

std::size_t count_at(YAML::Node const& node, char const* key) {
  return static_cast<std::size_t>(std::max(0.0, std::strtod(text_at(node, key).c_str(), nullptr)));
}

/// Of a job's first execution: mean over the sites of what the file estimates, and that the job is
/// bad.
std::optional<double> crash_in(YAML::Node const& parameters) {
  double sum = 0;
  int sites = 0;
  for (auto const& each : parameters) {
    if (!each.first.IsScalar() || !each.first.Scalar().starts_with("crash.")) continue;
    sum += std::strtod(text_at(each.second, "estimate").c_str(), nullptr);
    ++sites;
  }
  if (sites == 0) return std::nullopt;
  double const bad_job =
      std::strtod(text_at(below(parameters, "crash_of_job"), "estimate").c_str(), nullptr);
  double const crash = bad_job + (1 - bad_job) * sum / sites;
  return crash > 0 ? std::optional(crash) : std::nullopt;
}

std::optional<RecordedCrashes> crashes_in(YAML::Node const& estimate) {
  RecordedCrashes const found{count_at(estimate, "events"), count_at(estimate, "censored")};
  return found.held + found.others > 0 ? std::optional(found) : std::nullopt;
}

std::vector<SeenSlots> slots_in(YAML::Node const& root) {
  constexpr std::string_view prefix = "slots.";
  std::vector<SeenSlots> found;
  for (auto const& each : below(root, "parameters")) {
    if (!each.first.IsScalar() || !each.first.Scalar().starts_with(prefix)) continue;
    SeenSlots site{each.first.Scalar().substr(prefix.size()),
                   static_cast<int>(count_at(each.second, "estimate"))};
    YAML::Node const interval = below(each.second, "interval90");
    site.drawn = interval.IsSequence() && interval.size() == 2 && interval[1].IsScalar() &&
                 std::strtod(interval[1].Scalar().c_str(), nullptr) > site.seen;
    found.push_back(std::move(site));
  }
  for (auto const& each : below(root, "not_identified")) {
    for (SeenSlots& site : found) {
      if (text_at(each, "what") == std::string(prefix) + site.site) site.are_all = false;
    }
  }
  return found;
}

std::vector<history::RanProgram> ran_in(YAML::Node const& root) {
  std::vector<history::RanProgram> found;
  auto const add = [&found](YAML::Node const& program) {
    std::string const executable = text_at(program, "executable");
    if (executable.empty()) return;
    found.push_back({executable});
    if (below(program, "arguments").IsScalar())
      found.back().arguments = text_at(program, "arguments");
  };
  add(below(root, "program"));
  for (YAML::Node const& other : below(root, "other_programs")) add(other);
  return found;
}

std::string names_of(std::vector<ProgramVariant> const& variants) {
  std::string names;
  for (ProgramVariant const& variant : variants) {
    names += (names.empty() ? "'" : ", '") + variant.name + "'";
  }
  return names;
}

SubmittedProgram submitted_program(SubmitImport const& import) {
  return {import.executable, import.arguments, import.batch_name};
}

ProgramVariant named_variant(std::vector<ProgramVariant> const& variants,
                             std::string const& named) {
  std::vector<std::string> known;
  for (ProgramVariant const& each : variants) {
    if (each.name == named) return each;
    known.push_back(each.name);
  }
  throw InputError(Problem{{},
                           fmt::format("--program: the calibrated jobs ran no '{}'", named),
                           known.empty() ? "they all ran one" : "they ran " + names_of(variants),
                           suggestion(named, known)});
}

/// Those that the submit file may be of: all of them where it is of none.
struct VariantChoice {
  std::vector<ProgramVariant> among = {};  // empty where the calibration knows but one program
  bool told = false;

  /// The newest of the record, else that of most jobs.
  ProgramVariant const* likeliest() const {
    auto const most = std::max_element(among.begin(), among.end(), [](auto& a, auto& b) {
      return std::pair(a.newest, a.jobs) < std::pair(b.newest, b.jobs);
    });
    return most == among.end() ? nullptr : &*most;
  }
};

VariantChoice choose_variant(SubmitImport& import, CalibratedProgram const& program,
                             std::string const& named, fs::path const& submit_file) {
  if (!named.empty()) return {{named_variant(program.variants, named)}, true};
  VariantChoice choice{fitting_variants(program.variants, submitted_program(import))};
  choice.told = !choice.among.empty();
  if (!choice.told) choice.among = program.variants;
  if (choice.among.size() < 2) return choice;
  ProgramVariant const& taken = *choice.likeliest();
  std::string const which =
      choice.told ? fmt::format("'{}' may be any of {}", import.executable, names_of(choice.among))
                  : "the submit file does not tell which of them it runs";
  import.notes.push_back(
      {{submit_file.string()},
       fmt::format("the calibrated jobs ran {} programs{}, and {}: taken for {}, '{}'. --program "
                   "NAME says otherwise",
                   program.variants.size(),
                   choice.told ? "" : " (" + names_of(program.variants) + ")", which,
                   taken.newest ? "the newest" : "that of most jobs", taken.name)});
  return choice;
}

}  // namespace

namespace {

/// What the pool says of its versions; nothing where it is not there.
scenario::Software software_of(fs::path const& pool) {
  std::error_code ignored;
  return fs::exists(pool, ignored) ? scenario::read_pool(pool).software : scenario::Software();
}

/// A pool that names its HTCondor has that version's timer.
std::optional<RecordedTimer> timer_in(YAML::Node const& estimate, fs::path const& pool) {
  double const acts_after = std::strtod(text_at(estimate, "estimate").c_str(), nullptr);
  if (!(acts_after > 0) || software_of(pool).htcondor) return std::nullopt;
  return RecordedTimer{Seconds(acts_after), count_at(estimate, "events"),
                       count_at(estimate, "censored")};
}

/// A pool that names its Pelican has that version's rule.
std::optional<RecordedClient> client_in(YAML::Node const& estimate, fs::path const& pool) {
  double const gives_up_after = std::strtod(text_at(estimate, "estimate").c_str(), nullptr);
  if (!(gives_up_after > 0) || software_of(pool).pelican) return std::nullopt;
  return RecordedClient{Seconds(gives_up_after), count_at(estimate, "events")};
}

/// A pool that names its HTCondor has what that version does.
std::optional<RecordedCoolDown> cool_down_in(YAML::Node const& range, fs::path const& pool) {
  if (!range.IsSequence() || range.size() != 2 || software_of(pool).htcondor) return std::nullopt;
  auto const least = parse_seconds(range[0].IsScalar() ? range[0].Scalar() : "");
  auto const most = parse_seconds(range[1].IsScalar() ? range[1].Scalar() : "");
  bool const good = least && most && *least >= Seconds() && *most >= *least && *most > Seconds();
  return good ? std::optional(RecordedCoolDown{*least, *most}) : std::nullopt;
}

}  // namespace

CalibratedProgram read_calibrated_program(fs::path const& calibration) {
  std::string const text = read_text_file(calibration);
  scenario::YamlDocument document(calibration, scenario::split_rows(text).text_without);
  bool const good = scenario::check_schema(document, scenario::calibration_schema_name);
  if (!good || document.has_problems()) throw InputError(document.problems());
  YAML::Node const& root = document.root();
  CalibratedProgram found;
  found.profile = text_at(root, "profile");
  std::string const pool = text_at(below(root, "pool"), "file");
  if (!pool.empty()) found.pool = find_pool(calibration, pool);
  found.ran = ran_in(root);
  for (YAML::Node const& column : below(below(root, "draws"), "columns")) {
    if (column.IsScalar() && column.Scalar() == "work_s") found.from_event_log = true;
  }
  YAML::Node const campaign = below(root, "campaign");
  YAML::Node const input = below(campaign, "input");
  found.one_transfer = input.IsSequence() && input.size() == 1 && text_at(input[0], "url").empty();
  for (YAML::Node const& url : input) {
    auto const size = parse_bytes(text_at(url, "size"));
    std::string const name = text_at(url, "url");
    if (size && *size > Bytes() && !name.empty()) found.sizes[name] = *size;
  }
  for (YAML::Node const& each : below(campaign, "programs")) {
    found.variants.push_back(
        {text_at(each, "name"), std::strtod(text_at(each, "work_scale").c_str(), nullptr),
         std::atoi(text_at(each, "jobs").c_str()), text_at(each, "newest") == "true",
         parse_factor_range(text_at(each, "crash_odds"))});
  }
  YAML::Node const line = below(campaign, "work_by_number");
  if (line.IsSequence() && line.size() == 2 && line[0].IsScalar() && line[1].IsScalar()) {
    found.work_by_number = WorkByNumber{std::strtod(line[0].Scalar().c_str(), nullptr),
                                        std::strtod(line[1].Scalar().c_str(), nullptr)};
  }
  found.plugin_lifetime = parse_seconds(text_at(campaign, "plugin_lifetime"));
  found.cool_down = cool_down_in(below(campaign, "cool_down"), found.pool);
  found.crash = crash_in(below(root, "parameters"));
  found.slots = slots_in(root);
  YAML::Node const parameters = below(root, "parameters");
  found.crashes = crashes_in(below(parameters, "crash_held"));
  found.stall_timer = timer_in(below(parameters, "stall_timer_s"), found.pool);
  found.client = client_in(below(parameters, "client_timeout_s"), found.pool);
  found.job_lease = parse_seconds(text_at(campaign, "job_lease"));
  auto const epochs = text_at(campaign, "epochs");
  if (!epochs.empty() && epochs.size() < 7 &&
      epochs.find_first_not_of("0123456789") == std::string::npos) {
    found.epochs = std::stoi(epochs);
  }
  return found;
}

namespace {

std::size_t most_files_of_a_job(std::vector<scenario::InputFile> const& input) {
  std::map<int, std::size_t> own;
  std::size_t of_all = 0, most = 0;
  for (scenario::InputFile const& file : input) {
    if (file.job) {
      most = std::max(most, ++own[*file.job]);
    } else {
      ++of_all;
    }
  }
  return of_all + most;
}

/// The rule that acts when the recorded one did: the starter's own looks, where they are at that
/// time, else a first look then. That a transfer lasted longer and arrived shows that the timer saw
/// its bytes.
void put_timer(scenario::TransferStrategy& transfer, RecordedTimer const& timer) {
  constexpr double as_recorded = 0.01;
  Seconds const first = transfer.first_check, each = transfer.check_interval;
  double const looks = std::round((timer.acts_after - first) / each);
  Seconds const look = first + each * looks;
  if (looks > 0 && std::abs(look / timer.acts_after - 1) < as_recorded) {
    transfer.stall_timeout = each * looks;
  } else {
    transfer.first_check = transfer.stall_timeout = timer.acts_after;
  }
  transfer.stall_timer =
      timer.longer > 0 ? scenario::StallTimer::silence : scenario::StallTimer::whole_transfer;
}

std::string timer_words(RecordedTimer const& timer) {
  std::string const shown =
      timer.ended > 0
          ? fmt::format(
                "the pool's stall timer ended {} after {}, and {} that lasted longer arrived",
                counted(timer.ended, "transfer"), to_text(timer.acts_after),
                timer.longer > 0 ? counted(timer.longer, "other") : "none")
          : fmt::format("the pool's stall timer acts after {}, as stated",
                        to_text(timer.acts_after));
  return shown + fmt::format(": the strategy's `stall_timer` is `{}`",
                             timer.longer > 0 ? "silence" : "whole_transfer");
}

void put_cool_down(scenario::RetryStrategy& retry, RecordedCoolDown const& recorded) {
  retry.on_transfer_failure = scenario::OnTransferFailure::cool_down;
  retry.delay_min = recorded.least;
  retry.delay_max = recorded.most;
}

/// Durations of tries are the timeout and some milliseconds.
void put_client(scenario::TransferStrategy& transfer, RecordedClient const& client) {
  Seconds const whole(std::round(client.gives_up_after.value()));
  bool const nearly = whole > Seconds() && std::abs(client.gives_up_after / whole - 1) < 0.01;
  transfer.on_stall = scenario::OnStall::next_cache;
  transfer.client_timeout = nearly ? whole : client.gives_up_after;
}

std::string client_words(RecordedClient const& client) {
  return fmt::format(
      "the record's clients ask the next cache after {} without a byte, as {} of their tries show: "
      "the strategy's `on_stall` is `next_cache`",
      to_text(Seconds(client.gives_up_after)), client.asked_next);
}

std::string crashes_words(RecordedCrashes const& crashes) {
  return fmt::format(
      "of the record's executions that crashed ({}), {} were held as output was missing: a crash "
      "is "
      "taken to leave transfer_output_files",
      crashes.held + crashes.others, crashes.held);
}

}  // namespace

void fit_to_calibration(SubmitImport& import, CalibratedProgram const& program,
                        fs::path const& submit_file) {
  scenario::Strategy& strategy = import.strategy;
  scenario::Strategy const usual;
  auto const note = [&](std::string what) {
    import.notes.push_back({{submit_file.string()}, std::move(what)});
  };
  auto& lifetime = strategy.retry.policy.plugin_lifetime;
  if (program.from_event_log && !lifetime) lifetime = program.plugin_lifetime;
  auto& lease = strategy.retry.policy.job_lease_duration;
  if (!lease) lease = program.job_lease;
  if (program.cool_down &&
      strategy.retry.on_transfer_failure == scenario::OnTransferFailure::recorded) {
    put_cool_down(strategy.retry, *program.cool_down);
    note(
        "the record's failed input transfers were not held: its jobs cool down, and the strategy's "
        "`on_transfer_failure` is `cool_down`");
  }
  if (program.stall_timer && strategy.transfer.protocol != scenario::Protocol::htcondor) {
    put_timer(strategy.transfer, *program.stall_timer);
    note(timer_words(*program.stall_timer));
  }
  if (program.client && strategy.transfer.protocol == scenario::Protocol::osdf) {
    put_client(strategy.transfer, *program.client);
    note(client_words(*program.client));
  }
  bool& crash_holds = strategy.retry.policy.crash_holds;
  if (crash_holds && program.crashes && !program.crashes->are_held()) {
    crash_holds = false;
    std::erase_if(import.notes, [](condor::SubmitNote const& each) {
      return each.what == crash_is_taken_to_hold;
    });
    note(crashes_words(*program.crashes));
  }
  auto& input = import.campaign.input;
  std::size_t const most = most_files_of_a_job(input);
  if (program.from_event_log && program.one_transfer && most > 1) {
    note(
        fmt::format("the calibration does not tell how many URLs its jobs fetched: these {} are "
                    "taken as one transfer, like theirs",
                    most));
    input.front() = {input.front().url, import.campaign.input_size()};
    input.resize(1);
  }
}

void note_slots(SubmitImport& import, CalibratedProgram const& program, scenario::Pool const& pool,
                fs::path const& submit_file) {
  int seen = 0;
  std::size_t may_have_more = 0;
  bool drawn = false;
  for (SeenSlots const& site : program.slots) {
    seen += site.seen;
    bool const as_seen =
        std::any_of(pool.sites.begin(), pool.sites.end(), [&](scenario::SiteSpec const& each) {
          return each.name == site.site && each.slots == site.seen;
        });
    if (site.are_all || !as_seen) continue;
    ++may_have_more;
    drawn = drawn || site.drawn;
  }
  if (may_have_more == 0 || import.campaign.jobs() <= seen) return;
  import.notes.push_back({{submit_file.string()},
                          fmt::format("{} of {} may have more slots than the {} seen: {}",
                                      may_have_more, counted(program.slots.size(), "site"), seen,
                                      drawn ? "taken to have 1 to 20 times as many"
                                            : "the jobs would be done sooner")});
}

void fit_to_pool(SubmitImport& import, scenario::Pool const& pool, fs::path const& submit_file) {
  scenario::Request& request = import.campaign.request;
  auto const note = [&](std::string what) {
    import.notes.push_back({{submit_file.string()}, std::move(what)});
  };
  auto const& sites = pool.sites;
  bool const no_gpus = std::all_of(sites.begin(), sites.end(), [](scenario::SiteSpec const& site) {
    return site.slots > 0 && site.gpus == 0;
  });
  if (no_gpus && request.gpus > 0) {
    note(fmt::format("request_gpus = {}: the pool tells no GPUs, so it is taken for met",
                     std::exchange(request.gpus, 0)));
  }
  auto const matching = scenario::matching_sites(pool, request);
  auto const check = [&](bool asked, std::string const& what, auto const& untold) {
    auto const count = std::count_if(matching.begin(), matching.end(), [&](auto id) {
      scenario::SiteSpec const& site = sites[id.index()];
      return site.slots > 0 && untold(site);
    });
    if (!asked || count == 0) return;
    note(
        fmt::format("{}: the pool does not tell it of {} of the {} entries that the jobs match, "
                    "so it is taken for met there",
                    what, count, matching.size()));
  };
  check(request.gpu_capability > 0,
        fmt::format("gpus_minimum_capability = {}", request.gpu_capability),
        [](auto const& site) { return site.gpu_capability == 0; });
  check(request.gpu_memory > Bytes(),
        fmt::format("gpus_minimum_memory = {}", to_text(request.gpu_memory)),
        [](auto const& site) { return site.gpu_memory == Bytes(); });
  fit_requirements(import, pool, submit_file);
}

FactorRange odds_of_another_program(std::optional<double> const& crash) {
  if (!crash || *crash <= 0 || *crash >= 1) return unknown_program;
  double const limit = most_crash / (1 - most_crash) * (1 - *crash) / *crash;
  return {unknown_program.least, std::clamp(limit, 1., unknown_program.most)};
}

void set_work(SubmitImport& import, CalibratedProgram const& program, WorkOptions const& options,
              fs::path const& submit_file) {
  scenario::Work& work = import.campaign.work;
  if (!program.from_event_log && (options.scale.value_or(1) != 1 || options.crash_odds)) {
    throw InputError(Problem{{},
                             "--work-scale and --crash-odds need a calibration of dated logs",
                             "this one knows its own jobs only",
                             "Calibrate from an event log, or say --epochs."});
  }
  auto const note = [&](std::string what) {
    import.notes.push_back({{submit_file.string()}, std::move(what)});
  };
  work.profile = options.profile.empty() ? program.profile : options.profile;
  VariantChoice const choice = options.scale
                                   ? VariantChoice()
                                   : choose_variant(import, program, options.program, submit_file);
  ProgramVariant const* const variant = choice.likeliest();
  work.scale = options.scale.value_or(variant ? variant->work_scale : 1);
  auto const [recorded, same] = recognised(program.ran, submitted_program(import));
  if (options.crash_odds) {
    work.crash_odds = *options.crash_odds;
  } else if (program.from_event_log && !program.ran.empty() && !same && !choice.told) {
    work.crash_odds = odds_of_another_program(program.crash);
    bool const limited = work.crash_odds.most < unknown_program.most;
    note(
        fmt::format("the calibrated jobs ran another program, or with other arguments: how often "
                    "these crash is not known; odds from a sixteenth to {} times the calibrated "
                    "ones are tried{}. --crash-odds X or LOW..HIGH says otherwise",
                    limited ? fmt::format("{:.2g}", work.crash_odds.most) : "sixteen",
                    limited ? ", at which two of three executions would crash" : ""));
  } else if (variant) {
    work.crash_odds = variant->crash_odds.value_or(FactorRange());
  } else if (program.from_event_log && program.ran.empty() && program.variants.empty()) {
    work.crash_odds = untold_program;
    note(
        "the calibration does not tell that its jobs ran this program, and as it is now: odds of a "
        "crash from a quarter to four times the calibrated ones are tried. --crash-odds X or "
        "LOW..HIGH says otherwise");
  }
  bool const told = options.scale || !options.profile.empty() || !program.variants.empty();
  if (!told && recorded && !same) {
    note(
        fmt::format("the calibrated jobs ran {} with '{}', these with '{}': the work of a job is "
                    "taken for the same. --work-scale X says otherwise",
                    recorded->executable, recorded->arguments.value_or(""), import.arguments));
  } else if (!told && !same) {
    note(
        "the work of a job is taken for that of the calibrated ones, maybe another program's. "
        "--work-scale X says otherwise");
  }
  if (!import.checkpoints && options.epochs > 1) {
    note(
        fmt::format("--epochs {}: the submit file has no checkpoint_exit_code, so no checkpoint is "
                    "kept, and the pieces change nothing of what is lost",
                    options.epochs));
  }
  int const known = same ? program.epochs : 0;
  work.epochs = std::max(1, options.epochs > 0 ? options.epochs : known);
  if (import.checkpoints && options.epochs == 0 && known <= 1) {
    note(
        "the program checkpoints itself, and how often is not known: taken for never. --epochs N "
        "says after how many pieces of its work");
  }
}

}  // namespace gridcast::import

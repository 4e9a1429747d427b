#include "sim/import/calibrated_program.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/import/submit_requirements.hpp"
#include "sim/import/which_program.hpp"
#include "sim/scenario/hardware.hpp"

namespace gridcast::import {
namespace {

namespace fs = std::filesystem;

// The odds of a crash of a program that has not run, as a multiple of those of another of the same
// user: between two real campaigns they rose 2 to 16 times (assumption A-PROGRAM, docs/model.md).
constexpr FactorRange unknown_program{1. / 16, 16};
constexpr double most_crash = 2. / 3;
// If the program of the record is unknown, it may be the same or another: half of that, in
// logarithms.
constexpr FactorRange perhaps_another_program{1. / 4, 4};

/// Adds notes on a submit file.
class Notes {
 public:
  Notes(SubmitImport& import, fs::path const& submit_file)
      : notes_(import.notes), file_(submit_file.string()) {}

  void operator()(std::string what, condor::SubmitAction action = condor::SubmitAction::none,
                  condor::SubmitTopic topic = condor::SubmitTopic::other) const {
    notes_.push_back({{file_}, std::move(what), topic, action});
  }

 private:
  std::vector<condor::SubmitNote>& notes_;
  std::string file_;
};

/// Share of the first executions of jobs that crash: the job is bad, or its execution crashes at
/// the mean rate over sites.
std::optional<double> crash_in(scenario::CalibrationFile const& file) {
  double sum = 0;
  int sites = 0;
  for (scenario::Estimate const& each : file.parameters) {
    if (!each.name.starts_with("crash.")) continue;
    sum += each.estimate;
    ++sites;
  }
  if (sites == 0) return std::nullopt;
  scenario::Estimate const* const of_job = file.parameter("crash_of_job");
  double const bad_job = of_job ? of_job->estimate : 0;
  double const crash = bad_job + (1 - bad_job) * sum / sites;
  return crash > 0 ? std::optional(crash) : std::nullopt;
}

std::optional<RecordedCrashes> crashes_in(scenario::CalibrationFile const& file) {
  scenario::Estimate const* const held = file.parameter("crash_held");
  if (!held || held->events + held->censored == 0) return std::nullopt;
  return RecordedCrashes{held->events, held->censored};
}

std::vector<SeenSlots> slots_in(scenario::CalibrationFile const& file) {
  constexpr std::string_view prefix = "slots.";
  std::vector<SeenSlots> found;
  for (scenario::Estimate const& each : file.parameters) {
    if (!each.name.starts_with(prefix)) continue;
    SeenSlots site{each.name.substr(prefix.size()), static_cast<int>(std::max(0.0, each.estimate))};
    site.drawn = each.interval90.high > site.seen;
    site.are_all = std::ranges::none_of(file.not_identified,
                                        [&](auto const& gap) { return gap.what == each.name; });
    found.push_back(std::move(site));
  }
  return found;
}

SubmittedProgram submitted_program(SubmitImport const& import) {
  return {import.executable, import.arguments, import.batch_name};
}

/// Those that the submit file may be of: all of them where it is of none.
struct VariantChoice {
  std::vector<ProgramVariant> among = {};  // empty where the calibration knows but one program
  bool fits = false;
  bool is_mix() const { return among.size() > 1; }

  /// The newest of the record, else that of most jobs.
  ProgramVariant const* likeliest() const {
    auto const most = std::ranges::max_element(among, [](auto& a, auto& b) {
      return std::pair(a.newest, a.jobs) < std::pair(b.newest, b.jobs);
    });
    return most == among.end() ? nullptr : &*most;
  }
};

VariantChoice choose_variant(SubmitImport const& import, CalibratedProgram const& program,
                             std::string const& named) {
  if (!named.empty()) return {{named_variant(program.variants, named)}, true};
  VariantChoice choice;
  // Without a submit file nothing is known, not that a batch has no name.
  if (!import.executable.empty()) {
    choice.among = fitting_variants(program.variants, submitted_program(import));
  }
  choice.fits = !choice.among.empty();
  if (!choice.fits) choice.among = program.variants;
  return choice;
}

/// The versions in the pool's file, if the file exists.
scenario::Software software_of(fs::path const& pool) {
  std::error_code ignored;
  return fs::exists(pool, ignored) ? scenario::read_pool(pool).software : scenario::Software();
}

/// A pool that names its HTCondor has that version's timer.
std::optional<RecordedTimer> timer_in(scenario::CalibrationFile const& file, fs::path const& pool) {
  scenario::Estimate const* const timer = file.parameter("stall_timer_s");
  if (!timer || !(timer->estimate > 0) || software_of(pool).htcondor) return std::nullopt;
  return RecordedTimer{Seconds(timer->estimate), timer->events, timer->censored};
}

/// A pool that names its Pelican has that version's rule.
std::optional<RecordedClient> client_in(scenario::CalibrationFile const& file,
                                        fs::path const& pool) {
  scenario::Estimate const* const client = file.parameter("client_timeout_s");
  if (!client || !(client->estimate > 0) || software_of(pool).pelican) return std::nullopt;
  return RecordedClient{Seconds(client->estimate), client->events};
}

/// A pool that names its HTCondor has that version's rule.
std::optional<TimeRange> cool_down_in(scenario::CalibratedCampaign const& campaign,
                                      fs::path const& pool) {
  if (!campaign.cool_down || software_of(pool).htcondor) return std::nullopt;
  auto const [least, most] = *campaign.cool_down;
  bool const good = least >= Seconds() && most >= least && most > Seconds();
  return good ? campaign.cool_down : std::nullopt;
}

void read_campaign(CalibratedProgram& program, scenario::CalibratedCampaign const& campaign) {
  program.one_transfer = campaign.input.size() == 1 && campaign.input.front().url.empty();
  for (scenario::CalibratedUrl const& each : campaign.input) {
    if (each.size && *each.size > Bytes() && !each.url.empty()) {
      program.sizes[each.url] = *each.size;
    }
  }
  program.variants = campaign.programs;
  program.work_by_number = campaign.work_by_number;
  program.plugin_lifetime = campaign.plugin_lifetime;
  program.cool_down = cool_down_in(campaign, program.pool);
  program.job_lease = campaign.job_lease;
  constexpr std::size_t most_epochs = 999999;
  if (campaign.epochs <= most_epochs) program.epochs = static_cast<int>(campaign.epochs);
}

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

void put_cool_down(scenario::RetryStrategy& retry, TimeRange const& recorded) {
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
      "the record's clients try the next cache after {} without a byte, as {} of their tries show: "
      "the strategy's `on_stall` is `next_cache`",
      to_text(Seconds(client.gives_up_after)), client.asked_next);
}

std::string crashes_words(RecordedCrashes const& crashes) {
  return fmt::format(
      "of the record's executions that crashed ({}), {} were held as output was missing: a crash "
      "is taken to leave transfer_output_files",
      crashes.held + crashes.others, crashes.held);
}

/// As submit files count memory: "32768 MiB".
std::string in_mebibytes(Bytes size) {
  constexpr Bytes mebibyte(1048576);
  return fmt::format("{:.0f} MiB", size / mebibyte);
}

/// Notes a request of a size for which most slots are too small that the jobs else match.
void note_few_slots(SubmitImport& import, scenario::Pool const& pool, fs::path const& submit_file,
                    Bytes scenario::Request::*size, std::string const& command) {
  scenario::Request smaller = import.campaign.request;
  std::string const requested =
      fmt::format("{} = {}", command, in_mebibytes(std::exchange(smaller.*size, Bytes())));
  int all = 0, few = 0;
  std::string names;
  for (auto const id : scenario::matching_sites(pool, smaller)) {
    scenario::SiteSpec const& site = pool.sites[id.index()];
    int const slots = site.slots > 0 ? site.slots : site.gpus;
    all += slots;
    if (scenario::why_no_match(site, import.campaign.request).empty()) continue;
    few += slots;
    names += (names.empty() ? "" : ", ") + site.name;
  }
  if (2 * few <= all || few == all) return;
  Notes(import, submit_file)(
      fmt::format("{}: {} of the {} slots that the jobs else match offer less ({}). gridcast "
                  "ledger RECORD --requests shows how much jobs use",
                  requested, few, all, names),
      condor::SubmitAction::recommended);
}

/// True if the jobs fetch as much as the calibrated ones, within a tenth. Unknown sizes count as
/// the same.
bool fetch_the_same(SubmitImport const& import, CalibratedProgram const& program) {
  constexpr double alike = 1.1;
  Bytes const recorded = program.recorded_input(), next = import.campaign.input_size();
  if (recorded <= Bytes() || next <= Bytes()) return true;
  return next <= recorded * alike && recorded <= next * alike;
}

/// True if the forecast repeats the record's jobs: they are of the same program, without a known
/// difference, or the next one may be any of several. A program that has perhaps changed succeeds
/// and fails with other odds, which the processes of crashes know (`tests/validation/later`).
bool repeats_record(SubmitImport const& import, CalibratedProgram const& program,
                    WorkOptions const& options, VariantChoice const& choice, bool same_program) {
  bool const stated =
      options.scale || options.crash_odds || !options.profile.empty() || options.epochs > 0;
  // Without a submit file the campaign is another one of the recorded owner.
  bool const maybe_same =
      same_program || !options.program.empty() || choice.is_mix() || import.executable.empty();
  return program.has_jobs && !stated && maybe_same && fetch_the_same(import, program);
}

/// Several of the record's programs may be that of the next jobs.
void note_mix(SubmitImport const& import, CalibratedProgram const& program,
              VariantChoice const& choice, Notes const& note) {
  if (!choice.is_mix()) return;
  std::string const which =
      choice.fits
          ? fmt::format("'{}' may be any of {}", import.executable, quoted_names(choice.among))
      : import.executable.empty() ? "no submit file shows which of them is the next"
                                  : fmt::format("'{}' is none of them", import.executable);
  ProgramVariant const& likeliest = *choice.likeliest();
  std::string const taken =
      import.campaign.work.from == scenario::JobSource::record
          ? "jobs are repeated from all of these, as often as they occur in the record"
          : fmt::format("taken for {}, '{}'", likeliest.newest ? "the newest" : "that of most jobs",
                        likeliest.name);
  note(fmt::format("the calibrated jobs ran {} programs{}, and {}: {}. --program NAME selects one",
                   program.variants.size(),
                   choice.fits ? "" : " (" + quoted_names(program.variants) + ")", which, taken),
       condor::SubmitAction::recommended);
}

/// The work of new jobs, from that of the calibrated ones.
struct NewWork {
  SubmitImport& import;
  CalibratedProgram const& program;
  WorkOptions const& options;
  VariantChoice choice;
  RecognisedProgram recorded;  // the new jobs' program
  Notes note;
  scenario::Work& work = import.campaign.work;

  bool same() const { return recorded.same_arguments; }
  void repeat_programs() const;
  void set_crash_odds() const;
  void note_assumed_work() const;
  void set_epochs() const;
};

/// Recorded jobs of these programs have their own work, and their own failures.
void NewWork::repeat_programs() const {
  if (choice.among.size() < program.variants.size()) {
    work.programs = each_of(choice.among, [](ProgramVariant const& each) { return each.name; });
  }
  set_epochs();
}

void NewWork::set_crash_odds() const {
  ProgramVariant const* const variant = choice.likeliest();
  if (options.crash_odds) {
    work.crash_odds = *options.crash_odds;
  } else if (program.from_event_log && !program.ran.empty() && !same() && !choice.fits) {
    work.crash_odds = odds_of_another_program(program.crash);
    bool const limited = work.crash_odds.most < unknown_program.most;
    note(
        fmt::format("the calibrated jobs ran another program, or with other arguments: how often "
                    "these crash is not known; odds from a sixteenth to {} times the calibrated "
                    "ones are tried{}. --crash-odds X or LOW..HIGH sets other odds",
                    limited ? fmt::format("{:.2g}", work.crash_odds.most) : "sixteen",
                    limited ? ", at which two of three executions would crash" : ""));
  } else if (variant) {
    work.crash_odds = variant->crash_odds.value_or(FactorRange());
  } else if (program.from_event_log && program.ran.empty() && program.variants.empty()) {
    work.crash_odds = perhaps_another_program;
    note(
        "it is not known whether the calibrated jobs ran this program unchanged: odds of a "
        "crash from a quarter to four times the calibrated ones are tried. --crash-odds X or "
        "LOW..HIGH sets other odds");
  }
}

void NewWork::note_assumed_work() const {
  if (options.scale || !options.profile.empty() || !program.variants.empty() || same()) return;
  if (recorded.program) {
    note(fmt::format("the calibrated jobs ran {} with '{}', these with '{}': the work of a job is "
                     "taken for the same. --job-hours H or --work-scale X sets another",
                     recorded.program->executable, recorded.program->arguments.value_or(""),
                     import.arguments),
         condor::SubmitAction::recommended, condor::SubmitTopic::assumed_work);
    return;
  }
  bool const counts_epochs = options.epochs > 0 && !program.from_event_log;
  note(fmt::format("a job is assumed to have {} the calibrated jobs, which may run another "
                   "program. --job-hours H or --work-scale X sets another",
                   counts_epochs ? counted(options.epochs, "epoch") + ", each as long as in"
                                 : "the work of"),
       condor::SubmitAction::recommended, condor::SubmitTopic::assumed_work);
}

void NewWork::set_epochs() const {
  if (program.from_event_log && !import.checkpoints && options.epochs > 1) {
    note(
        fmt::format("--epochs {}: the submit file has no checkpoint_exit_code, so no checkpoint is "
                    "kept, and the pieces do not change the losses",
                    options.epochs),
        condor::SubmitAction::recommended);
  }
  // Epochs of a table's jobs are their work; those of a log's are pieces of it.
  int const known = same() || !program.from_event_log ? program.epochs : 0;
  work.epochs = std::max(1, options.epochs > 0 ? options.epochs : known);
  if (import.checkpoints && options.epochs == 0 && known <= 1) {
    note(
        "the program checkpoints itself, and how often is not known: taken for never. --epochs N "
        "divides its work, with a checkpoint after each part",
        condor::SubmitAction::recommended);
  }
}

constexpr double far_beyond = 2;

/// "input 47 times the record's (137 GB, not 2.9 GB)"; empty within the record.
std::string part(std::string const& what, double wanted, double recorded, std::string const& both) {
  if (!(recorded > 0) || wanted < far_beyond * recorded) return "";
  return fmt::format("{} {:.2g} times the record's{}", what, wanted / recorded, both);
}

/// Crashes are not held where none of the record's was.
void fit_crashes(SubmitImport& import, CalibratedProgram const& program, Notes const& note) {
  bool& crash_holds = import.strategy.retry.policy.crash_holds;
  if (!crash_holds || !program.crashes || program.crashes->are_held()) return;
  crash_holds = false;
  std::erase_if(import.notes, [](condor::SubmitNote const& each) {
    return each.topic == condor::SubmitTopic::output_of_crash;
  });
  note(crashes_words(*program.crashes));
}

void note_unknown_limits(scenario::Request const& request, scenario::Pool const& pool,
                         Notes const& note) {
  for (std::string const& part : split(request.concurrency_limits, ',')) {
    std::string const name = std::string(trim(part.substr(0, part.find(':'))));
    bool const known =
        std::ranges::any_of(pool.negotiator.concurrency_limits,
                            [&](auto const& each) { return same_ignoring_case(each.name, name); });
    if (known || name.empty()) continue;
    note(
        fmt::format("concurrency_limits = {}: the pool states no such limit, so there is none "
                    "(negotiator.concurrency_limits of its file)",
                    name));
  }
}

}  // namespace

CalibratedProgram read_calibrated_program(fs::path const& calibration) {
  scenario::CalibrationFile const file = scenario::read_calibration_file(calibration);
  CalibratedProgram found;
  found.profile = file.profile;
  found.pool = scenario::pool_of(calibration, file.pool);
  found.ran = file.ran;
  found.from_event_log = is_one_of("work_s", file.columns);
  if (file.campaign) read_campaign(found, *file.campaign);
  if (!found.from_event_log) found.epochs = static_cast<int>(file.epochs);
  found.has_jobs = !file.jobs_file.empty();
  found.crash = crash_in(file);
  found.slots = slots_in(file);
  found.crashes = crashes_in(file);
  found.stall_timer = timer_in(file, found.pool);
  found.client = client_in(file, found.pool);
  return found;
}

void fit_to_calibration(SubmitImport& import, CalibratedProgram const& program,
                        fs::path const& submit_file) {
  scenario::Strategy& strategy = import.strategy;
  Notes const note(import, submit_file);
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
  fit_crashes(import, program, note);
  auto& input = import.campaign.input;
  std::size_t const most = most_files_of_a_job(input);
  if (program.from_event_log && program.one_transfer && most > 1) {
    note(
        fmt::format("the number of URLs of the calibrated jobs is not known: these {} are "
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
    bool const as_seen = std::ranges::any_of(pool.sites, [&](scenario::SiteSpec const& each) {
      return each.name == site.site && each.slots == site.seen;
    });
    if (site.are_all || !as_seen) continue;
    ++may_have_more;
    drawn = drawn || site.drawn;
  }
  if (may_have_more == 0 || import.campaign.jobs() <= seen) return;
  Notes(import, submit_file)(
      fmt::format("{} of {} may have more slots than the {} seen: {}", may_have_more,
                  counted(program.slots.size(), "site"), seen,
                  drawn ? "taken to have 1 to 20 times as many" : "the jobs would be done sooner"));
}

void fit_to_pool(SubmitImport& import, scenario::Pool const& pool, fs::path const& submit_file) {
  scenario::Request& request = import.campaign.request;
  Notes const note(import, submit_file);
  auto const& sites = pool.sites;
  bool const no_gpus = std::ranges::all_of(
      sites, [](scenario::SiteSpec const& site) { return site.slots > 0 && site.gpus == 0; });
  if (no_gpus && request.gpus > 0) {
    note(fmt::format("request_gpus = {}: the pool lists no GPUs, so it is taken for met",
                     std::exchange(request.gpus, 0)));
  }
  for (scenario::NamedRequest& each : import.campaign.requests) {
    if (no_gpus) each.gpus = 0;
  }
  note_unknown_limits(request, pool, note);
  auto const matching = scenario::matching_sites(pool, request);
  auto const check = [&](bool requested, std::string const& what, auto const& is_unknown) {
    auto const count =
        std::ranges::count_if(matching, [&](auto id) { return is_unknown(sites[id.index()]); });
    if (!requested || count == 0) return;
    note(
        fmt::format("{}: the pool does not list it for {} of the {} entries that the jobs match, "
                    "so it is taken for met there",
                    what, count, matching.size()));
  };
  check(request.gpu_capability > 0,
        fmt::format("gpus_minimum_capability = {}", request.gpu_capability),
        [](auto const& site) { return site.slots > 0 && site.gpu_capability == 0; });
  check(request.gpu_memory > Bytes(),
        fmt::format("gpus_minimum_memory = {}", in_mebibytes(request.gpu_memory)),
        [](auto const& site) { return site.slots > 0 && site.gpu_memory == Bytes(); });
  check(request.memory > Bytes(), fmt::format("request_memory = {}", in_mebibytes(request.memory)),
        [](auto const& site) { return site.memory == Bytes(); });
  note_few_slots(import, pool, submit_file, &scenario::Request::memory, "request_memory");
  note_few_slots(import, pool, submit_file, &scenario::Request::disk, "request_disk");
  fit_requirements(import, pool, submit_file);
}

FactorRange odds_of_another_program(std::optional<double> const& crash) {
  if (!crash || *crash <= 0 || *crash >= 1) return unknown_program;
  double const limit = most_crash / (1 - most_crash) * (1 - *crash) / *crash;
  return {unknown_program.least, std::clamp(limit, 1., unknown_program.most)};
}

void set_work(SubmitImport& import, CalibratedProgram const& program, WorkOptions const& options,
              fs::path const& submit_file) {
  if (!program.from_event_log && options.crash_odds) {
    refuse({}, "--crash-odds needs a calibration of dated logs",
           "a table does not show which executions crashed",
           "Leave it out, or calibrate from an event log.");
  }
  VariantChoice const choice =
      options.scale ? VariantChoice() : choose_variant(import, program, options.program);
  NewWork const jobs{import,
                     program,
                     options,
                     choice,
                     recognised(program.ran, submitted_program(import)),
                     Notes(import, submit_file)};
  jobs.work.profile = options.profile.empty() ? program.profile : options.profile;
  bool const repeats = repeats_record(import, program, options, choice, jobs.same());
  jobs.work.from = repeats ? scenario::JobSource::record : scenario::JobSource::processes;
  note_mix(import, program, choice, jobs.note);
  if (repeats && !choice.among.empty()) return jobs.repeat_programs();
  ProgramVariant const* const variant = choice.likeliest();
  jobs.work.scale = options.scale.value_or(variant ? variant->work_scale : 1);
  jobs.set_crash_odds();
  jobs.note_assumed_work();
  jobs.set_epochs();
}

std::string beyond_record(CalibratedProgram const& program, scenario::Campaign const& campaign,
                          scenario::Pool const& pool) {
  Bytes const input = campaign.input_size(), recorded = program.recorded_input();
  int seen = 0, slots = 0;
  for (SeenSlots const& site : program.slots) seen += site.seen;
  for (scenario::SiteSpec const& site : pool.sites) slots += site.slots;
  int const at_a_time = std::min(campaign.jobs(), slots);
  bool const same_program = campaign.work.profile == program.profile;
  double const epochs = same_program && program.epochs > 0 && campaign.work.epochs > 0
                            ? static_cast<double>(campaign.work.epochs) / program.epochs
                            : 1;
  std::vector<std::string> parts = {
      part("input", input.value(), recorded.value(),
           fmt::format(" ({}, not {})", to_text(input), to_text(recorded))),
      part("work of a job", campaign.work.scale * epochs, 1, ""),
      part("jobs at a time", at_a_time, seen, fmt::format(" (up to {}, not {})", at_a_time, seen))};
  if (same_program) parts.push_back(scenario::other_gpus(pool, campaign.request, program.pool));
  std::erase(parts, "");
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace gridcast::import

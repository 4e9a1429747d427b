#include "sim/cli/verb_files.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/child.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/classad/expression.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/condor/log/read_log.hpp"
#include "sim/engine/job_ad.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/training/execution.hpp"

namespace gridcast::cli {
namespace {

// A signal handler can reach nothing else.
std::array<char, PATH_MAX> folder_at_hand = {};
pid_t owner = 0;
bool says_so_at_ctrl_c = false;

constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

/// No function that is allowed in a handler (signal-safety(7)) removes a folder with its files, so
/// rm does. Child processes, which have the handler too, leave the folder alone.
extern "C" void remove_and_end(int signal) {
  if (getpid() == owner) {
    pid_t const child = _Fork();
    if (child == 0) {
      execl("/bin/rm", "rm", "-rf", "--", folder_at_hand.data(), static_cast<char*>(nullptr));
      _exit(1);
    }
    if (child > 0) waitpid(child, nullptr, 0);
  }
  if (signal == SIGINT && says_so_at_ctrl_c) end_as_interrupted(signal);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

fs::path new_folder(std::string_view verb) {
  std::error_code error;
  auto const above = fs::canonical(fs::temp_directory_path(error), error);
  std::string name =
      ((error ? fs::path("/tmp") : above) / fmt::format("gridcast-{}-XXXXXX", verb)).string();
  if (name.size() >= folder_at_hand.size() || mkdtemp(name.data()) == nullptr) {
    throw ResourceError(
        Problem{{name}, "no folder can be made there", std::strerror(errno), "Set TMPDIR."});
  }
  return name;
}

/// True if two paths lead to the same file, also through links. Missing files compare by name.
bool same_file(fs::path const& a, fs::path const& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  // A file that cannot be examined (unreadable folder, too long a name) keeps its given name.
  auto const whole = [&error](fs::path const& file) {
    fs::path const found = fs::weakly_canonical(fs::absolute(file), error);
    return error ? fs::absolute(file).lexically_normal() : found;
  };
  return whole(a) == whole(b);
}

/// Outputs that are inputs, and outputs that are the same as one before.
std::vector<Problem> clashes(std::vector<fs::path> const& outputs,
                             std::vector<fs::path> const& inputs) {
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    fs::path const& output = outputs[i];
    auto const is_output = [&output](fs::path const& other) { return same_file(output, other); };
    if (is_ordinary_file(output) && std::ranges::any_of(inputs, is_output)) {
      add_problem(problems, {output.string()}, "is one of the inputs", "it would be written over",
                  "Name another file for the results.");
    }
    auto const this_one = outputs.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(outputs.begin(), this_one, is_output)) {
      add_problem(problems, {output.string()}, "would be written twice",
                  "two of the results have this name", "Name another file for one of them.");
    }
  }
  return problems;
}

/// An output that was not there before; without a name, those before it are kept. It stays as it
/// is until the program ends: a signal handler may read it at any time, on any thread.
struct NewOutput {
  fs::path file;
  NewOutput const* before;
};

constinit std::atomic<NewOutput const*> newest_output = nullptr;
static_assert(decltype(newest_output)::is_always_lock_free, "a signal handler reads it");

void for_new_outputs(auto const& use) {
  for (NewOutput const* each = newest_output; each && !each->file.empty(); each = each->before) {
    use(each->file);
  }
}

/// Which of the files are there already, as a problem; none if none is.
std::optional<Problem> already_there(fs::path const& folder,
                                     std::vector<std::string> const& names) {
  std::vector<std::string> there;
  for (auto const& name : names) {
    if (is_ordinary_file(folder / name)) there.push_back(name);
  }
  if (there.empty()) return std::nullopt;
  bool const alone = folder.empty();
  return Problem{
      {alone ? there.front() : folder.string()},
      alone ? "is already there" : fmt::format("already holds {}", fmt::join(there, ", ")),
      "results are not replaced unasked",
      fmt::format("Name another {}, or give --force.", alone ? "file" : "folder")};
}

/// A file in memory, which nobody has to remove.
class MemoryFile {
 public:
  MemoryFile() : file_(memfd_create("gridcast-log", MFD_CLOEXEC)) {
    if (file_ < 0) {
      throw ResourceError(Problem{{}, "no file can be made in memory", std::strerror(errno), ""});
    }
  }
  MemoryFile(MemoryFile const&) = delete;
  ~MemoryFile() { close(file_); }
  fs::path path() const { return fmt::format("/proc/self/fd/{}", file_); }

 private:
  int file_;
};

/// The request of all jobs. None if they differ: the options of a log have one for all.
std::optional<Bytes> request_of_all(scenario::Campaign const& campaign,
                                    Bytes scenario::Request::*of) {
  bool const alike = std::ranges::all_of(
      campaign.requests, [&](auto const& request) { return request.*of == campaign.request.*of; });
  return alike ? std::optional(campaign.request.*of) : std::nullopt;
}

/// Slots have another name for the device of their GPU than GPUs have.
std::string remedy_of(std::string const& rule) {
  for (std::string const& name : classad::parse(rule).attributes()) {
    bool const of_gpu =
        same_ignoring_case(name, "DeviceName") || same_ignoring_case(name, "CUDADeviceName");
    if (of_gpu) return fmt::format("Slots have no {}: write GPUs_DeviceName.", name);
  }
  return "Require less, or name another pool.";
}

}  // namespace

ScratchFolder::ScratchFolder(std::string_view verb) {
  HeldSignals const held;  // a signal between the folder and its handler would leave the folder
  path_ = new_folder(verb);
  std::strcpy(folder_at_hand.data(), path_.c_str());
  owner = getpid();
  for (int const signal : ending_signals) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    bool const said = ends_at_ctrl_c(before.sa_handler);
    says_so_at_ctrl_c |= said;
    if (before.sa_handler != SIG_DFL && !said) continue;  // ignored, or somebody else's
    actions_before_[signal] = before;
    struct sigaction action = {};
    action.sa_handler = remove_and_end;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  for (auto const& [signal, before] : actions_before_) sigaction(signal, &before, nullptr);
}

bool is_there(fs::path const& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_folder(fs::path const& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_ordinary_file(fs::path const& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

fs::path shipped_scenario() {
  fs::path const file = fs::path("scenarios") / "osg-imagenet.yaml";
  if (auto const found = scenario::shipped_file(file)) return *found;
  refuse({}, file.string() + " is not found", "neither here nor where the program is",
         "A program that was copied alone has none: copy its folder too, or "
         "install (cmake --install).");
}

fs::path shipped_hardware() {
  return shipped_scenario().parent_path() / "profiles" / "hardware.yaml";
}

void print_scenario_notes(scenario::Scenario const& scenario) {
  for (Problem const& note : scenario.notes) print_notes(note.to_text() + "\n");
}

scenario::Scenario read_without_notes(fs::path const& file,
                                      std::vector<std::string> const& overrides) {
  scenario::Scenario scenario = scenario::read_scenario(file, overrides);
  training::check_training(scenario);
  return scenario;
}

scenario::Scenario read_runnable_scenario(fs::path const& file,
                                          std::vector<std::string> const& overrides) {
  scenario::Scenario scenario = read_without_notes(file, overrides);
  print_scenario_notes(scenario);
  return scenario;
}

void require_slots(scenario::Scenario const& scenario,
                   std::vector<scenario::Strategy> const& strategies) {
  std::set<std::string> offers;
  for (auto const& site : scenario.pool.sites) {
    offers.insert(fmt::format("{}{}{}", site.name, site.gpu.empty() ? "" : " with ", site.gpu));
  }
  std::vector<Problem> problems;
  for (auto const& strategy : strategies) {
    for (auto const& rule : engine::never_met(scenario.pool, scenario.campaign, strategy)) {
      if (rule.empty()) continue;
      add_problem(
          problems, {scenario.file.string()},
          fmt::format("strategies.{}: no slot of the pool ever meets {}", strategy.name, rule),
          fmt::format("the pool has {}", fmt::join(offers, ", ")), remedy_of(rule));
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

VerbFiles& VerbFiles::reads(fs::path const& file) {
  if (!file.empty()) inputs_.push_back(file);
  return *this;
}

VerbFiles& VerbFiles::reads(std::vector<fs::path> const& files) {
  for (auto const& file : files) reads(file);
  return *this;
}

VerbFiles& VerbFiles::writes(fs::path const& file) {
  if (!file.empty() && file != "-") outputs_.push_back({{}, {file.string()}});
  return *this;
}

VerbFiles& VerbFiles::writes(fs::path const& folder, std::vector<std::string> const& names) {
  if (!folder.empty()) outputs_.push_back({folder, names});
  return *this;
}

std::vector<fs::path> VerbFiles::files() const {
  std::vector<fs::path> all;
  for (auto const& [folder, names] : outputs_) {
    for (auto const& name : names) all.push_back(folder / name);
  }
  return all;
}

void VerbFiles::prepare() const {
  std::vector<Problem> problems = clashes(files(), inputs_);
  for (fs::path const& file : files()) {
    std::error_code error;
    if (fs::is_directory(file, error)) {
      add_problem(problems, {file.string()}, "is a folder", "", "Name a file in it.");
      continue;
    }
    if (fs::exists(file, error) || error != std::errc::filename_too_long) continue;
    add_problem(problems, {file.string()}, "cannot be written", error.message(),
                "Give it a shorter name.");
  }
  for (auto const& [folder, names] : outputs_) {
    if (there_ == IfThere::replace || !problems.empty()) break;
    if (auto there = already_there(folder, names)) problems.push_back(*std::move(there));
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  for (auto const& [folder, names] : outputs_) {
    fs::path const of_file = fs::path(names.front()).parent_path();
    prepare_folder(!folder.empty() ? folder : of_file.empty() ? "." : of_file);
  }
  for (fs::path const& file : files()) {
    std::error_code ignored;
    bool const there = fs::exists(fs::symlink_status(file, ignored));
    if (!there) newest_output = new NewOutput{file, newest_output};
  }
}

void remove_new_outputs() {
  std::error_code ignored;
  for_new_outputs([&ignored](fs::path const& file) { fs::remove(file, ignored); });
}

void unlink_new_outputs() {
  for_new_outputs([](fs::path const& file) { ::unlink(file.c_str()); });
}

void keep_new_outputs() { newest_output = new NewOutput{{}, newest_output}; }

void write_output(fs::path const& folder, std::vector<report::NamedText> const& files) {
  std::vector<TextOfSet> set;
  for (auto const& file : files) set.push_back({folder / file.name, file.text});
  write_together(set);
}

std::string from_folder(fs::path const& file, fs::path const& folder) {
  std::error_code error;
  fs::path const relative = fs::proximate(file, folder.empty() ? "." : folder, error);
  return error ? file.string() : relative.generic_string();
}

std::vector<Problem> placed_at(std::vector<fs::path> const& records,
                               std::vector<Problem> problems) {
  constexpr std::size_t most = 3;  // a line with more would hide the problem
  std::string files;
  for (std::size_t i = 0; i < std::min(records.size(), most); ++i) {
    bool const piped = records[i] == "-";
    files += (i > 0 ? ", " : "") + (piped ? std::string("standard input") : records[i].string());
  }
  if (records.size() > most) files += fmt::format(" and {} more", records.size() - most);
  for (Problem& problem : problems) {
    if (problem.where.file.empty()) problem.where.file = files;
  }
  return problems;
}

void add_record_options(Verb& verb, RecordArguments& arguments) {
  verb.option("--columns", &arguments.columns,
              "Meaning of the columns of another program's table: a map (YAML), or the name of\n"
              "one that is shipped (metl, panda, sacct)",
              "MAP");
  verb.flag("--prefix", arguments.prefix,
            "Each file is a campaign; its number goes before its clusters'");
  add_date_options(verb, arguments.dates);
}

void add_date_options(Verb& verb, condor::ReadLogOptions& dates) {
  constexpr int first_year = 1970, last_year = 9999;
  verb.option("--year", &dates.year, "Year of the first event, if dates have no year", "YEAR")
      .whole_number(first_year, last_year);
  verb.option("--tz", &dates.time_zone, "Time zone of the access point, as America/Chicago",
              "ZONE");
}

void open_in_browser(fs::path const& file) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  if (start_detached({"xdg-open", file.string()})) print_notes("Opening it in the browser.\n");
}

condor::EventLogOptions event_log_options(scenario::Scenario const& scenario,
                                          scenario::Strategy const& strategy) {
  condor::EventLogOptions options;
  auto const& campaign = scenario.campaign;
  if (!campaign.input.empty()) options.url = campaign.input.front().url;
  options.input = campaign.input_size();
  options.gpus = campaign.request.gpus;
  constexpr double mebibyte = 1048576;
  options.disk = request_of_all(campaign, &scenario::Request::disk).value_or(Bytes());
  auto const memory = request_of_all(campaign, &scenario::Request::memory);
  if (!memory || *memory > Bytes()) {
    options.memory_mb = std::llround(memory.value_or(Bytes()).value() / mebibyte);
  }
  for (scenario::SiteSpec const& site : scenario.pool.sites) {
    options.resources.push_back(scenario::resource_name(site));
    options.slots_per_pilot.push_back(static_cast<std::uint32_t>(site.slots_per_pilot));
  }
  auto const& policy = strategy.retry.policy;
  options.allowed_execute =
      policy.allowed_execute_duration.value_or(scenario.pool.access_point.max_execution);
  options.allowed_job = policy.allowed_job_duration.value_or(options.allowed_job);
  options.job_lease = policy.job_lease_duration.value_or(options.job_lease);
  constexpr double mega = 1e6;
  if (auto const& limit = scenario.pool.access_point.max_transfer_input) {
    options.max_transfer_input_mb = static_cast<int>(limit->value() / mega);
  }
  return options;
}

history::JobHistory logged_again(history::JobHistory const& simulated,
                                 condor::EventLogOptions const& options) {
  MemoryFile const file;
  {
    std::ofstream out(file.path());
    condor::write_event_log(simulated, out, options);
  }
  return condor::read_logs({file.path()}).history;
}

}  // namespace gridcast::cli

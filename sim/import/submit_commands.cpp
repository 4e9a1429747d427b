#include "sim/import/submit_commands.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::import {
namespace {

/// A number and a unit behind it, or none; nothing if there is more.
std::optional<Bytes> plain_size(std::string_view text, Bytes bare_unit) {
  double number = 0;
  auto const* const end = text.data() + text.size();
  auto const result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc() || !std::isfinite(number)) return std::nullopt;
  std::string unit = lower(trim(text.substr(static_cast<std::size_t>(result.ptr - text.data()))));
  if (unit.empty()) return number * bare_unit;
  if (unit.ends_with("ib")) unit.resize(unit.size() - 2);
  if (unit.size() == 2 && unit[1] == 'b') unit.pop_back();
  auto const power = std::string_view("bkmgtp").find(unit);
  if (unit.size() != 1 || power == std::string_view::npos) return std::nullopt;
  return Bytes(number * std::pow(1024, static_cast<double>(power)));
}

constexpr char harmless[] =
    "log output error input stream_output stream_error stream_input notification notify_user "
    "batch_name jobbatchname environment env getenv transfer_input_remaps transfer_output_remaps "
    "transfer_output transfer_error transfer_executable transfer_checkpoint_files "
    "ulog_execute_attrs log_xml output_destination email_attributes description copy_to_spool "
    "allow_startup_script encrypt_input_files encrypt_output_files preserve_relative_paths "
    "x509userproxy use_x509userproxy use_oauth_services container_target_dir "
    "container_service_names transfer_container want_graceful_removal kill_sig remove_kill_sig "
    "kill_sig_timeout job_ad_information_attrs job_machine_attrs job_machine_attrs_history_length "
    "periodic_hold_reason on_exit_hold_reason arguments executable docker_image "
    "+ProjectName +UserLogUseXML +SubmitterLeaveJobInQueue leave_in_queue submit_event_notes "
    "submit_event_notes_attrs submit_event_user_notes dagman_log dagman_job_id dag_node_name "
    "docker_pull_policy docker_network_type docker_override_entrypoint docker_send_credentials "
    "container_is_common mount_under_scratch shell manifest manifest_dir output_directory "
    "want_core_file wantcorefile core_size load_profile run_as_owner want_io_proxy "
    "match_list_length jar_files java_vm_args java_vm_arguments want_job_networking "
    "encrypt_execute_directory dont_encrypt_output_files public_input_files transfer_plugins "
    "skip_filechecks skip_if_dataflow erase_output_and_error_on_restart hold_kill_sig stdin stdout "
    "stderr file_remaps project_name primary_unix_group rendezvousdir interactive_args "
    "interactive_executable delegate_job_gsi_credentials_lifetime send_credential use_scitokens "
    "use_scitoken scitokens_file aws_access_key_id_file aws_secret_access_key_file aws_region "
    "s3_access_key_id_file s3_secret_access_key_file gs_access_key_id_file "
    "gs_secret_access_key_file starter_debug starter_log compress_files local_files append_files "
    "fetch_files buffer_files buffer_size buffer_block_size";

constexpr char without_simulation[] =
    "request_cpus priority nice_user accounting_group accounting_group_user "
    "concurrency_limits_expr deferral_time deferral_window next_job_start_delay hold noop_job "
    "keep_claim_idle max_transfer_input_mb max_transfer_output_mb stack_size image_size coresize "
    "job_machine_attrs_filter checkpoint_destination success_checkpoint vm_memory machine_count "
    "ready_cron dont_encrypt_input_files job_max_vacate_time allowed_job_slots rank_preferences "
    "periodic_remove_reason cron_minute cron_hour cron_day_of_month cron_month cron_day_of_week "
    "cron_window cron_prep_time deferral_prep_time max_job_retirement_time noop_job_exit_code "
    "noop_job_exit_signal parallel_script_shadow parallel_script_starter nodecount prio "
    "suspend_job_at_exec transfer_common_input job_prio job_universe";

constexpr char deciding[] =
    "request_gpus request_disk request_memory retry_request_memory retry_request_memory_increase "
    "retry_request_memory_max retry_request_disk concurrency_limits gpus_minimum_memory "
    "gpus_minimum_capability gpus_maximum_memory gpus_maximum_capability gpus_minimum_runtime "
    "require_gpus cuda_version undesired_sites desired_sites transfer_input_files container_image "
    "should_transfer_files transfer_output_files when_to_transfer_output initialdir max_retries "
    "retry_until success_exit_code on_exit_hold on_exit_hold_subcode on_exit_remove periodic_hold "
    "periodic_hold_subcode periodic_release periodic_remove periodic_vacate "
    "allowed_execute_duration allowed_job_duration job_lease_duration checkpoint_exit_code "
    "requirements rank max_idle max_materialize";

/// For other services, whose jobs run outside the pool.
constexpr std::string_view elsewhere[] = {"grid_",      "ec2_",    "gce_",         "azure_",
                                          "batch_",     "arc_",    "cloud_label_", "globus_",
                                          "nordugrid_", "remote_", "vm_",          "xen_"};

/// HTCondor reads NAME_oauth_permissions and NAME_oauth_resource with a name of the user's.
bool is_of_token(std::string_view command) {
  return command.find("_oauth_permissions") != std::string_view::npos ||
         command.find("_oauth_resource") != std::string_view::npos;
}

/// Also RequestCpus of request_cpus: condor_submit takes a job attribute's name.
bool has(std::vector<std::string> const& names, std::string_view command) {
  std::string const bare = attribute_of(command);
  return std::ranges::any_of(
      names, [&](auto const& name) { return same_ignoring_case(attribute_of(name), bare); });
}

/// request_NAME of a resource that a pool's administrators name (condor_submit,
/// "request_<name>"), and no slip of a usual one.
bool is_custom_resource(std::string_view command) {
  std::string const small = lower(command);
  constexpr std::string_view begin = "request_";
  return small.starts_with(begin) && small.size() > begin.size() &&
         closest(small.substr(begin.size()), {"gpus", "cpus", "memory", "disk"}).empty();
}

// Requests of memory and disk: a size, or an expression of the job's attempts.
// Source: condor_submit, "request_memory", "retry_request_memory".

constexpr Bytes mebibyte(1048576), kibibyte(1024);

/// True if the job's own attributes decide the value. Without them it may be a number too, as that
/// of ifThenElse(isUndefined(MemoryUsage), 2048, 2 * MemoryUsage) is.
bool depends_on_job(std::string_view text) {
  try {
    auto const names = classad::parse(text).attributes();
    return std::ranges::any_of(names, scenario::is_job_attribute);
  } catch (InputError const&) {
    return false;
  }
}

std::optional<Bytes> constant_size(std::string_view text, Bytes unit) {
  return depends_on_job(text) ? std::nullopt : submit_size(text, unit);
}

/// "2 GB, 4 GB": the first request, and those of retries.
bool is_list_of_sizes(std::string_view text, Bytes unit) {
  auto const parts = split(text, ',');
  return parts.size() > 1 && std::ranges::all_of(parts, [unit](std::string const& part) {
           return constant_size(part, unit).has_value();
         });
}

void read_request(SubmitReading& reading, std::string const& command, Bytes unit, Bytes& size,
                  Rule& rule) {
  condor::SubmitValue const* const value = reading.find(command);
  if (!value || same_ignoring_case(trim(value->text), "undefined")) return;
  if (is_list_of_sizes(value->text, unit)) {
    size = *constant_size(split(value->text, ',').front(), unit);
    return;
  }
  if (depends_on_job(value->text)) {
    rule = job_rule(reading, command, *value, value->text);
  } else if (auto const known = submit_size(value->text, unit)) {
    constexpr Bytes largest(1e18);
    if (*known > largest) {
      reading.problems.push_back({value->where, fmt::format("{} = {}", command, value->text),
                                  "no machine has so much", "Write a size, such as 4 GB."});
    }
    size = *known;
  } else if (parsed(reading, command, *value)) {
    reading.not_understood(command, *value);
  }
}

/// "4 GB" as a number of the unit; other text is an expression already.
std::string in_units(std::string_view text, Bytes unit) {
  auto const size = constant_size(text, unit);
  return size ? fmt::format("{}", *size / unit) : std::string(trim(text));
}

/// One size or expression, or a list of sizes, of which each retry takes the next.
Rule read_retry(SubmitReading& reading, std::string const& command, Bytes unit,
                condor::SubmitValue const* value) {
  if (!value) return std::nullopt;
  std::vector<std::string> sizes;
  for (std::string const& part : split(value->text, ',')) {
    if (!constant_size(part, unit))
      return job_rule(reading, command, *value, in_units(value->text, unit));
    sizes.push_back(in_units(part, unit));
  }
  std::string const list = fmt::format("{}", fmt::join(sizes, ", "));
  return job_rule(reading, command, *value, sizes.size() == 1 ? list : "{" + list + "}");
}

/// retry_COMMAND, or the further sizes of the command.
Rule read_retries(SubmitReading& reading, std::string const& command, Bytes unit) {
  if (auto const* const value = reading.find("retry_" + command)) {
    return read_retry(reading, "retry_" + command, unit, value);
  }
  condor::SubmitValue const* const value = reading.find(command);
  if (!value || !is_list_of_sizes(value->text, unit)) return std::nullopt;
  condor::SubmitValue further = *value;
  further.text = further.text.substr(further.text.find(',') + 1);
  return read_retry(reading, command, unit, &further);
}

/// retry_request_memory_increase adds a size, or is the next request. It does so once, unless _max
/// gives the most; _max alone is the next request.
Rule read_increase(SubmitReading& reading, Bytes requested) {
  std::string const command = "retry_request_memory_increase";
  condor::SubmitValue const* const value = reading.find(command);
  condor::SubmitValue const* const most = reading.find("retry_request_memory_max");
  if (!value) {
    bool const alone = reading.find("retry_request_memory") == nullptr;
    return read_retry(reading, "retry_request_memory_max", mebibyte, alone ? most : nullptr);
  }
  bool const adds = constant_size(value->text, mebibyte).has_value();
  std::string next = in_units(value->text, mebibyte);
  if (adds) next = "RequestMemory + " + next;
  bool const once = adds && !most && requested > Bytes();
  if (once)
    next = fmt::format("{}", (requested + *constant_size(value->text, mebibyte)) / mebibyte);
  if (most) next = fmt::format("min({{{}, {}}})", next, in_units(most->text, mebibyte));
  return job_rule(reading, command, *value, next);
}

// Notes on commands of a submit file that are not simulated, or not understood.

/// True if the command requests other resources after a failed attempt, and is not simulated.
bool escalates(std::string const& name, condor::SubmitValue const& value) {
  if (submit_effect(name) == SubmitEffect::decides) return false;
  std::string const text = lower(value.text);
  bool const requests = lower(name).find("request") != std::string::npos;
  return requests && (text.find("numjobstarts") != std::string::npos ||
                      text.find("memoryusage") != std::string::npos ||
                      text.find("lastholdreasoncode") != std::string::npos);
}

/// One note for all commands that do, with what it means for the forecast.
void note_escalation(condor::SubmitFile const& file, SubmitReading& reading) {
  std::vector<std::string> names;
  Location first;
  for (auto const& [name, value] : file.commands) {
    if (!escalates(name, value)) continue;
    names.push_back(name);
    if (first.file.empty() || value.where.line < first.line) first = value.where;
  }
  if (names.empty()) return;
  reading.note(first, fmt::format("larger requests after a failed attempt ({}): not simulated. A "
                                  "retry is held for time as often as a first attempt, so the "
                                  "forecast has too many holds if the record has any",
                                  fmt::join(names, ", ")));
}

/// Jobs of other universes run outside the slots of the pool: on the access point, or at a service.
void note_universe(condor::SubmitValue const& value, SubmitReading& reading) {
  static std::set<std::string> const in_slots = {"vanilla", "docker", "container", "java",
                                                 "5",       "10",     "standard",  "1"};
  std::string const universe = lower(unquoted(value.text));
  if (universe.empty() || in_slots.contains(universe)) return;
  bool const here = universe == "local" || universe == "scheduler";
  reading.recommend(
      value.where,
      fmt::format(
          "universe = {}: such jobs run {}; they are simulated as jobs in slots of the pool",
          universe, here ? "on the access point" : "in another way"));
}

/// The command that an unknown word most likely stands for: "Did you mean 'request_gpus'?"; empty
/// if none is near.
std::string submit_slip(std::string_view word) {
  static std::vector<std::string> const commands = [] {
    std::vector<std::string> all = {"universe"};
    for (char const* const names : {deciding, harmless, without_simulation}) {
      for (std::string& name : split(names, ' ')) all.push_back(std::move(name));
    }
    return all;
  }();
  auto const near = closest(word, commands);
  return near.empty() ? "" : fmt::format(". Did you mean '{}'?", near);
}

}  // namespace

std::optional<Bytes> submit_size(std::string_view text, Bytes bare_unit) {
  auto size = plain_size(trim(text), bare_unit);
  if (!size) {
    if (auto const number = submit_number(text)) size = *number * bare_unit;
  }
  return size && *size >= Bytes() ? size : std::nullopt;
}

std::optional<double> submit_number(std::string_view text) {
  try {
    classad::Ad const nothing;
    auto const value = classad::evaluate(classad::parse(text), {nothing});
    if (value.is_number() && std::isfinite(value.number())) return value.number();
  } catch (InputError const&) {
  }
  return std::nullopt;
}

std::string unquoted(std::string_view text) {
  text = trim(text);
  bool const quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

std::optional<Bytes> size_in_url(std::string_view url) {
  auto const query = url.find('?');
  if (query == std::string_view::npos) return std::nullopt;
  for (std::string const& part : split(url.substr(query + 1), '&')) {
    if (!part.starts_with("size=")) continue;
    auto const bytes = text_as<double>(std::string_view(part).substr(5));
    if (bytes && std::isfinite(*bytes) && *bytes > 0) return Bytes(*bytes);
  }
  return std::nullopt;
}

std::optional<Bytes> size_on_disk(std::filesystem::path const& path) {
  namespace fs = std::filesystem;
  constexpr int most_files = 100'000;
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    auto const bytes = fs::file_size(path, error);
    return error ? std::nullopt : std::optional(Bytes(static_cast<double>(bytes)));
  }
  Bytes sum;
  int files = 0;
  fs::recursive_directory_iterator each(path, fs::directory_options::skip_permission_denied, error);
  for (; !error && each != fs::recursive_directory_iterator(); each.increment(error)) {
    if (++files > most_files) return std::nullopt;
    std::error_code unreadable;
    if (!each->is_regular_file(unreadable)) continue;
    auto const bytes = each->file_size(unreadable);
    if (!unreadable) sum += Bytes(static_cast<double>(bytes));
  }
  return sum;
}

std::optional<Bytes> known_size(KnownSizes const& sizes, std::string const& name) {
  std::string const path = name.substr(0, name.find('?'));
  for (std::string const& key : {name, path, path.substr(path.rfind('/') + 1)}) {
    if (auto const* found = find_in(sizes, key)) return *found;
  }
  if (auto const stated = size_in_url(name)) return stated;
  constexpr std::string_view of_disk = "file:///";
  bool const here = name.starts_with(of_disk);
  return here ? size_on_disk(name.substr(of_disk.size() - 1)) : std::nullopt;
}

bool is_url(std::string_view name) {
  auto const colon = name.find("://");
  return colon != std::string_view::npos && colon > 0 && name.find_first_of("/ ") > colon;
}

std::string attribute_of(std::string_view command) {
  // htcondor.readthedocs.io, job ClassAd attributes.
  if (command == "checkpoint_exit_code") return "+SuccessCheckpointExitCode";
  std::string attribute = "+";
  for (char const c : command) {
    if (c != '_') attribute += c;
  }
  return attribute;
}

std::vector<std::string> spellings_of(std::string const& command) {
  // condor_submit (submit_utils.cpp) takes a job attribute's name without a + too.
  static std::map<std::string, std::vector<std::string>> const others = {
      {"initialdir", {"initial_dir", "job_iwd", "Iwd"}},
      {"rank", {"preferences"}},
      {"max_idle", {"materialize_max_idle", "JobMaterializeMaxIdle"}},
      {"max_materialize", {"JobMaterializeLimit"}},
      {"max_retries", {"JobMaxRetries"}},
      {"success_exit_code", {"JobSuccessExitCode"}},
      {"transfer_input_files", {"TransferInput"}},
      {"transfer_output_files", {"TransferOutput"}}};
  std::string const attribute = attribute_of(command);
  std::vector<std::string> names = {command, attribute};
  if (attribute.substr(1) != command) names.push_back(attribute.substr(1));  // not `rank` twice
  if (auto const* found = find_in(others, command)) {
    names.insert(names.end(), found->begin(), found->end());
  }
  return names;
}

std::vector<std::string> const& deciding_submit_commands() {
  static std::vector<std::string> const names = [] {
    std::vector<std::string> all;
    for (std::string const& name : split(deciding, ' ')) {
      auto const spellings = spellings_of(name);
      all.insert(all.end(), spellings.begin(), spellings.end());
    }
    for (char const* const name :
         {"+JobDurationCategory", "+UNDESIRED_Sites", "+DESIRED_Sites", "+SingularityImage"}) {
      all.emplace_back(name);
    }
    return all;
  }();
  return names;
}

SubmitEffect submit_effect(std::string_view command) {
  static std::vector<std::string> const without_effect = split(harmless, ' ');
  static std::vector<std::string> const left_out = split(without_simulation, ' ');
  auto const& deciders = deciding_submit_commands();
  bool const decides = std::ranges::any_of(
      deciders, [&](auto const& name) { return same_ignoring_case(name, command); });
  if (decides) return SubmitEffect::decides;
  std::string const small = lower(command);
  if (has(without_effect, command) || is_of_token(small)) return SubmitEffect::none;
  bool const outside =
      std::ranges::any_of(elsewhere, [&](auto const& begin) { return small.starts_with(begin); });
  if (outside || has(left_out, command)) return SubmitEffect::not_simulated;
  return SubmitEffect::unknown;
}

condor::SubmitValue const* SubmitReading::find(std::string const& command) const {
  for (std::string const& name : spellings_of(command)) {
    auto const found = group.commands.find(name);
    if (found != group.commands.end() && !trim(found->second.text).empty()) return &found->second;
  }
  return nullptr;
}

void SubmitReading::note(Location const& where, std::string what) {
  result.notes.push_back({where, std::move(what)});
}

void SubmitReading::recommend(Location const& where, std::string what) {
  result.notes.push_back(
      {where, std::move(what), condor::SubmitTopic::other, condor::SubmitAction::recommended});
}

void SubmitReading::complain(condor::SubmitValue const& value, std::string what, std::string why,
                             std::string hint) {
  problems.push_back({value.where, std::move(what), std::move(why), std::move(hint)});
}

void SubmitReading::not_understood(std::string const& command, condor::SubmitValue const& value) {
  recommend(value.where, fmt::format("not understood: {} = {}", command, value.text));
}

Rule parsed(SubmitReading& reading, std::string const& command, condor::SubmitValue const& value) {
  try {
    classad::Expression expression = classad::parse(value.text, value.where);
    if (expression.unknown_functions().empty()) return expression;
    reading.recommend(
        value.where, fmt::format("not understood: {} = {}: gridcast has no function {}(), and jobs "
                                 "are simulated without it",
                                 command, value.text, expression.unknown_functions().front()));
  } catch (InputError const& error) {
    for (Problem problem : error.problems()) {
      problem.where = value.where;
      problem.what = command + ": " + problem.what;
      reading.problems.push_back(std::move(problem));
    }
  }
  return std::nullopt;
}

Rule job_rule(SubmitReading& reading, std::string const& command, condor::SubmitValue value,
              std::string text) {
  value.text = std::move(text);
  Rule rule = parsed(reading, command, value);
  auto const unknown = rule ? scenario::unknown_names(*rule, false) : std::vector<std::string>();
  if (!unknown.empty()) {
    reading.recommend(value.where, fmt::format("{}: simulated jobs have no {}: undefined", command,
                                               fmt::join(unknown, ", ")));
  }
  return rule;
}

void read_sizes(SubmitReading& reading) {
  scenario::Request& request = reading.result.campaign.request;
  scenario::JobPolicy& policy = reading.result.strategy.retry.policy;
  read_request(reading, "request_memory", mebibyte, request.memory, policy.request_memory);
  read_request(reading, "request_disk", kibibyte, request.disk, policy.request_disk);
  policy.retry_request_memory = read_retries(reading, "request_memory", mebibyte);
  policy.retry_request_disk = read_retries(reading, "request_disk", kibibyte);
  if (Rule const increase = read_increase(reading, request.memory))
    policy.retry_request_memory = increase;
}

void note_commands(condor::SubmitFile const& file, SubmitReading& reading) {
  note_escalation(file, reading);
  for (auto const& [name, value] : file.commands) {
    if (escalates(name, value)) continue;
    if (same_ignoring_case(name, "universe")) {
      note_universe(value, reading);
      continue;
    }
    SubmitEffect const effect = submit_effect(name);
    std::string const shown = fmt::format("{} = {}", name, value.text.substr(0, 100));
    bool const usual =
        same_ignoring_case(attribute_of(name), "+RequestCpus") && trim(value.text) == "1";
    if (effect == SubmitEffect::not_simulated && !usual) {
      reading.note(value.where, fmt::format("{}: not simulated", shown));
    } else if (effect == SubmitEffect::unknown && name.starts_with('+')) {
      reading.note(value.where,
                   fmt::format("{}: an attribute that simulated jobs do not have", shown));
    } else if (effect == SubmitEffect::unknown && is_custom_resource(name)) {
      reading.note(value.where,
                   fmt::format("{}: a custom resource, which each slot is taken to have", shown));
    } else if (effect == SubmitEffect::unknown && !file.macros.contains(name)) {
      reading.recommend(value.where, fmt::format("not understood: {}{}", shown, submit_slip(name)));
    }
  }
}

}  // namespace gridcast::import

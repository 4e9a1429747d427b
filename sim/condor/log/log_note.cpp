#include "sim/condor/log/log_note.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <span>

#include "sim/condor/log/scan.hpp"

namespace gridcast::condor {
namespace {

constexpr int output_code = 12, input_code = 13;
constexpr char failed_to_write[] = "failed to write to file";  // the shadow, an output file

// "192.0.2.1:9618" of "<192.0.2.1:9618?addrs=...>".
std::string_view endpoint(std::string_view sinful) { return scan::between(sinful, "<", "?>"); }

std::string_view socket_of(std::string_view sinful) {
  auto const at = sinful.rfind("sock=");  // an encoded one of the CCB server may stand before
  if (at == npos || at == 0 || (sinful[at - 1] != '&' && sinful[at - 1] != '?')) return {};
  std::string_view const rest = sinful.substr(at + 5);
  return rest.substr(0, rest.find_first_of("&>"));
}

// "90_29bd" of "slot1_1_90_29bd_68": the startd's process and its random part. The number behind
// counts the starters.
std::string_view starter_process(std::string_view socket) {
  auto const last = socket.rfind('_');
  if (last == npos || last == 0) return {};
  auto const random = socket.rfind('_', last - 1);
  if (random == npos || random == 0) return {};
  auto const process = socket.rfind('_', random - 1);
  if (process == npos) return {};
  return socket.substr(process + 1, last - process - 1);
}

// Keeps the first of several names in their own order, for each order of reading.
void keep_first(std::string& kept, std::string_view name) {
  if (!name.empty() && (kept.empty() || name < kept)) kept = name;
}

// The candidate with most votes; of equal ones the first by name. The order of reading does not
// matter.
std::uint32_t winner(std::vector<std::pair<std::uint32_t, std::uint32_t>> const& votes,
                     auto const& name_of) {
  auto const best = std::ranges::max_element(votes, [&](auto const& a, auto const& b) {
    return a.second != b.second ? a.second < b.second : name_of(a.first) > name_of(b.first);
  });
  return best->first;
}

// HTTP's 404 as a word of its own: no part of a host's name or of a number.
bool has_404(std::string_view text) {
  auto part_of_word = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_' || c == '.' || c == '/';
  };
  for (auto at = text.find("404"); at != std::string_view::npos; at = text.find("404", at + 1)) {
    bool const before = at > 0 && part_of_word(text[at - 1]);
    bool const after = at + 3 < text.size() && part_of_word(text[at + 3]);
    if (!before && !after) return true;
  }
  return false;
}

// Of the shadow, when the startd answers and has no such job.
constexpr char const* job_not_found = "Job not found at execution machine";
constexpr int no_contact = 1008;  // the vacate code of a job whose shadow did not find it again

// The reason of an input transfer's failure, by its words and its code.
Reason refined(Reason coded, std::string_view text) {
  if (scan::has(text, "transfer stalled")) return Reason::transfer_stalled;
  if (scan::has(text, "lack of progress")) return Reason::no_progress;
  if (coded == Reason::transfer_failed && (scan::has(text, "not found") || has_404(text))) {
    return Reason::not_found;
  }
  return coded;
}

/// The code of the failed direction, by the side that sent or received: "STARTER at 192.0.2.1
/// failed to send file(s) to <192.0.2.9:9618>" is output. None if no clause names both.
std::optional<int> direction_in_words(std::string_view text) {
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view const clause = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(rest.size(), clause.size() + 1));
    bool const at_slot = scan::has(clause, "STARTER"), at_home = scan::has(clause, "SHADOW");
    bool const sends = scan::has(clause, "failed to send");
    bool const takes = scan::has(clause, "failed to receive") || scan::has(clause, failed_to_write);
    if (at_slot == at_home || sends == takes) continue;
    return at_slot == sends ? output_code : input_code;
  }
  return std::nullopt;
}

/// The reason of a failed transfer whose code the log does not contain.
Reason transfer_reason(int direction, std::string_view text) {
  if (direction == input_code) return refined(Reason::transfer_failed, text);
  bool const missing = scan::has(text, "(errno 2)") && !scan::has(text, failed_to_write);
  return missing ? Reason::output_missing : Reason::output_failed;
}

Reason reason_in_words(std::string_view text) {
  if (scan::has(text, "transfer stalled")) return Reason::transfer_stalled;
  if (scan::has(text, "lack of progress")) return Reason::no_progress;
  if (scan::has(text, "Transfer input files failure"))
    return refined(Reason::transfer_failed, text);
  if (scan::has(text, "Transfer output files failure") ||
      scan::has(text, "attempts to transfer output failed"))
    return Reason::output_failed;
  if (auto const direction = direction_in_words(text)) return transfer_reason(*direction, text);
  // HTCondor before 10 puts the plugin's words alone, for both directions.
  if (scan::has(text, "FILETRANSFER:") && !scan::has(text, "failed to send file"))
    return refined(Reason::transfer_failed, text);
  if (scan::has(text, "does not look like a tar archive")) return Reason::corrupt_input;
  if (scan::has(text, "Network is unreachable")) return Reason::site_network_down;
  if (scan::has(text, job_not_found)) return Reason::system;
  if (scan::has(text, "JobLeaseDuration")) return Reason::lost_contact;
  if (scan::has(text, "vacate") || scan::has(text, "preempt") || scan::has(text, "draining"))
    return Reason::vacated;
  if (scan::has(text, "shutting down") || scan::has(text, "shutdown")) return Reason::pilot_ended;
  if (scan::has(text, "exceeded allowed execute duration")) return Reason::execution_too_long;
  if (scan::has(text, "exceeded allowed job duration")) return Reason::job_too_long;
  if (scan::has(text, "memory limit") || scan::has(text, "disk limit") ||
      scan::has(text, "exceeded request_"))
    return Reason::out_of_resources;
  // The starter could not start the program or its container.
  if (scan::has(text, "Failed to execute") || scan::has(text, "ingularity") ||
      scan::has(text, "ocker"))
    return Reason::system;
  return Reason::unknown;
}

using CodedReason = std::pair<int, Reason>;

std::optional<Reason> coded_reason(std::span<CodedReason const> known, int code) {
  for (auto const& [number, reason] : known) {
    if (number == code) return reason;
  }
  return std::nullopt;
}

// In the order of TransferStep.
constexpr NoteKind transfer_kinds[] = {NoteKind::hint,           NoteKind::input_queued,
                                       NoteKind::input_started,  NoteKind::input_finished,
                                       NoteKind::output_queued,  NoteKind::output_started,
                                       NoteKind::output_finished};

// By event number; those of 004 and 040 depend on their words.
constexpr std::pair<int, NoteKind> kinds[] = {
    {0, NoteKind::submitted},     {1, NoteKind::executing},    {3, NoteKind::checkpointed},
    {5, NoteKind::terminated},    {6, NoteKind::alive},        {7, NoteKind::shadow_exception},
    {9, NoteKind::aborted},       {10, NoteKind::suspended},   {11, NoteKind::unsuspended},
    {12, NoteKind::held},         {13, NoteKind::released},    {21, NoteKind::hint},
    {22, NoteKind::disconnected}, {23, NoteKind::reconnected}, {24, NoteKind::reconnect_failed},
    {28, NoteKind::hint},         {46, NoteKind::skipped}};

std::optional<NoteKind> kind_of(RawEvent const& event) {
  if (event.number == 4) return event.requeued ? NoteKind::requeued : NoteKind::evicted;
  if (event.number == 40) {
    if (event.transfer == TransferStep::none) return std::nullopt;
    return transfer_kinds[static_cast<std::size_t>(event.transfer)];
  }
  for (auto const& [number, kind] : kinds) {
    if (number == event.number) return kind;
  }
  return std::nullopt;
}

template <class Small>
Small narrow(std::optional<int> value) {
  constexpr int most = std::numeric_limits<Small>::max(), least = std::numeric_limits<Small>::min();
  return static_cast<Small>(std::clamp(value.value_or(0), least, most));
}

void read_exit(LogNote& note, RawEvent const& event) {
  if (event.signal) {
    note.exit_code = narrow<std::int16_t>(-*event.signal);
    note.reason = Reason::killed_by_signal;
  } else if (event.return_value) {
    note.exit_code = narrow<std::int16_t>(event.return_value);
    note.reason = *event.return_value == 0 ? Reason::none : Reason::exit_code;
  } else {
    note.reason = Reason::unknown;
  }
  note.useful = note.reason == Reason::none;
}

void read_reason(LogNote& note, RawEvent const& event) {
  int const code = hold_code(event.code.value_or(0), event.reason);
  int const subcode = event.subcode.value_or(0);
  using enum NoteKind;
  using history::is_one_of;
  if (is_one_of(note.kind, {terminated, requeued})) read_exit(note, event);
  if (note.kind == requeued) note.useful = true;
  if (is_one_of(note.kind, {evicted, shadow_exception})) {
    note.reason = vacate_reason(code, subcode, event.reason);
  }
  if (note.kind == reconnect_failed) note.reason = vacate_reason(no_contact, 0, event.reason);
  if (note.kind == held) note.reason = hold_reason(code, subcode, event.reason);
  if (is_one_of(note.kind, {released, aborted})) note.reason = decision_reason(event.reason);
  // The starter's code is no hold code, its words are worth having.
  if (note.kind == hint && event.number == 21) note.reason = vacate_reason(0, 0, event.reason);
}

using Notes = std::vector<LogNote>;

// 001 before its own "Finished transferring input files".
void execute_after_input(Notes& notes) {
  for (std::size_t i = 0; i + 1 < notes.size(); ++i) {
    if (notes[i].kind != NoteKind::executing) continue;
    std::size_t last = i;
    for (std::size_t j = i + 1; j < notes.size() && !is_end(notes[j].kind); ++j) {
      if (notes[j].kind == NoteKind::executing) break;
      if (is_input_step(notes[j].kind)) last = j;
    }
    auto const at = notes.begin() + static_cast<std::ptrdiff_t>(i);
    std::rotate(at, at + 1, notes.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    i = last;
  }
}

// The output's transfer after the end that it came before.
void output_before_end(Notes& notes) {
  std::size_t end = notes.size();  // the first end that nothing began after
  for (std::size_t i = 0; i < notes.size(); ++i) {
    NoteKind const kind = notes[i].kind;
    if (is_end(kind)) {
      end = std::min(end, i);
    } else if (is_input_step(kind) || kind == NoteKind::executing) {
      end = notes.size();
    } else if (is_output_step(kind) && end < i) {
      auto const at = notes.begin() + static_cast<std::ptrdiff_t>(i);
      std::rotate(notes.begin() + static_cast<std::ptrdiff_t>(end), at, at + 1);
      ++end;
    }
  }
}

// The schedd's 012 or 009 before the shadow's 004 or 007 of the same loss.
void shadow_before_schedd(Notes& notes) {
  for (std::size_t i = 0; i + 1 < notes.size(); ++i) {
    bool const of_schedd = notes[i].kind == NoteKind::held || notes[i].kind == NoteKind::aborted;
    NoteKind const next = notes[i + 1].kind;
    if (of_schedd && (next == NoteKind::evicted || next == NoteKind::shadow_exception)) {
      std::swap(notes[i], notes[i + 1]);
    }
  }
}

}  // namespace

void SlotPlace::complete(SlotPlace const& other) {
  if (!in_words.valid()) in_words = other.in_words;
  if (!address.valid()) address = other.address;
  if (!starter.valid()) starter = other.starter;
  if (slot == 0) slot = other.slot;
  if (slot_of_starter == 0) slot_of_starter = other.slot_of_starter;
}

Id<StartdName> ExecutionPoints::find(std::string_view key, std::string_view host) {
  auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    auto const index = static_cast<std::uint32_t>(known_.size());
    found = by_key_.emplace(std::string(key), index).first;
    known_.push_back({std::string(key), {}, {}, {}, {}, {}, {}});
  }
  keep_first(known_[found->second].alias, host);
  return Id<StartdName>(found->second);
}

Id<StartdName> ExecutionPoints::by_words(std::string_view slot_name) {
  auto const at = slot_name.find('@');
  if (at == npos || slot_name.find('@', at + 1) == npos) return {};
  return find(slot_name.substr(at + 1), host_of_slot(slot_name));
}

Id<StartdName> ExecutionPoints::by_address(std::string_view sinful) {
  std::string_view const where = endpoint(sinful);
  if (where.empty()) return {};
  // Hosts behind one address have different names.
  std::string_view const socket = socket_of(sinful), alias = host_of_address(sinful);
  key_.assign(where).append("/").append(socket.empty() ? alias : socket);
  return find(key_, alias);
}

Id<StartdName> ExecutionPoints::by_starter(std::string_view sinful) {
  std::string_view const process = starter_process(socket_of(sinful));
  if (process.empty()) return {};
  key_.assign(endpoint(sinful)).append("/starter/").append(process);
  return find(key_, host_of_address(sinful));
}

void ExecutionPoints::vote(Votes& votes, std::size_t candidate, std::uint32_t times) {
  auto const found =
      std::ranges::find_if(votes, [=](auto const& known) { return known.first == candidate; });
  if (found != votes.end()) {
    found->second += times;
  } else {
    votes.emplace_back(static_cast<std::uint32_t>(candidate), times);
  }
}

ExecutionPoints::Votes& ExecutionPoints::votes_of(VotesByName& names, std::string_view name) {
  auto const found = names.find(name);
  return found != names.end() ? found->second : names.try_emplace(std::string(name)).first->second;
}

void ExecutionPoints::saw(SlotPlace const& place, Id<history::Site> site) {
  for (Id<StartdName> id : {place.in_words, place.address, place.starter}) {
    if (!id.valid()) continue;
    Known& known = known_[id.index()];
    if (site.valid()) vote(known.sites, site.index());
    if (place.in_words.valid() && id != place.in_words) vote(known.words, place.in_words.index());
    if (place.starter.valid() && id != place.starter) vote(known.starters, place.starter.index());
    if (place.address.valid() && id == place.starter) vote(known.addresses, place.address.index());
  }
}

// The log can name the host of a startd after the sites of the attempts on it.
void ExecutionPoints::count_hosts() {
  for (Known const& known : known_) {
    if (known.sites.empty() || known.on().empty()) continue;
    vote(votes_of(sites_of_host_, known.on()), site_of(known.sites).index());
    add(votes_of(sites_of_domain_, domain_of(known.on())), known.sites);
  }
}

Id<history::Site> ExecutionPoints::site_near(std::string_view host) {
  if (sites_of_host_.empty()) count_hosts();
  auto const there = sites_of_host_.find(host);
  auto const around = sites_of_domain_.find(domain_of(host));
  Votes const* near = around != sites_of_domain_.end() ? &around->second : nullptr;
  if (there != sites_of_host_.end()) near = &there->second;
  bool const one = near != nullptr && near->size() == 1;
  return one ? Id<history::Site>(near->front().first) : Id<history::Site>();
}

void ExecutionPoints::on_host(Id<StartdName> startd, std::string_view host) {
  if (startd.valid()) keep_first(known_[startd.index()].host, host);
}

void ExecutionPoints::add(Votes& sum, Votes const& votes) {
  for (auto const& [candidate, count] : votes) vote(sum, candidate, count);
}

std::uint32_t ExecutionPoints::startd_of(Votes const& votes) const {
  return winner(votes,
                [this](std::uint32_t startd) -> std::string const& { return known_[startd].key; });
}

Id<history::Site> ExecutionPoints::site_of(Votes const& votes) const {
  return Id<history::Site>(winner(
      votes, [this](std::uint32_t site) -> std::string const& { return site_names_[site]; }));
}

Id<history::Site> ExecutionPoints::site(SlotPlace const& place) const {
  for (Id<StartdName> id : {place.in_words, place.address, place.starter}) {
    if (!id.valid()) continue;
    Known const& known = known_[id.index()];
    if (!known.sites.empty()) return site_of(known.sites);
    if (known.starters.empty()) continue;
    Known const& starter = known_[startd_of(known.starters)];
    if (!starter.sites.empty()) return site_of(starter.sites);
  }
  return {};
}

std::string_view ExecutionPoints::host(SlotPlace const& place) const {
  for (Id<StartdName> id : {place.in_words, place.address, place.starter}) {
    if (id.valid() && !known_[id.index()].on().empty()) return known_[id.index()].on();
  }
  return {};
}

Id<StartdName> ExecutionPoints::address_of(SlotPlace const& place) const {
  if (place.address.valid() || !place.starter.valid()) return place.address;
  Votes const& addresses = known_[place.starter.index()].addresses;
  return addresses.empty() ? Id<StartdName>() : Id<StartdName>(startd_of(addresses));
}

std::string ExecutionPoints::name(SlotPlace const& place) const {
  if (place.in_words.valid()) return known_[place.in_words.index()].key;
  Id<StartdName> const address = address_of(place);
  for (Id<StartdName> id : {address, place.starter}) {
    if (!id.valid()) continue;
    Votes words = known_[id.index()].words;
    for (auto const& [starter, count] : known_[id.index()].starters) {
      add(words, known_[starter].words);
    }
    if (!words.empty()) return known_[startd_of(words)].key;
  }
  Id<StartdName> const best = address.valid() ? address : place.starter;
  if (!best.valid()) return {};
  Known const& known = known_[best.index()];
  std::string key = known.key;
  if (key.ends_with("/" + known.alias)) key.resize(key.size() - known.alias.size());
  key.resize(key.find_last_not_of('/') + 1);
  return known.on().empty() ? key : std::string(known.on()) + " " + key;
}

std::string_view host_of_slot(std::string_view slot_name) {
  auto const at = slot_name.rfind('@');
  return at == npos ? std::string_view{} : slot_name.substr(at + 1);
}

std::string_view host_of_address(std::string_view sinful) {
  auto const alias = scan::between(sinful, "&alias=", "&>");
  return alias.empty() ? scan::between(sinful, "?alias=", "&>") : alias;
}

bool is_address(std::string_view host) {
  bool const six = host.find(':') != npos;
  return six || (!host.empty() && host.find_first_not_of("0123456789.") == npos);
}

std::string_view domain_of(std::string_view host) {
  if (host.empty()) return host;
  auto const dot = host.find('.');
  if (dot == npos || host.find('.', dot + 1) == npos) return host;
  if (is_address(host)) return host;
  return host.substr(dot + 1);
}

std::string site_of_host(std::string_view host) {
  std::string_view const domain = domain_of(host);
  return domain == host ? std::string(host) : lower(domain);
}

// A startd calls its starters' sockets "slot1_1_90_29bd_68", the random part four digits or more,
// base 16 (SharedPortEndpoint::GenerateEndpointName).
std::string_view slot_of_starter(std::string_view sinful) {
  std::string_view const socket = socket_of(sinful);
  std::string_view const process = starter_process(socket);
  if (process.empty()) return {};
  std::string_view const random = process.substr(process.rfind('_') + 1);
  bool const by_startd = random.size() >= 4 && random.find_first_not_of("0123456789abcdef") == npos;
  std::string_view const slot =
      socket.substr(0, static_cast<std::size_t>(process.data() - socket.data()) - 1);
  return by_startd && !slot.empty() && is_digit(slot.back()) ? slot : std::string_view{};
}

std::string_view slot_in_words(std::string_view text) {
  for (auto at = text.find("slot"); at != npos; at = text.find("slot", at + 4)) {
    std::string_view word = text.substr(at, text.substr(at).find_first_of(" ,:;\t"));
    if (word.find('@') != npos) return word;
  }
  return {};
}

int hold_code(int code, std::string_view text) {
  bool const of_transfer = code == output_code || code == input_code;
  if (!of_transfer || scan::has(text, "put files failure")) return code;
  if (auto const direction = direction_in_words(text)) return *direction;
  // The plugin at the slot failed to bring a file.
  return code == output_code && scan::has(text, "FILETRANSFER:") ? input_code : code;
}

Reason hold_reason(int code, int subcode, std::string_view text) {
  using enum Reason;
  constexpr CodedReason known[] = {{1, manual},
                                   {3, policy},
                                   {32, input_too_large},
                                   {34, out_of_resources},
                                   {36, checkpoint_failed},
                                   {46, job_too_long},
                                   {47, execution_too_long}};
  if (code == 0) return scan::has(text, "condor_hold") ? manual : reason_in_words(text);
  bool const missing = subcode == ENOENT && !scan::has(text, failed_to_write);
  if (code == output_code) return missing ? output_missing : output_failed;
  if (code == input_code) return refined(subcode == 62 ? transfer_timeout : transfer_failed, text);
  return coded_reason(known, code).value_or(system);
}

Reason vacate_reason(int code, int subcode, std::string_view text) {
  using enum Reason;
  constexpr CodedReason known[] = {{1000, policy},      {1004, vacated}, {no_contact, lost_contact},
                                   {1010, vacated},     {1011, vacated}, {1012, pilot_ended},
                                   {1013, pilot_ended}, {1014, vacated}, {1018, vacated},
                                   {1019, vacated},     {1022, vacated}, {1023, manual}};
  if (code != 0 && code < 1000) return hold_reason(code, subcode, text);
  if (code == no_contact && scan::has(text, job_not_found)) return system;
  auto const coded = coded_reason(known, code);
  return coded ? *coded : reason_in_words(text);
}

Reason decision_reason(std::string_view text) {
  // The schedd removes the jobs of a DAG with DAGMan's own job, by the rule that DAGMan gives it:
  // a person has removed the DAG.
  if (scan::has(text, "OtherJobRemoveRequirements")) return Reason::manual;
  if (scan::has(text, "via condor_") || scan::has(text, "by user")) return Reason::manual;
  if (scan::has(text, "expression") || scan::has(text, "eriodic")) return Reason::policy;
  return Reason::unknown;
}

bool input_failed(Reason reason, int code) {
  return code == input_code || reason == Reason::transfer_failed ||
         reason == Reason::transfer_stalled || reason == Reason::transfer_timeout ||
         reason == Reason::not_found || reason == Reason::no_progress;
}

bool output_failed(Reason reason, int code) {
  return code == output_code || reason == Reason::output_missing || reason == Reason::output_failed;
}

std::int64_t second_of(std::int64_t ms) { return ms >= 0 ? ms / 1000 : (ms + 1) / 1000 - 1; }

void LogNote::set_fields(JobEvent& event) const {
  event.reason = reason;
  event.code = code;
  event.subcode = subcode;
  event.gpus = gpus;
  event.exit_code = exit_code;
  event.useful = useful;
}

bool is_input_step(NoteKind kind) {
  return kind >= NoteKind::input_queued && kind <= NoteKind::input_finished;
}

bool is_output_step(NoteKind kind) {
  return kind >= NoteKind::output_queued && kind <= NoteKind::output_finished;
}

bool is_end(NoteKind kind) {
  return (kind >= NoteKind::terminated && kind <= NoteKind::held) || kind == NoteKind::aborted;
}

// Seconds; no slot was claimed for longer, and a number without bounds would not fit as
// milliseconds.
constexpr std::int64_t century = 100LL * 366 * 86400;

std::optional<LogNote> note_of(RawEvent const& event, std::int64_t at_ms) {
  auto const kind = kind_of(event);
  if (!kind || event.of_cluster) return std::nullopt;
  LogNote note;
  note.at_ms = at_ms;
  note.line = event.line;
  note.kind = *kind;
  note.checkpointed = event.checkpointed;
  if (*kind != NoteKind::hint) {
    note.code = narrow<std::int16_t>(hold_code(event.code.value_or(0), event.reason));
    note.subcode = event.subcode.value_or(0);
  }
  if (!event.reason.empty()) {
    note.reason_hash = static_cast<std::uint32_t>(std::hash<std::string_view>{}(event.reason)) | 1U;
  }
  if (event.seconds_in_queue) note.queued_ms = std::max(0, *event.seconds_in_queue) * 1000LL;
  auto const ms = [](std::int64_t seconds) {
    return std::clamp<std::int64_t>(seconds, 0, century) * 1000;
  };
  if (event.executed) note.executed_ms = ms(*event.executed);
  if (event.number == 5 && event.ended_ms)
    note.late_ms = std::max(INT64_C(0), at_ms - *event.ended_ms);
  if (event.slot_busy) note.busy_ms = ms(*event.slot_busy);
  read_reason(note, event);
  return note;
}

void order_within_second(Notes& notes) {
  if (notes.size() < 2) return;
  std::stable_partition(notes.begin(), notes.end(),
                        [](LogNote const& note) { return note.kind == NoteKind::submitted; });
  execute_after_input(notes);
  output_before_end(notes);
  shadow_before_schedd(notes);
}

}  // namespace gridcast::condor

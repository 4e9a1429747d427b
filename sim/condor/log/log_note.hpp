// The meaning of a log's event for its job, without the words: small enough to be kept until the
// job's second is over, when the order within it can be mended. Also the meaning of the words
// before they are dropped: why an attempt ended or a job was held, from HTCondor's codes and, where
// they leave it open, its words. Codes: HTCondor manual, "Job Event Log Codes" (HoldReasonCode,
// VacateReasonCode).
//
// And where its job is, which takes knowing which execution point is which (ExecutionPoints).
// A log names a startd in several ways; each has gaps:
//   001, 022, 023  its address:        <192.0.2.1:9618?...&sock=startd_3989009_f600>
//   040            its starter's:      <192.0.2.1:9618?...&sock=slot1_1_3989020_341d_2>
//   021, 004, 012  its slot in words:  slot1_2@glidein_4001_1@host.example.org
// An attempt that has several of them side by side, or its site (GLIDEIN_ResourceName), is counted.
// A name stands for its meaning in most attempts: one muddled attempt then has no effect. Addresses
// are HTCondor's "sinful strings" (condor_sinful.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/condor/log/event_reader.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

/// Tag of Id<StartdName>: one name of an execution point's startd.
struct StartdName;

/// The names of one startd, as far as they are known; and its slot.
struct SlotPlace {
  Id<StartdName> in_words, address, starter;
  std::uint32_t slot = 0;             // index of the slot's name; 0: not known
  std::uint32_t slot_of_starter = 0;  // the part of its address that names it ("slot1_1"), likewise
  auto operator<=>(SlotPlace const&) const = default;

  bool known() const { return in_words.valid() || address.valid() || starter.valid() || slot != 0; }
  /// Takes from `other` the facts that are not known here.
  void complete(SlotPlace const& other);
};

class ExecutionPoints {
 public:
  /// `site_names` by Id<Site>, which may grow.
  explicit ExecutionPoints(std::vector<std::string> const& site_names) : site_names_(site_names) {}

  /// Invalid if the text does not name a startd. "slot1_2@host" does not: there can be several.
  Id<StartdName> by_words(std::string_view slot_name);
  Id<StartdName> by_address(std::string_view sinful);
  Id<StartdName> by_starter(std::string_view sinful);

  /// An attempt was there. `site` may be invalid.
  void saw(SlotPlace const& place, Id<history::Site> site);
  void on_host(Id<StartdName> startd, std::string_view host);

  // The rest is known when all attempts were seen: it does not depend on their order.

  /// The site of most attempts on that startd, of two sites with as many the first by name; invalid
  /// if no attempt names one.
  Id<history::Site> site(SlotPlace const& place) const;
  /// The site of the other startds on a host, else of those on its neighbours, if all are at one
  /// site; else invalid: a name that several sites have ("localhost.localdomain") names none.
  Id<history::Site> site_near(std::string_view host);
  /// Empty if not known.
  std::string_view host(SlotPlace const& place) const;
  /// The best of its names: that in words, if there is one.
  std::string name(SlotPlace const& place) const;

 private:
  using Votes = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // for whom, how many
  struct Known {
    std::string key;
    std::string alias;  // its host by its address, or by its name in words
    std::string host;   // of its slots, which counts without one
    Votes sites, words, starters, addresses;

    std::string_view on() const { return alias.empty() ? host : alias; }
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  using VotesByName = std::unordered_map<std::string, Votes, Hash, std::equal_to<>>;

  Id<StartdName> find(std::string_view key, std::string_view host);
  static Votes& votes_of(VotesByName& names, std::string_view name);
  static void vote(Votes& votes, std::size_t candidate, std::uint32_t times = 1);
  static void add(Votes& sum, Votes const& votes);
  std::uint32_t startd_of(Votes const& votes) const;
  /// If the place has only its starter, the address that most attempts have beside it.
  Id<StartdName> address_of(SlotPlace const& place) const;
  Id<history::Site> site_of(Votes const& votes) const;
  void count_hosts();

  std::vector<std::string> const& site_names_;
  std::vector<Known> known_;
  VotesByName sites_of_host_, sites_of_domain_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> by_key_;
  std::string key_;  // scratch
};

/// "exp-4-58.expanse.sdsc.edu" of "slot1_1@exp-4-58.expanse.sdsc.edu", or of an address's alias.
std::string_view host_of_slot(std::string_view slot_name);
std::string_view host_of_address(std::string_view sinful);

/// True for the text of an IP address.
bool is_address(std::string_view host);

/// The part of a host's name that its neighbours share: without the first label, if two are left.
std::string_view domain_of(std::string_view host);

/// The site of a host if the record names none: its domain, whose case does not count, or itself.
std::string site_of_host(std::string_view host);

/// "slot1_1" of the address of its starter; empty where it has none.
std::string_view slot_of_starter(std::string_view sinful);

/// The first "slotN_M@..." within a text; empty if there is none.
std::string_view slot_in_words(std::string_view text);

/// In an order in which inputs, outputs and ends are next to each other.
enum class NoteKind : std::uint8_t {
  submitted,
  input_queued,
  input_started,
  input_finished,
  executing,
  output_queued,
  output_started,
  output_finished,
  terminated,
  evicted,
  requeued,
  shadow_exception,
  reconnect_failed,
  held,
  released,
  aborted,
  suspended,
  unsuspended,
  disconnected,
  reconnected,
  checkpointed,  // 003
  skipped,       // 046: its outputs are newer than its inputs, so it need not run
  alive,         // 006: the program runs
  hint,          // 021, 028: only where and why
};

struct LogNote {
  std::int64_t at_ms = 0;
  std::int64_t queued_ms = 0;    // of input_started: how long it waited for it
  std::int64_t busy_ms = 0;      // of an end: how long the slot was claimed; 0: unknown
  std::int64_t executed_ms = 0;  // of an end: how long the program ran; 0: unknown
  std::int64_t late_ms = 0;      // of an end: logged so long after the program's; 0: unknown
  std::size_t line = 0;
  std::uint32_t file = 0;  // of LogWarnings
  SlotPlace place;
  Id<history::Site> site;
  history::MovedBytes moved;      // of the run that it ends
  std::uint32_t reason_hash = 0;  // of the reason's text; 0: none is given
  std::int32_t subcode = 0;
  std::uint16_t gpus = 0;     // JobEvent::gpus
  bool without_gpus = false;  // these are none
  std::int16_t code = 0, exit_code = 0;
  NoteKind kind = NoteKind::hint;
  Reason reason = Reason::none;
  bool useful = true;
  bool checkpointed = false;  // 004 "(1) Job was checkpointed."

  /// Fills in the event's reason, codes and exit.
  void set_fields(JobEvent& event) const;
};

/// Stamps of one job's events by several processes differ by so much without anything being wrong.
constexpr std::int64_t unremarkable_ms = 2000;

/// The second that a time is in, before 1970 too.
std::int64_t second_of(std::int64_t ms);

/// The event's meaning for its job; none if it is not about a job's life. `reason`, codes and exit
/// are filled in, the place is not.
std::optional<LogNote> note_of(RawEvent const& event, std::int64_t at_ms);

/// The notes of one job's second in the order in which they can have happened: shadow and schedd
/// write into the log side by side.
void order_within_second(std::vector<LogNote>& notes);

/// The hold code as HTCondor gives it since version 10: 12 for output, 13 for input. Before, 12 is
/// a failure to receive or write and 13 one to read or send, in both directions. The words show
/// which: "STARTER at 192.0.2.1 failed to send file(s) ...; SHADOW failed to receive" is of output.
/// Source: the comments of HTCondor's baseshadow.cpp.
int hold_code(int code, std::string_view text);

/// For 012, and for 004 with a code below 1000, which is the code of the hold that follows.
Reason hold_reason(int code, int subcode, std::string_view text);

/// For 004 and 007; code 0 where the log gives none.
Reason vacate_reason(int code, int subcode, std::string_view text);

/// For 009 and 013: a person or an expression.
Reason decision_reason(std::string_view text);

/// True if the input's transfer failed, which can be logged as "Finished transferring" all the
/// same.
bool input_failed(Reason reason, int code);
bool output_failed(Reason reason, int code);

/// A step of a transfer (040).
bool is_input_step(NoteKind kind);
bool is_output_step(NoteKind kind);
/// True if the job leaves its slot, or the queue, with it.
bool is_end(NoteKind kind);

}  // namespace gridcast::condor

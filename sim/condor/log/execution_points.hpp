// Which execution point is which. A log names a startd in several ways, none of them everywhere:
//   001, 022, 023  its address:        <192.0.2.1:9618?...&sock=startd_3989009_f600>
//   040            its starter's:      <192.0.2.1:9618?...&sock=slot1_1_3989020_341d_2>
//   021, 004, 012  its slot in words:  slot1_2@glidein_4001_1@host.example.org
// What an attempt tells of them side by side, and of its site (GLIDEIN_ResourceName), is counted; a
// name stands for what most attempts say it does, so that one muddled attempt misleads nobody.
// Addresses are HTCondor's "sinful strings" (condor_sinful.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/history/job_history.hpp"

namespace gridcast::condor {

/// Tag of Id<StartdName>: one name of an execution point's startd.
struct StartdName;

/// The names of one startd, as far as they are known; and its slot.
struct SlotPlace {
  Id<StartdName> in_words, address, starter;
  std::uint32_t slot = 0;  // index of the slot's name; 0: not known
  auto operator<=>(SlotPlace const&) const = default;

  bool known() const { return in_words.valid() || address.valid() || starter.valid() || slot != 0; }
  /// Takes from `other` what is not known here.
  void complete(SlotPlace const& other);
};

class ExecutionPoints {
 public:
  /// Invalid if the text does not name a startd. "slot1_2@host" does not: there can be several.
  Id<StartdName> by_words(std::string_view slot_name);
  Id<StartdName> by_address(std::string_view sinful);
  Id<StartdName> by_starter(std::string_view sinful);

  /// An attempt was there. `site` may be invalid.
  void saw(SlotPlace const& place, Id<history::Site> site);
  void on_host(Id<StartdName> startd, std::string_view host);

  /// Where most attempts on that startd were; invalid if no attempt told.
  Id<history::Site> site(SlotPlace const& place) const;
  /// Where the other attempts on a host were, else those on its neighbours if all were at one site;
  /// invalid if none told.
  Id<history::Site> site_near(std::string_view host) const;
  /// Empty if not known.
  std::string_view host(SlotPlace const& place) const;
  /// The best of its names: that in words, where anything tells it.
  std::string name(SlotPlace const& place) const;

 private:
  using Votes = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // for whom, how many
  struct Known {
    std::string key, host;
    Votes sites, words, starters;
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
  static void vote(Votes& votes, std::size_t candidate);
  static void add(Votes& sum, Votes const& votes);
  static std::uint32_t winner(Votes const& votes);

  std::vector<Known> known_;
  VotesByName sites_of_host_, sites_of_domain_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> by_key_;
  std::string key_;  // scratch
};

/// "exp-4-58.expanse.sdsc.edu" of "slot1_1@exp-4-58.expanse.sdsc.edu", or of an address's alias.
std::string_view host_of_slot(std::string_view slot_name);
std::string_view host_of_address(std::string_view sinful);

/// The part of a host's name that its neighbours share: without the first label, if two are left.
std::string_view domain_of(std::string_view host);

/// The first "slotN_M@..." within a text; empty if there is none.
std::string_view slot_in_words(std::string_view text);

}  // namespace gridcast::condor

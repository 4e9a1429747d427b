// The rules of input transfers that come with versions of HTCondor and Pelican, so that "upgrade" is
// a strategy to compare. A version sets what the strategy's own keys leave open:
//
//   HTCondor   before 23.8.1   stall timer off: a transfer runs until its own limits
//              23.8.1..25.2.0  stall timer over the whole transfer: it sees none of a plugin's bytes
//                              (HTCONDOR-1395; seen on an unchanged 23.9.6)
//              from 25.2.1     off again for plugins: one that runs counts as alive (HTCONDOR-3202)
//              from 25.6.1     a failed plugin cools the job down, 300 to 600 s, four times
//                              (FEATURE:PelicanRetryPolicy, param_info.in)
//   Pelican    from 7.10       a connection without a byte for 100 s is given up, and the next of
//                              three caches asked (Client.StoppedTransferTimeout, client/main.go)
//              from 7.16       the next try resumes where the last one ended (HTTP Range)
#pragma once

#include <array>
#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace gridcast::scenario {

struct Version {
  std::array<int, 3> parts = {};

  auto operator<=>(Version const&) const = default;
};

/// "23.9.6" or "7.10"; nothing where it is no such thing.
std::optional<Version> parse_version(std::string_view text);
std::string to_text(Version const& version);

struct Software {
  std::optional<Version> htcondor, pelican;
};

/// What `own` says, and where it says nothing, `usual`.
Software software_of(Software const& own, Software const& usual);

}  // namespace gridcast::scenario

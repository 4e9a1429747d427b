// Every figure of a campaign, in one table: its name in JSON and CSV, the unit and the words in
// which people read it, whether more of it is good, and how it comes out of a ledger. Text, JSON,
// CSV, report pages, comparisons and `gridcast help metrics` read the table, and a test holds
// docs/ledger.md to it: a new metric is a row here, a line of the ledger where it needs one (with
// the accountant's entry into it), its row in docs/ledger.md, and a test of its value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/ledger/ledger.hpp"

namespace gridcast::ledger {

/// In which people read a figure. JSON and CSV have seconds, counts and shares of one.
enum class Unit { jobs, events, seconds, hours, days, percent, ratio };

/// What one would have of it, as far as that is sure without knowing the campaign.
enum class Better { more, less, neither };

/// Who is told a figure: sites, campaigns and replicas (of sites, some are kept for each replica of
/// a study, and some are not known where retries are opaque); campaigns and replicas, as it does
/// not add up over sites; or replicas only, as its spread over them is what it is for.
enum class ToldOf { kept_site, open_site, site, campaign, replica };

/// How a metric comes out of the lines of some jobs, or out of a whole campaign (nothing, or NaN:
/// the source cannot tell).
using CountLine = std::size_t LedgerLines::*;
using TimeLine = Seconds LedgerLines::*;
using TimeSum = Seconds (LedgerLines::*)() const;
using ShareOfLines = double (LedgerLines::*)() const;
using CampaignTime = std::optional<Seconds> Ledger::*;
using OfCampaign = double (*)(Ledger const&);

struct Metric {
  std::string_view name;  // in JSON and CSV; seconds where it ends in _s
  Unit unit = Unit::ratio;
  Better better = Better::neither;
  std::string_view label;  // in tables
  std::variant<CountLine, TimeLine, TimeSum, ShareOfLines, CampaignTime, OfCampaign> from;
  std::string_view definition;  // as docs/ledger.md has it
  ToldOf told_of = ToldOf::site;
  std::string_view phrase = {};   // within a sentence, where it is not the label
  std::string_view heading = {};  // of a narrow column

  std::string_view in_sentence() const { return phrase.empty() ? label : phrase; }
};

/// In the order of JSON and CSV.
std::vector<Metric> const& all_metrics();
/// Null where there is none of that name.
Metric const* find_metric(std::string_view name);
/// The names of what is told of a site, a campaign or a replica.
std::vector<std::string> metric_names(ToldOf what);

/// A metric's value; `available` is false where the source cannot tell (null in JSON): makespan_s
/// without dates, compute_evicted_s where retries are opaque.
struct MetricValue {
  std::string_view name;
  double value = 0;
  bool available = true;
};

std::vector<MetricValue> metrics(Ledger const& ledger, ToldOf what = ToldOf::campaign);
/// Of a site, or of any lines.
std::vector<MetricValue> metrics(LedgerLines const& lines, bool retries_opaque,
                                 ToldOf what = ToldOf::site);

/// How the jobs ended that a line of slot time is of, in the order in which tables tell it.
enum class EndedAs { succeeded, wrong_output, held, unfinished, not_succeeded, any };
/// "removed, unfinished".
std::string_view words(EndedAs ended);

/// A line that slot time is entered into. The lines add up to wallclock_s, and those that are lost
/// to badput_s, in this order.
struct SlotTimeLine {
  TimeLine time = nullptr;
  bool lost = true;
  EndedAs ended = EndedAs::any;
  std::string_view spent_on;   // in a table of all lines
  std::string_view name = {};  // of its metric
};
std::vector<SlotTimeLine> const& slot_time_lines();

}  // namespace gridcast::ledger

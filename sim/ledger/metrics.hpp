// The registry of metrics: one row for each figure of a campaign. A row contains the name in JSON
// and CSV, the unit, the label, the direction that is better, the formula over a ledger, and the
// definition. Text, JSON, CSV, report pages, comparisons, `gridcast help metrics` and `gridcast
// open` read the registry; each answer lists the metrics that it shows. A test compares
// docs/ledger.md with it. A metric that no formula over the ledger gives needs a line of the ledger
// of its own.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/ledger/ledger.hpp"

namespace gridcast::ledger {

/// The unit of a figure in text and on pages. JSON and CSV contain seconds, counts and shares.
enum class Unit { jobs, events, seconds, hours, days, percent, ratio };

/// The direction that is better in every campaign.
enum class Better { more, less, neither };

/// The things that have a figure. Figures of sites are also figures of campaigns and replicas; a
/// study keeps some of them for each replica, and some are unknown if retries are opaque. Figures
/// of campaigns do not add up over sites. Figures of replicas are of use by their spread only.
enum class MetricScope { kept_site, open_site, site, campaign, replica };

/// The formula of a metric, over the lines of some jobs or over a whole campaign. Nothing, or NaN:
/// the source does not contain it.
using CountLine = std::size_t LedgerLines::*;
using TimeLine = Seconds LedgerLines::*;
using TimeSum = Seconds (LedgerLines::*)() const;
using ShareOfLines = double (LedgerLines::*)() const;
using CampaignTime = std::optional<Seconds> Ledger::*;
using OfCampaign = double (*)(Ledger const&);

/// An answer that shows some of the metrics.
enum class ShownIn {
  explanations,  // a prediction under each explanation
  comparison,    // probabilities of being best, in text, CSV, JSON and page
  differences,   // differences to the baseline, in text and in `gridcast open`
  page,          // the strategies on a report page
  question,      // an answer of `gridcast open`
};

/// A metric that is a quotient. Over replicas it is the quotient of two sums.
struct Ratio {
  std::string_view top = {}, bottom = {};
  double factor = 1;
  bool of_gpus = false;  // times the GPUs of a job
};

struct Metric {
  std::string_view name;  // in JSON and CSV; seconds where it ends in _s
  Unit unit = Unit::ratio;
  Better better = Better::neither;
  std::string_view label;  // in tables
  std::variant<CountLine, TimeLine, TimeSum, ShareOfLines, CampaignTime, OfCampaign> from;
  std::string_view definition;  // in docs/ledger.md
  MetricScope scope = MetricScope::site;
  std::string_view phrase = {};   // within a sentence, where it is not the label
  std::string_view heading = {};  // of a narrow column
  Ratio ratio = {};

  std::string_view in_sentence() const { return phrase.empty() ? label : phrase; }
};

/// In the order of JSON and CSV.
std::span<Metric const> all_metrics();
/// Null where there is none of that name.
Metric const* find_metric(std::string_view name);
/// The metrics that an answer shows, in its order.
std::vector<Metric const*> metrics_shown(ShownIn answer);
/// The metric by which a comparison decides.
inline constexpr char deciding_metric[] = "gpu_hours_per_success";
/// The names of the metrics of a site, a campaign or a replica.
std::vector<std::string> metric_names(MetricScope what);

/// The value of a metric. It is not `available` (null in JSON) if the source does not contain it:
/// makespan_s without dates, compute_evicted_s if retries are opaque.
struct MetricValue {
  std::string_view name;
  double value = 0;
  bool available = true;
};

std::vector<MetricValue> metrics(Ledger const& ledger, MetricScope what = MetricScope::campaign);
/// The metrics of a site, or of any lines.
std::vector<MetricValue> metrics(LedgerLines const& lines, bool retries_opaque,
                                 MetricScope what = MetricScope::site);

/// The ending of the jobs that a line of slot time belongs to, in the order of tables.
enum class EndedAs { succeeded, wrong_output, held, unfinished, not_succeeded, any };
/// "removed, unfinished".
std::string_view words(EndedAs ended);

/// A line of slot time. All lines add up to wallclock_s, and the lost ones to badput_s, in this
/// order.
struct SlotTimeLine {
  TimeLine time = nullptr;
  bool lost = true;
  EndedAs ended = EndedAs::any;
  std::string_view spent_on;   // in a table of all lines
  std::string_view name = {};  // of its metric
};
std::vector<SlotTimeLine> const& slot_time_lines();

}  // namespace gridcast::ledger

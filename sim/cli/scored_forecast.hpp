// A recorded campaign forecast and scored, and what `gridcast validate` tells of many: shared by
// --against and --leave-one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/report_file.hpp"
#include "sim/cli/validation_record.hpp"
#include "sim/report/data/scores_data.hpp"
#include "sim/study/balanced_forecast.hpp"
#include "sim/study/forecast_scores.hpp"

namespace gridcast::cli {

struct ScoreArguments {
  std::vector<std::filesystem::path> against;
  std::filesystem::path last;  // the record of the first plain guess; empty: the calibration's own
  std::string leave_one;       // "campaign", "site", "part"; empty: none
  std::string from = "rest";   // with "campaign": "rest" or "each"
  ValidationArguments records;
  std::uint32_t replicas = 200;
  std::uint64_t seed = 1;
  unsigned processes = 1;
  bool json = false, force = false, verbose = false, quiet = false;
  std::filesystem::path csv;  // folder; empty: none
  ReportArguments report = {};
};

/// --against, --last, --leave-one, --from, -n, --seed, -j, --json, --csv, and those of records.
void add_score_options(Verb& verb, ScoreArguments& arguments);

inline constexpr std::size_t replicas_a_draw = 2;

/// A folder that is gone with its scope.
class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(ScratchFolder const&) = delete;
  ~ScratchFolder();
  std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The figures of a campaign that is known, for guesses.
struct KnownCampaign {
  std::vector<double> figures;
  double jobs = 1;
};
KnownCampaign known_campaign(history::JobHistory const& logged);

struct Scored {
  std::vector<study::ScoredRecord> records;
  std::size_t failed = 0;
  bool interrupted = false;
};

/// `result`: its figures are added; `known`: the guesses' campaigns, the last one last.
void add_scored(Scored& all, study::ScoredRecord result, KnownCampaign const& observed,
                study::BalancedForecast const& forecast, std::vector<KnownCampaign> const& known);

/// The scores on standard output, the tables of --csv, the page of --report; the exit code.
/// `is_conformal`: whether each record is a campaign of its own that was forecast once.
int tell_scores(Scored const& scored, report::ScoresFacts const& facts, bool is_conformal,
                ScoreArguments const& arguments);

std::vector<ValidationRecord> read_records(std::vector<std::filesystem::path> const& places,
                                           ValidationArguments const& arguments);
void prepare_outputs(ScoreArguments const& arguments, std::vector<std::filesystem::path> inputs);

}  // namespace gridcast::cli

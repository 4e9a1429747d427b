#include "sim/cli/calibrate_logs.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>

#include <fmt/format.h>

#include "calibration/calibrate.hpp"
#include "calibration/file/calibration_file.hpp"
#include "gridcast_version.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/cli/campaign_input.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/ledger_source.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/report/text/table.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

namespace {

std::string command(CalibrateOptions const& options) {
  CalibrateOptions const usual;
  std::string text = "./gridcast calibrate";
  for (auto const& file : options.files) text += " " + file.string();
  if (!options.pool.empty()) text += " --pool " + options.pool.string();
  if (options.year != usual.year) text += fmt::format(" --year {}", options.year);
  if (!options.time_zone.empty()) text += " --tz " + options.time_zone;
  if (options.profile != usual.profile) text += " --profile " + options.profile;
  if (!options.submit.empty()) text += " --submit " + options.submit.string();
  if (options.urls != usual.urls) text += fmt::format(" --urls {}", options.urls);
  if (options.seed != usual.seed) text += fmt::format(" --seed {}", options.seed);
  if (options.draws != usual.draws) text += fmt::format(" --draws {}", options.draws);
  if (options.between_campaigns != usual.between_campaigns) {
    text += fmt::format(" --between-campaigns {}", options.between_campaigns);
  }
  return text + " -o " + options.out.string();
}

std::filesystem::path pool_beside(std::filesystem::path const& out) {
  auto pool = out;
  return pool.replace_extension(".pool.yaml");
}

// Every site of the log in the pool.
void require_sites(calibration::LogCalibration const& calibrated,
                   std::filesystem::path const& pool_file) {
  scenario::Pool const pool = scenario::read_pool(pool_file);
  std::vector<Problem> problems;
  for (calibration::SlotCount const& site : calibrated.slots) {
    bool const known =
        std::any_of(pool.sites.begin(), pool.sites.end(),
                    [&](scenario::SiteSpec const& spec) { return spec.name == site.site; });
    if (known) continue;
    problems.push_back({{pool_file.string()},
                        "the pool has no site '" + site.site + "'",
                        "jobs of the log ran there",
                        "Add it to the pool."});
  }
  if (!problems.empty()) throw InputError(problems);
}

calibration::CampaignFacts facts_of(calibration::LogCalibration const& calibrated,
                                    CampaignInput const& input) {
  calibration::CampaignFacts facts;
  facts.jobs = calibrated.jobs;
  facts.attempts = calibrated.attempts;
  facts.epochs = calibrated.epochs;
  facts.input_sizes = calibrated.urls.sizes;
  facts.input_urls = input.urls;
  facts.plugin_lifetime = calibrated.plugin_lifetime;
  facts.executable = input.executable;
  facts.arguments = input.arguments;
  return facts;
}

std::string summary(calibration::Fit const& fit) {
  report::TextTable parameters({{"parameter"},
                                {"estimate", report::Align::right},
                                {"90 % interval", report::Align::right},
                                {"unit"},
                                {"events", report::Align::right},
                                {"censored", report::Align::right}});
  for (calibration::Estimate const& line : fit.estimates) {
    parameters.add_row({line.name, fmt::format("{:.4g}", line.estimate),
                        fmt::format("{:.4g} to {:.4g}", line.interval90.low, line.interval90.high),
                        line.unit, std::to_string(line.events), std::to_string(line.censored)});
  }
  std::string text = parameters.str() + "\nWhat the log cannot tell, and what stands in for it:\n";
  for (calibration::NotIdentified const& gap : fit.not_identified) {
    text += fmt::format("  {}: {}. {}\n", gap.what, gap.why, gap.taken_from);
  }
  return text;
}

// What is read from standard input has no name to be read again by.
std::string digest(std::filesystem::path const& file) {
  if (file == "-") return "";
  std::ifstream in(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return sha256(bytes.str());
}

// What the ads do not tell.
void add_submit_file(std::filesystem::path const& file, CampaignInput& input,
                     calibration::LogCalibrationOptions& dated) {
  import::SubmitImport const said = import::import_submit(
      condor::read_submit_file(file, import::deciding_submit_commands()), import::KnownSizes());
  for (scenario::InputFile const& each : said.campaign.input) dated.url_sizes.push_back(each.size);
  if (input.urls.empty()) {
    for (scenario::InputFile const& each : said.campaign.input) input.urls.push_back(each.url);
  }
  if (input.executable.empty()) {
    input.executable = said.executable;
    input.arguments = said.arguments;
  }
}

}  // namespace

bool are_job_tables(std::vector<std::filesystem::path> const& files) {
  return !sort_by_kind(files).tables.empty();
}

int run_calibrate_logs(CalibrateOptions const& options) {
  condor::ReadLogOptions reading;
  if (options.year > 0) reading.year = options.year;
  reading.time_zone = options.time_zone;
  CampaignInput input = read_campaign_input(options.files, reading);
  std::cerr << input.remarks;
  calibration::LogCalibrationOptions dated;
  if (!options.submit.empty()) add_submit_file(options.submit, input, dated);
  dated.draws = static_cast<std::size_t>(options.draws);
  dated.seed = options.seed;
  dated.urls = options.urls;
  dated.between_campaigns = options.between_campaigns;
  calibration::LogCalibration const calibrated =
      calibration::calibrate_from_logs(input.history, dated);

  auto const folder = options.out.parent_path();
  prepare_folder(folder.empty() ? "." : folder);
  calibration::CalibrationDocument document;
  document.profile = options.profile;
  document.version = version_number;
  document.command = command(options);
  for (auto const& file : options.files) {
    document.inputs.push_back({file.string(), digest(file), calibrated.jobs});
  }
  if (options.pool.empty()) {
    auto const beside = pool_beside(options.out);
    std::string const pool = calibration::pool_yaml(calibrated.slots, document.command,
                                                    scenario::AccessPointSpec().policy_interval);
    write_file(beside, pool);
    document.pool_file = beside.filename().string();
    document.pool_sha256 = sha256(pool);
  } else {
    require_sites(calibrated, options.pool);
    document.pool_file = options.pool.string();
    document.pool_sha256 = sha256(read_text_file(options.pool));
  }
  document.seed = options.seed;
  document.campaign = facts_of(calibrated, input);
  document.fit = calibrated.fit;
  write_file(options.out, calibration::calibration_yaml(document));
  std::cout << summary(document.fit) << "\nWritten to " << options.out.string();
  if (options.pool.empty()) std::cout << " and " << pool_beside(options.out).string();
  std::cout << "\n";
  return exit_code::done;
}

}  // namespace gridcast::cli

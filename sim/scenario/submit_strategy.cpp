#include "sim/scenario/submit_strategy.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/campaign.hpp"

namespace gridcast::scenario {
namespace {

void join_jobs(Campaign& campaign, int in_one) {
  if (in_one == 1) return;
  for (Submission& each : campaign.submit) each.jobs = (each.jobs + in_one - 1) / in_one;
  campaign.work.epochs *= in_one;
  campaign.work.jobs_in_one = in_one;
}

void submit_in_groups(Campaign& campaign, int jobs, Seconds every) {
  if (jobs == 0) return;
  std::vector<Submission> groups;
  for (Submission const& all : campaign.submit) {
    Submission group = all;
    for (int left = all.jobs; left > 0; left -= jobs) {
      group.jobs = std::min(left, jobs);
      groups.push_back(group);
      group.at += every;
    }
  }
  campaign.submit = std::move(groups);
}

void split_input(Campaign& campaign, int parts) {
  if (parts == 1) return;
  std::vector<InputFile> files;
  for (InputFile const& whole : campaign.input) {
    for (int i = 0; i < parts; ++i) {
      InputFile part = whole;
      part.url += fmt::format(".part{:02}", i);
      part.size = whole.size / parts;
      part.share = 1.0 / parts;
      files.push_back(std::move(part));
    }
  }
  campaign.input = std::move(files);
}

void add_copies(Campaign& campaign) {
  int const jobs = campaign.jobs();
  auto const submissions = campaign.submit;
  for (Submission copy : submissions) {
    copy.second_copy = true;
    campaign.submit.push_back(std::move(copy));
  }
  auto const input = campaign.input;
  for (InputFile file : input) {
    if (!file.job) continue;
    *file.job += jobs;
    campaign.input.push_back(std::move(file));
  }
}

}  // namespace

Campaign submitted_campaign(Scenario const& scenario, Strategy const& strategy) {
  Campaign campaign = scenario.campaign;
  SubmitStrategy const& changes = strategy.submit;
  if (changes.max_materialize) campaign.max_materialize = *changes.max_materialize;
  bool const repeats_jobs = scenario.calibration.recorded != nullptr;
  if (!repeats_jobs) join_jobs(campaign, changes.jobs_in_one);
  submit_in_groups(campaign, changes.jobs_at_a_time, changes.every);
  if (repeats_jobs) return campaign;
  if (changes.gpus > 0) campaign.request.gpus = changes.gpus;
  split_input(campaign, changes.input_parts);
  if (changes.second_copy_after) add_copies(campaign);
  return campaign;
}

std::string why_not_joined(Campaign const& campaign, int in_one) {
  if (has_nodes(campaign)) return "the jobs of a DAG wait for each other";
  if (campaign.work.epochs == 0) return "campaign.work.epochs is not given";
  bool const own = std::ranges::any_of(campaign.input,
                                       [](InputFile const& file) { return file.job.has_value(); });
  if (own) return "each job has input of its own";
  for (Submission const& each : campaign.submit) {
    if (each.jobs % in_one != 0) {
      return fmt::format("a submission has {} jobs, which {} does not divide", each.jobs, in_one);
    }
  }
  return "";
}

JobCount job_count(Scenario const& scenario, Strategy const& strategy) {
  JobCount count;
  if (scenario.calibration.recorded) return count;
  count.in_one = static_cast<std::size_t>(strategy.submit.jobs_in_one);
  count.second_copies = strategy.submit.second_copy_after.has_value();
  return count;
}

void check_submissions(YamlDocument& document, Scenario const& scenario) {
  bool const is_dag = has_nodes(scenario.campaign);
  for (Strategy const& strategy : scenario.strategies) {
    SubmitStrategy const& changes = strategy.submit;
    std::string const path = "strategies." + strategy.name + ".submit.";
    auto const no_dag = [&](char const* key, bool is_given) {
      if (!is_given || !is_dag) return;
      document.complain(path + key, "the campaign is a DAG", "DAGMan submits its jobs");
    };
    no_dag("jobs_at_a_time", changes.jobs_at_a_time > 0);
    no_dag("second_copy_after", changes.second_copy_after.has_value());
    if (changes.jobs_in_one > 1) {
      auto const why = why_not_joined(scenario.campaign, changes.jobs_in_one);
      if (!why.empty()) document.complain(path + "jobs_in_one", "jobs cannot be joined", why);
    }
    if (changes.jobs_at_a_time > 0 && !(changes.every > Seconds())) {
      document.complain(path + "jobs_at_a_time", "the groups have no distance", "all come at once",
                        "Write 'every: 1 h'.");
    }
    Request wanted = scenario.campaign.request;
    wanted.gpus = changes.gpus;
    if (changes.gpus > 0 && !scenario.pool.sites.empty() &&
        matching_sites(scenario.pool, wanted).empty()) {
      document.complain(path + "gpus",
                        fmt::format("no site of the pool gives a job {} GPUs", changes.gpus), "");
    }
  }
}

}  // namespace gridcast::scenario

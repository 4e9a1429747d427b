#include "sim/scenario/campaign.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

using NodeIndex = std::unordered_map<std::string, std::size_t>;

NodeIndex index_of(Campaign const& campaign) {
  NodeIndex index;
  for (std::size_t i = 0; i < campaign.submit.size(); ++i) {
    if (!campaign.submit[i].name.empty()) index.emplace(campaign.submit[i].name, i);
  }
  return index;
}

/// Submissions that can never be made, as they wait for each other.
std::vector<std::size_t> in_cycles(NodeOrder const& order) {
  std::vector<std::size_t> waits, free, left;
  for (auto const& parents : order.parents) waits.push_back(parents.size());
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (waits[i] == 0) free.push_back(i);
  }
  for (std::size_t next = 0; next < free.size(); ++next) {
    for (std::size_t const child : order.children[free[next]]) {
      if (--waits[child] == 0) free.push_back(child);
    }
  }
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (waits[i] > 0) left.push_back(i);
  }
  return left;
}

/// Those that contain it stand before it.
bool is_inner_dag(Campaign const& campaign, std::string const& name) {
  for (std::size_t i = 0; i < campaign.dags.size(); ++i) {
    if (campaign.dags[i].name != name) continue;
    auto const& outer = campaign.dags[i].in;
    auto const end = campaign.dags.begin() + static_cast<std::ptrdiff_t>(i);
    return outer.empty() || std::any_of(campaign.dags.begin(), end,
                                        [&](InnerDag const& each) { return each.name == outer; });
  }
  return false;
}

std::vector<std::string> names_of(Campaign const& campaign) {
  constexpr std::size_t most = 1000;
  std::vector<std::string> names;
  for (Submission const& each : campaign.submit) {
    if (!each.name.empty() && names.size() < most) names.push_back(each.name);
  }
  return names;
}

/// Of the submissions with these names.
std::vector<std::size_t> numbers(NodeIndex const& index, std::vector<std::string> const& names) {
  std::vector<std::size_t> found;
  for (std::string const& name : names) {
    if (auto const* each = find_in(index, name)) found.push_back(*each);
  }
  return found;
}

using Names = std::set<std::string, std::less<>>;

void add_unknown(Campaign const& campaign, NodeIndex const& index, Names const& joins,
                 std::vector<std::string> const& names, std::string const& path,
                 std::vector<NodeProblem>& problems) {
  for (std::string const& name : names) {
    if (index.contains(name) || joins.contains(name)) continue;
    problems.push_back({path, fmt::format("no submission is called '{}'", name), "",
                        suggestion(name, names_of(campaign))});
  }
}

/// The problems with one submission.
void add_problems(Campaign const& campaign, NodeIndex const& index, Names const& joins,
                  std::size_t number, std::vector<NodeProblem>& problems) {
  Submission const& each = campaign.submit[number];
  std::string const path = fmt::format("submit[{}].", number);
  if (!each.name.empty() && index.at(each.name) != number) {
    problems.push_back({path + "name", fmt::format("'{}' is there twice", each.name),
                        "others wait for it by this name", ""});
  }
  add_unknown(campaign, index, joins, each.after, path + "after", problems);
  bool const known_category =
      std::ranges::count(campaign.categories, each.category, &NodeCategory::name) > 0;
  if (!each.category.empty() && !known_category) {
    problems.push_back({path + "category", fmt::format("unknown category '{}'", each.category), "",
                        "Add it to `categories`."});
  }
  bool const known_request =
      std::ranges::count(campaign.requests, each.request, &NamedRequest::name) > 0;
  if (!each.request.empty() && !known_request) {
    problems.push_back({path + "request", fmt::format("unknown request '{}'", each.request), "",
                        "Add it to `requests`."});
  }
  if (each.last && !each.dag.empty()) {
    problems.push_back({path + "final", "an inner DAG has no final submission",
                        "it comes when all others of the campaign are over", "Leave out `dag`."});
  }
  if (!each.dag.empty() && !is_inner_dag(campaign, each.dag)) {
    problems.push_back({path + "dag", fmt::format("there is no inner DAG '{}'", each.dag), "",
                        "Add it to `dags`, after the one that contains it."});
  }
}

constexpr double most_jobs = 1e7;

void add_node_keys(Table<Submission>& table) {
  table.optional("name", &Submission::name, "By which others wait for it (a node of a DAG)")
      .add({"after", Form::names,
            "Submitted when the jobs of these, or of `joins`, have all succeeded, not before `at`"},
           &Submission::after)
      .optional("delay", &Submission::delay, "... and so much later")
      .labelled("Delay after the submissions it waits for")
      .optional("retries", &Submission::retries,
                "If one of its jobs fails or is removed, all are submitted again, so often "
                "(RETRY)",
                between(0, most_jobs))
      .labelled("Repeats of the submission after a failure")
      .optional("unless_exit", &Submission::unless_exit,
                "But not after this exit code (UNLESS-EXIT)")
      .labelled("Exit code that ends the repeats")
      .optional("category", &Submission::category, "One of `categories`")
      .optional("dag", &Submission::dag, "One of `dags`; without it, the whole DAG")
      .optional("abort_on", &Submission::abort_on,
                "This exit code of one of its jobs ends its DAG at once (ABORT-DAG-ON)")
      .labelled("Exit code that ends the whole DAG")
      .optional("abort_return", &Submission::abort_return,
                "The exit code of that DAG (RETURN); 0: an inner DAG has succeeded")
      .labelled("Exit code of a DAG that ends so")
      .optional("ready_after", &Submission::ready_after,
                "Those that wait for it come when its program has run for so long, not when "
                "it succeeds (a PROVISIONER node)")
      .labelled("Running time after which others may start")
      .optional("final", &Submission::last,
                "Submitted when all others are over, also after failures (a FINAL node)")
      .labelled("Submitted when all others are over");
}

Table<Submission> const& submission_table() {
  static Table<Submission> const table =
      Table<Submission>("Jobs that are submitted together")
          .optional("at", &Submission::at, "When, from the start of the campaign")
          .labelled("Submitted at")
          .required("jobs", &Submission::jobs, "How many", between(1, most_jobs))
          .labelled("Jobs")
          .optional("scale", &Submission::scale, "Their work as a multiple of the campaign's",
                    positive())
          .labelled("Work of these jobs, as a multiple")
          .optional("crash_odds", &Submission::crash_odds,
                    "Their odds of a crash as a multiple of the campaign's; a range where it is "
                    "not known",
                    positive())
          .labelled("Odds that these jobs crash, as a multiple")
          .optional("user", &Submission::user,
                    "Whose they are; two users or more share slots by their priorities")
          .optional("priority_factor", &Submission::priority_factor,
                    "The user's (condor_userprio -setfactor): twice as much is half the share",
                    positive())
          .labelled("Priority factor of the user")
          .optional("slots", &Submission::slots,
                    "Slots of one site that each of its jobs occupies at once (its processors)",
                    between(1, most_slots))
          .labelled("Slots that each job occupies")
          .optional("request", &Submission::request,
                    "One of `requests`; without it, the campaign's `request`")
          .with(add_node_keys);
  return table;
}

Table<InnerDag> const& inner_dag_table() {
  static Table<InnerDag> const table =
      Table<InnerDag>("DAGs that are one node of another (SUBDAG EXTERNAL)")
          .required("name", &InnerDag::name, "The name in the `dag` of submissions")
          .optional("in", &InnerDag::in, "The one of `dags` that contains it")
          .optional("category", &InnerDag::category, "One of `categories`, in that DAG")
          .optional("max_nodes", &InnerDag::max_nodes,
                    "At most so many of its submissions in the queue; 0: no limit",
                    between(0, most_jobs))
          .labelled("Submissions of the inner DAG in the queue")
          .optional("retries", &InnerDag::retries,
                    "If it fails, it runs again without its finished nodes, so often (RETRY)",
                    between(0, most_jobs))
          .labelled("Repeats of the inner DAG after a failure")
          .optional("unless_exit", &InnerDag::unless_exit,
                    "But not after this exit code of it (UNLESS-EXIT)")
          .labelled("Exit code that ends these repeats")
          .optional("abort_on", &InnerDag::abort_on,
                    "This exit code of it ends the DAG that contains it (ABORT-DAG-ON); 1: one of "
                    "its submissions failed")
          .labelled("Exit code that ends the outer DAG")
          .optional("abort_return", &InnerDag::abort_return, "The exit code of that DAG (RETURN)")
          .labelled("Exit code of an outer DAG that ends so");
  return table;
}

Table<Join> const& join_table() {
  static Table<Join> const table =
      Table<Join>("Lists of submissions that several others wait for")
          .required("name", &Join::name, "The name in the `after` of submissions")
          .required("of", &Join::of, "The submissions that must all have succeeded");
  return table;
}

Table<NodeCategory> const& category_table() {
  static Table<NodeCategory> const table =
      Table<NodeCategory>("Submissions with few jobs in the queue at a time")
          .required("name", &NodeCategory::name, "The name in the `category` of submissions")
          .required("max_jobs", &NodeCategory::max_jobs, "So many at a time (MAXJOBS)",
                    between(1, most_jobs))
          .labelled("Jobs of the category in the queue");
  return table;
}

/// Quantiles of a size, as a list of texts.
template <class Owner>
void add_sizes(Table<Owner>& table, std::string name, std::vector<Bytes> Owner::*member,
               std::string help) {
  table.add(
      {std::move(name), Form::sizes, std::move(help)},
      [member](YamlValue const& value, Owner& object) {
        std::vector<std::string> texts;
        read_value(value, {}, texts);
        std::vector<Bytes> sizes;
        for (std::string const& text : texts) {
          auto const size = parse_bytes(text);
          if (!size) {
            return value.complain(fmt::format("'{}' is no size", text), "",
                                  "Write a number with a unit, as in 4 GB.");
          }
          sizes.push_back(*size);
        }
        std::ranges::sort(sizes);
        object.*member = std::move(sizes);
      },
      [member](YamlWriter& out, Key const& of, Owner const& object) {
        std::vector<std::string> texts;
        for (Bytes const size : object.*member) texts.push_back(exact_size(size));
        out.value(of.name, of.required, texts, {});
      });
}

/// The exit codes of failures, as a list of texts.
void add_exit_codes(Table<Work>& table) {
  table.add(
      {"exit_codes", Form::integers,
       "Exit codes of programs that fail, each as likely as the others (repeat one to make it "
       "likelier); -9 for signal 9. Without it 1"},
      [](YamlValue const& value, Work& work) {
        std::vector<std::string> texts;
        read_value(value, {}, texts);
        for (std::string const& text : texts) {
          auto const code = text_as<int>(text);
          if (!code || *code == 0 || *code < -64 || *code > 255) {
            return value.complain(fmt::format("'{}' is no exit code of a failure", text), "",
                                  "Write a number from 1 to 255, or -9 for signal 9.");
          }
          work.exit_codes.push_back(*code);
        }
      },
      [](YamlWriter& out, Key const& of, Work const& work) {
        std::vector<std::string> texts;
        for (int const code : work.exit_codes) texts.push_back(std::to_string(code));
        out.value(of.name, of.required, texts, {});
      });
}

Table<InputFile> const& input_table() {
  static Table<InputFile> const table =
      Table<InputFile>("Files that jobs fetch before they compute")
          .required("url", &InputFile::url, "Where it is")
          .required("size", &InputFile::size, "How large", positive())
          .labelled("Input of each job")
          .optional(
              "job", &InputFile::job,
              "Fetched by this job alone, counted from 0 in the order of `submit`; without it "
              "by all",
              between(0, most_jobs))
          .labelled("The job that fetches the file");
  return table;
}

void add_needed_sizes(Table<Work>& table) {
  add_sizes(table, "memory", &Work::memory,
            "Peak memory of the jobs: evenly spaced quantiles, or one value. A job that needs more "
            "than it requests is stopped; calibrated stops by limits of slots are then left out");
  add_sizes(table, "disk", &Work::disk, "The same of the scratch disk");
}

Table<Work> const& work_table() {
  static Table<Work> const table =
      Table<Work>("The computing of a job")
          .required("profile", &Work::profile,
                    "The workload: by the calibration's name; or one of the catalogue, by its name "
                    "(gridcast profile --list) or its file (.yaml, from this file's folder)")
          .choice("from", &Work::from,
                  {{"processes", JobSource::processes}, {"record", JobSource::record}},
                  "Source of the jobs: steps that are drawn from the fitted processes; or whole "
                  "job histories of the calibration's record, which suits jobs of the same program "
                  "and input")
          .labelled("Source of the simulated jobs")
          .add({"programs", Form::names,
                "With `from: record`: only jobs of these programs of the record, by their names in "
                "the calibration; without it of all"},
               &Work::programs)
          .add({"epochs", Form::integer,
                "How many of them; only a workload of the catalogue has a number of its own", false,
                "", between(1, most_jobs)},
               &Work::epochs)
          .labelled("Epochs of each job")
          .optional("scale", &Work::scale, "Work of a job as a multiple of the calibrated work",
                    positive())
          .labelled("Work of a job, as a multiple")
          .optional("crash_odds", &Work::crash_odds,
                    "Odds of a crash as a multiple of the calibrated odds; a range if it is not "
                    "known",
                    positive())
          .labelled("Odds of a crash, as a multiple")
          .optional("batch", &Work::batch,
                    "Samples a step of one GPU (the catalogue's workloads); 0: as in the profile",
                    between(0, most_jobs))
          .labelled("Samples in a step of one GPU")
          .optional("storage", &Work::storage,
                    "Store of the catalogue that jobs train from once their input is there (the "
                    "catalogue's workloads); without it `slot-disk`")
          .with(add_needed_sizes)
          .with(add_exit_codes);
  return table;
}

}  // namespace

bool has_nodes(Campaign const& campaign) {
  return campaign.max_nodes > 0 || std::ranges::any_of(campaign.submit, [](Submission const& each) {
           bool const fails_whole = !each.name.empty() && each.jobs > 1;
           return !each.after.empty() || each.retries > 0 || !each.category.empty() ||
                  each.delay > Seconds() || fails_whole || !each.dag.empty() || each.abort_on ||
                  each.last;
         });
}

NodeOrder node_order(Campaign const& campaign) {
  NodeIndex const index = index_of(campaign);
  std::map<std::string, std::vector<std::size_t>, std::less<>> of_join;
  for (Join const& join : campaign.joins) of_join[join.name] = numbers(index, join.of);
  NodeOrder order;
  order.parents.resize(campaign.submit.size());
  order.children.resize(campaign.submit.size());
  for (std::size_t i = 0; i < campaign.submit.size(); ++i) {
    auto& parents = order.parents[i];
    for (std::string const& name : campaign.submit[i].after) {
      auto const join = of_join.find(name);
      auto const some = join == of_join.end() ? numbers(index, {name}) : join->second;
      parents.insert(parents.end(), some.begin(), some.end());
    }
    if (campaign.submit[i].last) {
      parents.resize(campaign.submit.size());
      std::iota(parents.begin(), parents.end(), std::size_t{0});
      parents.erase(parents.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (std::size_t const parent : parents) order.children[parent].push_back(i);
  }
  return order;
}

std::vector<NodeProblem> problems_of_nodes(Campaign const& campaign) {
  NodeIndex const index = index_of(campaign);
  std::vector<NodeProblem> problems;
  Names joins;
  for (std::size_t i = 0; i < campaign.joins.size(); ++i) {
    std::string const path = fmt::format("joins[{}]", i);
    Join const& join = campaign.joins[i];
    if (index.contains(join.name) || !joins.insert(join.name).second) {
      problems.push_back({path + ".name", fmt::format("'{}' is there twice", join.name),
                          "submissions wait for it by this name", ""});
    }
    add_unknown(campaign, index, {}, join.of, path + ".of", problems);
  }
  for (std::size_t i = 0; i < campaign.submit.size(); ++i) {
    add_problems(campaign, index, joins, i, problems);
  }
  if (campaign.jobs() > most_jobs) {
    problems.push_back({"submit", fmt::format("more than {:.0f} jobs in all", most_jobs),
                        "a simulation keeps the history of each job", "Submit fewer."});
  }
  auto const cycles = in_cycles(node_order(campaign));
  if (!cycles.empty()) {
    problems.push_back({fmt::format("submit[{}].after", cycles.front()), "it waits for itself",
                        "through others", ""});
  }
  return problems;
}

void Joining::add(Submission submission) {
  auto& all = campaign_.submit;
  auto& after = all.emplace_back(std::move(submission)).after;
  if (after.size() < shortest) return;
  auto const [list, is_new] = lists_.try_emplace(after, Known{all.size() - 1});
  if (is_new) return;
  std::string& join = list->second.join;
  if (join.empty()) {
    auto& first = all[list->second.first];
    join = "before " + first.name;
    campaign_.joins.push_back({join, std::move(first.after)});
    first.after = {join};
  }
  after = {join};
}

int Campaign::jobs() const {
  auto const sum = sum_of<std::int64_t>(submit, &Submission::jobs);
  return static_cast<int>(std::min<std::int64_t>(sum, std::numeric_limits<int>::max()));
}

std::size_t first_jobs(Campaign const& campaign) {
  std::size_t jobs = 0;
  for (Submission const& each : campaign.submit) {
    if (!each.second_copy) jobs += static_cast<std::size_t>(each.jobs);
  }
  return jobs;
}

Bytes Campaign::input_size() const {
  Bytes of_all, of_one;
  double const count = jobs();
  for (InputFile const& file : input) {
    if (!file.job) {
      of_all += file.size;
    } else if (*file.job < count) {
      of_one += file.size;
    }
  }
  return of_one > Bytes() ? of_all + of_one / count : of_all;
}

JobWorks::JobWorks(Campaign const& campaign) {
  std::size_t first = 0;
  for (Submission const& submission : campaign.submit) {
    JobWork const work{submission.scale, submission.crash_odds};
    if (from_.empty() || from_.back().second != work) from_.emplace_back(first, work);
    first += static_cast<std::size_t>(submission.jobs);
  }
}

JobWork const& JobWorks::of(std::size_t job) const {
  auto const after = std::upper_bound(from_.begin(), from_.end(), job,
                                      [](std::size_t j, auto const& run) { return j < run.first; });
  return std::prev(after)->second;
}

JobInputs::JobInputs(Campaign const& campaign) : campaign_(campaign) {
  std::unordered_map<std::string_view, std::uint32_t> first;
  bool const any_own = std::ranges::any_of(
      campaign.input, [](InputFile const& file) { return file.job.has_value(); });
  for (std::uint32_t i = 0; i < campaign.input.size(); ++i) {
    if (!campaign.input[i].job) of_all_.push_back(i);
    if (any_own) same_.push_back(first.try_emplace(campaign.input[i].url, i).first->second);
  }
  for (std::uint32_t i = 0; i < campaign.input.size(); ++i) {
    auto const job = campaign.input[i].job;
    if (job) own_.try_emplace(static_cast<std::size_t>(*job), of_all_).first->second.push_back(i);
  }
}

JobInputs::Files const& JobInputs::of(std::size_t job) const {
  auto const* const own = find_in(own_, job);
  return own == nullptr ? of_all_ : *own;
}

Bytes JobInputs::size_of(std::size_t job) const {
  return sum_of<Bytes>(of(job), [&](std::uint32_t const i) { return campaign_.input[i].size; });
}

Table<Campaign> const& campaign_table() {
  static Table<Campaign> const table =
      Table<Campaign>("Which jobs are submitted when, and the input and work of each")
          .list("submit", &Campaign::submit, submission_table())
          .labelled("submission")
          .group("request", false, &Campaign::request, request_table())
          .named("requests", &Campaign::requests, named_request_table(), false)
          .list("input", &Campaign::input, input_table(), false)
          .labelled("input file")
          .group("work", true, &Campaign::work, work_table())
          .optional("max_idle", &Campaign::max_idle,
                    "Late materialization: at most so many idle jobs in the queue; 0: no limit")
          .labelled("Idle jobs in the queue, at most")
          .optional("max_materialize", &Campaign::max_materialize,
                    "Late materialization: at most so many jobs in the queue; 0: no limit")
          .labelled("Jobs in the queue, at most")
          .optional("max_nodes", &Campaign::max_nodes,
                    "At most so many submissions in the queue (condor_submit_dag -maxjobs); 0: no "
                    "limit",
                    between(0, most_jobs))
          .labelled("Submissions in the queue, at most")
          .list("categories", &Campaign::categories, category_table(), false)
          .labelled("category")
          .list("dags", &Campaign::dags, inner_dag_table(), false)
          .labelled("inner DAG")
          .list("joins", &Campaign::joins, join_table(), false)
          .labelled("join");
  return table;
}

}  // namespace gridcast::scenario

#include "sim/report/text/glossary.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/text.hpp"

namespace gridcast::report {
namespace {

/// English words without a plural ending: the same for "cache" and "caches", "loss" and "losses".
std::string singular(std::string text) {
  if (text.ends_with("ies")) return text.substr(0, text.size() - 3) + "y";
  for (char const* const end : {"sses", "ches", "shes", "xes"}) {
    if (text.ends_with(end)) return text.substr(0, text.size() - 2);
  }
  bool const one = text.size() < 4 || text.ends_with("ss") || text.ends_with("us");
  if (!one && text.ends_with('s')) text.pop_back();
  return text.ends_with("che") ? text.substr(0, text.size() - 1) : text;
}

std::string as_searched(std::string_view word) {
  std::string text = lower(word);
  std::replace(text.begin(), text.end(), '-', ' ');
  std::replace(text.begin(), text.end(), '_', ' ');
  return singular(std::move(text));
}

bool has_form(Term const& term, std::string const& searched) {
  if (as_searched(term.name) == searched) return true;
  auto const others = split(term.others, ',');
  return std::any_of(others.begin(), others.end(),
                     [&](std::string const& each) { return as_searched(trim(each)) == searched; });
}

/// In alphabetical order.
constexpr Term term_rows[] = {
    {"accelerator", "accelerators, AU",
     "A GPU, real or emulated. AU, its utilisation, is the time in which it computes over all time."},
    {"access point", "submit node, schedd, AP",
     "The machine with the queue of jobs. It starts a shadow process for each running job, sends "
     "and receives files, and applies the job's policies."},
    {"appendix", "",
     "The part of a report page with all figures and tables. It is folded, and prints with "
     "\"Print all\" only."},
    {"as-recorded", "",
     "The strategy of a record that is repeated without a submit file: HTCondor's default rules."},
    {"attempt", "attempts",
     "One try to run a job on one slot: match, input transfer, execution, output transfer. A job "
     "may need several."},
    {"bad job", "bad jobs",
     "A job that crashes at every execution, such as one with a wrong argument."},
    {"bad path", "bad paths",
     "An explanation of stalls: the path to a slot, a node or a site delivers nothing for hours."},
    {"badput", "lost, lost time, slot hours lost, slot time lost",
     "Slot time that produced no result: transfers that failed or were repeated, executions that "
     "were evicted, and work of jobs that end held or with a wrong output."},
    {"bandwidth", "",
     "Bytes per second that a link, a cache or a store can move for all its users together."},
    {"baseline", "",
     "The strategy to which the others are compared, usually the one that the campaign used."},
    {"batch", "batches", "The samples that one GPU processes in a step."},
    {"Bayes factor", "ln Bayes factor",
     "How much more likely the record is under one explanation than under the others."},
    {"best in draws", "best or equal, best or equal in draws",
     "The share of the calibration draws under which no other strategy is better by more than the "
     "margin. Several strategies can be equal in one draw, so the shares add up to more than 100 %."},
    {"beyond the record", "",
     "The campaign has at least twice the input, work or jobs at a time of the record behind the "
     "calibration, or other GPU models. The forecast extrapolates there."},
    {"black hole", "black holes",
     "A host on which jobs fail soon, so that it takes and loses many jobs."},
    {"bootstrap", "",
     "Jobs or campaigns are drawn again from the existing ones. The spread of the results shows "
     "the uncertainty of a figure."},
    {"budget", "", "The time or the campaigns that a search may use (optimize --budget)."},
    {"cache", "caches",
     "A server of the OSDF near a site that keeps copies of files from an origin."},
    {"calibration", "calibrated, calibrate",
     "Parameters of the simulated grid, fitted to the record of a campaign that took place, with "
     "their uncertainty. gridcast calibrate makes one."},
    {"campaign", "campaigns", "All jobs of one submission, or of a DAG, that belong together."},
    {"capacity", "rate of a link, bandwidth of a link",
     "The bytes per second of a link or a store, or the bytes that a cache can hold."},
    {"category", "categories", "Nodes of a DAG that share a limit (CATEGORY and MAXJOBS)."},
    {"censored", "",
     "A duration that is longer than the observed time, because something else ended it."},
    {"checkpoint", "checkpoints",
     "A saved state of a job. After an eviction the job continues from its last stored one."},
    {"claim", "claims, claimed",
     "The right of an access point to use a slot. Several jobs may run under one claim."},
    {"ClassAd", "ClassAds, ad, ads",
     "HTCondor's description of a job or of a slot: attributes with values or expressions."},
    {"cluster", "cluster-store",
     "Machines that one queue or one owner manages. In a job's number, such as 5.17, the "
     "cluster is the 5: jobs of one submission."},
    {"common random numbers", "paired",
     "Replica k has the same grid and the same random numbers under each strategy, so that "
     "differences between strategies have less noise."},
    {"compute", "computed, computing", "The execution of a job's program, without transfers."},
    {"concurrency", "concurrency limit, transfers at a time",
     "How many jobs or transfers may run at the same time."},
    {"congestion", "congested",
     "A link, cache or origin with more transfers than it can serve, so that all of them are slow. "
     "As an explanation of stalls: the links are too slow for all transfers at a time."},
    {"connection", "",
     "The path of one transfer's bytes. A dead connection delivers none until a timer ends it."},
    {"cool-down", "cools down, cooling",
     "After a failed transfer the job waits a few minutes in the queue and is tried again, "
     "instead of being held."},
    {"corrupt input", "corrupt",
     "An input file that arrives with wrong bytes. The job fails, or its output is wrong."},
    {"coverage", "",
     "The share of recorded figures that lie in their forecast intervals. 90 % intervals should "
     "have 90 %."},
    {"crash", "crashes, crashed", "The program ends with a bad exit code or a signal."},
    {"critical path", "", "The chain of jobs and waits that determines when a DAG ends."},
    {"CRPS", "crps_skill, skill",
     "A score of a whole forecast distribution: the lower, the better. The skill is the part of "
     "a plain guess's score that the forecast saves."},
    {"CUDA capability", "CUDA, capability",
     "The generation of a GPU, such as 7.0 of a V100. A job may require a minimum."},
    {"DAG", "node, nodes, DAGMan",
     "Jobs with dependencies between them, which HTCondor's DAGMan submits in order."},
    {"deadline", "",
     "A time after the first submission by which as many jobs as are wanted have to succeed."},
    {"decided", "undecided, verdict, recommendation",
     "One strategy is best under nearly all calibration draws and explanations. Undecided: the "
     "evidence does not decide which is best."},
    {"default", "defaults", "The value of a setting that nobody states."},
    {"director", "", "The OSDF's service that sends a client to the caches, nearest first."},
    {"draw", "draws, calibration draw",
     "One set of parameter values that agree with the record. Campaigns use different draws, so "
     "the uncertainty of the parameters is part of the forecast."},
    {"efficiency", "scaling",
     "The speed of a training on n GPUs over n times the speed on one GPU."},
    {"epoch", "epochs", "One pass of a training over its data."},
    {"event log", "user log, job event log, log",
     "The file in which HTCondor writes each event of a job: submitted, executed, evicted, "
     "held, ended. The submit file names it (log = FILE)."},
    {"eviction", "evictions, evicted, vacated",
     "The site takes a slot back while a job runs: its owner needs it, or its pilot ends. Work "
     "since the last checkpoint is lost."},
    {"evidence", "",
     "The recorded jobs, simulated campaigns and calibration draws that an answer rests on."},
    {"execution", "executions, execute",
     "The time in which the job's program runs on a slot, after its input has arrived."},
    {"exit code", "exit, exits",
     "The number with which a program ends; 0 is success unless the submit file names another."},
    {"explanation", "explanations, hypothesis, hypotheses",
     "A possible reason of the stalls in the record: an overloaded cache or origin, a bad path, "
     "slow periods. Answers are given under each."},
    {"fair share", "fair-share",
     "The negotiator gives slots to users in proportion to their priority."},
    {"family", "families",
     "Runs of one machine with one software, which scale alike; for a store, one workload."},
    {"figure", "figures, metric, metrics",
     "A number about a campaign, such as its makespan. gridcast help metrics lists them."},
    {"finish curve", "",
     "How many jobs have succeeded at each time since the first submission: the median, "
     "and the central 90 % of the campaigns."},
    {"fit", "fitted", "Parameters were estimated from the record."},
    {"forecast", "forecasts, prediction",
     "The distribution of a campaign's figures over simulated campaigns, before it takes place."},
    {"future", "futures", "One simulated rest of a running campaign."},
    {"Gantt chart", "Gantt",
     "A bar for each phase of each job or slot over time, in one simulated campaign."},
    {"goal", "",
     "The first criterion of a comparison: successes, a deadline, makespan, GPU hours or cost."},
    {"goodput", "goodput_fraction",
     "The share of slot time that produced results: executions of jobs that succeed, divided by "
     "all slot time."},
    {"GPU hours", "GPU-hours, GPU hour",
     "Hours of slots times their GPUs, including transfers and lost work."},
    {"GPU model", "GPU type",
     "A kind of GPU, such as A100-40GB. Its speed beside others comes from the catalogue "
     "(gridcast profile --list)."},
    {"gradient exchange", "exchange, gradient, gradients, all-reduce",
     "GPUs of one training exchange their gradients after each step."},
    {"guess", "first guess, hint",
     "A student's answer before the run. A hint names the flaw of a common wrong answer."},
    {"held", "hold, holds",
     "The job stays in the queue and is not matched, because something failed, until somebody or "
     "a rule releases it."},
    {"history", "condor_history",
     "Attributes of jobs that have left the queue, as condor_history prints them."},
    {"horizon", "", "The simulated time at which a campaign is ended (--horizon)."},
    {"host", "hosts", "A machine that offers slots."},
    {"interval", "intervals, range, 90 %, central 90 %",
     "Unless the text says otherwise, nine of ten campaigns lie between the two numbers (5 % to "
     "95 %)."},
    {"job", "jobs", "One program to be run, with its input: a row of the queue."},
    {"job table", "table of jobs",
     "A table with a row for each job, without the dates of its attempts."},
    {"latency", "", "Time before the first byte or the first answer arrives."},
    {"lease", "job lease",
     "The time for which a slot keeps a job without contact to the access point."},
    {"ledger", "", "A campaign's slot time by cause, for the whole campaign and by site."},
    {"link", "links", "A network connection, such as that of a site, a host or a cache."},
    {"loss", "losses, doubling, doublings",
     "Of a strategy: how much worse its first goal is than that of the best one, on average over "
     "draws. Of a training: the share that each doubling of the GPUs, or running on several "
     "nodes, adds to a step."},
    {"lost contact", "disconnected, reconnected, disconnection, disconnections, contact",
     "The access point cannot reach the slot. The job continues if contact returns in time."},
    {"makespan", "never, ends",
     "Time from the first submission until the wanted share of jobs has succeeded. It is 'never' "
     "if that share is not reached. In a ledger: until the last job ended."},
    {"margin", "material difference, no material difference, equal, as many, as fast",
     "Strategies whose figures differ by less than this count as equal (2 % by default)."},
    {"match", "matched, unmatched, match to done",
     "The negotiator assigns a job to a slot that meets its requirements."},
    {"mean", "average, averaged, mean difference",
     "The sum over the number of values. A few very large values move it, so the median "
     "comes first."},
    {"median", "medians", "Half of the campaigns are below it."},
    {"memory", "",
     "The RAM of a job or a slot (request_memory), or the memory of the GPU "
     "(gpus_minimum_memory)."},
    {"namespace", "namespaces", "The first part of an OSDF path, which one origin serves."},
    {"negotiator", "negotiation cycle", "HTCondor's service that matches jobs and slots."},
    {"network model", "maxmin",
     "How transfers share links: exactly but slowly (maxmin), or by one shared link each "
     "(fast)."},
    {"next cache", "", "After a stall, the client asks another cache for the file."},
    {"no data", "not known", "The record or the simulation has no value for this figure."},
    {"noise", "", "Differences without a known cause, and those that random numbers make."},
    {"not found", "404",
     "A cache or an origin answers that a file does not exist: it is missing, or its origin is."},
    {"observed", "", "Measured in the record, beside a predicted figure."},
    {"odds", "crash odds", "p / (1 - p) of a probability p. Odds of 1 are one half."},
    {"option", "options, choice",
     "One strategy on a report page, with the change and who must act."},
    {"origin", "", "The OSDF server that has the original of a file."},
    {"OSDF", "Pelican", "The Open Science Data Federation: origins, caches and a director."},
    {"outage", "outages", "A time in which a service or a site's network fails."},
    {"overhead", "epoch overhead",
     "In a training, the part of a step that does not grow with the batch, or the fixed time of an "
     "epoch. In a job, the time before and after its program."},
    {"overlap", "unhidden",
     "The share of an exchange or a read that happens while the GPU computes. The rest is unhidden."},
    {"overload", "overloaded",
     "An explanation of stalls: a cache or the origin delivers nothing for hours."},
    {"pair", "pairs, pairs of campaigns, campaign by campaign, better in",
     "Two campaigns under two strategies with the same random numbers. The range of a "
     "difference is over pairs."},
    {"partial", "", "The answer is from fewer campaigns than asked for: the study was stopped."},
    {"person-hour", "", "An hour of work by a person, with a price in `prices`."},
    {"pilot", "glidein, glideins, pilots",
     "A batch job at a site that offers its slots to the pool for some hours, then retires."},
    {"pin", "pinned", "An answer of gridcast open that stays on the page, with a name."},
    {"plain guess", "plain, spread, last campaign",
     "A forecast without a simulator: the figures of the last campaign, alone or with a spread "
     "that is usual between campaigns."},
    {"plugin", "transfer plugin",
     "The program by which HTCondor fetches a URL, such as Pelican's for osdf."},
    {"points", "point", "Differences of shares: 40 % is 10 points more than 30 %."},
    {"policy", "policies, periodic",
     "A rule of the submit file or the pool: periodic_release, periodic_remove, "
     "allowed_execute_duration and others."},
    {"pool", "", "The sites, slots, caches and the access point on which a campaign runs."},
    {"posterior", "posterior probability",
     "The probability of an explanation or a parameter after the record has been read."},
    {"predicted", "", "Given by the simulation or the model, beside an observed figure."},
    {"preset", "", "A strategy or a set of values that gridcast open fills into all its fields."},
    {"prices", "price, cost, money",
     "The cost of a GPU hour, a TB of input and a person-hour, as the scenario or --set "
     "states it."},
    {"prior", "priors, borrowed",
     "The assumption on a parameter before the record is read, with its uncertainty."},
    {"priority factor", "priority",
     "The divisor of a user's share of the slots: with a factor of 2, a user gets half as "
     "many as with 1."},
    {"processes", "process, simulated processes",
     "A kind of event that the model draws, such as evictions. --without NAME switches one "
     "off. With --workers, processes of the machine."},
    {"profile", "",
     "The work of a training job: data, steps, checkpoints and the GPU it was measured on."},
    {"program", "programs", "The executable of a job. A record may have jobs of several programs."},
    {"progress", "",
     "The work of a job that is kept: epochs that a checkpoint has saved, or bytes of a "
     "transfer that can resume."},
    {"provenance", "",
     "The section of a page with the program's version, the command, the inputs and their "
     "SHA-256."},
    {"quantile", "quantiles, percentile, percentiles, 5 %, 95 %",
     "The value that a given share of the campaigns does not exceed. The median is the 50 "
     "% quantile."},
    {"queue", "queued, waiting, waits, idle", "Time before a job is matched to a slot."},
    {"random numbers", "random number",
     "Numbers that decide the events of a simulated campaign. All strategies get the "
     "same ones, so a difference comes from the strategy."},
    {"rank", "ranks",
     "In a submit file: which slots a job prefers. In a training: one process with one GPU."},
    {"record", "records, recorded",
     "The data of a campaign that took place: event logs, job ads, tables."},
    {"regret", "expected loss, expected_loss",
     "How much worse a choice is than the best strategy of each draw, on average over the draws."},
    {"rejected", "rejected fits",
     "A test finds the record improbable (p < 0.05) under a fitted law. The forecast of "
     "that figure is less certain."},
    {"release", "releases, released", "A held job returns to the queue."},
    {"removed", "remove, removal",
     "The job leaves the queue without success, by its owner or a rule."},
    {"replay", "replays", "The jobs of a record, simulated again under another strategy."},
    {"replica", "replicas",
     "One simulated campaign, with its own draw of the calibration and its own random numbers."},
    {"request", "requests, need, needs, recommended, used",
     "The needs of a job in a slot: GPUs, disk, GPU memory."},
    {"requeue", "requeues, requeued", "A job returns to the queue after an attempt that failed."},
    {"requirements", "requirement", "The expression that a slot has to meet for a job."},
    {"retry", "retries, retried, repeated",
     "Another attempt of a job, or of its input transfer, after a failure."},
    {"sample", "samples", "One item of a training's data, such as an image."},
    {"resample", "resamples",
     "As many campaigns as were simulated, drawn from them with repetition. A choice that few "
     "resamples confirm needs more campaigns (-n)."},
    {"response", "responses",
     "Of optimize: the change of the goal's figure at other values of one setting, in the same "
     "campaigns."},
    {"scenario", "scenarios",
     "A YAML file with a campaign, the pool, its calibration and the strategies to compare."},
    {"second copy", "copy, copies",
     "A late job, submitted once more while it runs. The first result counts."},
    {"seed", "", "The number from which all random numbers follow. Same seed, same results."},
    {"setting", "settings, knob, knobs, control",
     "A value that decides how a strategy, a pool or a campaign behaves. gridcast open has "
     "a control for each."},
    {"shadow", "shadow exception, shadow exceptions, shadow failed",
     "The access point's process for one running job. An exception ends the attempt."},
    {"shard", "shards", "A part of a study that a batch system simulates as one job."},
    {"simplified", "simplification",
     "The campaign has a feature that the model has not; the answer leaves it out."},
    {"site", "sites", "A cluster that offers slots, such as one university's."},
    {"slot", "slots", "The part of a machine that runs one job at a time."},
    {"slow", "slow periods",
     "An explanation of stalls: bytes come, but slowly for hours, and a timer ends the transfer."},
    {"software", "versions, version",
     "The releases of HTCondor and Pelican. They decide the rules of transfers and holds."},
    {"speedup", "", "The time on one GPU over the time on n GPUs."},
    {"staging", "staged",
     "The copy of a training's data to the local disk before the first epoch."},
    {"stall", "stalls, stalled",
     "An input transfer that a timer ended: it was dead, or only too long for the timer."},
    {"stall timer", "stall timeout, stall_timeout, timer",
     "The time after which the starter or the client ends a transfer. Most versions count time "
     "without bytes; HTCondor 23.8.1 to 25.2.0 counts the whole transfer."},
    {"standard deviation", "sd", "A measure of spread. For a logarithm, 0.1 is about 10 %."},
    {"startd", "", "HTCondor's process on a machine that offers its slots."},
    {"starter", "", "HTCondor's process on the slot that fetches input and runs the program."},
    {"stated", "", "Set by you, in a file or by --set: neither fitted nor a default."},
    {"step", "steps", "One update of a model, after one batch of each GPU."},
    {"stopped early", "stopped",
     "A comparison stops the simulation of a strategy that cannot win."},
    {"store", "stores, reader, readers",
     "A file system or server that holds the data of a training. Readers are the processes that fetch them."},
    {"straggler", "stragglers, straggling, slow worker",
     "A worker that is slower than the others, so that all wait for it at each step."},
    {"strategy", "strategies, variant, variants",
     "Rules for transfers, retries, checkpoints and matching under which a campaign runs. "
     "gridcast help strategies lists the keys."},
    {"stream", "streams, streamed", "A job reads its input as it trains, without a copy of it."},
    {"strong scaling", "strong, weak, weak scaling",
     "More GPUs share one batch (strong), or each has a batch of its own (weak)."},
    {"stuck job", "stuck, stuck jobs",
     "A job of a running campaign with three executions without a result, or with an execution or "
     "a wait in its slot far longer than usual."},
    {"study", "studies", "All campaigns of one forecast or comparison."},
    {"subcode", "hold code",
     "HTCondor's numbers for the reason of a hold: the code names the kind, the subcode more."},
    {"submission", "submissions, submit, submitted, group of jobs",
     "Jobs that come into the queue together, by one condor_submit."},
    {"success", "succeeded, successes", "The job ended with the exit code of success."},
    {"tail", "long tail", "The few jobs that end long after all others."},
    {"timeout", "timeouts, client timeout",
     "The time after which a program gives up waiting, such as the stall timer."},
    {"trade-off", "", "The gain of a strategy in one figure and its loss in another."},
    {"transfer", "transfers, input transfer, output transfer",
     "The copy of a job's files to or from its slot."},
    {"unfinished", "", "The job was still in the queue when the record or the campaign ended."},
    {"unpack", "unpacking", "The archive that a job fetched is unpacked before it computes."},
    {"uplink", "uplinks", "A site's network link to the outside, which all its jobs share."},
    {"validation", "calibrate --check",
     "Forecasts of recorded campaigns that the calibration has not seen, scored against "
     "the record."},
    {"value of information", "",
     "How much better the choice would be if a parameter, or the reason why transfers stall, were "
     "known before it."},
    {"variation", "variations, vary",
     "The spread between campaigns, hosts or GPUs of one kind that no parameter explains."},
    {"wall-clock time", "wallclock, wallclock_s, slot time, slot hours, slot seconds",
     "Slot time of all attempts: goodput, badput and the input transfers that succeeded."},
    {"walltime", "wall time", "The longest time that a batch system lets a pilot or a job run."},
    {"wanted share", "wanted, wanted jobs",
     "The share of jobs that have to succeed for the campaign to be done (study.wanted)."},
    {"waterfall", "", "A chart of the slot time, split into the result and each kind of loss."},
    {"weight", "weights",
     "How much a row counts in a fit: 100 % for a usual row, little for an odd one."},
    {"what if", "",
     "The page of gridcast open that shows a new forecast after each change of a control."},
    {"Winkler score", "Winkler, winkler_skill",
     "A score of an interval: its width, plus a penalty if the true value is outside."},
    {"work scale", "work_scale", "The work of a job as a multiple of the calibrated jobs'."},
    {"worth", "", "The difference that one change makes while all others stay."},
    {"wrong output", "wrong_output",
     "The job ended as if it had succeeded, but its output is not usable."}};

}  // namespace

std::span<Term const> glossary() { return term_rows; }

Term const* find_term(std::string_view word) {
  auto const searched = as_searched(word);
  auto const& all = glossary();
  auto const found = std::find_if(all.begin(), all.end(),
                                  [&](Term const& term) { return has_form(term, searched); });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> term_names() {
  return each_of<std::string>(glossary(), [](auto const& term) { return term.name; });
}

std::string term_text(Term const& term, Screen const& screen) {
  std::string const others = term.others.empty() ? "" : fmt::format(" (also: {})", term.others);
  return paragraph(fmt::format("{}{}: {}", term.name, others, term.words), {screen.width});
}

}  // namespace gridcast::report

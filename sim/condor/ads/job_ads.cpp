// The attributes of one ad, put where JobAdFacts, AttemptAdFacts and UrlTransferAd have them. Names
// of attributes are compared without regard to case ("ProcId" of a job's ad is "ProcID" of a
// transfer's).
#include "sim/condor/ads/job_ads.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <variant>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/log_input.hpp"
#include "sim/base/text.hpp"
#include "sim/condor/ads/ad_text.hpp"
#include "sim/condor/log/event_reader.hpp"

namespace gridcast::condor {
namespace {

// The identity of an ad.
struct AdIdentity {
  std::optional<std::uint32_t> cluster, proc, attempt;
  std::string type;  // HISTORY, EPOCH, INPUT, OUTPUT, CHECKPOINT, or the source's own name
};

using classad::Value;

template <class Facts>
using Member =
    std::variant<UnixDate Facts::*, std::optional<Seconds> Facts::*, std::optional<int> Facts::*,
                 std::optional<std::uint32_t> Facts::*, std::string Facts::*>;
template <class Facts>
using Members = std::unordered_map<std::string, Member<Facts>>;

constexpr std::pair<char const*, Member<JobAdFacts>> job_attributes[] = {
    {"qdate", &JobAdFacts::q_date},
    {"jobstartdate", &JobAdFacts::job_start_date},
    {"jobcurrentstartdate", &JobAdFacts::job_current_start_date},
    {"completiondate", &JobAdFacts::completion_date},
    {"enteredcurrentstatus", &JobAdFacts::entered_current_status},
    {"servertime", &JobAdFacts::server_time},
    {"jobstatus", &JobAdFacts::job_status},
    {"lastjobstatus", &JobAdFacts::last_job_status},
    {"exitcode", &JobAdFacts::exit_code},
    {"exitsignal", &JobAdFacts::exit_signal},
    {"holdreasoncode", &JobAdFacts::hold_reason_code},
    {"holdreasonsubcode", &JobAdFacts::hold_reason_subcode},
    {"holdreason", &JobAdFacts::hold_reason},
    {"lastholdreasoncode", &JobAdFacts::last_hold_reason_code},
    {"lastholdreasonsubcode", &JobAdFacts::last_hold_reason_subcode},
    {"lastholdreason", &JobAdFacts::last_hold_reason},
    {"removereason", &JobAdFacts::remove_reason},
    {"remotewallclocktime", &JobAdFacts::remote_wall_clock_time},
    {"lastremotewallclocktime", &JobAdFacts::last_remote_wall_clock_time},
    {"jobleaseduration", &JobAdFacts::job_lease_duration},
    {"allowedexecuteduration", &JobAdFacts::allowed_execute_duration},
    {"allowedjobduration", &JobAdFacts::allowed_job_duration},
    {"numshadowstarts", &JobAdFacts::num_shadow_starts},
    {"numjobstarts", &JobAdFacts::num_job_starts},
    {"numjobcompletions", &JobAdFacts::num_job_completions},
    {"numholds", &JobAdFacts::num_holds},
    {"numjobmatches", &JobAdFacts::num_job_matches},
    {"numjobreconnects", &JobAdFacts::num_job_reconnects},
    {"numjobcooldowns", &JobAdFacts::num_job_cool_downs},
    {"jobmaxretries", &JobAdFacts::job_max_retries},
    {"jobsuccessexitcode", &JobAdFacts::job_success_exit_code},
    {"cmd", &JobAdFacts::cmd},
    {"args", &JobAdFacts::arguments},
    {"arguments", &JobAdFacts::arguments},
    {"transferinput", &JobAdFacts::transfer_input},
    {"jobbatchname", &JobAdFacts::batch_name},
    {"dagnodename", &JobAdFacts::dag_node},
    {"globaljobid", &JobAdFacts::global_job_id},
    {"owner", &JobAdFacts::owner},
    {"user", &JobAdFacts::user},
    {"lastremotehost", &JobAdFacts::last_remote_host},
    {"requestgpus", &JobAdFacts::request_gpus},
};

Members<JobAdFacts> const& job_members() {
  static Members<JobAdFacts> const members(std::begin(job_attributes), std::end(job_attributes));
  return members;
}

Members<AttemptAdFacts> const& attempt_members() {
  using Facts = AttemptAdFacts;
  static Members<Facts> const members = {
      {"jobcurrentstartdate", &Facts::start},
      {"shadowbday", &Facts::shadow_start},
      {"epochwritedate", &Facts::end},
      {"transferinqueued", &Facts::input_queued},
      {"transferinstarted", &Facts::input_started},
      {"transferinfinished", &Facts::input_finished},
      {"jobcurrentstartexecutingdate", &Facts::executing},
      {"transferoutstarted", &Facts::output_started},
      {"transferoutfinished", &Facts::output_finished},
      {"jobdisconnecteddate", &Facts::disconnected},
      {"activationduration", &Facts::activation},
      {"activationsetupduration", &Facts::setup},
      {"activationexecutionduration", &Facts::execution},
      {"activationteardownduration", &Facts::teardown},
      {"vacatereasoncode", &Facts::vacate_code},
      {"vacatereasonsubcode", &Facts::vacate_subcode},
      {"vacatereason", &Facts::vacate_reason},
      {"remotehost", &Facts::host},
      {"machineattrglidein_resourcename0", &Facts::site},
      {"numholds", &Facts::num_holds},
      {"numjobcooldowns", &Facts::num_job_cool_downs},
  };
  return members;
}

// Attributes, by their place in the ad, whose values are of no use: of another type, or out of all
// bounds.
using Useless = std::vector<std::size_t>;

template <class Facts>
Useless fill_members(Facts& facts, TextAd const& ad, Members<Facts> const& members) {
  Useless useless;
  for (std::size_t i = 0; i < ad.attributes.size(); ++i) {
    auto const& [name, value] = ad.attributes[i];
    if (value.is_undefined() || value.is_error()) continue;
    auto const found = members.find(lower(name));
    if (found == members.end()) continue;
    bool const taken =
        std::visit([&facts, &content = value](auto member) { return take(facts.*member, content); },
                   found->second);
    if (!taken) useless.push_back(i);
  }
  return useless;
}

// NumHoldsByReason, NumVacatesByReason.
void take_counts(std::map<std::string, std::uint32_t>& counts, TextAd const& ad,
                 std::string_view name) {
  Value const* value = find(ad, name);
  if (value == nullptr || value->as_ad() == nullptr) return;
  for (auto const& attribute : value->as_ad()->attributes()) {
    std::optional<std::uint32_t> count;
    if (take(count, value->as_ad()->lookup(attribute.name))) counts[attribute.name] = *count;
  }
}

// OSDFSizeBytesLastRun, HttpsSizeBytesLastRun and the like; Cedar's are the access point's own
// files.
void take_fetched(JobAdFacts& facts, TextAd const& ad) {
  constexpr std::string_view ending = "sizebyteslastrun";
  Value const* value = find(ad, "TransferInputStats");
  if (value == nullptr || value->as_ad() == nullptr) return;
  for (auto const& attribute : value->as_ad()->attributes()) {
    std::string const name = lower(attribute.name);
    std::optional<Bytes> bytes;
    if (!name.ends_with(ending) || name.starts_with("cedar")) continue;
    if (take(bytes, value->as_ad()->lookup(attribute.name), 1)) {
      facts.fetched = facts.fetched.value_or(Bytes()) + *bytes;
    }
  }
}

// An ad without ShouldTransferFiles is a projection: a missing list shows nothing.
void take_outputs(JobAdFacts& facts, TextAd const& ad) {
  std::string moves;
  if (!take_from(ad, "ShouldTransferFiles", moves)) return;
  facts.outputs_unlisted = upper(moves) != "NO" && find(ad, "TransferOutput") == nullptr;
}

char const* list_of(std::string_view type) {
  if (type == "INPUT") return "InputPluginResultList";
  if (type == "OUTPUT") return "OutputPluginResultList";
  if (type == "CHECKPOINT") return "CheckpointPluginResultList";
  return nullptr;
}

std::string type_of(TextAd const& ad) {
  std::string type = ad.type;
  if (type.empty()) take_from(ad, "EpochAdType", type);
  if (!type.empty()) return upper(type);
  for (char const* transfer : {"INPUT", "OUTPUT", "CHECKPOINT"}) {
    if (find(ad, list_of(transfer)) != nullptr) return transfer;
  }
  return find(ad, "EpochWriteDate") != nullptr ? "EPOCH" : "HISTORY";
}

/// "SCHEDD#CLUSTER.PROC#QDATE", which some documents of Elasticsearch have alone.
void take_global_id(AdIdentity& identity, TextAd const& ad) {
  std::string id;
  if (!take_from(ad, "GlobalJobId", id)) return;
  auto const parts = split(id, '#');
  auto const numbers = split(parts.size() > 1 ? parts[1] : "", '.');
  if (numbers.size() != 2) return;
  identity.cluster = text_as<std::uint32_t>(numbers[0]);
  identity.proc = text_as<std::uint32_t>(numbers[1]);
}

/// True for a job of the scheduler or local universe. HTCondor manual, "Job ClassAd Attributes".
bool runs_on_access_point(TextAd const& ad) {
  std::optional<int> universe;
  take_from(ad, "JobUniverse", universe);
  return universe == 7 || universe == 12;
}

AdIdentity identity_of(TextAd const& ad) {
  AdIdentity identity;
  take_from(ad, "ClusterId", identity.cluster);
  take_from(ad, "ProcId", identity.proc);
  if (!identity.cluster || !identity.proc) take_global_id(identity, ad);
  if (!take_from(ad, "NumShadowStarts", identity.attempt) &&
      take_from(ad, "RunInstanceId", identity.attempt)) {
    ++*identity.attempt;
  }
  identity.type = type_of(ad);
  return identity;
}

Useless fill(JobAdFacts& facts, TextAd const& ad) {
  Useless useless = fill_members(facts, ad, job_members());
  facts.sites = machine_attributes(ad, "machineattrglidein_resourcename");
  facts.hosts = machine_attributes(ad, "machineattrname");
  if (facts.hosts.empty()) facts.hosts = machine_attributes(ad, "machineattrmachine");
  take_counts(facts.num_holds_by_reason, ad, "NumHoldsByReason");
  take_counts(facts.num_vacates_by_reason, ad, "NumVacatesByReason");
  take_fetched(facts, ad);
  take_outputs(facts, ad);
  bool by_signal = false;
  take_from(ad, "ExitBySignal", by_signal);
  (by_signal ? facts.exit_code : facts.exit_signal).reset();
  // "ap40.example#1264.0#1752248282" ends with the job's submission.
  auto const id = split(facts.global_job_id, '#');
  if (!facts.q_date && id.size() == 3) facts.q_date = text_as<std::int64_t>(id[2]);
  return useless;
}

/// Amounts of no use go to `amounts`, other values are returned.
Useless fill(AttemptAdFacts& facts, TextAd const& ad, Useless& amounts) {
  Useless useless = fill_members(facts, ad, attempt_members());
  // Seen from the job rather than from the shadow, where that is of this attempt.
  auto prefer = [&](std::string_view name, UnixDate& into) {
    UnixDate date;
    if (take_from(ad, name, date) && date && (!facts.start || *date >= *facts.start)) into = date;
  };
  prefer("JobCurrentStartTransferInputDate", facts.input_started);
  prefer("JobCurrentFinishTransferInputDate", facts.input_finished);
  prefer("JobCurrentStartTransferOutputDate", facts.output_started);
  prefer("JobCurrentFinishTransferOutputDate", facts.output_finished);
  if (!facts.start) facts.start = facts.shadow_start;
  take_counts(facts.num_holds_by_reason, ad, "NumHoldsByReason");
  facts.gpus = gpus_in(ad);
  facts.use = resource_use_in(ad, amounts);
  if (facts.site.empty()) facts.site = site_in(ad);
  if (facts.host.empty()) facts.host = host_in(ad);
  // Only the ticket of execution has the time of the program's end: ExitCode outlives its attempt.
  Value const* ticket = find(ad, "ToE");
  if (ticket != nullptr && ticket->as_ad() != nullptr) {
    UnixDate when;
    std::optional<int> how;
    bool by_signal = false;
    take_from(*ticket->as_ad(), "When", when);
    take_from(*ticket->as_ad(), "HowCode", how);
    take_from(*ticket->as_ad(), "ExitBySignal", by_signal);
    if (when && facts.start && *when >= *facts.start && how.value_or(0) == 0) {
      take_from(*ticket->as_ad(), by_signal ? "ExitSignal" : "ExitCode",
                by_signal ? facts.exit_signal : facts.exit_code);
    }
  }
  return useless;
}

// Returns how many results contain no transfer.
std::size_t fill(std::vector<UrlTransferAd>& transfers, TextAd const& ad, std::uint32_t attempt) {
  std::string const type = type_of(ad);
  char const* name = list_of(type);
  Value const* value = name == nullptr ? nullptr : find(ad, name);
  if (value == nullptr || value->as_list() == nullptr) return 1;
  std::size_t useless = 0;
  for (Value const& element : *value->as_list()) {
    UrlTransferAd transfer;
    transfer.attempt = attempt;
    transfer.upload = type != "INPUT";
    if (element.as_ad() != nullptr && read_transfer(*element.as_ad(), transfer)) {
      transfers.push_back(std::move(transfer));
    } else {
      ++useless;
    }
  }
  return useless;
}

// Takes the ads of one file.
class AdTaker {
 public:
  /// The last one of its files.
  AdTaker(JobAds& ads, LogWarnings& warnings) : ads_(ads), warnings_(warnings) {}

  void take(TextAd const& ad) {
    ++taken_;
    AdIdentity const identity = identity_of(ad);
    if (!identity.cluster || !identity.proc) {
      ++without_ids_;
      ++ads_.report.ads_without_ids;
      return warnings_.add("an ad without ClusterId and ProcId", ad.line);
    }
    if (runs_on_access_point(ad)) {
      return warnings_.add(
          "an ad of the scheduler or local universe, as DAGMan's own job: no slot "
          "was the job's, and it is left out",
          ad.line);
    }
    ++ads_.report.ads_by_type[identity.type];
    JobName const name{*identity.cluster, *identity.proc};
    std::uint32_t const attempt = identity.attempt.value_or(0);
    if (identity.type == "HISTORY") {
      take_history(job_of(name, ad), name, ad);
    } else if (identity.type == "EPOCH") {
      take_epoch(job_of(name, ad), name, ad, attempt);
    } else if (identity.type == "INPUT" || identity.type == "OUTPUT" ||
               identity.type == "CHECKPOINT") {
      std::size_t const useless = fill(ads_.jobs[name].transfers, ad, attempt);
      ads_.report.values_not_understood += useless;
      if (useless > 0) warnings_.add("a transfer's result without a URL or a time", ad.line);
    } else {
      warnings_.add("an ad of an unused type (" + identity.type + ")", ad.line);
    }
  }

  bool none_has_ids() const { return taken_ > 0 && taken_ == without_ids_; }
  std::size_t taken() const { return taken_; }

  /// Gives further jobs of a number a cluster of their own, above those that access points use.
  void name_namesakes() {
    constexpr std::uint32_t highest_usual = 99'999'999;
    if (namesakes_.empty()) return;
    std::uint32_t last = std::max(highest_usual, ads_.jobs.rbegin()->first.cluster);
    std::map<std::string, std::uint32_t> clusters;  // by access point and its own number
    for (auto& [name, jobs] : namesakes_) {
      for (AdsOfJob& job : jobs) {
        std::string const& id = job.facts.global_job_id;
        std::uint32_t& cluster =
            clusters[fmt::format("{}#{}", id.substr(0, id.find('#')), name.cluster)];
        bool const taken = cluster > 0 && ads_.jobs.contains({cluster, name.proc});
        if (cluster == 0 || taken) cluster = ++last;
        ads_.jobs.emplace(JobName{cluster, name.proc}, std::move(job));
      }
    }
  }

  /// InputError for jobs of this file that are others in a file before it.
  void refuse_name_clashes() const { clashes_.refuse("ad"); }

 private:
  /// An access point can give a number again, and documents of Elasticsearch are of many.
  AdsOfJob& job_of(JobName name, TextAd const& ad) {
    AdsOfJob& first = ads_.jobs[name];
    JobAdFacts facts;
    take_from(ad, "QDate", facts.q_date);
    take_from(ad, "GlobalJobId", facts.global_job_id);
    bool const in_this_file = first.file + 1 == ads_.files.size();
    if (!in_this_file || !are_two_jobs(first.facts, facts)) return first;
    auto& others = namesakes_[name];
    auto const same = std::ranges::find_if(
        others, [&](AdsOfJob const& other) { return !are_two_jobs(other.facts, facts); });
    if (same != others.end()) return *same;
    warnings_.add(
        "a job's number is that of another, whose GlobalJobId or QDate differs; they "
        "count as two, the second with a cluster above 100000000",
        ad.line);
    return others.emplace_back();
  }

  void take_history(AdsOfJob& job, JobName name, TextAd const& ad) {
    JobAdFacts facts;
    Useless useless = fill(facts, ad);
    drop_too_many_starts(facts, ad, useless);
    fill(facts.last, ad, useless);
    warn_of_useless(std::move(useless), ad);
    check_dates(facts, ad.line);
    // A projection can lack the state. HTCondor sets the date when a job completes.
    if (!facts.job_status && facts.completion_date) {
      facts.job_status = static_cast<int>(JobStatus::completed);
    }
    ads_.report.dates_of_others += drop_values_of_others(facts);
    if (is_of_another(job, name, facts, ad.line)) return;
    keep_later(job.facts, std::move(facts), ad.line);
  }

  void take_epoch(AdsOfJob& job, JobName name, TextAd const& ad, std::uint32_t number) {
    AttemptAdFacts attempt;
    Useless amounts, useless = fill(attempt, ad, amounts);
    useless.insert(useless.end(), amounts.begin(), amounts.end());
    warn_of_useless(std::move(useless), ad);
    attempt.number = number;
    std::size_t const dropped = drop_values_of_others(attempt);
    ads_.report.dates_of_others += dropped;
    JobAdFacts facts;
    fill(facts, ad);
    facts.from_epoch = true;
    if (is_of_another(job, name, facts, ad.line)) return;
    job.attempts.push_back(std::move(attempt));
    keep_later(job.facts, std::move(facts), ad.line);
  }

  /// An ad about the job itself; `job` is its known state.
  bool is_of_another(AdsOfJob& job, JobName name, JobAdFacts const& facts, std::size_t line) {
    std::size_t const here = ads_.files.size() - 1;
    bool const known = job.facts.q_date || !job.facts.global_job_id.empty();
    if (!known) job.file = here;
    if (job.file == here || !are_two_jobs(job.facts, facts)) return false;
    clashes_.add({{ads_.files[here], static_cast<int>(line)},
                  fmt::format("job {} is in {} as well, and is another there", to_text(name),
                              ads_.files[job.file]),
                  "its QDate or GlobalJobId differs",
                  "If these are two campaigns, --prefix keeps them apart."});
    return true;
  }

  /// An attempt is made for each, and so many are a damaged number.
  static void drop_too_many_starts(JobAdFacts& facts, TextAd const& ad, Useless& useless) {
    constexpr std::uint32_t most = 100000;
    if (facts.num_shadow_starts.value_or(0) <= most) return;
    facts.num_shadow_starts.reset();
    for (std::size_t i = 0; i < ad.attributes.size(); ++i) {
      if (same_ignoring_case(ad.attributes[i].first, "NumShadowStarts")) useless.push_back(i);
    }
  }

  // The ad that was printed last of a job; the job's own ad rather than an attempt's.
  void keep_later(JobAdFacts& known, JobAdFacts&& facts, std::size_t line) {
    bool const first = !known.q_date && !known.job_status;
    auto order = [](JobAdFacts const& of) {
      return std::make_tuple(!of.from_epoch, of.num_shadow_starts.value_or(0),
                             of.entered_current_status.value_or(0));
    };
    if (!first && !facts.from_epoch && !known.from_epoch) {
      ++ads_.report.duplicates;
      warnings_.add("a second ad of a job; the later ad counts", line);
    }
    if (first || order(facts) >= order(known)) known = std::move(facts);
  }

  void check_dates(JobAdFacts& facts, std::size_t line) {
    auto drop_if_early = [&](UnixDate& date, char const* name) {
      if (!date || !facts.q_date || *date >= *facts.q_date) return;
      date.reset();
      warnings_.add(fmt::format("{} is before QDate and does not count", name), line);
    };
    drop_if_early(facts.completion_date, "CompletionDate");
    drop_if_early(facts.job_start_date, "JobStartDate");
    drop_if_early(facts.job_current_start_date, "JobCurrentStartDate");
  }

  void warn_of_useless(Useless attributes, TextAd const& ad) {
    std::ranges::sort(attributes);
    attributes.erase(std::unique(attributes.begin(), attributes.end()), attributes.end());
    ads_.report.values_not_understood += attributes.size();
    for (std::size_t const i : attributes) {
      warnings_.add(fmt::format("{} has a value that it cannot have", ad.attributes[i].first),
                    ad.line_of(i));
    }
  }

  JobAds& ads_;
  LogWarnings& warnings_;
  std::map<JobName, std::vector<AdsOfJob>> namesakes_;  // of the first job of a name
  std::size_t taken_ = 0, without_ids_ = 0;
  FirstProblems clashes_;
};

// The value of most jobs; of equally frequent ones, the first.
template <class Fact>
std::optional<Fact> usual(JobAds const& ads, std::optional<Fact> JobAdFacts::*fact) {
  std::map<Fact, std::size_t> jobs;
  for (auto const& [name, ad] : ads.jobs) {
    if (auto const& value = ad.facts.*fact) ++jobs[*value];
  }
  auto const most = std::ranges::max_element(jobs, {}, [](auto const& of) { return of.second; });
  return most == jobs.end() ? std::nullopt : std::optional(most->first);
}

std::string read_all(std::filesystem::path const& file, std::string& trouble) {
  LogInput input(file);
  std::string text = rest_of(input, file);
  trouble = input.trouble();
  return text;
}

// Keeps the last of items that compare equal.
template <class Item, class Key>
std::size_t take_once(std::vector<Item>& items, Key key) {
  std::ranges::stable_sort(items, [&key](Item const& a, Item const& b) { return key(a) < key(b); });
  std::vector<Item> once;
  for (Item& item : items) {
    if (!once.empty() && key(once.back()) == key(item)) {
      once.back() = std::move(item);
    } else {
      once.push_back(std::move(item));
    }
  }
  std::size_t const dropped = items.size() - once.size();
  items = std::move(once);
  return dropped;
}

}  // namespace

std::string to_text(AdsReport const& report) {
  std::size_t ads = 0;
  std::string types;
  for (auto const& [type, count] : report.ads_by_type) {
    ads += count;
    types += fmt::format("{}{} {}", types.empty() ? " (" : ", ", type, count);
  }
  std::string text =
      fmt::format("{}{}, {}, {} without ids, {} repeated, {} and {} not understood\n",
                  counted(ads, "ad"), types + (types.empty() ? "" : ")"),
                  counted(report.reading.jobs, "job"), counted(report.ads_without_ids, "ad"),
                  report.duplicates, counted(report.values_not_understood, "value"),
                  counted(report.reading.lines_not_understood, "line"));
  if (report.dates_of_others > 0) {
    text += fmt::format("{} dates and durations are of other attempts or unset, and do not count\n",
                        report.dates_of_others);
  }
  return text + warnings_text(report.reading);
}

bool are_two_jobs(JobAdFacts const& one, JobAdFacts const& other) {
  bool const dates = one.q_date && other.q_date && one.q_date != other.q_date;
  bool const both_ids = !one.global_job_id.empty() && !other.global_job_id.empty();
  return dates || (both_ids && one.global_job_id != other.global_job_id);
}

void add_job_ads(std::string_view text, std::string const& file, JobAds& into) {
  LogReport& reading = into.report.reading;
  reading.bytes += text.size();
  reading.lines += static_cast<std::size_t>(std::ranges::count(text, '\n'));
  LogWarnings warnings(reading);
  warnings.in_file(file);
  std::size_t const warnings_before = reading.warnings.size();
  into.files.push_back(file);
  AdTaker taker(into, warnings);
  read_ad_text(text, file, warnings, [&taker](TextAd&& ad) { taker.take(ad); });
  taker.refuse_name_clashes();
  taker.name_namesakes();
  if (taker.none_has_ids()) {
    refuse({file, 1}, "holds no ads of jobs", "none of its objects has a ClusterId and a ProcId",
           "Print the ads with condor_history -long, -json or -jsonl, without -af");
  }
  if (taker.taken() == 0 && into.report.reading.warnings.size() == warnings_before) {
    warnings.add("holds no ads: condor_history -json prints those of jobs that left the queue", 1);
  }
}

std::optional<Seconds> usual_lease(JobAds const& ads) {
  return usual(ads, &JobAdFacts::job_lease_duration);
}

std::optional<bool> usually_unlisted(JobAds const& ads) {
  return usual(ads, &JobAdFacts::outputs_unlisted);
}

std::optional<int> usual_gpus(JobAds const& ads) { return usual(ads, &JobAdFacts::request_gpus); }

void settle_job_ads(JobAds& ads) {
  for (auto& [name, job] : ads.jobs) {
    // Attempts without a number are distinguished by their start.
    ads.report.duplicates += take_once(job.attempts, [](AttemptAdFacts const& attempt) {
      return std::make_tuple(attempt.start.value_or(0), attempt.number,
                             attempt.number == 0 ? attempt.end.value_or(0) : 0);
    });
    // A failed download appears twice, among the inputs and among the outputs.
    take_once(job.transfers, [](UrlTransferAd const& transfer) {
      return std::make_tuple(transfer.attempt, transfer.start, transfer.end, transfer.url,
                             transfer.upload);
    });
  }
  ads.report.reading.jobs = ads.jobs.size();
}

JobAds read_job_ads(std::vector<std::filesystem::path> const& files) {
  JobAds ads;
  std::vector<Problem> problems;
  for (auto const& file : files) {
    collect(problems, [&] {
      std::string trouble;
      std::string const text = read_all(file, trouble);
      add_job_ads(text, file.string(), ads);
      if (!trouble.empty()) ads.report.reading.warnings.push_back({{file.string()}, trouble});
    });
  }
  if (!problems.empty()) throw InputError(problems);
  settle_job_ads(ads);
  return ads;
}

}  // namespace gridcast::condor

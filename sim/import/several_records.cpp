// Records of several campaigns, put on one clock, and the names in them.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/lists.hpp"
#include "sim/base/text.hpp"
#include "sim/condor/log/log_clock.hpp"
#include "sim/import/recorded_campaign.hpp"

namespace gridcast::import {
namespace {

using history::JobHistory;

/// Names of both lists in one; where each of the second's is then.
std::vector<std::uint32_t> joined(std::vector<std::string>& into,
                                  std::vector<std::string> const& names) {
  Names place_of(into);
  return each_of(names, place_of);
}

/// One value a job, where one of the records has them.
template <class Value>
void join_by_job(std::vector<Value>& into, std::size_t jobs, std::vector<Value> more,
                 std::size_t more_jobs) {
  if (into.empty() && more.empty()) return;
  into.resize(jobs);
  more.resize(more_jobs);
  std::move(more.begin(), more.end(), std::back_inserter(into));
}

class Joining {
 public:
  explicit Joining(JobHistory& into) : into_(into) {}

  void add(JobHistory more, Seconds later) {
    std::size_t const jobs = into_.jobs.size();
    auto const sites = joined(into_.sites, more.sites);
    auto const slots = joined(into_.slots, more.slots);
    auto const urls = joined(into_.urls, more.urls);
    auto const caches = joined(into_.caches, more.caches);
    join_by_job(into_.users, jobs, std::move(more.users), more.jobs.size());
    join_by_job(into_.own_names, jobs, std::move(more.own_names), more.jobs.size());
    join_by_job(into_.unrecorded, jobs, std::move(more.unrecorded), more.jobs.size());
    into_.post_scripts.merge(more.post_scripts);
    join_by_job(into_.labels, jobs, std::move(more.labels), more.jobs.size());
    history::RecordEnds const ends(more);
    for (std::size_t job = 0; job < more.jobs.size(); ++job) {
      into_.ends.push_back(ends.of(Id<history::Job>(job)) + later);
    }
    into_.jobs.insert(into_.jobs.end(), more.jobs.begin(), more.jobs.end());
    for (history::JobEvent event : more.events) {
      event.at += later;
      event.job = Id<history::Job>(event.job.index() + jobs);
      if (event.site.valid()) event.site = Id<history::Site>(sites[event.site.index()]);
      if (event.slot < slots.size()) event.slot = slots[event.slot];
      if (event.gpus > 0) event.gpus = into_.gpus_like(more.gpus.at(event.gpus - 1U));
      into_.events.push_back(event);
    }
    for (history::UrlTransfer transfer : more.transfers) {
      transfer.job = Id<history::Job>(transfer.job.index() + jobs);
      transfer.start += later;
      transfer.end += later;
      transfer.url = urls[transfer.url];
      for (history::CacheTry& each : transfer.tries) each.cache = caches[each.cache];
      into_.transfers.push_back(std::move(transfer));
    }
    bool const of_condor = more.batch_system == history::BatchSystem::htcondor;
    if (of_condor) into_.batch_system = more.batch_system;
    into_.gpus_per_job = std::max(into_.gpus_per_job, more.gpus_per_job);
    if (more.seen_until) {
      into_.seen_until = std::max(into_.seen_until.value_or(Seconds()), *more.seen_until + later);
    }
  }

 private:
  JobHistory& into_;
};

/// If records differ in it, each has its own for the attempts whose GPUs it does not know.
void keep_usual_gpus(JobHistory& record) {
  std::uint16_t const usual = record.gpus_like({.usual = record.gpus_per_job});
  std::vector<bool> met(record.jobs.size(), false);
  for (history::JobEvent& event : record.events) {
    if (event.kind == history::EventKind::submitted || met[event.job.index()]) continue;
    met[event.job.index()] = true;
    if (event.gpus == 0) event.gpus = usual;
  }
}

void refuse_same_names(std::vector<OneRecord> const& records) {
  std::map<history::JobName, std::size_t> seen;
  FirstProblems problems;
  for (std::size_t r = 0; r < records.size(); ++r) {
    for (history::JobName const job : records[r].history.jobs) {
      auto const [first, fresh] = seen.emplace(job, r);
      if (fresh || first->second == r) continue;
      problems.add(
          {{records[r].file},
           fmt::format("job {} is in {} as well", to_text(job), records[first->second].file),
           "one campaign has each job once",
           "If both are of one campaign, give one of them; else --prefix keeps them apart."});
    }
  }
  problems.refuse("job");
}

/// Puts the number of its record before each cluster's, all equally wide.
void prefix(std::vector<OneRecord>& records) {
  std::uint64_t most = 0, tens = 1;
  for (OneRecord const& record : records) {
    for (history::JobName const job : record.history.jobs)
      most = std::max<std::uint64_t>(most, job.cluster);
  }
  while (tens <= most) tens *= 10;
  if (tens * records.size() + most > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(
        Problem{{records.front().file},
                fmt::format("no number can be put before clusters as long as {}", most),
                "a job's number would not fit in 32 bits",
                "Give the files to one command each."});
  }
  for (std::size_t r = 0; r < records.size(); ++r) {
    for (history::JobName& job : records[r].history.jobs) {
      job.cluster += static_cast<std::uint32_t>(tens * (r + 1));
    }
    for (std::string& name : records[r].history.own_names) {
      if (!name.empty()) name = fmt::format("{}:{}", r + 1, name);
    }
  }
}

void refuse_mixed_clocks(std::vector<OneRecord> const& records) {
  OneRecord const* without = nullptr;
  for (OneRecord const& record : records) {
    if (!record.history.start_unix) without = &record;
  }
  if (!without) return;
  refuse({without->file}, "does not know its dates", "its times are seconds since its own start",
         "Give it to a command of its own.");
}

constexpr double widest_zones_s = 26 * 3600;

/// When a job of the log came and when it was last heard of, Unix seconds by the log's clock.
struct Life {
  double begin = 0, end = 0;
};

std::map<history::JobName, Life> lives_of(history::JobHistory const& log) {
  std::map<history::JobName, Life> lives;
  auto const start = static_cast<double>(log.start_unix.value_or(0));
  for (history::JobEvent const& event : log.events) {
    double const at = start + event.at.value();
    auto const [life, fresh] = lives.try_emplace(log.jobs[event.job.index()], Life{at, at});
    if (!fresh) life->second.end = at;
  }
  return lives;
}

bool is_of(condor::AdsOfJob const& ads, Life const& life) {
  if (ads.facts.q_date) {
    return condor::same_in_some_zone(*ads.facts.q_date * 1000, std::llround(life.begin * 1000));
  }
  if (ads.transfers.empty()) return false;
  auto const start = static_cast<double>(ads.transfers.front().start);
  return start >= life.begin - widest_zones_s && start <= life.end + widest_zones_s;
}

bool have_only_transfers(condor::JobAds const& ads) {
  return std::ranges::all_of(ads.jobs, [](auto const& job) {
    return !job.second.facts.q_date && job.second.attempts.empty();
  });
}

/// By the execution point's clock, which is a little off.
bool was_in(condor::UrlTransferAd const& transfer, condor::AdsOfJob const& job) {
  constexpr std::int64_t clocks_differ_s = 60;
  auto const within = [&](condor::UnixDate const& from, condor::UnixDate const& to) {
    return from && transfer.start >= *from - clocks_differ_s &&
           (!to || transfer.start <= *to + clocks_differ_s);
  };
  if (job.attempts.empty()) return within(job.facts.q_date, job.facts.entered_current_status);
  return std::ranges::any_of(job.attempts, [&](auto const& attempt) {
    bool const numbered = transfer.attempt != 0 && attempt.number != 0;
    return (!numbered || transfer.attempt == attempt.number) && within(attempt.start, attempt.end);
  });
}

struct InCommon {
  std::size_t known = 0, same = 0;

  bool is_same_campaign() const { return same > 0 && 2 * same >= known; }
};

/// Jobs that both know; of `ads` that have transfers alone, by their transfers.
InCommon in_common(condor::JobAds const& ads, condor::JobAds const& others) {
  InCommon found;
  for (auto const& [name, job] : ads.jobs) {
    auto const other = others.jobs.find(name);
    if (other == others.jobs.end()) continue;
    ++found.known;
    bool const dated = job.facts.q_date && other->second.facts.q_date;
    bool const same =
        dated ? !condor::are_two_jobs(job.facts, other->second.facts)
              : std::ranges::any_of(job.transfers, [&](condor::UrlTransferAd const& transfer) {
                  return was_in(transfer, other->second);
                });
    found.same += same ? 1 : 0;
  }
  return found;
}

using Indices = std::vector<std::size_t>;

/// The campaign that knows most of the transfers' jobs; a new one if none knows any.
Indices& campaign_of_transfers(std::vector<condor::JobAds> const& files, std::size_t transfers,
                               std::vector<Indices>& campaigns) {
  Indices* best = nullptr;
  std::size_t most = 0;
  for (Indices& campaign : campaigns) {
    for (std::size_t const known : campaign) {
      InCommon const found = in_common(files[transfers], files[known]);
      if (!found.is_same_campaign() || found.same <= most) continue;
      most = found.same;
      best = &campaign;
    }
  }
  return best != nullptr ? *best : campaigns.emplace_back();
}

// Names in a recorded campaign: those that ads add, and those that a terminal could not show.

/// Spelled-out names and their number.
class Spelling {
 public:
  void operator()(std::string& name) {
    std::string spelled = printable(name);
    if (spelled == name) return;
    if (first_.empty()) first_ = spelled;
    ++changed_;
    name = std::move(spelled);
  }

  void operator()(std::vector<std::string>& names) {
    for (std::string& name : names) (*this)(name);
  }

  std::string note() const {
    if (changed_ == 0) return "";
    return fmt::format(
        "{} {} no UTF-8, or {} characters that a terminal obeys; these bytes are spelled out: "
        "'{}'\n",
        changed_, changed_ == 1 ? "name is" : "names are", changed_ == 1 ? "has" : "have", first_);
  }

 private:
  std::size_t changed_ = 0;
  std::string first_;
};

history::BytesBySite spelled(history::BytesBySite const& bytes) {
  history::BytesBySite result;
  for (auto const& [site, moved] : bytes) result[printable(site)] += moved;
  return result;
}

/// User is Owner and a domain.
std::string owner_in(condor::JobAdFacts const& facts) {
  return facts.owner.empty() ? facts.user.substr(0, facts.user.find('@')) : facts.owner;
}

void add_label(history::JobLabel& label, condor::JobAdFacts const& facts) {
  label.executable = facts.cmd;
  label.arguments = facts.arguments;
  label.batch = facts.batch_name;
  if (label.node.empty()) label.node = facts.dag_node;
}

}  // namespace

JobHistory combined(std::vector<OneRecord> records, SameNames same_names) {
  if (same_names == SameNames::keep_apart) {
    prefix(records);
  } else {
    refuse_same_names(records);
  }
  if (records.size() == 1) return std::move(records.front().history);
  refuse_mixed_clocks(records);
  std::int64_t start = *records.front().history.start_unix;
  for (OneRecord const& record : records) start = std::min(start, *record.history.start_unix);
  JobHistory all;
  all.start_unix = start;
  all.local_ahead_s = records.front().history.local_ahead_s;
  all.batch_system = history::BatchSystem::other;  // unless one of them is HTCondor's
  all.slots.emplace_back("unknown");
  int const usual = records.front().history.gpus_per_job;
  bool const differ = std::ranges::any_of(
      records, [&](OneRecord const& record) { return record.history.gpus_per_job != usual; });
  Joining joining(all);
  for (OneRecord& record : records) {
    Seconds const later(static_cast<double>(*record.history.start_unix - start));
    if (differ) keep_usual_gpus(record.history);
    joining.add(std::move(record.history), later);
  }
  std::ranges::stable_sort(all.events, {}, &history::JobEvent::at);
  return all;
}

bool are_of_log(condor::JobAds const& ads, history::JobHistory const& log) {
  auto const lives = lives_of(log);
  std::size_t known = 0, same = 0;
  for (auto const& [name, job] : ads.jobs) {
    auto const life = lives.find(name);
    if (life == lives.end()) continue;
    ++known;
    same += is_of(job, life->second) ? 1 : 0;
  }
  return same > 0 && 2 * same >= known;
}

std::vector<std::vector<std::size_t>> campaigns_of_ads(std::vector<condor::JobAds> const& files) {
  std::vector<Indices> campaigns;
  Indices of_transfers;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (have_only_transfers(files[i])) {
      of_transfers.push_back(i);
      continue;
    }
    Indices one;
    std::erase_if(campaigns, [&](Indices const& other) {
      bool const same = std::ranges::any_of(other, [&](std::size_t known) {
        return in_common(files[i], files[known]).is_same_campaign();
      });
      if (same) one.insert(one.end(), other.begin(), other.end());
      return same;
    });
    one.push_back(i);
    campaigns.push_back(std::move(one));
  }
  for (std::size_t const i : of_transfers) campaign_of_transfers(files, i, campaigns).push_back(i);
  // In the order in which they were given.
  for (Indices& campaign : campaigns) std::ranges::sort(campaign);
  std::ranges::sort(campaigns);
  return campaigns;
}

void add_names(history::JobHistory& history, condor::JobAds const& ads) {
  for (std::size_t job = 0; job < history.jobs.size(); ++job) {
    auto const found = ads.jobs.find(history.jobs[job]);
    if (found == ads.jobs.end()) continue;
    condor::JobAdFacts const& facts = found->second.facts;
    if (std::string const owner = owner_in(facts); !owner.empty()) {
      history.users.resize(history.jobs.size());
      history.users[job] = owner;
    }
    if (facts.cmd.empty() && facts.batch_name.empty() && facts.dag_node.empty()) continue;
    history.labels.resize(history.jobs.size());
    add_label(history.labels[job], facts);
  }
}

std::string spell_out_names(RecordedCampaign& campaign) {
  Spelling spell;
  history::JobHistory& history = campaign.history;
  spell(history.sites);
  spell(history.slots);
  spell(history.urls);
  spell(history.caches);
  spell(history.users);
  spell(history.own_names);
  for (history::GpuShare& gpu : history.gpus) spell(gpu.model);
  for (history::JobLabel& label : history.labels) {
    for (std::string* const name : {&label.node, &label.batch, &label.executable, &label.arguments})
      spell(*name);
  }
  for (history::JobRow& row : campaign.table.rows) {
    spell(row.sites);
    spell(row.user);
  }
  for (auto& [name, ads] : campaign.ads.jobs) {
    condor::JobAdFacts& facts = ads.facts;
    for (std::string* const text : {&facts.cmd, &facts.arguments, &facts.batch_name,
                                    &facts.dag_node, &facts.transfer_input}) {
      *text = printable(*text);
    }
    for (condor::UrlTransferAd& transfer : ads.transfers) transfer.url = printable(transfer.url);
  }
  campaign.bytes = spelled(campaign.bytes);
  return spell.note();
}

}  // namespace gridcast::import

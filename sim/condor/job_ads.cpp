#include "sim/condor/job_ads.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/condor/ad_facts.hpp"
#include "sim/condor/ad_text.hpp"
#include "sim/condor/log_input.hpp"

namespace gridcast::condor {
namespace {

// Takes the ads of one file.
class AdTaker {
 public:
  AdTaker(JobAds& ads, LogWarnings& warnings) : ads_(ads), warnings_(warnings) {}

  void take(TextAd const& ad) {
    ++taken_;
    AdIdentity const identity = identity_of(ad);
    if (!identity.cluster || !identity.proc) {
      ++without_ids_;
      ++ads_.report.ads_without_ids;
      return warnings_.add("an ad without ClusterId and ProcId", ad.line);
    }
    ++ads_.report.ads_by_type[identity.type];
    history::JobName const name{*identity.cluster, *identity.proc};
    std::uint32_t const attempt = identity.attempt.value_or(0);
    if (identity.type == "HISTORY") {
      take_history(name, ad);
    } else if (identity.type == "EPOCH") {
      take_epoch(ads_.jobs[name], ad, attempt);
    } else if (identity.type == "INPUT" || identity.type == "OUTPUT" ||
               identity.type == "CHECKPOINT") {
      count_useless(fill(ads_.jobs[name].transfers, ad, attempt), ad.line);
    } else {
      warnings_.add("an ad of a type that tells nothing of use (" + identity.type + ")", ad.line);
    }
  }

  bool none_has_ids() const { return taken_ > 0 && taken_ == without_ids_; }
  std::size_t taken() const { return taken_; }

 private:
  void take_history(history::JobName name, TextAd const& ad) {
    JobAdFacts facts;
    count_useless(fill(facts, ad), ad.line);
    check_dates(facts, ad.line);
    keep_later(ads_.jobs[name].facts, std::move(facts), ad.line);
  }

  void take_epoch(JobAd& job, TextAd const& ad, std::uint32_t number) {
    AttemptAdFacts attempt;
    count_useless(fill(attempt, ad), ad.line);
    attempt.number = number;
    std::size_t const dropped = drop_what_others_left(attempt);
    ads_.report.dates_of_others += dropped;
    job.attempts.push_back(std::move(attempt));
    JobAdFacts facts;
    fill(facts, ad);
    facts.from_epoch = true;
    keep_later(job.facts, std::move(facts), ad.line);
  }

  // What was printed last of a job; the job's own ad rather than an attempt's.
  void keep_later(JobAdFacts& known, JobAdFacts&& facts, std::size_t line) {
    bool const first = !known.q_date && !known.job_status;
    auto order = [](JobAdFacts const& of) {
      return std::make_tuple(!of.from_epoch, of.num_shadow_starts.value_or(0),
                             of.entered_current_status.value_or(0));
    };
    if (!first && !facts.from_epoch && !known.from_epoch) {
      ++ads_.report.duplicates;
      warnings_.add("a job told of twice; the later ad counts", line);
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

  void count_useless(std::size_t values, std::size_t line) {
    ads_.report.values_not_understood += values;
    if (values > 0) warnings_.add("a value that its attribute cannot have", line);
  }

  JobAds& ads_;
  LogWarnings& warnings_;
  std::size_t taken_ = 0, without_ids_ = 0;
};

std::string read_all(std::filesystem::path const& file, std::string& trouble) {
  LogInput input(file);
  std::string text;
  std::vector<char> block(std::size_t{1} << 18U);
  while (std::size_t const got = input.read(block.data(), block.size())) {
    text.append(block.data(), got);
  }
  trouble = input.trouble();
  return text;
}

// Of what compares equal the last stays.
template <class Item, class Key>
std::size_t take_once(std::vector<Item>& items, Key key) {
  std::stable_sort(items.begin(), items.end(),
                   [&key](Item const& a, Item const& b) { return key(a) < key(b); });
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
    types += fmt::format("{}{} {}", types.empty() ? "" : ", ", type, count);
  }
  std::string text = fmt::format(
      "{} ads{}, {} jobs, {} ads without ids, {} told twice, {} values and {} lines not "
      "understood\n",
      ads, types.empty() ? "" : " (" + types + ")", report.reading.jobs, report.ads_without_ids,
      report.duplicates, report.values_not_understood, report.reading.lines_not_understood);
  if (report.dates_of_others > 0) {
    text += fmt::format(
        "{} dates and durations of attempts were left by others or never set, and do not count\n",
        report.dates_of_others);
  }
  for (auto const& warning : report.reading.warnings) {
    text += Problem{warning.where, warning.what, "", ""}.to_text();
    if (warning.count > 1) text += fmt::format(" ({} times)", warning.count);
    text += '\n';
  }
  return text;
}

void add_job_ads(std::string_view text, std::string const& file, JobAds& into) {
  LogReport& reading = into.report.reading;
  reading.bytes += text.size();
  reading.lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  LogWarnings warnings(reading);
  warnings.in_file(file);
  AdTaker taker(into, warnings);
  read_ad_text(text, file, warnings, [&taker](TextAd&& ad) { taker.take(ad); });
  if (taker.none_has_ids()) {
    throw InputError({{file, 1},
                      "holds no ads of jobs",
                      "none of its objects has a ClusterId and a ProcId",
                      "Print the ads with condor_history -long, -json or -jsonl, without -af"});
  }
  if (taker.taken() == 0) warnings.add("holds no ads", 1);
}

void settle_job_ads(JobAds& ads) {
  for (auto& [name, job] : ads.jobs) {
    // Attempts without a number are told apart by their start.
    ads.report.duplicates += take_once(job.attempts, [](AttemptAdFacts const& attempt) {
      return std::make_tuple(attempt.start.value_or(0), attempt.number,
                             attempt.number == 0 ? attempt.end.value_or(0) : 0);
    });
    // A failed download is told twice, among the inputs and among the outputs.
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
    try {
      std::string trouble;
      std::string const text = read_all(file, trouble);
      add_job_ads(text, file.string(), ads);
      if (!trouble.empty()) ads.report.reading.warnings.push_back({{file.string()}, trouble});
    } catch (InputError const& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw InputError(problems);
  settle_job_ads(ads);
  return ads;
}

std::string startd_of(std::string_view remote_host) {
  auto const first = remote_host.find('@');
  if (first == std::string_view::npos) return {};
  std::string_view const rest = remote_host.substr(first + 1);
  return std::string(rest.substr(0, rest.find('@')));
}

}  // namespace gridcast::condor

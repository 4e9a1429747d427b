// The accounts that seconds are entered into: lines and classes of each site, and the jobs' lists
// of times whose line is not known before the job has ended.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/id.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/ledger/open_account.hpp"

namespace gridcast::ledger {

class Books {
 public:
  /// At a site; of no site, what happened nowhere (idle, held). A reference is good until the next
  /// site is met.
  LedgerLines& lines_at(Id<history::Site> site) { return at(site).lines; }
  TimeClasses& classes_at(Id<history::Site> site) { return at(site).classes; }

  /// Adds a time to a job's list; to its newest entry if that is of the same site and `joined`.
  void push(SpanList& list, Id<history::Site> site, Seconds time, bool joined);

  /// Calls `use(site, time)` for each entry.
  template <class Use>
  void for_each(SpanList list, Use use) const {
    for (; list != no_spans; list = spans_[list].older) use(spans_[list].site, spans_[list].time);
  }

  /// The list is of no more use.
  void forget(SpanList& list);

  EndingTable& endings() { return endings_; }

  /// Sums up into `ledger`: totals, sites by name, endings.
  void close(std::vector<std::string> const& site_names, Ledger& ledger) const;

 private:
  struct SiteAccount {
    LedgerLines lines;
    TimeClasses classes;
  };
  struct Span {
    Id<history::Site> site;
    Seconds time;
    SpanList older = no_spans;
  };

  SiteAccount& at(Id<history::Site> site) {
    std::size_t const index = site.valid() ? site.index() + 1 : 0;
    if (index >= sites_.size()) sites_.resize(index + 1);
    return sites_[index];
  }

  std::vector<SiteAccount> sites_;  // the first for no site, then indexed by Id<Site> + 1
  std::vector<Span> spans_;
  SpanList free_ = no_spans;  // entries of lists that were forgotten
  EndingTable endings_;
};

}  // namespace gridcast::ledger

#include "sim/ledger/books.hpp"

#include <utility>

namespace gridcast::ledger {

void Books::push(SpanList& list, Id<history::Site> site, Seconds time, bool joined) {
  if (joined && list != no_spans && spans_[list].site == site) {
    spans_[list].time += time;
    return;
  }
  SpanList entry = free_;
  if (entry == no_spans) {
    entry = static_cast<SpanList>(spans_.size());
    spans_.emplace_back();
  } else {
    free_ = spans_[entry].older;
  }
  spans_[entry] = {site, time, list};
  list = entry;
}

void Books::forget(SpanList& list) {
  while (list != no_spans) {
    SpanList const older = std::exchange(spans_[list].older, free_);
    free_ = std::exchange(list, older);
  }
}

void Books::close(std::vector<std::string> const& site_names, Ledger& ledger) const {
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    ledger.total += sites_[i].lines;
    ledger.classes += sites_[i].classes;
    std::string const name = i == 0 ? std::string() : site_names[i - 1];
    if (!sites_[i].lines.is_empty()) ledger.sites[name] += sites_[i].lines;
    if (sites_[i].classes.total() != Seconds()) ledger.site_classes[name] += sites_[i].classes;
  }
  ledger.endings = endings_.accounts();
}

}  // namespace gridcast::ledger

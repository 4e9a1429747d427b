// Where the hours went, by outcome and by site. A dated source also has the time that jobs spent in
// each class, the reasons for lost slots and holds, and the effect of retries.
#pragma once

#include <string>
#include <vector>

#include "sim/ledger/ledger.hpp"
#include "sim/ledger/retries.hpp"
#include "sim/report/view/section.hpp"

namespace gridcast::report {

/// Outcomes, slot time by line, events, and sites.
std::vector<Section> ledger_sections(ledger::Ledger const& ledger);
/// The same, with the classes and the reasons of a dated source.
std::vector<Section> whole_ledger_sections(ledger::Ledger const& ledger);

Section ledger_sites(ledger::Ledger const& ledger);
/// In all and by site; empty where the source has no dates.
Section time_classes(ledger::Ledger const& ledger);
/// The reasons for lost slots and holds, with advice; empty where nothing went wrong, or where the
/// source has no dates.
Section reasons(ledger::Ledger const& ledger);
/// A row for each job: its state, its site, its attempts, and its time in each class. Of more than
/// `most` jobs, those with the most attempts.
Section each_job(ledger::Ledger const& ledger, std::size_t most = static_cast<std::size_t>(-1));

/// The bytes of a campaign's jobs: a row for each site, and for each cache. Empty where the record
/// has none.
Section bytes_moved(ledger::Traffic const& traffic);

/// How often retries succeed: a row for each cause, and what the next attempt depended on.
Section retries(ledger::Retries const& retries);

}  // namespace gridcast::report

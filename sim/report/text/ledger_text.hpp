// A ledger as a person reads it: the use of the hours, by outcome and by site; for dated sources
// also the activity of the jobs (time classes), and why they lost their slots or were held, with
// frequency, cost and advice.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/json_fields.hpp"
#include "sim/ledger/black_holes.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {

/// The site's name; "(no site)" for jobs that never met one.
std::string site_label(std::string const& name);

std::string ledger_text(ledger::Ledger const& ledger, Screen const& screen = endless_screen());

/// The same, and for dated sources the activity of the jobs and why they lost their slots.
std::string whole_ledger_text(ledger::Ledger const& ledger,
                              Screen const& screen = endless_screen());

/// In all and by site; empty where the source has no dates.
std::string classes_text(ledger::Ledger const& ledger, Screen const& screen = endless_screen());

/// A row a job: how it stands, where, its attempts, its time in each class that any job knew.
std::string jobs_text(ledger::Ledger const& ledger, Screen const& screen = endless_screen());

/// Empty if nothing ended but well, or where the source has no dates.
std::string reasons_text(ledger::Ledger const& ledger, Screen const& screen = endless_screen());

/// Bytes moved for a campaign's jobs: a row a site, and a row a cache. Empty if the record does not
/// contain them.
std::string traffic_text(ledger::Traffic const& traffic, Screen const& screen = endless_screen());

/// A row a group, that which lost most slot time first; at most so many, and how many more.
/// `by`: the kind of the groups, as "host".
std::string grouped_text(ledger::Ledger const& grouped, std::string const& by, std::size_t most,
                         Screen const& screen);

/// Hosts that let job after job fail: their cost, and how to avoid them.
std::string black_holes_text(ledger::BlackHoles const& found, Screen const& screen);
/// gridcast.black-holes/1.
Json black_holes_json(ledger::BlackHoles const& found);

}  // namespace gridcast::report

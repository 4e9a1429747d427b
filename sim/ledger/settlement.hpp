// What a job's last transfer, its last execution and those before them were good for, decided when
// its last event is known.
#pragma once

#include "sim/ledger/books.hpp"
#include "sim/ledger/open_account.hpp"

namespace gridcast::ledger {

/// An execution that is lost is entered: started anew, evicted, out of contact.
void lose_execution(OpenAccount& life, Seconds LedgerLines::*line, Books& books);

/// Enters all that is open; to be called once a job.
void settle(OpenAccount const& life, Books& books);

/// How the job came out, of its account.
JobOutcome outcome_of(JobAccount const& account);

/// What the ledger says of the job itself.
JobAccount account_of(OpenAccount const& life, Books const& books, bool dated);

}  // namespace gridcast::ledger

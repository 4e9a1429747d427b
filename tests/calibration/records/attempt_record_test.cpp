// A hold or a removal of an executing job did not end its program.
#include "calibration/records/attempt_record.hpp"

#include "calibration/fits/speed_fit.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using enum history::EventKind;
using history::EventKind;
using history::Reason;

namespace {

/// One job that executed from 100 s to 1000 s.
AttemptRecord record_of(history::EventKind end, Reason reason, int code, bool output = false) {
  test::HistoryBuilder builder({{1, 0}}, {"A"});
  builder.add(0, 0, submitted).add(50, 0, matched).on(0).add(100, 0, executing).on(0);
  if (output) {
    builder.add(999, 0, transfer_output_started).on(0);
    builder.add(1000, 0, transfer_output_finished).on(0);
  }
  builder.add(1000, 0, end, reason).on(0);
  builder.get().events.back().code = static_cast<std::int16_t>(code);
  AttemptRecords const records = make_attempt_records(builder.get());
  REQUIRE(records.attempts.size() == 1);
  return records.attempts.front();
}

}  // namespace

TEST_CASE("Limits of time, memory and disk censor an execution") {
  CHECK_FALSE(record_of(held, Reason::execution_too_long, 47).exit);
  CHECK_FALSE(record_of(held, Reason::out_of_resources, 34).exit);
  CHECK_FALSE(record_of(held, Reason::system, 9).exit);
  CHECK_FALSE(record_of(evicted, Reason::system, 21).exit);
  CHECK_FALSE(record_of(held, Reason::manual, 1).exit);
  CHECK(record_of(terminated, Reason::none, 0).exit);
  CHECK(record_of(held, Reason::output_missing, 12).exit);
  CHECK(record_of(held, Reason::execution_too_long, 47).tail == Seconds(900));
}

// Its pilot may have been dead all the time until the lease was over.
TEST_CASE("An execution whose contact was lost for good is known of until then") {
  test::HistoryBuilder builder({{1, 0}}, {"A"});
  builder.add(0, 0, submitted).add(50, 0, matched).on(0).add(100, 0, executing).on(0);
  builder.add(300, 0, disconnected).on(0).add(310, 0, reconnected).on(0);
  builder.add(700, 0, disconnected).on(0).add(3100, 0, reconnect_failed).on(0);
  AttemptRecords const records = make_attempt_records(builder.get());
  REQUIRE(records.attempts.size() == 1);
  CHECK(records.attempts.front().end == Seconds(3100));
  CHECK(records.attempts.front().tail == Seconds(700 - 100));
}

TEST_CASE("A limit of the slot is distinguished from a limit of time, a person and a vacate") {
  CHECK(stopped_by_slot(record_of(held, Reason::out_of_resources, 34)));
  CHECK(stopped_by_slot(record_of(held, Reason::system, 9)));
  CHECK(stopped_by_slot(record_of(evicted, Reason::system, 21)));
  CHECK(stopped_by_slot(record_of(held, Reason::unknown, 7)));  // a code that says nothing
  CHECK_FALSE(stopped_by_slot(record_of(held, Reason::execution_too_long, 47)));
  CHECK_FALSE(stopped_by_slot(record_of(held, Reason::manual, 1)));
  CHECK_FALSE(stopped_by_slot(record_of(evicted, Reason::vacated, 1010)));
  CHECK_FALSE(vacated(record_of(evicted, Reason::system, 21)));
}

TEST_CASE("A job that a limit stopped is over where it was removed in that moment") {
  for (Reason const limit : {Reason::out_of_resources, Reason::execution_too_long}) {
    CHECK(stopped_by_slot(record_of(aborted, limit, 0)) == (limit == Reason::out_of_resources));
    CHECK(stopped_for_good(record_of(aborted, limit, 0)));
    for (EventKind const end : {held, evicted}) {
      CHECK(stopped_by_limit(record_of(end, limit, 0)));
      CHECK_FALSE(stopped_for_good(record_of(end, limit, 0)));
    }
    for (double const later : {0., 1.}) {
      test::HistoryBuilder builder({{1, 0}}, {"A"});
      builder.add(0, 0, submitted).add(50, 0, matched).on(0).add(100, 0, executing).on(0);
      builder.add(1000, 0, evicted, limit).on(0).add(1000 + later, 0, aborted, Reason::policy);
      CHECK(stopped_for_good(make_attempt_records(builder.get()).attempts.at(0)) == (later == 0));
    }
  }
  CHECK_FALSE(stopped_by_limit(record_of(aborted, Reason::manual, 0)));
  CHECK_FALSE(stopped_by_limit(record_of(aborted, Reason::policy, 0)));
}

// Slurm's NODE_FAIL, without a further row of the job.
TEST_CASE("A job that was lost with its node is over where it was removed in that moment") {
  for (double const later : {0., 1.}) {
    test::HistoryBuilder builder({{1, 0}}, {"A"});
    builder.add(0, 0, submitted).add(50, 0, matched).on(0).add(100, 0, executing).on(0);
    builder.add(1000, 0, evicted, Reason::lost_contact).on(0);
    builder.add(1000 + later, 0, aborted, Reason::policy);
    AttemptRecord const attempt = make_attempt_records(builder.get()).attempts.at(0);
    CHECK(ended_without_contact(attempt));
    CHECK(attempt.ended_job == (later == 0));
  }
}

TEST_CASE("An attempt without a known end is no eviction, and censors its execution") {
  AttemptRecord const attempt = record_of(evicted, Reason::end_not_recorded, 0);
  CHECK_FALSE(vacated(attempt));
  CHECK_FALSE(attempt.exit);
  CHECK_FALSE(ended_without_contact(attempt));
  CHECK_FALSE(stopped_by_slot(attempt));
  CHECK(vacated(record_of(evicted, Reason::unknown, 0)));
}

TEST_CASE("An attempt that never began to execute is taken for a failed input transfer") {
  test::HistoryBuilder builder({{1, 0}}, {"A"});
  builder.add(0, 0, submitted).add(10, 0, matched).on(0);
  builder.add(10, 0, evicted, Reason::not_begun).on(0);
  AttemptRecords const records = make_attempt_records(builder.get());
  REQUIRE(records.attempts.size() == 1);
  CHECK(input_failed(records.attempts.front()));
  CHECK_FALSE(vacated(records.attempts.front()));
}

TEST_CASE("Times that an ad shows the sum of are no times of an execution") {
  for (EventKind const end : {held, requeued, evicted}) {
    test::HistoryBuilder builder({{1, 0}}, {"A"});
    builder.add(0, 0, submitted).add(10, 0, matched).on(0);
    builder.add(10, 0, executing, Reason::end_not_recorded)
        .on(0)
        .add(40, 0, end, Reason::policy)
        .on(0);
    AttemptRecords records = make_attempt_records(builder.get());
    REQUIRE(records.attempts.size() == 1);
    CHECK(records.attempts.front().executing);
    CHECK_FALSE(records.attempts.front().times_known);
    CHECK(executions_by_job(records, {}).empty());
    records.attempts.front().times_known = true;
    CHECK(executions_by_job(records, {}).size() == 1);
  }
}

TEST_CASE("\"Startd was shutdown\" is a vacate, no lost contact") {
  AttemptRecord const attempt = record_of(evicted, Reason::pilot_ended, 1013);
  CHECK(vacated(attempt));
  CHECK_FALSE(ended_without_contact(attempt));
  // HTCondor 23.9 logs the words without a code.
  CHECK(shut_down(record_of(evicted, Reason::pilot_ended, 0)));
  CHECK_FALSE(ended_without_contact(record_of(evicted, Reason::pilot_ended, 0)));
}

TEST_CASE("Without a vacate code a startd was heard only where contact was not lost before") {
  for (bool const found : {false, true}) {
    test::HistoryBuilder builder({{1, 0}}, {"A"});
    builder.add(0, 0, submitted).add(50, 0, matched).on(0).add(100, 0, executing).on(0);
    builder.add(500, 0, disconnected).on(0);
    if (found) builder.add(600, 0, reconnected).on(0);
    builder.add(1000, 0, evicted, Reason::pilot_ended).on(0);
    AttemptRecord const attempt = make_attempt_records(builder.get()).attempts.front();
    CHECK(shut_down(attempt) == found);
    CHECK(ended_without_contact(attempt) != found);
  }
}

TEST_CASE("Files brought home at an eviction do not make it an exit") {
  CHECK_FALSE(record_of(evicted, Reason::vacated, 1010, true).exit);
  CHECK(record_of(terminated, Reason::none, 0, true).exit);
}

TEST_CASE("A job that the log leaves running ran until the log's last word") {
  test::HistoryBuilder builder({{1, 0}}, {"A"});
  builder.add(0, 0, submitted).add(50, 0, matched).on(0).add(100, 0, executing).on(0);
  builder.get().seen_until = Seconds(5000);
  AttemptRecords const records = make_attempt_records(builder.get());
  CHECK(records.end == Seconds(5000));
  CHECK(records.attempts.front().tail == Seconds(4900));
}

TEST_CASE(
    "Epochs have the time that was computed, without suspensions and without what storing takes") {
  test::HistoryBuilder builder({{1, 0}}, {"A"});
  builder.add(0, 0, submitted).add(50, 0, matched).on(0).add(100, 0, executing).on(0);
  builder.add(150, 0, suspended).on(0).add(180, 0, unsuspended).on(0);
  builder.add(300, 0, transfer_output_started).on(0).add(310, 0, checkpointed).on(0);
  builder.add(350, 0, suspended).on(0).add(360, 0, unsuspended).on(0);
  builder.add(400, 0, suspended).on(0).add(450, 0, evicted, Reason::vacated).on(0);
  // The second attempt goes on from the stored epoch; of its own nothing is known from 700 s on.
  builder.add(600, 0, matched).on(0).add(620, 0, executing).on(0);
  builder.add(700, 0, disconnected).on(0).add(750, 0, reconnected).on(0);
  builder.add(800, 0, checkpointed).on(0);
  builder.add(890, 0, transfer_output_started).on(0).add(900, 0, terminated).on(0);
  AttemptRecords const records = make_attempt_records(builder.get());
  REQUIRE(records.attempts.size() == 2);
  AttemptRecord const& first = records.attempts[0];
  CHECK(first.epochs == std::vector<Seconds>{Seconds(300 - 100 - 30)});
  CHECK(first.stores == std::vector<Seconds>{Seconds(10)});
  CHECK(first.tail == Seconds(400 - 310 - 10));  // then it was suspended until its end
  CHECK(first.suspensions == std::vector<Seconds>{Seconds(30), Seconds(10)});
  CHECK(first.suspensions_begun == 3);
  CHECK(first.suspended == Seconds(40));
  CHECK(first.epochs_before == 0);
  CHECK_FALSE(first.exit);
  AttemptRecord const& second = records.attempts[1];
  CHECK(second.number == 2);
  CHECK(second.epochs_before == 1);
  CHECK(second.epochs.empty());
  CHECK(second.unheard);
  REQUIRE(second.disconnections.size() == 1);
  CHECK(second.disconnections[0].at == Seconds(700));
  CHECK(second.disconnections[0].back == Seconds(750));
  CHECK(second.exit == Seconds(890));
  CHECK(second.tail == Seconds(890 - 620));
  REQUIRE(records.waits.size() == 2);
  CHECK(records.waits[0].from == Seconds(0));
  CHECK(records.waits[0].to == Seconds(50));
  CHECK(records.waits[1].from == Seconds(450));
  CHECK(records.waits[1].to == Seconds(600));
}

TEST_CASE(
    "A job is gone with its slot if nobody removed it in the moment in which that was taken") {
  auto const gone = [](double removed, Reason why, Reason taken) {
    test::HistoryBuilder builder({{1, 0}}, {"A"});
    builder.add(0, 0, submitted).add(50, 0, matched).on(0).add(100, 0, executing).on(0);
    builder.add(400, 0, evicted, taken).on(0).add(removed, 0, aborted, why);
    return make_attempt_records(builder.get()).attempts.at(0).ended_job;
  };
  CHECK(gone(400, Reason::policy, Reason::vacated));
  CHECK_FALSE(gone(401, Reason::policy, Reason::vacated));
  CHECK_FALSE(gone(400, Reason::manual, Reason::vacated));
  CHECK(gone(400, Reason::policy, Reason::out_of_resources));
}

// As calibration/data/htcondor-pool/c5-json, job 6, has it, but for the times: cut at 300 s, done
// at 700 s, and five tries of 20 s each.
TEST_CASE("Tries to bring files home are distinguished from losses of contact") {
  test::HistoryBuilder builder({{1, 0}}, {"A"});
  builder.add(0, 0, submitted).add(50, 0, matched).on(0).add(100, 0, executing).on(0);
  builder.add(300, 0, disconnected).on(0).add(310, 0, reconnected).on(0);
  auto const rest = [&](history::EventKind end, Reason reason) {
    test::HistoryBuilder all = builder;
    for (double const at : {720., 740., 760., 781.}) {
      all.add(at, 0, disconnected).on(0).add(at, 0, reconnected).on(0);
    }
    all.add(801, 0, end, reason).on(0);
    return make_attempt_records(all.get()).attempts.at(0);
  };
  AttemptRecord const lost = rest(evicted, Reason::output_failed);
  CHECK(lost_files(lost));
  CHECK_FALSE(vacated(lost));
  CHECK_FALSE(lost.exit);
  REQUIRE(lost.disconnections.size() == 1);
  CHECK(lost.disconnections[0].at == Seconds(300));
  CHECK(lost.output_tries ==
        std::vector<Seconds>{Seconds(20), Seconds(21), Seconds(20), Seconds(20)});
  CHECK(lost.tail == Seconds(700 - 100));
  AttemptRecord const elsewise = rest(evicted, Reason::vacated);
  CHECK_FALSE(lost_files(elsewise));
  CHECK(elsewise.disconnections.size() == 5);
  CHECK(elsewise.tail == Seconds(801 - 100));
  CHECK_FALSE(lost_files(rest(held, Reason::output_failed)));
  // A log without the tries' cuts, or with too few of them, shows no try.
  builder.add(900, 0, evicted, Reason::output_failed).on(0);
  AttemptRecord const unreported = make_attempt_records(builder.get()).attempts.at(0);
  CHECK(lost_files(unreported));
  CHECK(unreported.output_tries.empty());
  CHECK(unreported.disconnections.size() == 1);
  CHECK(unreported.tail == Seconds(900 - 100));
}

TEST_CASE("An execution that was never found again lost no files by it") {
  CHECK_FALSE(lost_files(record_of(evicted, Reason::output_failed, 0)));
}

TEST_CASE("A job has the epochs that most jobs that succeeded had, those not heard of left out") {
  test::HistoryBuilder builder({{1, 0}, {1, 1}, {1, 2}, {1, 3}}, {"A"});
  for (std::size_t job = 0; job < 4; ++job) {
    double const start = 1000 * static_cast<double>(job);
    builder.add(start, job, submitted).add(start, job, matched).on(0);
    builder.add(start, job, executing).on(0);
    if (job == 3)
      builder.add(start + 1, job, disconnected).on(0).add(start + 2, job, reconnected).on(0);
    int const checkpoints = job == 0 ? 1 : 2;
    for (int i = 1; i <= checkpoints; ++i) builder.add(start + 10 * i, job, checkpointed).on(0);
    builder.add(start + 100, job, terminated).on(0);
  }
  CHECK(make_attempt_records(builder.get()).epochs == 3);
}

TEST_CASE("In a table that counts epochs, a job has as many as most successes have") {
  test::HistoryBuilder builder({{1, 0}, {1, 1}, {1, 2}, {1, 3}}, {"A"});
  for (std::size_t job = 0; job < 4; ++job) {
    double const start = 1000 * static_cast<double>(job);
    builder.add(start, job, submitted).add(start, job, matched).on(0);
    builder.add(start, job, executing).on(0);
    builder.get().events.back().epochs = job == 0 ? 5 : 20;
    if (job == 3) builder.add(start + 50, job, checkpointed).on(0);
    builder.add(start + 100, job, terminated).on(0);
  }
  AttemptRecords const records = make_attempt_records(builder.get());
  CHECK(records.epochs == 20);
  CHECK(records.differs(records.attempts[0]));
  CHECK_FALSE(records.differs(records.attempts[1]));
  CHECK(records.attempts[3].epochs_recorded == 0);  // a checkpoint shows the time, too
}

TEST_CASE("A hold is counted by its job, with its end by release or removal") {
  test::HistoryBuilder builder({{1, 0}, {1, 1}}, {"A"});
  for (std::size_t job : {0U, 1U}) {
    builder.add(0, job, submitted).add(10, job, matched).on(0);
    builder.add(20, job, held, Reason::transfer_failed).on(0);
  }
  builder.add(70, 0, released).add(80, 0, matched).on(0);
  builder.add(90, 0, held, Reason::system).on(0).add(95, 1, aborted);
  builder.add(99, 0, aborted);
  AttemptRecords const records = make_attempt_records(builder.get());
  REQUIRE(records.holds.size() == 3);
  for (HoldRecord const& hold : records.holds) {
    if (hold.job.index() == 1) {
      CHECK(hold.count == 1);
      CHECK(hold.removed == Seconds(95));
      CHECK_FALSE(hold.released);
    } else {
      CHECK(hold.count == (hold.at == Seconds(20) ? 1 : 2));
      CHECK(hold.released.has_value() == (hold.count == 1));
      CHECK(hold.removed.has_value() == (hold.count == 2));
    }
  }
}

TEST_CASE("A release or removal by an expression is none of people's") {
  test::HistoryBuilder builder({{1, 0}, {1, 1}, {1, 2}}, {"A"});
  for (std::size_t job : {0U, 1U, 2U}) {
    builder.add(0, job, submitted).add(10, job, matched).on(0);
    builder.add(20, job, held, Reason::transfer_failed).on(0);
  }
  builder.add(35, 0, released, Reason::policy).add(40, 1, released, Reason::manual);
  builder.add(90, 2, aborted, Reason::policy);
  AttemptRecords const records = make_attempt_records(builder.get());
  REQUIRE(records.holds.size() == 3);
  for (HoldRecord const& hold : records.holds) {
    bool const by_person = hold.job.index() == 1;
    CHECK(hold.released.has_value() == by_person);
    CHECK(hold.by_policy.has_value() != by_person);
    CHECK_FALSE(hold.removed);
  }
  CHECK(records.holds[0].by_policy == Seconds(35));
  CHECK(records.holds[2].by_policy == Seconds(90));
}

}  // namespace gridcast::calibration

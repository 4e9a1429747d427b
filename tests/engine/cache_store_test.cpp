#include <string>

#include "sim/engine/transfer/cache.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

/// Asks for files of 10 bytes one after the other, and fetches what is missing. 'h' hit, 'm' miss.
std::string hits(engine::CacheStore& store, std::string const& files) {
  std::string hits;
  for (char const file : files) {
    bool const hit = store.touch(static_cast<engine::FileId>(file));
    if (!hit) store.insert(static_cast<engine::FileId>(file), Bytes(10));
    hits += hit ? 'h' : 'm';
  }
  return hits;
}

}  // namespace

TEST_CASE("least recently used files go first") {
  engine::CacheStore store(Bytes(30), 1, 1);
  //                  Three fit. d drives out b, as a was used since; then b c, then a d.
  CHECK(hits(store, "abcadbcad") == "mmmhmmmmm");
  CHECK(hits(store, "dac") == "hhh");
}

// The textbook sequence of page replacement for three frames: nine faults.
TEST_CASE("the reference string of the textbooks") {
  engine::CacheStore store(Bytes(30), 1, 1);
  CHECK(hits(store, "70120304230321201701") == "mmmmhmhmmmmhhmhmhmhh");
}

TEST_CASE("crossing the high watermark purges down to the low one") {
  engine::CacheStore store(Bytes(100), 0.95, 0.5);
  CHECK(hits(store, "abcdefghi") == "mmmmmmmmm");
  CHECK(store.used() == Bytes(90));  // below the high watermark
  CHECK(hits(store, "j") == "m");    // 100 > 95: down to 50
  CHECK(store.used() == Bytes(50));
  CHECK(hits(store, "fghij") == "hhhhh");
  CHECK_FALSE(store.holds('e'));
}

TEST_CASE("an open file is passed over, and goes once it is closed") {
  engine::CacheStore store(Bytes(30), 1, 1);
  hits(store, "abc");
  store.open('a');
  CHECK(hits(store, "d") == "m");
  CHECK(store.holds('a'));
  CHECK_FALSE(store.holds('b'));
  store.close('a');
  CHECK(hits(store, "e") == "m");
  CHECK_FALSE(store.holds('a'));
}

TEST_CASE("a file that is larger than the cache is not kept and drives nothing out") {
  engine::CacheStore store(Bytes(30), 1, 1);
  hits(store, "abc");
  store.insert('x', Bytes(31));
  CHECK_FALSE(store.holds('x'));
  CHECK(hits(store, "abc") == "hhh");
}

TEST_CASE("opening or closing a file that is absent does nothing") {
  engine::CacheStore store(Bytes(30), 1, 1);
  store.open('a');
  store.close('a');
  CHECK_FALSE(store.holds('a'));
  CHECK(store.used() == Bytes(0));
}

}  // namespace gridcast::test

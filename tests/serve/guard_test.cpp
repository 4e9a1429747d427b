#include <fstream>
#include <set>

#include "sim/serve/entrance.hpp"
#include "tests/test.hpp"

namespace gridcast::serve {
namespace {

Guard const guard(4321, "0123456789abcdef0123456789abcdef");

Knock good_knock() {
  Knock knock{"GET", guard.root() + "start", {}, {}, {}, {}};
  knock.host = "127.0.0.1:4321";
  return knock;
}

}  // namespace

TEST_CASE("Only who knows the token gets in, on the loopback's own names") {
  CHECK(guard.entry(good_knock()) == Entry::open);
  for (char const* host : {"localhost:4321", "127.0.0.1:4321"}) {
    Knock knock = good_knock();
    knock.host = host;
    CHECK(guard.entry(knock) == Entry::open);
  }
  // A name that an attacker makes point to 127.0.0.1 (DNS rebinding), other ports, and none.
  for (char const* host : {"evil.example:4321", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:4321.evil",
                           "evil.example", "", "[::1]:4321"}) {
    Knock knock = good_knock();
    knock.host = host;
    CHECK(guard.entry(knock) == Entry::other_host);
  }
  Knock nameless = good_knock();
  nameless.host.reset();
  CHECK(guard.entry(nameless) == Entry::other_host);
  for (char const* path :
       {"/", "/start", "/0123456789abcdef0123456789abcdee/start", "",
        "/0123456789abcdef0123456789abcdef", "/0123456789ABCDEF0123456789ABCDEF/"}) {
    Knock knock = good_knock();
    knock.path = path;
    CHECK(guard.entry(knock) == Entry::no_token);
  }
}

TEST_CASE("Pages of other origins get nothing, even with the token") {
  for (char const* origin : {"http://evil.example", "null", "https://127.0.0.1:4321",
                             "http://127.0.0.1:4322", "http://127.0.0.1:4321.evil.example"}) {
    Knock knock = good_knock();
    knock.origin = origin;
    CHECK(guard.entry(knock) == Entry::other_origin);
  }
  for (char const* site : {"cross-site", "same-site"}) {
    Knock knock = good_knock();
    knock.fetch_site = site;
    CHECK(guard.entry(knock) == Entry::other_origin);
    knock.path = guard.root();
    CHECK(guard.entry(knock) == Entry::open);  // a link to the page
  }
  Knock own = good_knock();
  own.origin = "http://127.0.0.1:4321";
  own.fetch_site = "same-origin";
  CHECK(guard.entry(own) == Entry::open);
}

TEST_CASE("A form of a page cannot ask: questions are JSON") {
  Knock knock = good_knock();
  knock.method = "POST";
  CHECK(guard.entry(knock) == Entry::other_form);
  for (char const* type : {"text/plain", "application/x-www-form-urlencoded", ""}) {
    knock.content_type = type;
    CHECK(guard.entry(knock) == Entry::other_form);
  }
  knock.content_type = "application/json";
  CHECK(guard.entry(knock) == Entry::open);
}

TEST_CASE("Tokens are 128 bits, and never the same") {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) tokens.insert(random_token());
  CHECK(tokens.size() == 100);
  CHECK(tokens.begin()->size() == 32);
  CHECK(tokens.begin()->find_first_not_of("0123456789abcdef") == std::string::npos);
}

TEST_CASE("A folder that is gone, or that others can look into, is replaced by a private one") {
  namespace fs = std::filesystem;
  Scratch const scratch;
  fs::path const first = scratch.file("a").parent_path();
  fs::remove_all(first);
  fs::path const second = scratch.file("a").parent_path();
  CHECK(fs::status(second).permissions() == fs::perms::owner_all);
  CHECK(scratch.file("b").parent_path() == second);
  fs::permissions(second, fs::perms::all);
  fs::path const third = scratch.file("a").parent_path();
  CHECK(third != second);
  CHECK(fs::status(third).permissions() == fs::perms::owner_all);
  fs::remove_all(second);
}

TEST_CASE("No file outside the folder is opened under any name") {
  Scratch const scratch;
  namespace fs = std::filesystem;
  fs::create_directories(scratch.file("inside/below"));
  for (char const* name : {"inside/a.yaml", "inside/below/b.yaml", "outside.yaml"}) {
    std::ofstream(scratch.file(name)) << "x\n";
  }
  fs::create_symlink(scratch.file("outside.yaml"), scratch.file("inside/link.yaml"));
  fs::create_symlink(scratch.file("inside/a.yaml"), scratch.file("inside/alias.yaml"));
  fs::path const inside = scratch.file("inside");
  CHECK(file_inside(inside, "a.yaml"));
  CHECK(file_inside(inside, "below/b.yaml"));
  CHECK(file_inside(inside, "below/../a.yaml"));
  CHECK(file_inside(inside, "alias.yaml"));
  for (std::string const name :
       {"../outside.yaml", "below/../../outside.yaml", "link.yaml", "", ".", "below", "no.yaml",
        "/etc/passwd", "-a.yaml", "//etc/passwd", "../inside2/a.yaml"}) {
    CAPTURE(name);
    CHECK_FALSE(file_inside(inside, name));
  }
  CHECK_FALSE(file_inside(inside, std::string("a.yaml\0x", 8)));
  CHECK_FALSE(file_inside(scratch.file("gone"), "a.yaml"));
}

}  // namespace gridcast::serve

#!/usr/bin/env bash
# SimGrid's clock advances in every run; pools are read from SimGrid platform files; an old SimGrid is
# refused.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1
command -v cc >/dev/null || { echo "needs a C compiler"; exit 77; }

# Loaded into the program: each process reports SimGrid's clock when it exits.
cat >clock.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((destructor)) static void report(void) {
  double (*get_clock)(void) = (double (*)(void))dlsym(RTLD_DEFAULT, "simgrid_get_clock");
  FILE* file = fopen(getenv("CLOCKS"), "a");
  if (!file) return;
  fprintf(file, "%.17g\n", get_clock ? get_clock() : -1);
  fclose(file);
}
END
cat >old.c <<'END'
void sg_version_get(int* major, int* minor, int* patch) { *major = 3; *minor = 21; *patch = 0; }
END
for library in clock old; do
  cc -shared -fPIC -o "$library.so" "$library.c" -ldl || complain "$library.c does not compile"
done

# advances VERB ARGUMENT...: some process of the verb has moved SimGrid's clock by an hour at least.
advances() {
  rm -f clocks
  run env CLOCKS="$work/clocks" LD_PRELOAD="$work/clock.so" "$GRIDCAST" "$@"
  expect 0 "$1 with a preloaded library"
  sort -g clocks | tail -n 1 | awk '{ exit !($1 > 3600) }' || complain "$1: SimGrid's clock stands still"
}
if ! ldd "$GRIDCAST" | grep -q 'lib[at]san'; then
  advances run "$scenario" --out campaign
  advances predict "$scenario" -n 4
  advances compare "$scenario" -n 4
  advances replay campaign/events.log --scenario "$scenario"
  head -n 400 campaign/events.log >part.log
  advances forecast part.log --running
  advances optimize "$scenario" --budget '3 campaigns'

  run env LD_PRELOAD="$work/old.so" "$GRIDCAST" forecast --once "$scenario"
  expect 2 "forecast --once with an old SimGrid"
  says err 'SimGrid 3.21 is too old .*3.32' "forecast --once with an old SimGrid"
  [[ $(wc -l <err) == 1 ]] || complain "an old SimGrid: more than one message"
fi

# in_pool TEXT: a scenario of the published campaign with that pool.
in_pool() {
  printf 'schema: gridcast.pool/1\n%s\n' "$1" >pool.yaml
  sed -e 's,^pool: .*,pool: pool.yaml,' \
    -e "s,^calibration: .*,calibration: $GRIDCAST_SOURCE/calibration/fitted/osg-imagenet.yaml," \
    "$scenario" >scenario.yaml
}

# SimGrid itself loads a platform that gridcast wrote, and finds its hosts and the links of a route.
run "$GRIDCAST" export platform "$scenario" -o grid.xml
expect 0 "export platform"
cat >load.cpp <<'END'
#include <simgrid/s4u.hpp>
#include <algorithm>
#include <cstdio>
int main(int, char** argv) {
  auto* engine = simgrid::s4u::Engine::get_instance();
  engine->load_platform(argv[1]);
  std::printf("hosts %zu\n", engine->get_host_count());
  for (auto* host : engine->get_all_hosts()) {
    if (host->get_property("role")) continue;
    double latency = 0, least = 1e300;
    std::vector<simgrid::s4u::Link*> links;
    engine->host_by_name("origin")->route_to(host, links, &latency);
    for (auto* link : links) least = std::min(least, link->get_bandwidth());
    std::printf("%s %.17g\n", host->get_cname(), least);
  }
}
END
if c++ -std=c++17 -o load load.cpp -lsimgrid 2>/dev/null; then
  run ./load grid.xml
  expect 0 "SimGrid loads the platform"
  python3 - grid.xml out <<'END' || complain "SimGrid finds another platform than the file's"
import sys
import xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
bandwidth = {link.get("id"): float(link.get("bandwidth")[:-3]) for link in root.iter("link")}
lines = open(sys.argv[2]).read().splitlines()
assert lines[0] == "hosts %d" % len(list(root.iter("host")))
found = dict(line.rsplit(" ", 1) for line in lines[1:])
origin = ["origin.link", "origin-zone.uplink", "origin-zone.stream-limit"]
for zone in root.find("zone").findall("zone"):
    for host in zone.findall("host"):
        if host.find("prop[@id='role']") is not None:
            continue
        name, site = host.get("id"), zone.get("id")
        links = origin + [site + ".uplink", site + ".stream-limit", name + ".link"]
        assert float(found.pop(name)) == min(bandwidth[link] for link in links), name
assert not found
END
fi
in_pool 'platform: grid.xml'
run "$GRIDCAST" forecast --once scenario.yaml --json
expect 0 "forecast --once on a platform file"
json "d['metrics']['jobs'] == 100 and d['metrics']['succeeded'] > 0" "forecast --once on a platform file"
run "$GRIDCAST" forecast --once scenario.yaml --network maxmin --json
expect 0 "forecast --once on a platform file with SimGrid's flows"

# A platform of somebody else: two sites behind one backbone, no properties.
cat >other.xml <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <cluster id="lyon" prefix="lyon-" suffix="" radical="0-9" speed="1Gf" core="4" bw="1GBps" lat="0s" bb_bw="5GBps" bb_lat="0s"/>
    <cluster id="nancy" prefix="nancy-" suffix="" radical="0-4" speed="1Gf" core="2" bw="1GBps" lat="0s"/>
    <link id="backbone" bandwidth="2GBps" latency="0s"/>
    <zoneRoute src="lyon" dst="nancy" gw_src="lyon-lyon_router" gw_dst="nancy-nancy_router">
      <link_ctn id="backbone"/>
    </zoneRoute>
  </zone>
</platform>
END
in_pool 'platform: other.xml'
run "$GRIDCAST" export csv scenario.yaml --table sites
expect 0 "tables on somebody else's platform"
says out '^lyon' "sites of somebody else's platform"
says out '^nancy' "sites of somebody else's platform"

# sites_of FILE: NAME SLOTS UPLINK NODE-LINK of each site, by the pool that gridcast reads.
sites_of() {
  in_pool "platform: $1"
  "$GRIDCAST" export platform scenario.yaml -o again.xml --force >/dev/null 2>err || return
  python3 - again.xml <<'END'
import sys
import xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
links = {link.get("id"): float(link.get("bandwidth")[:-3]) for link in root.iter("link")}
for zone in root.find("zone").findall("zone"):
    hosts = [host for host in zone.findall("host") if host.find("prop[@id='role']") is None]
    if hosts:
        print(zone.get("id"), zone.find("prop[@id='slots']").get("value"),
              "%g" % links[zone.get("id") + ".uplink"], "%g" % links[hosts[0].get("id") + ".link"])
END
}
# Ten hosts behind 1 GB/s each can fill the backbone of 2 GB/s, so no host's own link is an uplink.
sites_of other.xml >found
grep -qx 'lyon 40 2e+09 1e+09' found && grep -qx 'nancy 10 2e+09 1e+09' found ||
  complain "links of somebody else's platform: $(cat found err)"

# SimGrid ends its process in a query of a route between zones without coordinates.
cat >coordinates.xml <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Vivaldi">
    <zone id="here" routing="Full"><host id="h" speed="1Gf" core="3"/></zone>
    <zone id="there" routing="Full"><host id="t" speed="1Gf" core="5"/></zone>
  </zone>
</platform>
END
in_pool 'platform: coordinates.xml'
run "$GRIDCAST" export csv scenario.yaml --table sites
expect 0 "a platform of zones without routes"
says err "no link leads to the hosts of zone 'here'" "a platform of zones without routes"
says out '^there' "a platform of zones without routes"

# Hosts of two kinds are two sites. No slot of a host without GPUs fits; a host without slots is no node.
cat >kinds.xml <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="campus" routing="Full">
    <host id="large" speed="1Gf" core="8"/>
    <host id="small" speed="1Gf" core="2"><prop id="gpus" value="0"/></host>
    <host id="gate" speed="1Gf" core="4"><prop id="slots" value="0"/></host>
  </zone>
</platform>
END
sites_of kinds.xml >found
[[ $(cut -d' ' -f1,2 found | tr '\n' ,) == 'campus 8,campus-2 0,' ]] || complain "kinds of hosts: $(cat found err)"
run "$GRIDCAST" forecast --once scenario.yaml --json
expect 0 "forecast --once on hosts of two kinds"
json "set(d['sites']) == {'campus'}" "jobs with GPUs on hosts without GPUs"
says err "zone 'campus' are of 2 kinds" "hosts of two kinds"

# Alone, a cluster has the backbone that its hosts share as its uplink.
sed -e '/id="nancy"/d' -e '/<link id="backbone"/d' -e '/<zoneRoute/,/<\/zoneRoute>/d' other.xml >alone.xml
sites_of alone.xml >found
grep -qx 'lyon 40 5e+09 1e+09' found || complain "links of a cluster alone: $(cat found err)"

# refused FILE PATTERN WHAT
refused() {
  in_pool "platform: $1"
  run "$GRIDCAST" forecast --once scenario.yaml
  expect 2 "$3"
  says err "pool.yaml:2:[0-9]+: platform: .*$2" "$3"
  [[ $(wc -l <err) == 1 ]] || complain "$3: more than one message"
}
refused none.xml 'no such file' "a platform file that is not there"
echo '<platform' >cut.xml
refused cut.xml 'SimGrid cannot load' "a platform file that is no XML"
sed 's,routing="Full",routing="Fulll",' grid.xml >routing.xml
refused routing.xml 'SimGrid cannot load' "a platform file with an unknown routing"
sed 's,<prop id="slots" value="[0-9]*"/>,<prop id="slots" value="many"/>,' grid.xml >many.xml
refused many.xml "the property 'slots' of .* is 'many'" "a platform file with a property that is no number"
sed 's,gw_dst="nancy-nancy_router",gw_dst="metz",' other.xml >gateway.xml
refused gateway.xml 'SimGrid cannot load' "a platform file with an unknown gateway"
cat >empty.xml <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Full"/></platform>
END
refused empty.xml 'contains no site' "a platform file without a site"
in_pool $'platform: grid.xml\nsites: [{name: A, slots: 1}]'
run "$GRIDCAST" forecast --once scenario.yaml
expect 2 "a platform beside sites"
says err "no place beside 'sites'" "a platform beside sites"

exit $exit_status

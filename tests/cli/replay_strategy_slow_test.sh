#!/usr/bin/env bash
# A replay notices every key in which a strategy differs from that of the record: it names the key, and
# simulates the strategy instead of repeating the record. The keys are those of the schema.
source "$(dirname -- "$0")/check.sh"

# One job: its transfer stalls twice, then it gets through.
head -n 1 "$table" >"$work/one.csv"
python3 - "$table" >>"$work/one.csv" <<'END'
import csv, sys
with open(sys.argv[1], newline="") as file:
    rows = [row for row in csv.DictReader(file) if row["outcome"] == "success" and int(row["stalls"]) > 1]
csv.DictWriter(sys.stdout, rows[0].keys(), lineterminator="\n").writerow(rows[0])
END

# A scenario with a strategy for each key that differs from the record's in that key alone. Prints their
# names and keys.
python3 - "$GRIDCAST_SOURCE" "$work/keys.yaml" >"$work/keys" <<'END'
import json, pathlib, re, sys
source, file = map(pathlib.Path, sys.argv[1:])
schema = json.loads((source / "docs/scenario.schema.json").read_text())
strategy = schema["definitions"]["scenario"]["properties"]["strategies"]["additionalProperties"]

def other(path, key, fallback):
    """A value of the key that is not its default."""
    if path[0] == "software":
        return "25.6.1"
    if "enum" in key:
        return next(word for word in reversed(key["enum"]) if word != fallback)
    if key["type"] == "boolean":
        return "false" if fallback == "true" else "true"
    if key["type"] == "integer":
        return "3" if fallback != "3" else "5"
    if key["type"] == "string" and "pattern" in key:
        return "7 s..8 s" if r"\.\." in key["pattern"] else "7 s"
    return "NumHolds < 3"

def leaves(properties, path=()):
    for name, key in properties.items():
        if "properties" in key:
            yield from leaves(key["properties"], path + (name,))
        else:
            fallback = re.search(r"\(default: ([^)]*)\)$", key.get("description", ""))
            yield path + (name,), other(path + (name,), key, fallback and fallback[1])

# The catalogue's workloads alone have these, and a scenario without one refuses them.
# Hosts have names in campaigns that repeat a record alone. The sites have one GPU in a slot.
refused = {("submit", "gpus"), ("training", "data"), ("training", "profile"), ("checkpoint", "every_steps"), ("checkpoint", "every"),
           ("match", "avoid_hosts")}
# Words for people, and people's work: they change no campaign.
for words in ("about", "work"):
    del strategy["properties"][words]
given = list(leaves(strategy["properties"]))
assert len(given) > 30 and refused <= {path for path, _ in given}, given
together = {"avoid_site": {"after_stalls": 2, "for": "2 h"}}
beside = {"jobs_at_a_time": "jobs_at_a_time: {}, every: 1 h"}
lines = []
for path, value in given:
    if path in refused:
        continue
    entry = value
    for name in reversed(path[1:]):
        entry = f"{{{name}: {entry}}}" if name not in together else "{%s: {%s}}" % (
            name, ", ".join(f"{key}: {usual}" for key, usual in {**together[name], path[-1]: value}.items()))
    if path[-1] == "on_transfer_failure":
        entry = "{on_transfer_failure: hold}"
    if path[-1] == "jobs_in_one":
        entry = "{jobs_in_one: 2}"  # submissions of 50 jobs
    if path[-1] in beside:
        entry = "{%s}" % beside[path[-1]].format(value)
    name = "-".join(path)
    lines.append(f"  {name}: {{{path[0]}: {entry}}}")
    print(name, ".".join(path))
text = (source / "scenarios/osg-imagenet.yaml").read_text()
text = text.replace("pool: ", f"pool: {source}/scenarios/").replace("../calibration", f"{source}/calibration")
first = "  published:\n    about: No change.\n"
assert first in text
file.write_text(text.replace(first, first + "\n".join(lines) + "\n"))
END

run "$GRIDCAST" compare "$work/one.csv" --scenario "$work/keys.yaml" -n 3 -j 1 --json
expect 0 "the recorded strategy"
json 'd["deterministic"]' "the recorded strategy"
((exit_status)) && exit "$exit_status"

while read -r name key; do
  run "$GRIDCAST" compare "$work/one.csv" --scenario "$work/keys.yaml" --strategy "$name" -n 3 -j 1 --json
  expect 0 "$key"
  says err "^$name differs from published, the strategy of the record, in (.*, )?$key(,|$)" "$key"
  json 'not d["deterministic"] or any(row["relative_difference"] for row in d["metrics"].values())' "$key"
done <"$work/keys"
(($(wc -l <"$work/keys") > 30)) || complain "few keys: $(wc -l <"$work/keys")"

exit $exit_status

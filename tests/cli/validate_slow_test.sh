#!/usr/bin/env bash
# `gridcast validate`: forecasts scored as table, JSON, CSV and page, recovery likewise, and what is
# refused.
source "$(dirname -- "$0")/check.sh"
export COLUMNS=200

pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool

run "$GRIDCAST" calibrate "$pool"/c5-json/{c5-json.log,history.json} --draws 50 -o "$work/c5.yaml"
expect 0 "calibrate"
scored=(validate "$work/c5.yaml" --against "$pool/c6-xml" --work-word 1 -n 20)

run "$GRIDCAST" "${scored[@]}"
expect 0 "scores"
says out "^90 % intervals held [0-9]+ of [0-9]+ figures: " "coverage"
says out "^CRPS skill over the last campaign: " "skill"
text=$(cat "$work/out")

# Without its own record a calibration has no plain guess to be scored against, and says so.
cp "$pool/c5-json/c5-json.log" "$work/gone.log"
run "$GRIDCAST" calibrate "$work/gone.log" --draws 50 -o "$work/gone.yaml"
rm "$work/gone.log"
run "$GRIDCAST" validate "$work/gone.yaml" --against "$pool/c6-xml" --work-word 1 -n 20
expect 0 "scores without a guess"
says out "^CRPS skill over the last campaign: no guess is there" "no guess"
says err "gone\.log is not here with the SHA-256.*--last RECORD" "why there is no guess"

page=
has_page && page=--report
run "$GRIDCAST" "${scored[@]}" --json --csv "$work/tables" ${page:+"$page" "$work/scores.html"}
expect 0 "scores as JSON, CSV and page"
says out '"schema": "gridcast.validation/1"' "the schema"
cases=$(grep -oP '^  "cases": \K[0-9]+' "$work/out")
grep -q "held [0-9]* of $cases figures" <<<"$text" || complain "table and JSON score as many figures"
counted=$(grep -c ',yes,' "$work/tables/scores.csv")
[[ $counted == "$cases" ]] || complain "the CSV counts $counted figures, the JSON $cases"
[[ -z $page ]] || grep -q "90 % intervals held [0-9]* of $cases figures" "$work/scores.html" ||
  complain "the page says what the table says"

run "$GRIDCAST" "${scored[@]}" --report "$work/scores.html"
expect 2 "a page that is there"
run "$GRIDCAST" "${scored[@]}" --csv "$work/tables" --report "$work/c5.yaml" --force
expect 2 "a page over an input"
grep -q "^schema: gridcast.calibration/1" "$work/c5.yaml" || complain "the input is as it was"

# Of campaigns of six jobs. In shards: the bytes of one process; a lost one is played again.
mkdir -p "$work/few/pools"
cp -r "$GRIDCAST_SOURCE/calibration/fitted" "$GRIDCAST_SOURCE/scenarios/pools" "$work/few/"
sed 's|\.\./calibration/fitted/|fitted/|; s|submit: .*|submit: [{at: 0 s, jobs: 6}]|' "$scenario" \
  >"$work/few/campaign.yaml"
recover=(validate --recover 3 "$work/few/campaign.yaml" --seed 2)
run "$GRIDCAST" "${recover[@]}" ${page:+"$page" "$work/recovery.html"}
expect 0 "recovery"
says out "^True values inside their 90 % intervals: " "recovery in words"
[[ -z $page ]] || grep -q "True values inside their 90 % intervals: " "$work/recovery.html" ||
  complain "recovery as a page"
run "$GRIDCAST" "${recover[@]}" --json --csv "$work/recovered"
expect 0 "recovery as JSON"
cp "$work/out" "$work/recovery.json"
run "$GRIDCAST" "${recover[@]}" --on local --study "$work/shards" --shard-size 2 --json --csv "$work/gathered"
expect 0 "recovery in two shards"
cmp -s "$work/out" "$work/recovery.json" || complain "recovery in two shards: other bytes"
diff -r "$work/recovered" "$work/gathered" >/dev/null || complain "recovery in two shards: other tables"
rm "$work/shards/results/2-3".*
run "$GRIDCAST" study gather "$work/shards" --json
expect 3 "recovery of a part"
json 'd["campaigns"] == 2 and d["requested"] == 3 and d["partial"]' "recovery of a part"
run "$GRIDCAST" study resume "$work/shards" --json
expect 0 "recovery of what was missing"
cmp -s "$work/out" "$work/recovery.json" || complain "recovery of what was missing: other bytes"

# Forged ones whose hashes are right: a number less in one campaign, and a rank that is none.
cp -r "$work/shards" "$work/forged"
python3 - "$work"/forged/results/{0-2,2-3}.* <<'END'
import hashlib, json, struct, sys

def forge(file, change):
    first, head, body = open(file, "rb").read().split(b"\n", 2)
    number, n = struct.unpack_from("<II", body)
    record = list(struct.unpack_from(f"<{n}d", body, 8))
    change(record)
    body = struct.pack(f"<II{len(record)}d", number, len(record), *record) + body[8 + 8 * n:]
    head = json.dumps({**json.loads(head), "bytes": len(body)}).encode()
    digest = hashlib.sha256(head + b"\n" + body).hexdigest().encode()
    open(file, "wb").write(b" ".join(first.split()[:2] + [digest]) + b"\n" + head + b"\n" + body)

def rank(record): record[1] = 2.0
for file, change in zip(sys.argv[1:], [lambda record: record.pop(), rank]):
    forge(file, change)
END
run "$GRIDCAST" study gather "$work/forged" --json
expect 3 "recovery of what was forged"
says err '2 of 2 shards have no result yet \(2 are damaged\)' "recovery of what was forged"
run "$GRIDCAST" study resume "$work/forged" --json
expect 0 "recovery of what was forged, resumed"
cmp -s "$work/out" "$work/recovery.json" || complain "recovery of what was forged, resumed: other bytes"

# Of what is left out, too: of shards that cross from one forecast to the next.
shards_of() {  # NAME ARGUMENT...
  local name=$1
  shift
  run "$GRIDCAST" validate "$@" -n 10 --json
  expect 0 "$name in one process"
  cp "$work/out" "$work/$name.json"
  run "$GRIDCAST" validate "$@" -n 10 --on local --study "$work/$name" --shard-size 7 --json
  expect 0 "$name in shards"
  cmp -s "$work/out" "$work/$name.json" || complain "$name in shards: other bytes"
}
shards_of site "$pool/c6-xml" --leave-one site
shards_of rest "$pool/c4-retry" "$pool/c6-xml" --leave-one campaign
shards_of each "$pool/c4-retry" "$pool/c6-xml" --leave-one campaign --from each

exit $exit_status

#!/usr/bin/env bash
# gridcast open: who is answered, what is opened, and that a tab that is closed ends its study.
source "$(dirname -- "$0")/check.sh"
cd "$GRIDCAST_SOURCE" || exit 1

[[ -e $(dirname -- "$GRIDCAST")/page/open.html ]] || { echo "skipped: the page could not be made"; exit 77; }

# Without memory for its threads there is no address, and the message names the remedy.
(ulimit -v 600000; "$GRIDCAST" open --no-browser scenarios/osg-imagenet.yaml >"$work/out" 2>"$work/err")
[[ $? -eq 1 && ! -s $work/out ]] || complain "open without memory for threads"
says err 'threads can be started .*ulimit -v' "open without memory for threads"

# The last line of a stream is what predict prints, to the byte.
run "$GRIDCAST" open scenarios/osg-imagenet.yaml --stream -n 40 --set campaign.request.gpus=1
expect 0 "open --stream"
cp "$work/out" "$work/stream"
run "$GRIDCAST" forecast scenarios/osg-imagenet.yaml -n 40 --set campaign.request.gpus=1 --json --quiet
python3 - "$work/stream" "$work/out" <<'PYTHON' || complain "open --stream is not predict"
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
assert len(lines) >= 2, lines
assert [line["last"] for line in lines] == [False] * (len(lines) - 1) + [True]
assert [line["replicas"] for line in lines] == sorted(line["replicas"] for line in lines)
assert lines[-1]["replicas"] == 40
assert lines[-1]["result"] == open(sys.argv[2]).read()
# The early text is the beginning of the last one.
first, last = lines[0], lines[-1]
assert last["values"]["makespan_s"][: first["replicas"]] == first["values"]["makespan_s"]
PYTHON

# All strategies in turn; the choice is that of compare, in its words.
run "$GRIDCAST" open scenarios/osg-imagenet.yaml --stream --compare -n 60
expect 0 "open --stream --compare"
cp "$work/out" "$work/stream"
COLUMNS=80 run "$GRIDCAST" compare scenarios/osg-imagenet.yaml -n 60 --quiet
python3 - "$work/stream" "$work/out" <<'PYTHON' || complain "open --stream --compare is not compare"
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
assert [line["replicas"] for line in lines] == [10, 50, 60], [line["replicas"] for line in lines]
assert [line["last"] for line in lines] == [False, False, True]
last = lines[-1]
terminal = " ".join(open(sys.argv[2]).read().split())
assert terminal.startswith(last["verdict"]), (last["verdict"], terminal)
assert len(last["strategies"]) == 14
rows = {each["name"]: each for each in last["strategies"]}
# No job runs under this strategy: it is not fast.
assert rows["htcondor-native"]["time"] == "never", rows["htcondor-native"]
assert set(rows["htcondor-native"]["values"]["makespan_s"]) == {"never"}
best = last["strategies"][0]
assert best["time"].split()[0] in terminal and best["gpu_hours"].split()[0] in terminal
PYTHON

# start ARGUMENT...: a server, its process in $server and its address in $address.
start() {
  : >"$work/address"  # as an earlier one left it
  "$GRIDCAST" open --no-browser "$@" >"$work/address" 2>"$work/err" </dev/null &
  server=$!
  for _ in $(seq 100); do
    [[ -s $work/address ]] && break
    sleep 0.1
  done
  address=$(head -n 1 "$work/address")
}

start scenarios/osg-imagenet.yaml
python3 - "$address" "$server" <<'PYTHON' || complain "open: asked by friends and foes"
import json, os, random, re, socket, sys, time, urllib.parse
address, server = urllib.parse.urlparse(sys.argv[1]), int(sys.argv[2])
port, root = address.port, address.path
ours = {"Host": "127.0.0.1:%d" % port}

def raw(text, wait=10):
    s = socket.create_connection(("127.0.0.1", port), timeout=wait)
    s.sendall(text)
    answer = b""
    try:
        while True:
            part = s.recv(65536)
            if not part:
                break
            answer += part
    except (ConnectionResetError, socket.timeout):
        pass
    s.close()
    return answer

def ask(method, path, body=b"", **headers):
    head = dict(ours, **{k.replace("_", "-"): v for k, v in headers.items()})
    if method == "POST":
        head.setdefault("Content-Type", "application/json")
        head["Content-Length"] = str(len(body))
    text = "%s %s HTTP/1.1\r\n" % (method, path)
    text += "".join("%s: %s\r\n" % pair for pair in head.items()) + "\r\n"
    answer = raw(text.encode() + body)
    status = int(answer.split(b" ", 2)[1]) if answer else 0
    return status, answer.partition(b"\r\n\r\n")[2], answer

def dechunked(body):
    text = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        text += body[: int(size, 16)]
        body = body[int(size, 16) + 2 :]
    return text

status, page, whole = ask("GET", root)
assert status == 200 and b"<title>gridcast</title>" in page, whole[:200]
assert b"no-referrer" in whole and b"frame-ancestors 'self'" in whole
assert b"Access-Control-Allow-Origin" not in whole
assert ask("GET", root + "start")[0] == 200
assert ask("GET", root + "scenario?file=scenarios/osg-imagenet.yaml")[0] == 200

# Lessons are not among the scenarios: their files contain the answers.
start_words = json.loads(ask("GET", root + "start")[1])
assert "scenarios/osg-imagenet.yaml" in start_words["scenarios"]
assert not [each for each in start_words["scenarios"] if "teaching/" in each], start_words["scenarios"]

# Nobody else: no token, another host, a page of another origin, a form.
assert ask("GET", "/")[0] == 403
assert ask("GET", "/start")[0] == 403
assert ask("GET", root + "start", Host="evil.example:%d" % port)[0] == 403
assert ask("GET", root + "start", Origin="http://evil.example")[0] == 403
assert ask("GET", root + "start", Sec_Fetch_Site="cross-site")[0] == 403
assert ask("POST", root + "ask", b"{}", Content_Type="text/plain")[0] == 415
assert ask("OPTIONS", root + "ask", Origin="http://evil.example")[0] == 403

# Nothing outside the folder.
for name in ("../../etc/passwd", "/etc/passwd", "..%2f..%2fetc%2fpasswd", "docs/../../../etc/passwd"):
    status, body, _ = ask("GET", root + "scenario?file=" + name)
    assert status == 400 and b"root:" not in body, (name, status, body)
for path in ("pages/../../etc/passwd", "pages/1", "pages/..%2f..%2fetc%2fpasswd", "../../etc/passwd"):
    assert ask("GET", root + path)[0] in (403, 404), path
bad = {"scenario": "scenarios/osg-imagenet.yaml", "set": [{"path": "pool", "value": "/etc/passwd"}]}
assert ask("POST", root + "ask", json.dumps(bad).encode())[0] == 400

# The asker mends a mistake in a question, and its message names no file.
page = {"scenario": "scenarios/osg-imagenet.yaml", "kind": "run"}
for wrong in ({"kind": 1}, {"kind": []}, {"replica": -1}, {"replica": 4294967296}, {"replica": 1.5}):
    status, body, _ = ask("POST", root + "page", json.dumps(dict(page, **wrong)).encode())
    assert status == 400 and body.startswith(b"question: "), (wrong, status, body)
for wrong in (b'{"scenario": ', b"nul", b"1e999", b"\xff"):
    status, body, _ = ask("POST", root + "ask", wrong)
    assert status == 400 and body.startswith(b"question:"), (wrong, status, body)

# Limits.
assert ask("POST", root + "ask", b"x" * 100000)[0] == 413
assert ask("POST", root + "ask", b"{" * 30000)[0] == 400
start = b"GET %sstart HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % (root.encode(), port)
assert raw(b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 100000).startswith(b"HTTP/1.1 431 ")
assert raw(b"GET /" + b"a" * 500000).startswith(b"HTTP/1.1 414 ")
assert raw(start + b"Transfer-Encoding: chunked\r\n\r\n").startswith(b"HTTP/1.1 411 ")
assert raw(start + b"Content-Encoding: gzip\r\nContent-Length: 9\r\n\r\n").startswith(b"HTTP/1.1 415 ")
ranged = raw(start + b"Range: bytes=" + b",".join([b"0-0"] * 1000) + b"\r\n\r\n")
assert ranged.startswith(b"HTTP/1.1 200 ") and len(ranged) < 100000, ranged[:100]
memory = int(re.search(r"VmHWM:\s+(\d+)", open("/proc/%d/status" % server).read())[1])
assert memory < 200000, "%d kB of memory" % memory

# A thousand bad requests of every kind, and it still answers.
random.seed(1)
words = [root, root + "ask", root + "pages/9", "/", "*", "/../", root + "%00", root + "start?" + "a" * 500]
for i in range(1000):
    kind = i % 5
    if kind == 0:
        text = bytes(random.randrange(256) for _ in range(random.randrange(1, 200))) + b"\r\n\r\n"
    elif kind == 1:
        text = ("%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: %s\r\nConnection: close\r\n\r\n" % (
            random.choice(["GET", "POST", "PUT", "DELETE", "TRACE", "CONNECT", "X"]), random.choice(words), port,
            random.choice(["0", "-1", "99999999999999999999", "x"]))).encode()
    elif kind == 2:
        text = ("GET %s HTTP/1.1\r\n" % random.choice(words) + "A: b\r\n" * random.randrange(200) + "\r\n").encode()
    elif kind == 3:
        body = random.choice([b"", b"[]", b"{}", b"nul", b'{"scenario": {}}', b'{"do": []}', b"\xff\xfe"])
        text = ("POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % (
            root + random.choice(["ask", "page", "lesson", "cancel"]), port, len(body))).encode() + body
    else:
        text = b"GET / HTTP/1.1\r\n\r\n"
    try:
        s = socket.create_connection(("127.0.0.1", port), timeout=10)
        s.sendall(text)
        if i % 7:
            s.settimeout(0.02)
            try:
                s.recv(100)
            except socket.timeout:
                pass
        s.close()
    except (BrokenPipeError, ConnectionResetError):
        pass
assert ask("GET", root + "start")[0] == 200
os.kill(server, 0)

# Headers and bodies that do not come hold nobody up, and are not waited for.
slow = []
for i in range(300):
    s = socket.create_connection(("127.0.0.1", port), timeout=10)
    s.sendall(b"GET / HTTP/1.1\r\nA")
    slow.append(s)
for i in range(120):
    s = socket.create_connection(("127.0.0.1", port), timeout=10)
    s.sendall(("POST %sask HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{" % (
        root, port)).encode())
    slow.append(s)
begun = time.time()
assert ask("GET", root + "start")[0] == 200
assert time.time() - begun < 3, "held up for %.1f s by slow bodies" % (time.time() - begun)
assert slow[0].recv(100) == b"", "the oldest of too many connections is closed"
time.sleep(5)
assert slow[-1].recv(100).startswith(b"HTTP/1.1 408 "), "a body is waited for"
for s in slow:
    s.close()

# A study, streamed; a closed connection ends it, and with it all its processes.
question = {"scenario": "scenarios/osg-imagenet.yaml", "strategy": "published", "replicas": 30, "seed": 1, "set": []}
status, body, _ = ask("POST", root + "ask", json.dumps(question).encode())
assert status == 200
lines = [json.loads(line) for line in dechunked(body).splitlines() if line.strip()]
assert lines[-1]["exit"] == 0 and lines[-2]["last"] and lines[-2]["replicas"] == 30, lines[-1]

def children():
    of = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            of[int(pid)] = int(open("/proc/%s/stat" % pid).read().rpartition(")")[2].split()[1])
        except OSError:
            pass
    return [pid for pid, parent in of.items() if parent == server]

body = json.dumps(dict(question, replicas=10000)).encode()
s = socket.create_connection(("127.0.0.1", port))
s.sendall(("POST %sask HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % (root, port, len(body))).encode() + body)
s.settimeout(60)
begun = b""
while b"gridcast.answer/1" not in begun:
    part = s.recv(65536)
    assert part, begun
    begun += part
assert children(), "a study has a process"
s.close()
for _ in range(50):
    if not children():
        break
    time.sleep(0.1)
assert not children(), "a closed tab ends its study"
PYTHON
# Nobody is waited for, neither one who is slow nor one who says nothing.
python3 - "$address" "$server" <<'PYTHON' || complain "Ctrl-C with connections that are open"
import os, signal, socket, sys, time, urllib.parse
address, server = urllib.parse.urlparse(sys.argv[1]), int(sys.argv[2])
there = [socket.create_connection((address.hostname, address.port)) for _ in range(5)]
for each in there[1:]:
    each.sendall(b"GET / HTTP/1.1\r\nHo")
time.sleep(0.3)
begun = time.time()
os.kill(server, signal.SIGINT)
there[0].settimeout(10)
assert there[0].recv(1) == b"", "the connection is ended"
def runs():
    try:
        return open(f"/proc/{server}/stat").read().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # it can end between opening and reading
        return False
while time.time() < begun + 10 and runs():
    time.sleep(0.05)
assert time.time() - begun < 2.5, "it took %.1f s to end" % (time.time() - begun)
PYTHON
wait "$server"
(($? == 0)) || complain "Ctrl-C is the end of it, and no failure"

# The port is this user's, the same each time, by which browsers keep how far a student is; a second
# one meanwhile gets another. Other tests may have it for a while.
own_port=$((20000 + $(id -u) % 10000))
again=no
for _ in $(seq 20); do
  start
  first=$server
  if [[ $address == http://127.0.0.1:$own_port/* ]]; then
    start
    [[ $address == http://127.0.0.1:$own_port/* || $address != http://* ]] && complain "two with one port"
    kill -INT "$server"
    wait "$server"
    kill -INT "$first"
    wait "$first"
    start
    first=$server
    [[ $address == http://127.0.0.1:$own_port/* ]] && again=yes
  fi
  kill -INT "$first"
  wait "$first"
  [[ $again == yes ]] && break
  sleep 1
done
[[ $again == yes ]] || complain "it has another port each time"

# A terminal that is closed takes the temporary folders with it, of a page and of a stream; not under nohup.
mkdir "$work/tmp"
TMPDIR=$work/tmp start --idle '20 min'
says err 'nobody has asked anything for 20 min' "open --idle"
[[ -n $(ls "$work/tmp") ]] || complain "open has no temporary folder"
kill -HUP "$server"
wait "$server" || complain "SIGHUP is the end of it, and no failure"
[[ -z $(ls "$work/tmp") ]] || complain "SIGHUP left $(ls "$work/tmp")"
TMPDIR=$work/tmp "$GRIDCAST" open scenarios/osg-imagenet.yaml --stream -n 10000 >"$work/streaming" 2>"$work/err" </dev/null &
streaming=$!
for _ in $(seq 600); do
  [[ -s $work/streaming ]] && break
  sleep 0.1
done
[[ -n $(ls "$work/tmp") ]] || complain "open --stream has no temporary folder"
kill -HUP "$streaming"
wait "$streaming"
(($? == 130)) || complain "open --stream is not interrupted by SIGHUP"
[[ -z $(ls "$work/tmp") ]] || complain "SIGHUP left $(ls "$work/tmp") of a stream"
(
  trap '' HUP
  start
  kill -HUP "$server"
  sleep 1
  kill -INT "$server" || complain "open under nohup ends with its terminal"
  wait "$server"
  exit "$exit_status"
) || exit_status=1

# The log of a campaign that is still running, behind its submit file: the page asks for its rest, also with a
# change, and for the report of the log.
head -n 400 calibration/data/htcondor-pool/c1-sweep/c1-sweep.log >"$work/running.log"
start calibration/data/htcondor-pool/c1-sweep/job.sub "$work/running.log"
python3 - "$address" <<'PYTHON' || complain "open of a running log"
import json, sys, urllib.request
def rest(*changes, **other):
    body = json.dumps({"changes": changes, **other}).encode()
    request = urllib.request.Request(sys.argv[1] + "running", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)
answer = rest("release", "limit:1 h")
forecast = json.loads(answer["out"])
assert answer["exit"] == 0 and forecast["jobs"]["all"] == 80 > forecast["jobs"]["over"], answer
assert "address" in rest(do="page"), "a report of the campaign so far"
assert rest(do=7)["exit"] == 0, "a number instead of an action ends the answer"
refused = rest("release; ls")
assert refused["exit"] == 1 and "--change" in refused["complaints"], refused
PYTHON
kill -INT "$server"
wait "$server"

# A submit file keeps its name, in the answers as in the reports; beside its strategy are those of compare.
printf 'executable = x\nrequest_gpus = 1\nqueue 5\n' >"$work/my job.sub"
start "$work/my job.sub"
python3 - "$address" "$work/my job.sub" <<'PYTHON' || complain "open of a submit file"
import json, sys, urllib.parse, urllib.request
address, job = sys.argv[1:]
def get(what):
    return json.load(urllib.request.urlopen(address + what))
start, about = get("start"), get("scenario?file=" + urllib.parse.quote(job))
assert start["scenario"] == about["scenario"] == job and about["work"] == [job], (start, about)
assert about["strategies"] == ["submitted", "auto-release", "retries", "auto-release-retries"], about["strategies"]
body = json.dumps({"scenario": job, "strategy": "retries", "kind": "predict", "replicas": 3, "seed": 1}).encode()
made = json.load(urllib.request.urlopen(urllib.request.Request(address + "page", body, {"Content-Type": "application/json"})))
page = urllib.request.urlopen(address + made["address"]).read().decode()
assert any("is assumed to have" in each for each in about["assumed"]), about["assumed"]
assert "is assumed to have" in page
for text in (json.dumps(start), json.dumps(about), page):
    assert "my job.sub" in text and "gridcast-open-" not in text, text[:2000]
PYTHON
kill -INT "$server"
wait "$server"

start --idle '1 s'
for _ in $(seq 50); do
  kill -0 "$server" 2>"$work/gone" || break
  sleep 0.1
done
kill -0 "$server" 2>"$work/gone" && complain "it does not end without requests"
wait "$server"

# refused PATTERN ARGUMENT...
refused() {
  run "$GRIDCAST" open "${@:2}"
  expect 2 "open ${*:2}"
  says err "$1" "open ${*:2}"
}
refused "no such file" nothing.yaml --no-browser
refused "write 10 min" --idle 5
refused "is a folder\. gridcast open reads no file in it" . --no-browser
refused "there is no page: " /dev/null --no-browser
grep -F '\n' "$work/err" && complain "a line's end is spelled out"
refused "answers a scenario" --stream

exit $exit_status

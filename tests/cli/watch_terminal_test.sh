#!/usr/bin/env bash
# gridcast watch on a terminal: one block that is drawn again in its place, and fits the window.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1

cat >terminal.py <<'END'
import fcntl, os, pty, re, select, signal, struct, sys, termios, time

class Screen:
    """The lines on a terminal without an end: text, line ends, cursor up, and erasing."""
    def __init__(self):
        self.lines, self.row, self.column, self.unknown = [""], 0, 0, set()
    def feed(self, text):
        for part in re.findall(r"\x1b\[[?\d;]*[A-Za-z]|\r|\n|[^\x1b\r\n]+", text):
            line = self.lines[self.row]
            if part == "\r": self.column = 0
            elif part == "\n":
                self.row += 1
                if self.row == len(self.lines): self.lines.append("")
            elif part[0] != "\x1b":
                self.lines[self.row] = line[:self.column].ljust(self.column) + part + line[self.column + len(part):]
                self.column += len(part)
            elif part[-1] == "A": self.row = max(0, self.row - int(part[2:-1]))
            elif part == "\x1b[K": self.lines[self.row] = line[:self.column]
            elif part == "\x1b[J": self.lines[self.row:] = [line[:self.column]]
            else: self.unknown.add(part)

def window(columns, rows): fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
def read(seconds):
    text = b""
    while select.select([terminal], [], [], seconds)[0]:
        try: text += os.read(terminal, 65536)
        except OSError: break
    return text.decode()
def shows(what, pattern):
    for _ in range(100):
        screen.feed(read(0.1))
        if re.search(pattern, "\n".join(screen.lines)): return
    complain(what)
def complain(what): print(f"{what}:", *screen.lines, sep="\n")
def event(number, job, text): open("a.log", "a").write(f"{number} (001.{job:03}.000) {date} {text}\n...\n")

date = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
for job in range(4): event("000", job, "Job submitted from host: <10.0.0.1:9618>")
os.environ["TERM"] = "vt100"
child, terminal = pty.fork()
if child == 0:
    print("before", flush=True)
    # The one deadline passes at once, and the command's words come above the block.
    os.execv(sys.argv[1], [sys.argv[1], "watch", "a.log", "--deadline", "1 s", "--run", "echo words of the command"])
window(80, 24)
screen = Screen()
shows("the first look", r"gridcast watch, [\d:]+\nNow .*4 not started")
shows("a command", r"before\n(.*deadline.*\n)?(.*\n)?words of the command\ngridcast watch")
event("001", 0, "Job executing on host: <10.0.0.2:9618>")
shows("an event", r"before\n(.*\n)*words of the command\ngridcast watch, [\d:]+\nNow .*1 in slots")
if "\n".join(screen.lines).count("gridcast watch,") != 1: complain("not in its place")
read(1)
window(61, 6)
drawn = read(1.5)
lines = re.sub(r"\x1b\[\d*[A-Z]", "", drawn).split("\r\n")
if len(lines) != 6 or max(map(len, lines)) > 61: complain(f"does not fit 61 columns and 6 rows: {lines}")
os.write(terminal, b"\x03")
screen.feed(read(1))
if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 130: complain("Ctrl-C")
if any("^C" in line for line in screen.lines): complain("^C stays")
if screen.unknown: complain(f"modes that nobody restores: {screen.unknown}")
END
python3 terminal.py "$GRIDCAST" >complaints 2>&1
[[ -s complaints ]] && complain "$(cat complaints)"

# A terminal that cannot move its cursor gets lines.
sed -n '/^000/,/^[.]/p' a.log >dumb.log
TERM=dumb timeout -s INT 3 script -qec "'$GRIDCAST' watch dumb.log" /dev/null </dev/null >dumb 2>/dev/null
grep -q '^[0-9:]* 0 of 4 jobs over' dumb || complain "no plain lines on a dumb terminal: $(cat dumb)"
grep -q $'\x1b' dumb && complain "control sequences on a dumb terminal"

exit $exit_status

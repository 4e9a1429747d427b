"""A table of attempts: 36 jobs of five hours, at B whole; at A twelve pilots, a job on each, that live for four hours.

    python3 fixed_life.py TABLE [ANY]     with ANY their lives are of any length
"""
import csv
import math
import sys

hour = 3600
rows = []
for job in range(36):
    begin = 2000 * job
    if job % 3 == 0:
        pilot = job // 3
        life = 4 * hour + 30 * (pilot % 5)
        if len(sys.argv) > 2:
            life = round(-4 * hour * math.log(1 - (pilot + 0.5) / 12))
        rows.append([job, 0, begin, begin + 60, begin + life, "evicted", 1013, "A", f"slot1_1@glidein_{pilot}@a"])
        begin += life + 300
    took = 5 * hour + 97 * (job % 7)
    rows.append([job, 0, begin, begin + 60, begin + 60 + took, "succeeded", "", "B", f"slot1_{job % 12}@glidein_b@b"])
with open(sys.argv[1], "w", newline="") as out:
    table = csv.writer(out)
    table.writerow("job submitted matched started ended outcome hold_code site slot".split())
    table.writerows(rows)

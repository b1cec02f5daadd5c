"""The meld finder's question put to OR-Tools CP-SAT: which melds, sharing no card, are worth the most.

A line is a JSON list of [limits, melds]: how often each card is held, and [worth, {card: count}] of every meld. The
answer is the seconds of processor time, model and search, and the worth of each.
"""

import json
import sys
import time

from ortools.sat.python import cp_model


def solve(limits, melds):
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in melds]
    users = {card: [] for card in limits}
    for variable, (_, cards) in zip(chosen, melds, strict=True):
        for card, count in cards.items():
            users[card].append(count * variable)
    for card, limit in limits.items():
        if users[card]:
            model.add(sum(users[card]) <= limit)
    model.maximize(sum(worth * variable for variable, (worth, _) in zip(chosen, melds, strict=True)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) != cp_model.OPTIMAL:
        raise SystemExit("CP-SAT found no optimum")
    return round(solver.objective_value)


print("ready", flush=True)
for line in sys.stdin:
    answers = []
    for limits, melds in json.loads(line):
        began = time.process_time()
        worth = solve(limits, melds) if melds else 0
        answers.append([time.process_time() - began, worth])
    print(json.dumps(answers), flush=True)

"""What the scripts here share. They run in an environment of their own and know nothing of the project."""

import sys
import time


def serve(steps):
    """Answer each line "what seconds" with how often a second `steps[what]`, which tells how much it did, was done."""
    print("ready", flush=True)
    for line in sys.stdin:
        what, seconds = line.split()
        done, began = 0, time.process_time()
        while time.process_time() - began < float(seconds):
            done += steps[what]()
        print(done / (time.process_time() - began), flush=True)

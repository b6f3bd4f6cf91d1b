#!/usr/bin/python3
"""Kills a training again and again and checks that nothing is lost.

A training is ended by SIGKILL at random moments and resumed each time, until it has been killed --kills times and has
come to its end. Then its files are compared with the files of an undisturbed training: best.safetensors,
checkpoint.safetensors, config.json and calibration.json byte by byte, metrics.jsonl without its times.

usage: tests/reliability/kill_test.py --lgode build/release/bin/lgode [--kills 100] [--seed 1] [--processes 2]
                            [--damage] [--record experiments/reliability/kills.json]

--processes 2: the training runs in that many processes (lgode launch); a kill hits one of them, or all.
--damage: after some of the kills the newest checkpoint is cut or changed, too; the older one must be used.
Exits with 1 if a byte differs.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from watched import commit, machine

NEWER, OLDER = "checkpoint.safetensors", "checkpoint.previous.safetensors"
AIMED = 0.2  # share of the kills that wait for the next write
TIMES = ("seconds", "step_ms")
MODEL = "--encoder-width 8 --sequence-width 8 --latent 4 --augment 4 --hidden 8 --step 0.05 --dropout 0.2".split()


def children(pid):
    """All processes below one."""
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            for child in map(int, task.read_text().split()):
                found += [child, *children(child)]
        except OSError:
            pass  # ended meanwhile
    return found


def stamp(path):
    """Whether a file was replaced."""
    try:
        status = os.stat(path)
        return status.st_ino, status.st_mtime_ns
    except FileNotFoundError:
        return None


def metrics(folder):
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [{k: v for k, v in line.items() if k not in TIMES} for line in lines]


class Trial:
    def __init__(self, arguments, folder):
        self.a = arguments
        self.folder = folder
        self.random = random.Random(arguments.seed)
        self.counts = {"start-up": 0, "steps": 0, "write": 0}
        self.longest = 1.0  # seconds until a kill, at most
        self.damaged = self.fallbacks = self.runs = self.seconds = 0
        self.program = [str(pathlib.Path(arguments.lgode).resolve())]

    def lgode(self, *words, launch=False):
        front = ["launch", "--processes", str(self.a.processes), "--"] if launch and self.a.processes > 1 else []
        return [*self.program, *front, *words]

    def options(self):
        return ["springs.safetensors", "--task", "extrapolate", "--epochs", str(self.a.epochs), "--batch", "8",
                *MODEL, "--threads", "1", "--seed", "3", "--checkpoint-seconds", "1", "--no-report", "--quiet"]

    def start(self):
        """The training, or what is left of it: a run that was killed before it wrote its config begins again."""
        if (self.folder / "run" / "config.json").exists():
            words = ["train", "--resume", "--out", "run", "--no-report", "--quiet"]
        else:
            words = ["train", *self.options(), "--out", "run"]
        self.runs += 1
        return subprocess.Popen(self.lgode(*words, launch=True), cwd=self.folder, start_new_session=True,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")

    def kill(self, process):
        """Ends the training: all its processes or, of several, one of them; then the others must end by themselves."""
        below = children(process.pid)
        if self.a.processes > 1 and below and self.random.random() < 0.5:
            os.kill(self.random.choice(below), signal.SIGKILL)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                sys.exit("kill_test: a process was killed, and the others did not end within a minute")
            return
        for pid in [process.pid, *below]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def one(self):
        """One kill; False if the training ended before it."""
        run = self.folder / "run"
        before, left = stamp(run / NEWER), set(run.glob(".lgode-*.tmp"))
        process = self.start()
        try:
            _, errors = process.communicate(timeout=self.random.uniform(0, self.longest))
            if process.returncode != 0:
                sys.exit(f"kill_test: the training failed:\n{errors}")
            return False
        except subprocess.TimeoutExpired:
            pass
        if self.random.random() < AIMED:
            self.await_write(process, run)
        self.kill(process)
        _, errors = process.communicate()
        if process.returncode == 0:
            return False
        self.fallbacks += "checkpoint before it is used" in errors
        where = "steps"
        if set(run.glob(".lgode-*.tmp")) - left:
            where = "write"
        elif stamp(run / NEWER) == before:
            where = "start-up"
        self.counts[where] += 1
        # About two kills in five come before the first checkpoint of the process, however busy the machine is.
        self.longest *= 1.15 if where == "start-up" else 0.9
        if self.a.damage and self.random.random() < 0.3:
            self.damage(run)
        return True

    def await_write(self, process, run):
        """Waits for the next write of a file, half a second at most: few moments of a training are within one."""
        end = time.monotonic() + 0.5
        while time.monotonic() < end and process.poll() is None:
            try:
                if any(name.startswith(".lgode-") for name in os.listdir(run)):
                    return
            except FileNotFoundError:
                pass

    def damage(self, run):
        """Cuts the newest checkpoint or changes one of its bits, where there is an older one."""
        path = run / NEWER
        if not path.exists() or not (run / OLDER).exists() or os.path.samefile(path, run / OLDER):
            return
        data = bytearray(path.read_bytes())
        if not data:
            return  # cut already
        at = self.random.randrange(len(data))
        if self.random.random() < 0.5:
            del data[at:]
        else:
            data[at] ^= 1 << self.random.randrange(8)
        path.unlink()
        path.write_bytes(data)
        self.damaged += 1

    def differences(self):
        whole, run = self.folder / "whole", self.folder / "run"
        found = [name for name in ("best.safetensors", NEWER, "config.json", "calibration.json")
                 if (whole / name).read_bytes() != (run / name).read_bytes()]
        if metrics(whole) != metrics(run):
            found.append("metrics.jsonl")
        found += [f"{path.name} (left behind)" for path in run.glob(".lgode-*.tmp")]
        return found

    def run(self):
        begin = time.monotonic()
        if self.a.processes > 1 and subprocess.run(self.lgode("launch", "--help"), capture_output=True).returncode != 0:
            print("kill_test: this lgode has no launch, so it cannot kill several processes")
            return 77  # skipped
        subprocess.run(self.lgode("simulate", "springs", "--train", "48", "--test", "4", "--out",
                                  "springs.safetensors"), cwd=self.folder, check=True)
        subprocess.run(self.lgode("train", *self.options(), "--out", "whole", launch=True), cwd=self.folder, check=True)
        kills = ended = 0
        while kills < self.a.kills:
            if self.one():
                kills += 1
                if kills % 10 == 0:
                    print(f"kill_test: {kills} kills, {self.counts}", flush=True)
            else:
                # It ended before all kills: what there is must be right already; then again from the start.
                ended += 1
                if faults := self.differences():
                    return self.report(kills, ended, faults, time.monotonic() - begin)
                shutil.rmtree(self.folder / "run")
        last = self.start()
        _, errors = last.communicate()
        if last.returncode != 0:
            sys.exit(f"kill_test: the training failed:\n{errors}")
        self.fallbacks += "checkpoint before it is used" in errors
        return self.report(kills, ended + 1, self.differences(), time.monotonic() - begin)

    def report(self, kills, ended, faults, seconds):
        record = {"processes": self.a.processes, "kills": kills, "seed": self.a.seed, "damage": self.a.damage,
                  "kills_in": self.counts, "trainings_completed": ended, "starts": self.runs,
                  "damaged_checkpoints": self.damaged, "used_older_checkpoint": self.fallbacks,
                  "aimed_at_writes": AIMED, "epochs": self.a.epochs, "seconds": round(seconds, 1),
                  "differences": faults, "options": self.options(), "commit": commit(self.a.lgode), "machine": machine()}
        print(f"kill_test: {kills} kills ({', '.join(f'{n} in {k}' for k, n in self.counts.items())}), {self.damaged} "
              f"damaged checkpoints, the older one used {self.fallbacks} times, {ended} trainings completed: "
              + (f"DIFFERENT: {', '.join(faults)}" if faults else "the same bytes"))
        if self.a.record:
            path = pathlib.Path(self.a.record)
            kept = json.loads(path.read_text())["trials"] if path.exists() else []
            kept = [t for t in kept if (t["processes"], t["damage"]) != (self.a.processes, self.a.damage)] + [record]
            kept.sort(key=lambda t: (t["processes"], t["damage"]))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"trials": kept}, indent=1) + "\n")
        return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--lgode", default="build/release/bin/lgode", help="the program")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--epochs", type=int, default=120, help="of the training")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--damage", action="store_true", help="damage checkpoints, too")
    parser.add_argument("--record", help="JSON file to write the result to")
    parser.add_argument("--folder", help="work here, and leave the files")
    arguments = parser.parse_args()
    print(f"kill_test: seed {arguments.seed}")
    if arguments.folder:
        folder = pathlib.Path(arguments.folder)
        folder.mkdir(parents=True)
        return Trial(arguments, folder).run()
    with tempfile.TemporaryDirectory(prefix="lgode-kill-") as folder:
        return Trial(arguments, pathlib.Path(folder)).run()


if __name__ == "__main__":
    sys.exit(main())

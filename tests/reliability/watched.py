"""What the scripts of docs/reliability.md share: the machine, the commit, and the memory of a process."""

import os
import platform
import re
import subprocess
import time


def machine():
    """The processor and the number of cores."""
    name = platform.processor() or "unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
                break
    return f"{name}, {os.cpu_count()} cores"


def commit(lgode):
    """The commit that a program was built from, from its --version."""
    told = subprocess.run([lgode, "--version"], capture_output=True, text=True, check=True)
    found = re.search(r"[0-9a-f]{7,40}[^\s,;)]*", told.stdout)
    return found.group(0) if found else "unknown"


def memory(pid):
    """Bytes of a process by kind, from /proc/PID/status, or None if it has ended.

    RssAnon: memory of its own (heap, stacks, changed pages). RssFile: pages of mapped files, which the system can drop
    and read again: programs, libraries, the data set.
    """
    found = {}
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            for line in file:
                key, _, value = line.partition(":")
                if key in ("RssAnon", "RssFile", "RssShmem"):
                    found[key] = int(value.split()[0]) * 1024
    except (FileNotFoundError, ProcessLookupError):
        return None
    return found if len(found) == 3 else None


def watch(process, every, look):
    """Calls look(memory) every `every` seconds until the process ends; returns its exit code."""
    while process.poll() is None:
        sample = memory(process.pid)
        if sample is not None:
            look(sample)
        time.sleep(every)
    return process.returncode

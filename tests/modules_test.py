#!/usr/bin/env python3
"""Checks that modules include only what docs/architecture.md allows: its table of modules is the rule.

    tests/modules_test.py [ROOT]      exits with 1 and names every wrong include

A file of a module may include headers of its own module and of those that the module links, directly or through others.
Files of the target `settings` (src/CMakeLists.txt), and modules without LibTorch, may include no header that leads to
LibTorch. A module without LibTorch that links `settings` may include every header that does not lead there. CMake may
link no more than the table allows. First, the check itself is tested with a small tree of wrong includes.
"""
import re
import sys
import tempfile
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)
LIBTORCH = re.compile(r"^(torch|ATen|c10|caffe2)/")
SOURCES = {".h", ".cpp", ".cu", ".cuh"}


class Rule:
    """The table: what each module links, and whether it uses LibTorch."""

    def __init__(self, page):
        self.links, self.libtorch = {}, {}
        for line in page.read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if len(cells) == 4 and cells[3] in ("yes", "no") and re.fullmatch(r"`\w+`", cells[0]):
                name = cells[0].strip("`")
                self.links[name] = re.findall(r"`(\w+)`", cells[2])
                self.libtorch[name] = cells[3] == "yes"
        if "core" not in self.links:
            raise SystemExit(f"{page}: no table with the columns module, what it does, links, LibTorch")

    def below(self, module):
        """The module and everything that it links, directly or through others."""
        found, open_ = set(), [module]
        while open_:
            one = open_.pop()
            if one not in found:
                found.add(one)
                open_ += self.links.get(one, [])
        return found


class Tree:
    def __init__(self, root):
        self.root = root
        self.rule = Rule(root / "docs/architecture.md")
        cmake = (root / "src/CMakeLists.txt").read_text(encoding="utf-8")
        self.targets = {}
        for name, body in re.findall(r"^lgode_module\((\w+)(.*?)\)$", cmake, re.M | re.S):
            sources = re.search(r"\bSOURCES\b(.*?)(\bLINK\b|\Z)", body, re.S)
            self.targets[name] = (sources.group(1).split() if sources else [], re.findall(r"lgode::(\w+)", body))
        self.settings = {root / "src" / file for file in self.targets.get("settings", ([], []))[0]}
        self.files = sorted(p for folder in ("src", "include/lgode") for p in (root / folder).rglob("*")
                            if p.suffix in SOURCES)
        self.includes = {file: INCLUDE.findall(file.read_text(encoding="utf-8")) for file in self.files}
        self.leads_to_libtorch = {}

    def module(self, file):
        """The folder of a file below src or include/lgode; None where it is in none."""
        for folder in ("src", "include/lgode"):
            if (self.root / folder) in file.parents:
                parts = file.relative_to(self.root / folder).parts
                return parts[0] if len(parts) > 1 else None
        return None

    def resolve(self, file, name):
        """The file of the tree that an include names; None for others, such as generated headers."""
        for path in (file.parent / name, self.root / "src" / name, self.root / "include" / name):
            if path.exists():
                return Path(self.root, path.resolve().relative_to(self.root.resolve()))
        return None

    def libtorch(self, file):
        """How a file leads to LibTorch: the names of the includes on the way; empty if it does not."""
        if file not in self.leads_to_libtorch:
            self.leads_to_libtorch[file] = []  # a circle leads nowhere
            for name in self.includes.get(file, []):
                below = self.resolve(file, name)
                way = [name] if LIBTORCH.match(name) else self.libtorch(below) if below else []
                if way:
                    self.leads_to_libtorch[file] = way if LIBTORCH.match(name) else [name, *way]
                    break
        return self.leads_to_libtorch[file]

    def faults(self):
        rule = self.rule
        for file in self.files:
            module, where = self.module(file), file.relative_to(self.root)
            if module is None:
                continue
            if module not in rule.links:
                yield f"{where}: module '{module}' is not in the table of docs/architecture.md"
                continue
            light = not rule.libtorch[module] or file in self.settings
            if light and self.libtorch(file):
                yield (f"{where}: leads to LibTorch through {' -> '.join(self.libtorch(file))}; "
                       f"{'the target settings' if file in self.settings else module} does without")
            allowed = rule.below(module)
            for name in self.includes[file]:
                target = self.resolve(file, name)
                other = self.module(target) if target else None
                if other is None or other in allowed:
                    continue
                if not rule.libtorch[module] and "settings" in allowed and not self.libtorch(target):
                    continue
                yield f'{where}: includes "{name}" of module \'{other}\', which \'{module}\' does not link'
        for name, (_, links) in self.targets.items():
            for link in links:
                if name in rule.links and link in rule.links and link not in rule.below(name):
                    yield f"src/CMakeLists.txt: '{name}' links '{link}', which the table does not allow"


PAGE = """| module | what it does | links | LibTorch |
|---|---|---|---|
| `core` | a | – | no |
| `settings` | b | `core` | no |
| `report` | c | `settings` | no |
| `model` | d | `core` | yes |
| `train` | e | `model` | yes |
"""
WRONG = {  # a file with a wrong include, and what the message must name
    "src/core/low.cpp": ('#include "lgode/model/net.h"\n', "'model'"),
    "src/model/net.cpp": ('#include "train/inner.h"\n', "'train'"),
    "src/train/../model/up.cpp": ('#include "../train/inner.h"\n', "'train'"),
    "src/report/page.cpp": ('#include "lgode/model/net.h"\n', "torch/torch.h"),
    "src/train/config.cpp": ('#include "lgode/model/net.h"\n', "settings"),
    "src/other/lost.cpp": ("\n", "'other'"),
}
RIGHT = {
    "src/train/run.cpp": '#include "inner.h"\n#include "lgode/core/low.h"\n#include <torch/torch.h>\n#include <vector>\n',
    "src/report/figure.cpp": '#include "lgode/train/config.h"\n#include "lgode/version.h"\n',
    "src/train/inner.h": "",
    "include/lgode/core/low.h": "",
    "include/lgode/model/net.h": "#include <torch/torch.h>\n",
    "include/lgode/train/config.h": '#include "lgode/core/low.h"\n',
    "src/CMakeLists.txt": "lgode_module(core\n  SOURCES core/low.cpp)\nlgode_module(settings\n  SOURCES train/config.cpp\n"
                          "  LINK lgode::core)\nlgode_module(model TORCH\n  SOURCES model/net.cpp\n  LINK lgode::train)\n",
}


def test_itself():
    with tempfile.TemporaryDirectory(prefix="lgode-modules-") as name:
        root = Path(name)
        for path, text in {"docs/architecture.md": PAGE, **RIGHT, **{p: t for p, (t, _) in WRONG.items()}}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        found = list(Tree(root).faults())
        missed = [path for path, (_, named) in WRONG.items()
                  if not any(fault.startswith(str((root / path).resolve().relative_to(root.resolve())) + ":") and
                             named in fault for fault in found)]
        links = [fault for fault in found if fault.startswith("src/CMakeLists.txt")]
        false = [fault for fault in found if fault.split(":")[0] in RIGHT and fault not in links]
        if missed or false or len(links) != 1:
            raise SystemExit(f"modules_test: the check itself is wrong: missed {missed}, false {false}, CMake {links}")


def main():
    test_itself()
    tree = Tree(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    faults = list(tree.faults())
    print("\n".join(faults) or f"modules: {len(tree.files)} files include only what docs/architecture.md allows")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

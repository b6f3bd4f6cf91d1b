"""Writes lgode/_model.pyi, lgode/_from_table.pyi, lgode/_simulate.pyi and lgode/_motion.pyi: their signatures, with
every declared option as a keyword of its own type.

    PYTHONPATH=build/release/python python3 python/make_stubs.py [--check]
"""

import ast
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent / "lgode"
# The built package, not the sources beside this file.
sys.path = [path for path in sys.path if pathlib.Path(path).resolve() != FOLDER.parent]

from lgode._from_table import DECLARED as IMPORT_DECLARED  # noqa: E402
from lgode._options import DECLARED, FIT_KEYS, MODEL_KEYS, USES, annotation, keyword  # noqa: E402

HEADER = '''# Made by make_stubs.py from _model.py and the options that the library declares. Do not edit.
import os
from typing import Any, Callable, Dict, List, Literal, Optional, Sequence, Tuple, Union, overload

import numpy
import pandas

from ._dataset import Dataset, Path
from ._follow import Follower
from ._forecast import Prediction
from ._scores import Scores
from ._table import Like
'''


TABLE_HEADER = '''# Made by make_stubs.py from _from_table.py and the options that the library declares. Do not edit.
from typing import Any, Dict, Literal, Mapping, Optional, Sequence, Union

from ._dataset import Dataset
'''


SIMULATE_HEADER = '''# Made by make_stubs.py from _simulate.py and the options that the library declares. Do not edit.
from typing import Literal

from ._dataset import Dataset
'''


MOTION_HEADER = '''# Made by make_stubs.py from _motion.py and the options that the library declares. Do not edit.
from typing import Literal, Optional, Sequence, Union

from ._dataset import Dataset, Path
'''


def optional(option):
    """The type of an option whose default is None."""
    if option["key"] == "system":
        return "Union[str, Sequence[str], None]"
    if option["type"] in ("names", "pairs", "length", "bool"):
        return annotation(option)
    kinds = {"text": "str", "integer": "int", "number": "float"}
    return f"Optional[{kinds.get(option['type']) or annotation(option)}]"


def import_arguments():
    return [f"{o['key']}: {optional(o)} = ..." for o in IMPORT_DECLARED if o["key"] != "edges"]


def option_arguments(keys, declared=DECLARED):
    by_key = {option["key"]: option for option in declared}
    return [f"{keyword(key)}: {annotation(by_key[key])} = ..." for key in keys]


def use_arguments(use):
    # The physics of a simulation are the argument without a name.
    return option_arguments([option["key"] for option in USES[use] if option["key"] != "physics"], USES[use])


def signature(function, indent):
    """A function without its body; defaults become dots."""
    arguments = function.args
    parts = []
    positional = arguments.posonlyargs + arguments.args
    first_default = len(positional) - len(arguments.defaults)
    for i, argument in enumerate(positional):
        parts.append(one(argument, i >= first_default))
    if arguments.kwonlyargs or (arguments.kwarg and function.name in ("__init__", "fit", *USES)):
        parts.append("*")
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        parts.append(one(argument, default is not None))
    if arguments.kwarg:
        if function.name == "__init__":
            parts += option_arguments(MODEL_KEYS)
        elif function.name == "fit":
            parts += option_arguments(FIT_KEYS)
        elif function.name in USES:
            parts += use_arguments(function.name)
        elif function.name == "from_table":
            parts += import_arguments()
        else:
            parts.append(f"**{arguments.kwarg.arg}: {ast.unparse(arguments.kwarg.annotation)}")
    returns = ast.unparse(function.returns) if function.returns else "Any"
    line = f"{indent}def {function.name}({', '.join(parts)}) -> {returns}: ..."
    if len(line) > 118:
        inner = "".join(f"{indent}    {part},\n" for part in parts)
        line = f"{indent}def {function.name}(\n{inner}{indent}) -> {returns}: ..."
    return [f"{indent}@{ast.unparse(d)}" for d in function.decorator_list if "takes" not in ast.unparse(d)] + [line]


def one(argument, default):
    text = argument.arg
    if argument.annotation is not None:
        text += ": " + ast.unparse(argument.annotation).strip("'")
    return text + (" = ..." if default else "")


# What predict() returns depends on `output`.
PREDICT = '''    @overload
    def predict(self, data: Any, times: Any = ..., *, output: Literal["arrays"], {rest}) -> List[Prediction]: ...
    @overload
    def predict(self, data: Any, times: Any = ..., *, output: Literal["frame"] = ..., {rest}) -> pandas.DataFrame: ...'''


def class_stub(node):
    lines = [f"class {node.name}:"]
    for statement in node.body:
        if not isinstance(statement, ast.FunctionDef):
            continue
        if statement.name == "__init__":
            for inner in ast.walk(statement):
                if isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Attribute):
                    lines.append(f"    {inner.target.attr}: {ast.unparse(inner.annotation)}")
        if statement.name == "predict":
            keywords = zip(statement.args.kwonlyargs, statement.args.kw_defaults)
            rest = [one(a, d is not None) for a, d in keywords if a.arg != "output"]
            rest = ", ".join(rest + use_arguments("predict"))
            lines.append(PREDICT.format(rest=rest))
            continue
        lines += signature(statement, "    ")
    return lines


def stub(module, header):
    tree = ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))
    lines = [header]
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            lines += [*class_stub(node), ""]
        elif isinstance(node, ast.FunctionDef):
            lines += signature(node, "")
    text = "\n".join(lines) + "\n"
    for name in ("pandas.DataFrame", "Model", "Scores", "Follower", "numpy.ndarray[Any, Any]"):
        text = text.replace(f"'{name}'", name).replace(f'"{name}"', name)
    return text


if __name__ == "__main__":
    for module, header in (
        ("_model", HEADER),
        ("_from_table", TABLE_HEADER),
        ("_simulate", SIMULATE_HEADER),
        ("_motion", MOTION_HEADER),
    ):
        path = FOLDER / f"{module}.pyi"
        if "--check" in sys.argv:
            if not path.exists() or path.read_text(encoding="utf-8") != stub(module, header):
                sys.exit(f"{path} is not up to date: run python/make_stubs.py")
        else:
            path.write_text(stub(module, header), encoding="utf-8")
            print(path)

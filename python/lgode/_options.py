"""Options as the library declares them, of trainings and of uses of a model: signatures, docstrings, values as text."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any, Callable, Dict, List, Mapping, TypeVar

from . import _data
from ._errors import ConfigError

# Words of the library that Python has for itself.
_KEYWORDS = {"from": "from_"}
_FROM_KEYWORDS = {"from_": "from"}
# Groups of options that belong to fit(); all others belong to Model().
FIT_GROUPS = ("Training", "Machine")

DECLARED: List[Dict[str, Any]] = _data.declared_options()
FIT_KEYS = [o["key"] for o in DECLARED if o["group"] in FIT_GROUPS and o["key"] != "data"]
MODEL_KEYS = [o["key"] for o in DECLARED if o["group"] not in FIT_GROUPS]

#: The options of each use, by the name of its method or function.
USES: Dict[str, List[Dict[str, Any]]] = {
    use: _data.declared_options(use) for use in ("predict", "fill", "evaluate", "calibrate", "simulate", "from_motion")
}


def keyword(key: str) -> str:
    return _KEYWORDS.get(key, key)


def text(value: Any) -> str:
    """A value as the command line would have it."""
    if value is None:
        return "auto"
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "item") and not isinstance(value, str):
        value = value.item()
        if isinstance(value, bool):
            return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(text(entry) for entry in value)
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return str(value)


def checked(options: Mapping[str, Any], allowed: List[str], others: List[str], here: str, there: str) -> Dict[str, Any]:
    """Keys as the library has them, in place of Python's; every value is one that its option accepts."""
    result: Dict[str, Any] = {}
    known = by_key(DECLARED)
    for name, value in options.items():
        key = _FROM_KEYWORDS.get(name, name)
        if key in others:
            raise ConfigError(f"`{name}`: is an option of {there}, not of {here}")
        if key == "data":
            raise ConfigError("`data`: the data is the first argument of fit()")
        if known.get(key, {}).get("type") == "names" and not isinstance(value, str):
            if value is None:
                continue
            value = [text(entry) for entry in (value if isinstance(value, (list, tuple)) else [value])]
        _data.check_options({key: plain(value)})
        result[key] = value
    return result


def of_use(use: str, options: Mapping[str, Any]) -> Dict[str, Any]:
    """The options that were given to a use of a model; every value is one that its option accepts."""
    known = by_key(USES[use])
    given = {key: value for key, value in options.items() if value is not None or not may_be_unset(known.get(key, {}))}
    if given.get("quantiles") is not None:
        given["quantiles"] = [plain(q) for q in given["quantiles"]]
    _data.check_options(given, use)
    return given


def plain(value: Any) -> Any:
    """A number of numpy as one of Python."""
    if hasattr(value, "item") and not isinstance(value, str):
        return value.item()
    return value


def may_be_unset(option: Mapping[str, Any]) -> bool:
    """Whether it is one of several words or none, which Python writes as None."""
    return option.get("type") == "choice" and option["default"] == ""


def default_of(option: Mapping[str, Any]) -> Any:
    """The default in a signature."""
    return None if may_be_unset(option) or option["default"] in ([], {}) else option["default"]


def by_key(declared: List[Dict[str, Any]]) -> Dict[str, Dict[str, Any]]:
    return {option["key"]: option for option in declared}


# Types of options that Python writes in more ways than one.
_TYPES = {
    "names": "Union[str, Sequence[str], None]",
    "pairs": "Optional[Mapping[str, str]]",
    "length": "Union[float, str, None]",
    "numbers": "Optional[Sequence[float]]",
}


def annotation(option: Mapping[str, Any]) -> str:
    """The type of an option in a stub."""
    accepts = option["accepts"]
    if option["type"] in _TYPES:
        return _TYPES[option["type"]]
    if option["default"] is None:
        return f"Optional[{annotation({**option, 'default': 0})}]"
    if accepts == "true|false":
        return "bool"
    if accepts == "text":
        return "str"
    if "|" in accepts:
        words = "Literal[" + ", ".join(f'"{word}"' for word in accepts.split("|") if word) + "]"
        return f"Optional[{words}]" if may_be_unset(option) else words
    number = "int" if "integer" in accepts else "float"
    return f'Union[{number}, None, Literal["auto"]]' if accepts.startswith("auto") else number


def describe(keys: List[str], indent: str, declared: List[Dict[str, Any]] = DECLARED) -> str:
    """The options for a docstring: one entry each, with what it accepts and its default."""
    lines = []
    group = ""
    for option in declared:
        if option["key"] not in keys:
            continue
        if option["group"] != group:
            group = option["group"]
            lines.append(f"{group}")
        default = option["default"]
        shown = option["shown_default"] or (f'"{default}"' if isinstance(default, str) else repr(default))
        unset = default in (None, [], {}) and not option["shown_default"]
        ending = "" if unset else f", default {shown}"
        lines.append(f"    {keyword(option['key'])} : {option['accepts'].strip('|').replace('|', ' | ')}{ending}")
        lines.extend(textwrap.wrap(option["help"], 100, initial_indent="        ", subsequent_indent="        "))
    return textwrap.indent("\n".join(lines), indent)


F = TypeVar("F", bound=Callable[..., Any])


def takes_use(use: str) -> "Callable[[F], F]":
    """As takes(), with the options of a use of a model."""
    return takes([option["key"] for option in USES[use]], USES[use])


def takes(keys: List[str], declared: List[Dict[str, Any]] = DECLARED) -> Callable[[F], F]:
    """Gives a function with ``**options`` the declared options in its signature and its docstring."""
    known = by_key(declared)

    def decorate(function: F) -> F:
        own = inspect.signature(function)
        parameters = [p for p in own.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
        for key in keys:
            parameters.append(
                inspect.Parameter(keyword(key), inspect.Parameter.KEYWORD_ONLY, default=default_of(known[key]))
            )
        function.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        doc = inspect.cleandoc(function.__doc__ or "")
        function.__doc__ = f"{doc}\n\n{describe(keys, '', declared)}\n"
        return function

    return decorate

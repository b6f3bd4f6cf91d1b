"""Importing is quick and loads nothing large."""

import json

import lgode
from conftest import python

CODE = """
import json, sys, time
begin = time.perf_counter()
import lgode
seconds = time.perf_counter() - begin
maps = open("/proc/self/maps").read()
print(json.dumps({"seconds": seconds, "torch": "libtorch" in maps,
                  "modules": [m for m in ("numpy", "pandas", "matplotlib", "torch", "lgode._engine") if m in sys.modules]}))
"""


def test_import_is_quick_and_light():
    results = [json.loads(python(CODE).stdout) for _ in range(3)]
    assert not results[0]["torch"]
    assert results[0]["modules"] == []
    assert min(r["seconds"] for r in results) < 0.3


def test_data_sets_need_no_libtorch():
    code = (
        "import lgode; d = lgode.simulate('springs', train=3, test=1, horizon=10); d.values; d.info()\n"
        "print('libtorch' in open('/proc/self/maps').read())"
    )
    assert python(code).stdout.strip() == "False"


def test_help_is_enough_to_go_on():
    text = lgode.Model.fit.__doc__
    for word in ("epochs", "Ctrl-C", "resume", "kl_warmup", "threads", "learning rate"):
        assert word in text, word
    for word in ("observed", "interpolate | extrapolate", "encoder_width", "assimilate"):
        assert word in lgode.Model.__init__.__doc__, word
    import inspect

    fit = inspect.signature(lgode.Model.fit).parameters
    assert fit["epochs"].default in (None, "auto") and fit["kl_weight"].default == 0.001 and "task" not in fit
    assert inspect.signature(lgode.Model).parameters["task"].default == "interpolate"
    for name in lgode.__all__:
        assert getattr(lgode, name).__doc__, name


def test_errors_are_of_the_package():
    assert issubclass(lgode.ExistsError, lgode.DataError) and issubclass(lgode.DivergedError, lgode.NoProgressError)
    for name in ("DataError", "ConfigError", "NoProgressError"):
        assert issubclass(getattr(lgode, name), lgode.Error)
        assert getattr(lgode, name).__module__ == "lgode"

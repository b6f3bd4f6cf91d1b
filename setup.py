"""Builds the Python package: CMake makes the extension modules, setuptools puts them into a wheel.

Without a network: pip install . --no-build-isolation --no-deps

Environment:
  LGODE_PREFIX       build against an lgode that is installed there (cmake --install), not from these sources
  LGODE_BUILD        folder to build in; default: build/python
  LGODE_MODULES      folder with extension modules that are built already (make python: build/release/python/lgode)
  CMAKE_PREFIX_PATH  where LibTorch is; default: that of this Python's torch if it brings one, else the system's
  JOBS               compile jobs; default: one per core, as far as there are 1.5 GB of memory for each
"""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"project\(lgode VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def libtorch():
    """CMake files of the LibTorch that comes with this Python's torch; none where torch uses the system's."""
    spec = importlib.util.find_spec("torch")
    folder = pathlib.Path(spec.origin).parent / "share/cmake" if spec and spec.origin else None
    return str(folder) if folder and (folder / "Torch/TorchConfig.cmake").exists() else ""


def jobs():
    cores = os.cpu_count() or 1
    try:
        free = int(re.search(r"MemAvailable:\s+(\d+)", pathlib.Path("/proc/meminfo").read_text()).group(1))
        cores = max(1, min(cores, free // 1_500_000))
    except (OSError, AttributeError):
        pass
    return os.environ.get("JOBS", str(cores))


class BuildWithCMake(build_ext):
    def run(self):
        modules = os.environ.get("LGODE_MODULES") or self.build_modules()
        target = ROOT / "python/lgode" if self.inplace else pathlib.Path(self.build_lib) / "lgode"
        target.mkdir(parents=True, exist_ok=True)
        for name in ("_data", "_engine"):
            shutil.copy2(pathlib.Path(modules) / (name + sysconfig.get_config_var("EXT_SUFFIX")), target)

    def build_modules(self):
        if shutil.which("cmake") is None:
            sys.exit("lgode: CMake is needed to build the package (Debian: apt-get install cmake ninja-build)")
        prefix = os.environ.get("LGODE_PREFIX", "")
        build = pathlib.Path(os.environ.get("LGODE_BUILD", ROOT / "build/python")).resolve()
        paths = [path for path in (prefix, os.environ.get("CMAKE_PREFIX_PATH") or libtorch()) if path]
        configure = ["cmake", "-S", str(ROOT / "python" if prefix else ROOT), "-B", str(build)]
        configure += ["-DCMAKE_BUILD_TYPE=Release", f"-DLGODE_PYTHON={sys.executable}"]
        if not prefix:
            configure += ["-DLGODE_TESTS=OFF", "-DLGODE_BENCHMARKS=OFF"]
        if paths:
            configure.append("-DCMAKE_PREFIX_PATH=" + ";".join(paths).replace(":", ";"))
        if not (build / "CMakeCache.txt").exists() and shutil.which("ninja"):
            configure += ["-G", "Ninja"]
        subprocess.run(configure, check=True)
        subprocess.run(
            ["cmake", "--build", str(build), "--parallel", jobs(), "--target", "lgode_python_package"], check=True
        )
        return build / "python/lgode"


setup(
    name="lgode",
    version=VERSION,
    description="Learns how interacting objects move from irregular, partial observations, and forecasts",
    long_description=(ROOT / "docs/python.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    python_requires=">=3.9",
    install_requires=["numpy", "pandas"],
    extras_require={"plot": ["matplotlib"], "ops": ["torch"]},
    packages=["lgode"],
    package_dir={"lgode": "python/lgode"},
    package_data={"lgode": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("lgode._data", []), Extension("lgode._engine", [])],
    cmdclass={"build_ext": BuildWithCMake},
    zip_safe=False,
)

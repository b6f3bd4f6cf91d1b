# To be sourced: lets CMake and the loader find the LibTorch of a Python installation, if there is one.
if python3 -c 'import torch' 2>/dev/null; then
  : "${CMAKE_PREFIX_PATH:=$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)')}"
  LD_LIBRARY_PATH=$(python3 -c 'import os, torch; print(os.path.dirname(torch.__file__) + "/lib")')${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export CMAKE_PREFIX_PATH LD_LIBRARY_PATH
fi

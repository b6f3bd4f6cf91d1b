// Autograd nodes keep tensors only: a tensor that keeps an object alive, and whose data pointer is the object.
#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <type_traits>

namespace lgode::ops {

template <class T>
at::Tensor held(const std::shared_ptr<T>& object) {
  return at::from_blob(
      const_cast<std::remove_const_t<T>*>(object.get()), {1}, [object](void*) {}, at::TensorOptions(at::kByte));
}

}  // namespace lgode::ops

// Autograd nodes save tensors only. To save another object with a node, wrap it: the returned tensor keeps the object
// alive, and its data_ptr() is the object's address. The tensor is for saving only; its single byte has no meaning.
#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <type_traits>

namespace lgode::ops {

template <class T>
at::Tensor tensor_holder(const std::shared_ptr<T>& object) {
  return at::from_blob(
      const_cast<std::remove_const_t<T>*>(object.get()), {1}, [object](void*) {}, at::TensorOptions(at::kByte));
}

}  // namespace lgode::ops

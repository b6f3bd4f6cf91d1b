// The names of Gloo that LibTorch's header of its Gloo process group mentions, for a LibTorch that comes without Gloo's
// headers (Python's wheels). Only pointers to these types pass through our code; LibTorch makes and uses what they
// point to.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace gloo {

class Context {
 public:
  virtual ~Context() = default;
  void setTimeout(std::chrono::milliseconds timeout);
};

namespace transport {
class Device {
 public:
  virtual ~Device() = default;
};
class UnboundBuffer {
 public:
  virtual ~UnboundBuffer() = default;
};
}  // namespace transport

namespace rendezvous {
class Store {
 public:
  static constexpr std::chrono::milliseconds kDefaultTimeout = std::chrono::seconds(30);
  virtual ~Store() = default;
  virtual void set(const std::string& key, const std::vector<char>& value) = 0;
  virtual std::vector<char> get(const std::string& key) = 0;
  virtual void wait(const std::vector<std::string>& keys) = 0;
  virtual void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) = 0;
};
}  // namespace rendezvous

}  // namespace gloo

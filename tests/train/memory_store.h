// A store of ranks in memory, shared by connections of one process. A test can let it fail.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

#include "train/rank_store.h"

namespace lgode::train {

class MemoryStore {
 public:
  std::unique_ptr<RankStore> connect() { return std::make_unique<Connection>(*this); }
  // From now on every call throws.
  void stop_answering() { answers_ = false; }

  std::string operator[](const std::string& key) {
    const std::scoped_lock lock(mutex_);
    return texts_[key];
  }

 private:
  class Connection : public RankStore {
   public:
    explicit Connection(MemoryStore& store) : store_(store) {}
    void set(const std::string& key, const std::string& text) override {
      const std::scoped_lock lock(check().mutex_);
      store_.texts_[key] = text;
      store_.changed_.notify_all();
    }
    void set_first(const std::string& key, const std::string& text) override {
      const std::scoped_lock lock(check().mutex_);
      store_.texts_.emplace(key, text);
      store_.changed_.notify_all();
    }
    std::string get(const std::string& key) override {
      std::unique_lock lock(check().mutex_);
      store_.changed_.wait(lock, [&] { return store_.texts_.contains(key); });
      return store_.texts_[key];
    }
    bool has(const std::string& key) override {
      const std::scoped_lock lock(check().mutex_);
      return store_.texts_.contains(key);
    }
    std::int64_t add(const std::string& key, std::int64_t number) override {
      const std::scoped_lock lock(check().mutex_);
      return store_.numbers_[key] += number;
    }

   private:
    MemoryStore& check() const {
      if (!store_.answers_) throw std::runtime_error("the store does not answer");
      return store_;
    }
    MemoryStore& store_;
  };

  std::atomic<bool> answers_{true};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::string> texts_;
  std::map<std::string, std::int64_t> numbers_;
};

}  // namespace lgode::train

#pragma once

#include "core/containers/containerError.h"

#include <atomic>
#include <cstdint>

namespace stowage::containers {

/**
 * How far a long operation is, and whether it is asked to end. Every method may be called from any
 * thread.
 */
class Task {
  public:
    void expect(uint64_t bytes) { total_.store(bytes, std::memory_order_relaxed); }
    /** Adds to what is done. @throws ContainerError `cancelled` */
    void advance(uint64_t bytes) {
        done_.fetch_add(bytes, std::memory_order_relaxed);
        check();
    }
    /** @throws ContainerError `cancelled` */
    void check() const {
        if (cancelled_.load(std::memory_order_relaxed)) fail(Fault::cancelled, "it was cancelled");
    }
    void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
    [[nodiscard]] uint64_t done() const { return done_.load(std::memory_order_relaxed); }
    [[nodiscard]] uint64_t total() const { return total_.load(std::memory_order_relaxed); }

  private:
    std::atomic<uint64_t> done_{0};
    std::atomic<uint64_t> total_{0};
    std::atomic<bool> cancelled_{false};
};

} // namespace stowage::containers

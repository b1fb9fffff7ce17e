#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace stowage {

using Sha256Digest = std::array<uint8_t, 32>;

/**
 * Streaming SHA-256. One object serves one thread; `finish` makes it ready for the next message.
 */
class Sha256 {
  public:
    Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;
    Sha256(Sha256&&) = delete;
    Sha256& operator=(Sha256&&) = delete;
    ~Sha256();

    void data(const uint8_t* bytes, size_t length);
    void zeros(uint64_t length);
    Sha256Digest finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace stowage

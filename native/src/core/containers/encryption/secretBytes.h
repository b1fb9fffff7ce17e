#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace stowage::containers {

/**
 * Memory for keys: pages that stay out of the swap file and of core dumps, overwritten when given
 * back. Small pieces come out of one arena; larger ones, and those for which it has no room, have
 * pages of their own.
 */
void* allocateSecret(size_t bytes);
void freeSecret(void* memory, size_t bytes);

/** True when every requested page could be locked; the system's limit may forbid it. */
bool secretsAreLocked();

/** Bytes in such memory. */
class SecretBytes {
  public:
    explicit SecretBytes(size_t bytes) : bytes_(bytes), data_(static_cast<uint8_t*>(allocateSecret(bytes))) {}
    SecretBytes(const uint8_t* from, size_t bytes);
    SecretBytes(const SecretBytes&) = delete;
    SecretBytes& operator=(const SecretBytes&) = delete;
    SecretBytes(SecretBytes&& other) noexcept : bytes_(other.bytes_), data_(other.data_) {
        other.bytes_ = 0;
        other.data_ = nullptr;
    }
    SecretBytes& operator=(SecretBytes&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        std::swap(data_, other.data_);
        return *this;
    }
    ~SecretBytes() {
        if (data_ != nullptr) freeSecret(data_, bytes_);
    }
    [[nodiscard]] uint8_t* data() { return data_; }
    [[nodiscard]] const uint8_t* data() const { return data_; }
    [[nodiscard]] size_t size() const { return bytes_; }

  private:
    size_t bytes_;
    uint8_t* data_;
};

/**
 * While one exists on a thread, the crypto library allocates from secret memory there: its key
 * schedules too.
 */
class SecretScope {
  public:
    SecretScope();
    SecretScope(const SecretScope&) = delete;
    SecretScope& operator=(const SecretScope&) = delete;
    SecretScope(SecretScope&&) = delete;
    SecretScope& operator=(SecretScope&&) = delete;
    ~SecretScope();
    static bool isOpen();
};

} // namespace stowage::containers

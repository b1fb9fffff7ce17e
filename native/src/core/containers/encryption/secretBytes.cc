#include "core/containers/encryption/secretBytes.h"

#include "platform/storage.h"

#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <mutex>
#include <new>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define STOWAGE_LEAK_CHECK
#endif
#endif

namespace stowage::containers {

namespace {

constexpr size_t arenaBytes = size_t{256} << 10U;
constexpr size_t leastPiece = 64;
constexpr size_t mostPiece = size_t{16} << 10U;

std::atomic<bool> everythingLocked{true};
thread_local unsigned openScopes = 0;

void* pages(size_t bytes) {
    bool locked = false;
    void* const memory = platform::allocateSecretPages(bytes, locked);
    if (memory == nullptr) throw std::bad_alloc();
    if (!locked) everythingLocked.store(false);
    return memory;
}

/**
 * Pieces of powers of two, kept in lists by size when they are free. Lives as long as the process.
 */
class Arena {
  public:
    Arena() : start_(static_cast<uint8_t*>(pages(arenaBytes))) {
#ifdef STOWAGE_LEAK_CHECK
        // The crypto library keeps pointers to further memory of its own here.
        __lsan_register_root_region(start_, arenaBytes);
#endif
    }

    void* allocate(size_t bytes) {
        const size_t piece = pieceFor(bytes);
        const std::scoped_lock guard(lock_);
        void*& list = free_.at(static_cast<size_t>(std::countr_zero(piece)));
        if (list != nullptr) {
            void* const memory = list;
            std::memcpy(&list, memory, sizeof list);
            std::memset(memory, 0, sizeof list);
            return memory;
        }
        if (piece > arenaBytes - used_) return nullptr;
        used_ += piece;
        return start_ + used_ - piece;
    }

    void release(void* memory, size_t bytes) {
        const size_t piece = pieceFor(bytes);
        platform::wipe(memory, piece);
        const std::scoped_lock guard(lock_);
        void*& list = free_.at(static_cast<size_t>(std::countr_zero(piece)));
        std::memcpy(memory, &list, sizeof list);
        list = memory;
    }

    [[nodiscard]] bool has(const void* memory) const {
        return memory >= start_ && memory < start_ + arenaBytes;
    }

  private:
    static size_t pieceFor(size_t bytes) {
        return std::bit_ceil(bytes < leastPiece ? leastPiece : bytes);
    }

    uint8_t* start_;
    std::mutex lock_;
    size_t used_ = 0;
    std::array<void*, 64> free_{};
};

Arena& arena() {
    static auto* const only = new Arena; // never freed: the crypto library may free pieces at the very end
    return *only;
}

} // namespace

void* allocateSecret(size_t bytes) {
    void* const memory = bytes <= mostPiece ? arena().allocate(bytes) : nullptr;
    return memory != nullptr ? memory : pages(bytes);
}

void freeSecret(void* memory, size_t bytes) {
    if (arena().has(memory)) {
        arena().release(memory, bytes);
    } else {
        platform::freeSecretPages(memory, bytes);
    }
}

bool secretsAreLocked() {
    arena();
    return everythingLocked.load();
}

SecretBytes::SecretBytes(const uint8_t* from, size_t bytes) : SecretBytes(bytes) {
    if (bytes > 0) std::memcpy(data_, from, bytes);
}

SecretScope::SecretScope() {
    ++openScopes;
}

SecretScope::~SecretScope() {
    --openScopes;
}

bool SecretScope::isOpen() {
    return openScopes > 0;
}

} // namespace stowage::containers

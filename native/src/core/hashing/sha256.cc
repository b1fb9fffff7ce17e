// The bare SHA256_* functions, which OpenSSL 3 calls deprecated in favour of EVP: they are the same
// assembly (SHA-NI, AVX2, NEON, chosen at run time) without EVP's providers, configuration file,
// locks and exit handlers, none of which belong in a library that a worker thread may unload.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "core/hashing/sha256.h"

#include <openssl/sha.h>

#include <algorithm>

namespace stowage {

struct Sha256::State {
    SHA256_CTX context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
    SHA256_Init(&state_->context);
}

Sha256::~Sha256() = default;

void Sha256::data(const uint8_t* bytes, size_t length) {
    SHA256_Update(&state_->context, bytes, length);
}

void Sha256::zeros(uint64_t length) {
    static constexpr std::array<uint8_t, size_t{1} << 16U> none{};
    while (length > 0) {
        const size_t part = std::min<uint64_t>(length, none.size());
        SHA256_Update(&state_->context, none.data(), part);
        length -= part;
    }
}

Sha256Digest Sha256::finish() {
    Sha256Digest digest{};
    SHA256_Final(digest.data(), &state_->context);
    SHA256_Init(&state_->context);
    return digest;
}

} // namespace stowage

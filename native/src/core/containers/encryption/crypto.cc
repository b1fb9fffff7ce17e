#include "core/containers/encryption/crypto.h"

#include "core/containers/containerError.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include <cstdlib>
#include <cstring>
#include <mutex>

namespace stowage::containers {

namespace {

// The library's own allocations, each with its length in front: those made within a SecretScope are
// secret memory.
struct alignas(16) Prefix {
    size_t bytes;
    bool isSecret;
};

void* allocate(size_t bytes, const char* /*file*/, int /*line*/) {
    const size_t whole = bytes + sizeof(Prefix);
    if (whole < bytes) return nullptr;
    const bool isSecret = SecretScope::isOpen();
    void* memory = nullptr;
    try {
        memory = isSecret ? allocateSecret(whole) : std::malloc(whole);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
    if (memory == nullptr) return nullptr;
    new (memory) Prefix{bytes, isSecret};
    return static_cast<Prefix*>(memory) + 1;
}

void release(void* memory, const char* /*file*/, int /*line*/) {
    if (memory == nullptr) return;
    Prefix* const prefix = static_cast<Prefix*>(memory) - 1;
    if (prefix->isSecret) {
        freeSecret(prefix, prefix->bytes + sizeof(Prefix));
    } else {
        std::free(prefix);
    }
}

void* reallocate(void* memory, size_t bytes, const char* file, int line) {
    void* const moved = bytes == 0 ? nullptr : allocate(bytes, file, line);
    if (memory != nullptr && moved != nullptr) {
        std::memcpy(moved, memory, std::min(bytes, (static_cast<Prefix*>(memory) - 1)->bytes));
    }
    if (moved != nullptr || bytes == 0) release(memory, file, line);
    return moved;
}

/**
 * Set up once and kept: a context of our own, into which no configuration file of the machine is
 * read.
 */
struct Library {
    OSSL_LIB_CTX* context = nullptr;
    std::array<EVP_CIPHER*, 4> ciphers{};
    std::array<EVP_CIPHER*, 3> blockCiphers{};
    EVP_MAC* hmac = nullptr;
    EVP_KDF* pbkdf2 = nullptr;
};

const Library& library() {
    static const Library only = [] {
        CRYPTO_set_mem_functions(allocate, reallocate, release);
        // Exit handlers would run after an addon's worker has gone.
        OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT | OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
        Library made;
        made.context = OSSL_LIB_CTX_new();
        const std::array<const char*, 4> names = {"AES-128-CBC", "AES-192-CBC", "AES-256-CBC",
                                                  "DES-EDE3-CBC"};
        for (size_t i = 0; i < names.size(); ++i)
            made.ciphers.at(i) = EVP_CIPHER_fetch(made.context, names.at(i), nullptr);
        const std::array<const char*, 3> blockNames = {"AES-128-ECB", "AES-192-ECB", "AES-256-ECB"};
        for (size_t i = 0; i < blockNames.size(); ++i)
            made.blockCiphers.at(i) = EVP_CIPHER_fetch(made.context, blockNames.at(i), nullptr);
        made.hmac = EVP_MAC_fetch(made.context, "HMAC", nullptr);
        made.pbkdf2 = EVP_KDF_fetch(made.context, "PBKDF2", nullptr);
        return made;
    }();
    return only;
}

void require(bool worked, const char* what) {
    if (!worked) fail(Fault::io, std::string("the crypto library failed: ") + what);
}

/** A context with its key schedule in secret memory. */
EVP_CIPHER_CTX* keyedContext(EVP_CIPHER* cipher, const uint8_t* key, bool encrypts) {
    const SecretScope secret;
    EVP_CIPHER_CTX* const context = EVP_CIPHER_CTX_new();
    if (cipher != nullptr && context != nullptr &&
        EVP_CipherInit_ex2(context, cipher, key, nullptr, encrypts ? 1 : 0, nullptr) == 1 &&
        EVP_CIPHER_CTX_set_padding(context, 0) == 1) {
        return context;
    }
    EVP_CIPHER_CTX_free(context);
    fail(Fault::io, "the crypto library failed: cipher");
}

} // namespace

struct CbcCipher::State {
    explicit State(EVP_CIPHER_CTX* keyed) : context(keyed) {}
    EVP_CIPHER_CTX* context;
};

struct AesBlocks::State {
    explicit State(EVP_CIPHER_CTX* keyed) : context(keyed) {}
    EVP_CIPHER_CTX* context;
};

AesBlocks::AesBlocks(CipherName name, const uint8_t* key, bool encrypts)
    : state_(std::make_unique<State>(
          keyedContext(library().blockCiphers.at(static_cast<size_t>(name)), key, encrypts))) {}

AesBlocks::~AesBlocks() {
    EVP_CIPHER_CTX_free(state_->context);
}

void AesBlocks::run(const uint8_t* from, uint8_t* into, size_t bytes) {
    int written = 0;
    require(EVP_CipherUpdate(state_->context, into, &written, from, static_cast<int>(bytes)) == 1 &&
                static_cast<size_t>(written) == bytes,
            "AES");
}

CbcCipher::CbcCipher(CipherName name, const uint8_t* key, bool encrypts)
    : state_(std::make_unique<State>(
          keyedContext(library().ciphers.at(static_cast<size_t>(name)), key, encrypts))) {}

CbcCipher::~CbcCipher() {
    EVP_CIPHER_CTX_free(state_->context);
}

void CbcCipher::run(const uint8_t* iv, const uint8_t* from, uint8_t* into, size_t bytes) {
    int written = 0;
    require(EVP_CipherInit_ex2(state_->context, nullptr, nullptr, iv, -1, nullptr) == 1 &&
                EVP_CipherUpdate(state_->context, into, &written, from, static_cast<int>(bytes)) == 1 &&
                static_cast<size_t>(written) == bytes,
            "CBC");
}

struct HmacSha1::State {
    EVP_MAC_CTX* context = nullptr;
};

HmacSha1::HmacSha1(const uint8_t* key, size_t bytes) : state_(std::make_unique<State>()) {
    EVP_MAC* const hmac = library().hmac;
    const SecretScope secret;
    state_->context = EVP_MAC_CTX_new(hmac);
    char digest[] = "SHA1";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, static_cast<char*>(digest), 0),
        OSSL_PARAM_construct_end()};
    if (state_->context != nullptr &&
        EVP_MAC_init(state_->context, key, bytes, static_cast<const OSSL_PARAM*>(parameters)) == 1) {
        return;
    }
    EVP_MAC_CTX_free(state_->context);
    require(false, "HMAC");
}

HmacSha1::~HmacSha1() {
    EVP_MAC_CTX_free(state_->context);
}

Sha1Digest HmacSha1::of(const uint8_t* message, size_t bytes) {
    Sha1Digest digest{};
    size_t written = 0;
    require(EVP_MAC_init(state_->context, nullptr, 0, nullptr) == 1 &&
                EVP_MAC_update(state_->context, message, bytes) == 1 &&
                EVP_MAC_final(state_->context, digest.data(), &written, digest.size()) == 1,
            "HMAC");
    return digest;
}

SecretBytes pbkdf2Sha1(const SecretBytes& password, const uint8_t* salt, size_t saltBytes, uint32_t rounds,
                       size_t keyBytes) {
    const Library& made = library();
    const SecretScope secret;
    SecretBytes key(keyBytes);
    char digest[] = "SHA1";
    // Images of before ask for 1,000 rounds, which the library's newer limits would refuse.
    int withoutLimits = 1;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_PASSWORD, const_cast<uint8_t*>(password.data()),
                                          password.size()),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, const_cast<uint8_t*>(salt), saltBytes),
        OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_ITER, &rounds),
        OSSL_PARAM_construct_int(OSSL_KDF_PARAM_PKCS5, &withoutLimits),
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, static_cast<char*>(digest), 0),
        OSSL_PARAM_construct_end()};
    EVP_KDF_CTX* const context = EVP_KDF_CTX_new(made.pbkdf2);
    const bool worked = context != nullptr && EVP_KDF_derive(context, key.data(), key.size(),
                                                             static_cast<const OSSL_PARAM*>(parameters)) == 1;
    EVP_KDF_CTX_free(context);
    require(worked, "PBKDF2");
    return key;
}

void randomBytes(uint8_t* into, size_t bytes) {
    require(RAND_bytes_ex(library().context, into, bytes, 256) == 1, "random bytes");
}

} // namespace stowage::containers

#pragma once

#include "core/containers/byteStore.h"
#include "core/containers/container.h"
#include "core/containers/encryption/secretBytes.h"
#include "core/containers/place.h"

#include <memory>

namespace stowage::containers {

/** How a new container is to be encrypted. */
struct EncryptionWish {
    unsigned keyBits = 256;
    /** Rounds of PBKDF2; macOS is seen to use 344,827 to 625,000. */
    uint32_t rounds = 600'000;
    const SecretBytes* password = nullptr;
};

struct NewContainer {
    ContainerKind kind = ContainerKind::sparseBundle;
    uint64_t bytes = 0;
    /** The band size of a sparse image or bundle; 0 for Apple's default (1 MiB, 8 MiB). */
    uint64_t bandBytes = 0;
    std::optional<EncryptionWish> encryption;
};

/**
 * Makes an empty container under a name next to the place; the caller moves it in. @throws
 * ContainerError
 */
void makeContainer(const platform::Handle& parent, const std::string& name, const NewContainer& wish,
                   Task& task);

/** Makes an empty file for an image's content, encrypted if wished. @throws ContainerError */
std::unique_ptr<ByteStore> makeStore(const platform::Handle& parent, const std::string& name,
                                     const std::optional<EncryptionWish>& wish);

/**
 * Makes an empty container; at every moment there is either none at the path or a whole one.
 * @throws `exists`
 */
void createContainer(const std::string& path, const NewContainer& wish, Task& task);

struct OpenOptions {
    bool writable = false;
    /** Needed for an encrypted one; else not looked at. */
    const SecretBytes* password = nullptr;
};

/**
 * Opens a container, whatever it is; by its content, not its name. A file that has no signature is
 * a read-write image.
 * @throws ContainerError: `wrong-password` (also for none), `bad-input`, `refused` when it is in
 *   use or not supported.
 */
std::unique_ptr<Container> openContainer(const std::string& path, const OpenOptions& options);
std::unique_ptr<Container> openContainerIn(const platform::Handle& parent, const std::string& name,
                                           const OpenOptions& options);

/**
 * How a container is encrypted, without the password; nothing if it is not. @throws ContainerError
 */
std::optional<EncryptionFacts> encryptionOf(const std::string& path);

/** Changes the password without touching the data. @throws `wrong-password`, `usage` when it is not
 * encrypted. */
void changeContainerPassword(const std::string& path, const SecretBytes& oldPassword,
                             const SecretBytes& newPassword, uint32_t rounds);

} // namespace stowage::containers

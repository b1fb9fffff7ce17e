#pragma once

#include "core/containers/openContainer.h"
#include "temporaryFolder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace stowage::testing {

using namespace stowage::containers;

/** One kind of container, encrypted or not (key bits 0). */
struct Variety {
    ContainerKind kind;
    unsigned keyBits;
};

inline SecretBytes secret(std::string_view text) {
    return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

inline std::vector<uint8_t> noiseBytes(size_t bytes, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<uint8_t> content(bytes);
    for (uint8_t& byte : content)
        byte = static_cast<uint8_t>(random());
    return content;
}

inline std::vector<uint8_t> bytesOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void writeBytes(const std::filesystem::path& path, const std::vector<uint8_t>& content) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
}

/** The message that an action fails with; empty if it does not fail. */
template <typename Action> std::string failureOf(Action action) {
    try {
        action();
    } catch (const ContainerError& error) {
        return std::string(faultName(error.fault())) + ": " + error.what();
    }
    return "";
}

class ContainerFixture : public ::testing::Test {
  protected:
    std::filesystem::path root;
    SecretBytes password = secret("correct horse");
    Task task;

    void SetUp() override { root = makeTemporaryFolder(); }
    void TearDown() override { std::filesystem::remove_all(root); }

    [[nodiscard]] std::string path() const { return (root / "disk").string(); }

    void create(Variety variety, uint64_t bytes, uint64_t bandBytes = 0) {
        NewContainer wish{variety.kind, bytes, bandBytes, std::nullopt};
        if (variety.keyBits != 0) wish.encryption = EncryptionWish{variety.keyBits, 1000, &password};
        createContainer(path(), wish, task);
    }
    std::unique_ptr<Container> open(bool writable = true) const {
        return openContainer(path(), {writable, &password});
    }
    [[nodiscard]] bool punchesHoles() const {
        platform::Handle folder;
        platform::Handle file;
        constexpr uint64_t length = 65'536;
        const bool punched = platform::openFolder(root.string(), folder) == 0 &&
                             platform::openStorage(folder, "hole", platform::Opening::toCreate, file) == 0 &&
                             platform::resizeFile(file, length) == 0 &&
                             platform::punchHole(file, 0, length) != ENOTSUP;
        platform::removeFile(folder, "hole");
        return punched;
    }
    static std::vector<uint8_t> all(Container& container) {
        std::vector<uint8_t> content(container.bytes());
        container.read(0, content.data(), content.size());
        return content;
    }
};

} // namespace stowage::testing

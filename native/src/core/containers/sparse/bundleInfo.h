#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stowage::containers {

/** The fields of a sparse bundle's `Info.plist`. */
struct BundleInfo {
    uint64_t diskBytes = 0;
    uint64_t bandBytes = 0;
};

constexpr uint64_t leastBundleBand = uint64_t{1} << 20U;
constexpr uint64_t mostBundleBand = uint64_t{1} << 33U;

/** @throws ContainerError `bad-input`, `refused` for a version that is not known. */
BundleInfo parseBundleInfo(std::string_view plist);

/** The file as macOS writes it, byte for byte. */
std::string bundleInfoPlist(const BundleInfo& info);

/** A token's or plist's length beyond which it is not read. */
constexpr uint64_t mostInfoBytes = uint64_t{1} << 20U;

} // namespace stowage::containers

#include "core/containers/sparse/bundleInfo.h"

#include "core/containers/container.h"
#include "core/containers/sparse/plist.h"

namespace stowage::containers {

namespace {

using Kind = PlistValue::Kind;

uint64_t sectorMultiple(const PlistValue& dictionary, const char* key) {
    const PlistValue* const value = dictionary.find(key, Kind::integer);
    if (value == nullptr) damaged(std::string("Info.plist has no number ") + key);
    if (value->number <= 0 || static_cast<uint64_t>(value->number) % sectorBytes != 0) {
        damaged(std::string("Info.plist's ") + key + " is not a positive multiple of 512");
    }
    return static_cast<uint64_t>(value->number);
}

} // namespace

BundleInfo parseBundleInfo(std::string_view plist) {
    const PlistValue root = parsePlist(plist);
    if (root.kind != Kind::dictionary) damaged("Info.plist holds no dictionary");
    const PlistValue* const type = root.find("diskimage-bundle-type", Kind::string);
    if (type == nullptr || type->text != "com.apple.diskimage.sparsebundle")
        damaged("it is not a sparse bundle");
    const PlistValue* const version = root.find("bundle-backingstore-version", Kind::integer);
    if (version == nullptr) damaged("Info.plist has no number bundle-backingstore-version");
    if (version->number != 1) {
        fail(Fault::refused,
             "sparse bundles of version " + std::to_string(version->number) + " are not supported");
    }
    BundleInfo info;
    info.diskBytes = sectorMultiple(root, "size");
    info.bandBytes = sectorMultiple(root, "band-size");
    if (info.bandBytes > mostBundleBand) damaged("Info.plist's band-size is above 8 GiB");
    return info;
}

std::string bundleInfoPlist(const BundleInfo& info) {
    return R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>CFBundleInfoDictionaryVersion</key>
	<string>6.0</string>
	<key>band-size</key>
	<integer>)" +
           std::to_string(info.bandBytes) + R"(</integer>
	<key>bundle-backingstore-version</key>
	<integer>1</integer>
	<key>diskimage-bundle-type</key>
	<string>com.apple.diskimage.sparsebundle</string>
	<key>size</key>
	<integer>)" +
           std::to_string(info.diskBytes) + R"(</integer>
</dict>
</plist>
)";
}

} // namespace stowage::containers

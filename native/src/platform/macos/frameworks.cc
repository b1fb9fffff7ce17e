// Written from Apple's documentation of CoreFoundation and IOKit. Compiled and linked, NOT RUN so
// far: no Mac was at hand.
#include "platform/macos/frameworks.h"

#include <dlfcn.h>

namespace stowage::platform {

namespace {

template <typename Function> bool resolve(void* library, const char* name, Function& into) {
    into = library == nullptr ? nullptr : reinterpret_cast<Function>(::dlsym(library, name));
    return into != nullptr;
}

/** A framework by its name; it stays loaded. */
void* framework(const char* path) {
    return ::dlopen(path, RTLD_LAZY | RTLD_LOCAL);
}

bool resolveAll(Frameworks& all) {
    void* const core = framework("/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation");
    void* const kit = framework("/System/Library/Frameworks/IOKit.framework/IOKit");
    return resolve(core, "CFRelease", all.release) && resolve(core, "CFGetTypeID", all.typeOf) &&
           resolve(core, "CFStringGetTypeID", all.stringType) &&
           resolve(core, "CFDictionaryGetTypeID", all.dictionaryType) &&
           resolve(core, "CFNumberGetTypeID", all.numberType) &&
           resolve(core, "CFStringCreateWithCString", all.makeString) &&
           resolve(core, "CFStringGetCString", all.textOf) &&
           resolve(core, "CFDictionaryGetValue", all.valueOf) &&
           resolve(core, "CFNumberGetValue", all.numberOf) &&
           resolve(kit, "IOBSDNameMatching", all.matchingName) &&
           resolve(kit, "IOServiceGetMatchingService", all.matchingService) &&
           resolve(kit, "IORegistryEntrySearchCFProperty", all.property) &&
           resolve(kit, "IOObjectRelease", all.releaseObject);
}

} // namespace

const Frameworks* frameworks() {
    static Frameworks all{};
    static const bool isWhole = resolveAll(all);
    return isWhole ? &all : nullptr;
}

} // namespace stowage::platform

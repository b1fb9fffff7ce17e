// The functions of Node-API are the program's own, and it has many names: node.exe, electron.exe,
// or that of a packaged application. An import library would bind the addon to one of them, and
// only Microsoft's linker comes with a hook that could mend this. So each function is a jump
// through a pointer that is looked up in the running program when the addon is loaded.
#include <windows.h>

#include <cstdio>
#include <cstdlib>

namespace {

/** Stands for functions newer than the program: the addon asks for none unless it must. */
[[noreturn]] void notThere() {
    std::fputs("stowage.node: this program lacks a function of Node-API that the addon needs\n", stderr);
    std::abort();
}

} // namespace

extern "C" {
// NOLINTBEGIN: names and jumps can be made by a macro only
#define NODE_API(name)                                                                                       \
    void* stowage_##name = nullptr;                                                                          \
    __asm__(".text\n.globl " #name "\n.def " #name "; .scl 2; .type 32; .endef\n" #name                      \
            ":\n\tjmp *stowage_" #name "(%rip)\n");
#include "nodeApiNames.inc"
#undef NODE_API
// NOLINTEND
}

namespace {

struct Function {
    const char* name;
    void** place;
};

constexpr Function functions[] = {
#define NODE_API(name) {#name, &stowage_##name},
#include "nodeApiNames.inc"
#undef NODE_API
};

/** Before everything else of the addon. */
[[gnu::constructor(101)]] void lookUp() {
    HMODULE const program = GetModuleHandleW(nullptr);
    // A program may also have Node in a library.
    HMODULE const library = GetModuleHandleW(L"libnode.dll");
    for (const Function& function : functions) {
        FARPROC found = GetProcAddress(program, function.name);
        if (found == nullptr && library != nullptr) found = GetProcAddress(library, function.name);
        *function.place =
            found == nullptr ? reinterpret_cast<void*>(&notThere) : reinterpret_cast<void*>(found);
    }
}

} // namespace

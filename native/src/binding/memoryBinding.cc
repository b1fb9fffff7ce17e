#include "binding/memoryBinding.h"

#include "binding/asyncJob.h"
#include "platform/fileSystem.h"

namespace stowage::binding {

namespace {

/** Tens of megabytes take the system some milliseconds. */
struct HeapTrimming {
    void run() const { platform::trimHeaps(); }
    void cancel() {}
};

} // namespace

Napi::Value trimHeaps(const Napi::CallbackInfo& info) {
    return AsyncJob<HeapTrimming>::start(info.Env(), "stowage heaps", std::make_shared<HeapTrimming>(),
                                         [](Napi::Env env, HeapTrimming&) { return env.Undefined(); });
}

} // namespace stowage::binding

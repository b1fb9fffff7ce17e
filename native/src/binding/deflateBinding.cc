#include "binding/deflateBinding.h"

#include "binding/arguments.h"
#include "binding/workObject.h"
#include "core/containers/compressed/deflateStream.h"

#include <atomic>

namespace stowage::binding {

namespace {

struct Deflating {
    containers::DeflateStream stream;
    std::atomic<bool> busy{false};
};

/** One piece; it takes milliseconds, so that nothing cancels it. */
struct DeflatedPiece {
    std::shared_ptr<Deflating> deflating;
    std::vector<uint8_t> bytes;
    bool isLast;

    void run() { bytes = deflating->stream.add(bytes.data(), bytes.size(), isLast); }
    void cancel() {}
};

Napi::Value addPiece(const std::shared_ptr<Deflating>& deflating, const Napi::CallbackInfo& call) {
    if (!call[0].IsTypedArray() || call[0].As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array)
        throw Napi::TypeError::New(call.Env(), "content must be given as bytes");
    const auto given = call[0].As<Napi::Uint8Array>();
    const bool isLast = flagArgument(call[1]);
    if (deflating->busy.exchange(true))
        throw Napi::TypeError::New(call.Env(), "a piece is added once the one before is done");
    const auto piece = std::make_shared<DeflatedPiece>(DeflatedPiece{
        deflating, std::vector<uint8_t>(given.Data(), given.Data() + given.ByteLength()), isLast});
    return AsyncJob<DeflatedPiece>::start(call.Env(), "stowage deflate", piece,
                                          [](Napi::Env env, DeflatedPiece& done) -> Napi::Value {
                                              done.deflating->busy = false;
                                              return copiedBytes(env, done.bytes.data(), done.bytes.size());
                                          });
}

} // namespace

Napi::Value startDeflate(const Napi::CallbackInfo& info) {
    const auto deflating = std::make_shared<Deflating>();
    Napi::Object object = Napi::Object::New(info.Env());
    object["add"] = Napi::Function::New(
        info.Env(), [deflating](const Napi::CallbackInfo& call) { return addPiece(deflating, call); }, "add");
    method(object, "crc32", deflating,
           [](const Napi::CallbackInfo&, Deflating& done) { return done.stream.crc32(); });
    return object;
}

} // namespace stowage::binding

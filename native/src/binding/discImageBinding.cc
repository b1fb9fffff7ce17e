#include "binding/discImageBinding.h"

#include "binding/arguments.h"
#include "binding/errorValue.h"
#include "binding/par2Arguments.h"
#include "binding/workObject.h"
#include "core/discImage/imageWriter.h"
#include "core/protection/field16.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

namespace stowage::binding {

namespace {

using discImage::ContentSource;
using discImage::Entries;
using discImage::Entry;
using discImage::EntryKind;
using discImage::GivenPlaces;
using discImage::ImageNames;
using discImage::ImageProtection;
using discImage::ImageWriter;
using discImage::Layout;
using discImage::RecoveryFile;
using discImage::WritingOptions;

/** One of the arrays, of the length that all have. */
template <typename Array> Array column(const Napi::Object& columns, const char* name, size_t length) {
    const Napi::Value value = columns.Get(name);
    if (!value.IsTypedArray() || value.As<Napi::TypedArray>().ElementLength() != length) {
        throw Napi::TypeError::New(columns.Env(), std::string("the entries have no full column ") + name);
    }
    return value.As<Array>();
}

std::string textOf(const Napi::Object& columns, const char* name) {
    const Napi::Value value = columns.Get(name);
    if (!value.IsString())
        throw Napi::TypeError::New(columns.Env(), std::string("an image needs its ") + name);
    return value.As<Napi::String>().Utf8Value();
}

/** Adds the bytes of a column to the text; `ends` says where each one's part of them ends. */
class TextColumn {
  public:
    TextColumn(const Napi::Object& columns, const char* bytes, const char* ends, size_t length,
               std::string& text)
        : ends_(column<Napi::Uint32Array>(columns, ends, length)), start_(text.size()) {
        const Napi::Value value = columns.Get(bytes);
        if (!value.IsTypedArray()) throw Napi::TypeError::New(columns.Env(), "the entries have no text");
        const auto all = value.As<Napi::Uint8Array>();
        text.append(reinterpret_cast<const char*>(all.Data()), all.ByteLength());
        size_ = all.ByteLength();
    }
    [[nodiscard]] uint64_t at(size_t index) const { return start_ + from(index); }
    [[nodiscard]] uint32_t bytes(size_t index) const {
        const uint32_t end = ends_[index];
        if (end < from(index) || end > size_)
            throw Napi::RangeError::New(ends_.Env(), "a text ends too late");
        return end - from(index);
    }

  private:
    [[nodiscard]] uint32_t from(size_t index) const { return index == 0 ? 0 : ends_[index - 1]; }

    Napi::Uint32Array ends_;
    size_t start_;
    size_t size_ = 0;
};

Entries entriesFrom(const Napi::Object& columns) {
    const Napi::Value kindValue = columns.Get("kinds");
    if (!kindValue.IsTypedArray()) throw Napi::TypeError::New(columns.Env(), "the entries have no kinds");
    const size_t length = kindValue.As<Napi::TypedArray>().ElementLength();
    const auto kinds = column<Napi::Uint8Array>(columns, "kinds", length);
    const auto ranks = column<Napi::Uint8Array>(columns, "ranks", length);
    const auto parents = column<Napi::Uint32Array>(columns, "parents", length);
    const auto contents = column<Napi::Uint32Array>(columns, "contents", length);
    const auto modes = column<Napi::Uint32Array>(columns, "modes", length);
    const auto users = column<Napi::Uint32Array>(columns, "users", length);
    const auto groups = column<Napi::Uint32Array>(columns, "groups", length);
    const auto seconds = column<Napi::Float64Array>(columns, "seconds", length);
    const auto nanoseconds = column<Napi::Uint32Array>(columns, "nanoseconds", length);
    const auto createdSeconds = column<Napi::Float64Array>(columns, "createdSeconds", length);
    const auto createdNanoseconds = column<Napi::Uint32Array>(columns, "createdNanoseconds", length);
    const auto bytes = column<Napi::Float64Array>(columns, "bytes", length);
    Entries entries;
    const TextColumn names(columns, "names", "nameEnds", length, entries.text);
    const TextColumn targets(columns, "targets", "targetEnds", length, entries.text);
    entries.all.resize(length);
    for (size_t i = 0; i < length; ++i) {
        Entry& entry = entries.all[i];
        if (kinds[i] > static_cast<uint8_t>(EntryKind::link) || !(bytes[i] >= 0)) {
            throw Napi::RangeError::New(columns.Env(), "an entry has no such kind or size");
        }
        entry.kind = static_cast<EntryKind>(kinds[i]);
        entry.rank = ranks[i];
        entry.parent = parents[i];
        entry.content = contents[i];
        entry.mode = modes[i];
        entry.user = users[i];
        entry.group = groups[i];
        entry.modified = {static_cast<int64_t>(seconds[i]), nanoseconds[i]};
        if (!std::isnan(createdSeconds[i]))
            entry.created = {static_cast<int64_t>(createdSeconds[i]), createdNanoseconds[i]};
        entry.bytes = static_cast<uint64_t>(bytes[i]);
        entry.nameAt = names.at(i);
        entry.nameBytes = names.bytes(i);
        entry.targetAt = targets.at(i);
        entry.targetBytes = targets.bytes(i);
    }
    return entries;
}

ImageNames imageNamesFrom(const Napi::Object& columns) {
    const Napi::Value made = columns.Get("madeSeconds");
    if (!made.IsNumber()) throw Napi::TypeError::New(columns.Env(), "an image needs its time");
    const Napi::Value udf = columns.Get("hasUdf");
    return {textOf(columns, "label"),
            textOf(columns, "uniqueId"),
            textOf(columns, "application"),
            {made.As<Napi::Number>().Int64Value(), 0},
            !udf.IsBoolean() || udf.As<Napi::Boolean>().Value()};
}

/** The places of an earlier layout where they are given: `{ sectors, firstSectors }`. */
std::optional<GivenPlaces> placesFrom(const Napi::Value& value) {
    if (!value.IsObject()) return std::nullopt;
    const auto given = value.As<Napi::Object>();
    GivenPlaces places;
    places.sectors = countArgument(given.Get("sectors"));
    const Napi::Value sectors = given.Get("firstSectors");
    if (!sectors.IsTypedArray()) throw Napi::TypeError::New(value.Env(), "places have no sectors");
    const auto column = sectors.As<Napi::Float64Array>();
    places.firstSectors.resize(column.ElementLength());
    for (size_t i = 0; i < places.firstSectors.size(); ++i) {
        if (!(column[i] >= 0 && column[i] <= UINT32_MAX))
            throw Napi::RangeError::New(value.Env(), "there is no such sector");
        places.firstSectors[i] = static_cast<uint64_t>(column[i]);
    }
    return places;
}

/** The layout while it is computed: nothing ends it but its own end. */
struct LayoutWork {
    Entries entries;
    ImageNames names;
    std::optional<GivenPlaces> given;
    std::shared_ptr<Layout> layout;

    void run() {
        layout = std::make_shared<Layout>(std::move(entries), std::move(names), given ? &*given : nullptr);
    }
    void cancel() {}
};

uint32_t entryArgument(const Napi::Value& value, const Layout& layout) {
    const uint64_t entry = countArgument(value);
    if (entry >= layout.entries().all.size())
        throw Napi::RangeError::New(value.Env(), "there is no such entry");
    return static_cast<uint32_t>(entry);
}

/**
 * Sources by entry: `{ entry, path, offset, sha256 }`, the last null where it is not known;
 * `{ entry, content }`; or `{ entry, set, heads, frame }` for recovery blocks.
 */
std::map<uint32_t, ContentSource> sourcesFrom(const Napi::Value& value, const Layout& layout) {
    if (!value.IsArray()) throw Napi::TypeError::New(value.Env(), "sources must be an array");
    const auto all = value.As<Napi::Array>();
    std::map<uint32_t, ContentSource> sources;
    for (uint32_t i = 0; i < all.Length(); ++i) {
        const auto given = all.Get(i).As<Napi::Object>();
        ContentSource& source = sources[entryArgument(given.Get("entry"), layout)];
        const Napi::Value content = given.Get("content");
        if (content.IsTypedArray()) {
            const auto bytes = content.As<Napi::Uint8Array>();
            source.content.emplace(reinterpret_cast<const char*>(bytes.Data()), bytes.ByteLength());
            continue;
        }
        if (given.Has("heads")) {
            const auto frame = given.Get("frame").As<Napi::Uint8Array>();
            source.recovery = RecoveryFile{
                static_cast<uint32_t>(countArgument(given.Get("set"))), headsFrom(given.Get("heads")),
                std::string(reinterpret_cast<const char*>(frame.Data()), frame.ByteLength())};
            continue;
        }
        source.path = pathArgument(given.Get("path"));
        source.offset = countArgument(given.Get("offset"));
        const Napi::Value sha256 = given.Get("sha256");
        if (!sha256.IsTypedArray()) continue;
        const auto expected = sha256.As<Napi::Uint8Array>();
        Sha256Digest digest{};
        if (expected.ByteLength() != digest.size())
            throw Napi::TypeError::New(value.Env(), "a digest has another length");
        std::copy_n(expected.Data(), digest.size(), digest.begin());
        source.expected = digest;
    }
    return sources;
}

/**
 * `{ blockBytes, partBytes, scratch, recoveryBlocks, restRank, threads, entries, sets,
 * firstBlocks }`.
 */
std::optional<ImageProtection> protectionFrom(const Napi::Value& value, const Layout& layout) {
    if (!value.IsObject()) return std::nullopt;
    const auto given = value.As<Napi::Object>();
    ImageProtection protection;
    protection.blockBytes = countArgument(given.Get("blockBytes"));
    if (protection.blockBytes == 0 || protection.blockBytes % 2 != 0)
        throw Napi::RangeError::New(value.Env(), "a block must have an even number of bytes");
    protection.restRank = static_cast<uint8_t>(countArgument(given.Get("restRank")));
    protection.threads =
        static_cast<unsigned>(std::clamp<uint64_t>(countArgument(given.Get("threads")), 1, 64));
    protection.partBytes = countArgument(given.Get("partBytes"));
    if (protection.partBytes == 0 || protection.partBytes % 2 != 0 ||
        protection.partBytes > protection.blockBytes)
        throw Napi::RangeError::New(value.Env(), "a block has no such part");
    protection.scratch = pathArgument(given.Get("scratch"));
    const auto counts = given.Get("recoveryBlocks").As<Napi::Array>();
    for (uint32_t i = 0; i < counts.Length(); ++i)
        protection.recoveryBlocks.push_back(
            static_cast<uint16_t>(std::min<uint64_t>(countArgument(counts.Get(i)), UINT16_MAX)));
    const Napi::Value entryValue = given.Get("entries");
    if (!entryValue.IsTypedArray()) throw Napi::TypeError::New(value.Env(), "protection needs its files");
    const auto entries = entryValue.As<Napi::Uint32Array>();
    const auto sets = column<Napi::Uint32Array>(given, "sets", entries.ElementLength());
    const auto firstBlocks = column<Napi::Float64Array>(given, "firstBlocks", entries.ElementLength());
    for (size_t i = 0; i < entries.ElementLength(); ++i) {
        const double firstBlock = firstBlocks[i];
        const uint64_t bytes = entries[i] < layout.entries().all.size() ? layout.entry(entries[i]).bytes : 0;
        if (bytes == 0 || sets[i] >= protection.recoveryBlocks.size() || !(firstBlock >= 0))
            throw Napi::RangeError::New(value.Env(), "no set can have such a file");
        const uint64_t blocks = (bytes + protection.blockBytes - 1) / protection.blockBytes;
        if (firstBlock + static_cast<double>(blocks) > mostInputBlocks)
            throw Napi::RangeError::New(value.Env(), "a set has at most 32,768 blocks of files");
        protection.places[entries[i]] = {sets[i], static_cast<size_t>(firstBlock)};
    }
    return protection;
}

Napi::Object writingOutcome(Napi::Env env, const ImageWriter& writer) {
    Napi::Object value = Napi::Object::New(env);
    value["cancelled"] = writer.cancelled();
    const auto& digest = writer.imageDigest();
    value["sha256"] = digest ? copiedBytes(env, digest->data(), digest->size()) : env.Null();
    value["failure"] = env.Null();
    if (writer.failure()) {
        const ImageWriter::Failure& failure = *writer.failure();
        Napi::Object found = Napi::Object::New(env);
        if (failure.entry) {
            found["entry"] = *failure.entry;
            found["code"] = skipCodeName(failure.skip.code);
            found["cause"] = failure.skip.cause;
        } else {
            found = errorValue(env, failure.error);
            found["entry"] = env.Null();
        }
        value["failure"] = found;
    }
    return value;
}

/** A step of writing. Jobs cancel their work when they end, which must not reach the next step. */
class WritingStep {
  public:
    explicit WritingStep(std::shared_ptr<ImageWriter> writer) : writer_(std::move(writer)) {}
    WritingStep(std::shared_ptr<ImageWriter> writer, std::map<uint32_t, ContentSource> rest)
        : writer_(std::move(writer)), rest_(std::move(rest)) {}

    void run() {
        if (rest_)
            writer_->writeRest(std::move(*rest_));
        else
            writer_->run();
        hasEnded_.store(true);
    }
    void cancel() {
        if (!hasEnded_.load()) writer_->cancel();
    }
    [[nodiscard]] uint64_t bytesDone() const { return writer_->bytesDone(); }

  private:
    std::shared_ptr<ImageWriter> writer_;
    /** Given for the second step. */
    std::optional<std::map<uint32_t, ContentSource>> rest_;
    std::atomic<bool> hasEnded_{false};
};

Napi::Value writeRest(const Napi::CallbackInfo& info, const std::shared_ptr<ImageWriter>& writer,
                      const Layout& layout) {
    return startCountedWork<WritingStep>(
        info.Env(), "stowage writing the end of an image",
        std::make_shared<WritingStep>(writer, sourcesFrom(info[0], layout)),
        [writer](Napi::Env env, WritingStep&) { return writingOutcome(env, *writer); });
}

/** With the checks of protected files, and the step that is left. */
Napi::Value writingResult(Napi::Env env, const std::shared_ptr<ImageWriter>& writer,
                          const std::shared_ptr<Layout>& layout) {
    Napi::Object value = writingOutcome(env, *writer);
    if (!writer->protection()) return value;
    std::vector<uint32_t> entries;
    std::vector<uint8_t> files;
    std::vector<uint8_t> blocks;
    for (const auto& [entry, checks] : writer->checks()) {
        entries.push_back(entry);
        addChecks(checks, files, blocks);
    }
    value["entries"] = copied(env, entries.data(), entries.size(), napi_uint32_array);
    value["files"] = copiedBytes(env, files.data(), files.size());
    value["blocks"] = copiedBytes(env, blocks.data(), blocks.size());
    value["writeRest"] = Napi::Function::New(
        env, [writer, layout](const Napi::CallbackInfo& info) { return writeRest(info, writer, *layout); },
        "writeRest");
    return value;
}

Napi::Value write(const Napi::CallbackInfo& info, const std::shared_ptr<Layout>& layout) {
    WritingOptions options;
    options.output = static_cast<int>(countArgument(info[0]));
    options.hashFiles = flagArgument(info[2]);
    options.hashImage = flagArgument(info[3]);
    const auto writer = std::make_shared<ImageWriter>(layout, sourcesFrom(info[1], *layout), options,
                                                      protectionFrom(info[4], *layout));
    return startCountedWork<WritingStep>(
        info.Env(), "stowage writing an image", std::make_shared<WritingStep>(writer),
        [writer, layout](Napi::Env env, WritingStep&) { return writingResult(env, writer, layout); });
}

Napi::Value layoutObject(Napi::Env env, const std::shared_ptr<Layout>& layout) {
    Napi::Object object = Napi::Object::New(env);
    method(object, "sectors", layout, [](const Napi::CallbackInfo&, Layout& held) { return held.sectors(); });
    method(object, "firstSectors", layout, [](const Napi::CallbackInfo& info, Layout& held) {
        std::vector<double> sectors(held.entries().all.size());
        for (uint32_t i = 0; i < sectors.size(); ++i)
            sectors[i] = static_cast<double>(held.firstSector(i));
        return copied(info.Env(), sectors.data(), sectors.size(), napi_float64_array);
    });
    object["write"] = Napi::Function::New(
        env, [layout](const Napi::CallbackInfo& info) { return write(info, layout); }, "write");
    return object;
}

} // namespace

Napi::Value layOutDiscImage(const Napi::CallbackInfo& info) {
    if (!info[0].IsObject()) throw Napi::TypeError::New(info.Env(), "an image needs its entries");
    const auto columns = info[0].As<Napi::Object>();
    const auto work = std::make_shared<LayoutWork>();
    work->entries = entriesFrom(columns);
    work->names = imageNamesFrom(columns);
    work->given = placesFrom(info[1]);
    return startWork<LayoutWork>(
        info.Env(), "stowage laying out an image", work,
        [](Napi::Env env, LayoutWork& done) { return layoutObject(env, done.layout); });
}

} // namespace stowage::binding

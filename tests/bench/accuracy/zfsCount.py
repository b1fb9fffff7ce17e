"""What a ZFS dataset allocates for the files below a folder, counted record by record from the rules of
OpenZFS and from nothing of Stowage: a second opinion on its forecasts.

    python3 zfsCount.py FOLDER > rows.json

- A file of at most one record is one record of its length rounded up to 512 bytes; a longer one has whole
  records, the last filled up with zeros (zfs_write).
- With compression a record of zeros is a hole, and a result of at most 112 bytes lies in the block pointer.
- Else the result is rounded up to whole sectors and kept only if it is at most lsize - lsize / 8, rounded
  down to whole sectors (zio_get_compression_max_size); otherwise the record is stored as it is.
- gzip is zlib; LZ4 has a head of 4 bytes and zstd one of 8; zstd from level 3 on gives up a record of 128 KiB
  or more that neither LZ4 nor zstd 1 brings below that limit.
- Deduplicated, equal records of one length count once. Holes and embedded records have no entry.

Pointers, dnodes and the table itself are not counted. OpenZFS has an LZ4 and a zstd of its own, older than
those of this system.
"""

import ctypes
import hashlib
import json
import os
import sys
import zlib

KIB = 1024
RECORDS = [512 << power for power in range(16)]
SECTORS = [512, 4096]
CODECS = ["off", "lz4", "zstd-3", "gzip-6", "gzip-9"]
EMBEDDED = 112

lz4 = ctypes.CDLL("liblz4.so.1")
zstd = ctypes.CDLL("libzstd.so.1")
zstd.ZSTD_compress.restype = ctypes.c_size_t
zstd.ZSTD_compressBound.restype = ctypes.c_size_t
zstd.ZSTD_compressBound.argtypes = [ctypes.c_size_t]
zstd.ZSTD_compress.argtypes = [
    ctypes.c_char_p,
    ctypes.c_size_t,
    ctypes.c_char_p,
    ctypes.c_size_t,
    ctypes.c_int,
]


def lz4_bytes(record):
    room = ctypes.create_string_buffer(lz4.LZ4_compressBound(len(record)))
    return 4 + lz4.LZ4_compress_default(record, room, len(record), len(room))


def zstd_bytes(record, level):
    room = ctypes.create_string_buffer(zstd.ZSTD_compressBound(len(record)))
    return 8 + zstd.ZSTD_compress(room, len(room), record, len(record), level)


def compressed_bytes(record, codec):
    """Whatever it comes to; also more than the record."""
    if codec == "lz4":
        return lz4_bytes(record)
    if codec == "zstd-3":
        limit = len(record) - len(record) // 8
        if len(record) >= 128 * KIB and lz4_bytes(record) > limit and zstd_bytes(record, 1) > limit:
            return len(record)
        return zstd_bytes(record, 3)
    return len(zlib.compress(record, int(codec[-1])))


def rounded(count, unit):
    return -(-count // unit) * unit


def allocated(length, result, sector):
    """Bytes on a disk of a record of that length; result is what it compresses to, None without compression."""
    if result is None:
        return rounded(length, sector)
    if result <= EMBEDDED:
        return 0
    most = (length - length // 8) // sector * sector
    kept = rounded(result, sector)
    return kept if kept <= most else rounded(length, sector)


def records_of(content, record):
    if len(content) <= record:
        yield content.ljust(rounded(len(content), 512), b"\0")
        return
    for start in range(0, len(content), record):
        yield content[start : start + record].ljust(record, b"\0")


def files_below(folder):
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            if os.path.isfile(path) and not os.path.islink(path) and os.path.getsize(path) > 0:
                yield path


def main():
    contents = []
    for path in files_below(sys.argv[1]):
        with open(path, "rb") as file:
            contents.append(file.read())
    rows = []
    # A small file is the same record at every larger record size: what it compresses to is kept.
    results = {}
    for record in RECORDS:
        times = {}
        example = {}
        for content in contents:
            for one in records_of(content, record):
                key = (len(one), hashlib.sha256(one).digest())
                times[key] = times.get(key, 0) + 1
                example[key] = one
        for codec in CODECS:
            made = {}
            for key, one in example.items():
                if codec == "off":
                    made[key] = None
                elif one.count(0) == len(one):
                    made[key] = 0
                else:
                    if (key, codec) not in results:
                        results[key, codec] = compressed_bytes(one, codec)
                    made[key] = results[key, codec]
            for sector in SECTORS:
                sizes = {key: allocated(key[0], made[key], sector) for key in times}
                rows.append(
                    {
                        "recordBytes": record,
                        "sectorBytes": sector,
                        "codec": codec,
                        "onceBytes": sum(sizes.values()),
                        "allBytes": sum(sizes[key] * times[key] for key in times),
                        "entries": sum(1 for key in times if sizes[key] > 0),
                        "records": sum(times.values()),
                    }
                )
    json.dump(rows, sys.stdout)


main()

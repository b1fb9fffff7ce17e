#!/usr/bin/env python3
"""Copies the files of a damaged disc into a folder and has the program par2 repair them there.

    python3 REPAIR.py DISC FOLDER

DISC is the disc's device or an image of it, FOLDER is made. No folder of the disc is needed: the
files are found by the lists in Stowage's own folder, which are on the disc twice, and what cannot
be read is taken as zeros. Afterwards FOLDER has the files and lists of the disc, so that
RESTORE.sh can read it in place of the disc.

Exit status: 0 all files are right, 1 DISC cannot be used or FOLDER exists, 2 wrong usage, 5 par2 is
missing, 6 some files could not be repaired; they are named.
"""
import hashlib, os, re, shutil, struct, subprocess, sys

SECTOR = 2048
PIECE = 512 * SECTOR
NAMED = 20
MAGIC = b"PAR2\0PKT"
LISTED = re.compile(rb"^(\d{10})\t(\d{16})\trecovery-\d+\.[^\t/\n]*par2$", re.M)

def shown(text):
    """A name or message without control characters, which a terminal would obey."""
    return re.sub("[\x00-\x1f\x7f-\x9f]", "?", text).encode("utf-8", "replace").decode("utf-8")

def fail(status, message):
    print(shown(message), file=sys.stderr)
    sys.exit(status)

def read(disc, start, length):
    """The bytes at a place of the disc, zeros where it cannot be read."""
    try:
        disc.seek(start)
        found = b""
        while len(found) < length:
            more = disc.read(length - len(found))
            if not more:
                break
            found += more
        return found.ljust(length, b"\0")
    except OSError:
        if length <= SECTOR:
            return bytes(length)
        end = start + length
        return b"".join(read(disc, at, min(SECTOR, end - at)) for at in range(start, end, SECTOR))

def pieces(disc, start, length):
    for at in range(start, start + length, PIECE):
        yield read(disc, at, min(PIECE, start + length - at))

def md5(disc, start, length):
    digest = hashlib.md5()
    for piece in pieces(disc, start, length):
        digest.update(piece)
    return digest.digest()

def starting_with(disc, size, head):
    """The places of sectors that begin with a text, the last one first."""
    for start in range((size - 1) // PIECE * PIECE, -1, -PIECE):
        piece = read(disc, start, min(PIECE, size - start))
        at = len(piece)
        while (at := piece.rfind(head, 0, at)) >= 0:
            if at % SECTOR == 0:
                yield start + at
            at += len(head) - 1

def packets(disc, size, start):
    """(set, type, digest, place, length) of every undamaged packet of PAR2 sets."""
    window = 1 << 22
    while start < size:
        piece = read(disc, start, min(window, size - start))
        at = piece.find(MAGIC)
        if at < 0:
            start += max(1, len(piece) - len(MAGIC) + 1)
            continue
        start += at
        head = read(disc, start, 64)
        length, digest = struct.unpack("<Q16s", head[8:32])
        if 64 <= length <= size - start and length % 4 == 0 and md5(disc, start + 32, length - 32) == digest:
            yield head[32:48], head[48:64], digest, start, length
            start += length
        else:
            start += len(MAGIC)

class Described:
    """A file in a set."""

    def __init__(self, packet):
        self.md5 = packet[80:96]
        self.length = struct.unpack("<Q", packet[112:120])[0]
        self.name = packet[120:].rstrip(b"\0")

def unescaped(text):
    names = {b"t": b"\t", b"n": b"\n", b"r": b"\r", b"\\": b"\\"}
    return re.sub(
        rb"\\(?:x([0-9A-Fa-f]{2})|(.))",
        lambda found: bytes([int(found[1], 16)]) if found[1] else names.get(found[2], found[0]),
        text,
    )

def is_inside(name):
    parts = name.replace(b"\\", b"/").split(b"/") if os.name == "nt" else name.split(b"/")
    return all(part not in (b"", b".", b"..") for part in parts) and b"\0" not in name and b":" not in parts[0][1:2]

def name_for_par2(name):
    """The name that par2 looks for: it writes some characters of a name in another way."""
    coded = lambda found: b"%%%02X" % found[0][0]
    if os.name == "nt":
        return re.sub(rb'[\0-\x1f"*:<>?|]', coded, name).replace(b"../", b"%2E%2E/")
    return re.sub(rb"[\0-\x1f]", coded, name).replace(b"\\", b"/").replace(b"../", b"%2E%2E/")

def rows_of(text):
    """(label, name, sector or None, SHA-256, is empty) of the files in copies of an index, as far as undamaged."""
    lines = text.split(b"\n")
    head = next((line for line in lines if line.startswith(b"volume\tlabel\tkind\t")), b"").split(b"\t")
    columns = {name: at for at, name in enumerate(head)}
    for line in lines:
        fields = line.split(b"\t")
        if len(fields) < 6 or len(fields) != len(head) or fields[2] not in (b"file", b"part"):
            continue
        name = fields[columns[b"at"]] if b"at" in columns and fields[columns[b"at"]] else fields[5]
        sector = fields[columns[b"sector"]] if b"sector" in columns else b""
        whole = re.fullmatch(rb"\d*", sector) and re.fullmatch(rb"[0-9a-f]{64}|", fields[4])
        if whole and is_inside(unescaped(name)):
            yield fields[1], unescaped(name), int(sector) if sector else None, fields[4], fields[3] == b"0"

def found_sets(disc, size):
    """The packets of the disc's sets, and the place where its recovery files begin and end."""
    for place in starting_with(disc, size, b"# Recovery files of this disc"):
        ranges = [(int(row[1]) * SECTOR, int(row[2])) for row in LISTED.finditer(read(disc, place, 16 * SECTOR))]
        if not ranges:
            continue
        sets = {}
        for identity, kind, digest, start, length in packets(disc, size, min(start for start, _ in ranges)):
            sets.setdefault(identity, {}).setdefault(kind, {}).setdefault(digest, (start, length))
        if sets:
            return sets, min(start for start, _ in ranges), max(start + length for start, length in ranges)
    fail(1, "no recovery data was found on this disc")

def main(path, folder):
    if not shutil.which("par2"):
        fail(5, "cannot find par2: install the package par2 or par2cmdline")
    with open(path, "rb", buffering=0) as disc:
        size = disc.seek(0, 2)
        sets, first, last = found_sets(disc, size)
        files = {}
        for found in sets.values():
            for start, length in found.get(b"PAR 2.0\0FileDesc", {}).values():
                described = Described(read(disc, start, length))
                if not is_inside(described.name):
                    fail(1, "its recovery data has names that lead out of the disc")
                files[described.name] = described
        # They lie before the recovery files: without this bound, lengths that lie would fill the disk.
        if sum(-(-described.length // SECTOR) * SECTOR for described in files.values()) > first:
            fail(1, "its recovery data has files that are larger than the disc")
        own = next((name[:-12] for name in files if name.endswith(b"/RECOVERY.tsv")), None)
        if own is None:
            fail(1, "its recovery data has no list of Stowage")
        lists = sorted(name for name in files if name.startswith(own) and b"/" not in name[len(own):])

        def after(start):
            """The places of the lists, which follow one another."""
            places = {}
            for name in lists:
                places[name] = start
                start += -(-files[name].length // SECTOR) * SECTOR
            return places, start

        starts = [first - after(0)[1], -(-last // SECTOR) * SECTOR]
        index = own + b"INDEX.tsv"
        for at, place in enumerate(starting_with(disc, size, b"# Index of all volumes.")):
            if at == 2:
                break
            starts.append(place - after(0)[0].get(index, 0))
        places = {}
        for name in lists:
            known = [after(start)[0][name] for start in starts if 0 <= start]
            places[name] = next((at for at in known if md5(disc, at, files[name].length) == files[name].md5), known[0])
        length = files[index].length if index in files else 0
        copies = [places.get(index, 0)]
        if index not in files or md5(disc, copies[0], length) != files[index].md5:
            copies = [after(start)[0].get(index, 0) for start in starts if 0 <= start]
        rows = list(rows_of(b"\n".join(read(disc, start, length) for start in copies)))
        matching = {}
        for label, name, *_ in rows:
            matching[label] = matching.get(label, 0) + (name in files)
        label = max(matching, key=matching.get, default=None)
        rows = {row[1]: row for row in reversed(rows) if row[0] == label}
        for name, (_, _, sector, _, _) in rows.items():
            if sector is not None:
                places.setdefault(name, sector * SECTOR)
        top = os.fsencode(os.path.abspath(folder))
        os.mkdir(top)

        def at_top(name):
            to = os.path.join(top, *name.split(b"/"))
            os.makedirs(os.path.dirname(to), exist_ok=True)
            return to

        for name, described in files.items():
            if name in places:
                with open(at_top(name_for_par2(name)), "xb") as out:
                    for piece in pieces(disc, places[name], described.length):
                        out.write(piece)
        listings = []
        for number, found in enumerate(sets.values(), 1):
            listings.append(at_top(own + b"recovery-%d.par2" % number))
            with open(listings[-1], "xb") as out:
                for group in found.values():
                    for start, length in group.values():
                        for piece in pieces(disc, start, length):
                            out.write(piece)
    for listing in listings:
        # -p removes the damaged files that par2 would keep, and the set. With -q twice, par2cmdline 0.8.1
        # finds fewer blocks.
        command = ["par2", "repair", "-q", "-p", "-B", top, listing]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if os.name != "nt":
        for name in files:
            coded = os.path.join(top, name_for_par2(name))
            if coded != os.path.join(top, name) and os.path.exists(coded):
                os.renames(coded, at_top(name))
    if index in files and is_file(at_top(index), "md5", files[index].md5.hex()):
        with open(at_top(index), "rb") as file:
            rows = {row[1]: row for row in rows_of(file.read()) if row[0] == label}
    by_sector = {sector: name for name, (_, _, sector, _, _) in rows.items() if name in files}
    for name, (_, _, sector, _, is_empty) in rows.items():
        to = at_top(name)
        if os.path.exists(to):
            continue
        if is_empty:
            open(to, "xb").close()
        elif sector in by_sector and os.path.exists(at_top(by_sector[sector])):
            shutil.copyfile(at_top(by_sector[sector]), to)
    digests = {name: ("md5", described.md5.hex()) for name, described in files.items()}
    digests.update({name: ("sha256", row[3].decode("ascii")) for name, row in rows.items() if row[3]})
    names = rows.keys() | files.keys()
    wrong = sorted(name for name in names if not is_file(at_top(name), *digests.get(name, ("md5", None))))
    for name in wrong[:NAMED]:
        print("cannot repair", shown(os.fsdecode(name)), file=sys.stderr)
    if len(wrong) > NAMED:
        print(f"and {len(wrong) - NAMED} more", file=sys.stderr)
    print(f"{len(names) - len(wrong)} of {len(names)} files of {shown((label or b'').decode('utf-8', 'replace'))} are right")
    sys.exit(6 if wrong else 0)

def is_file(path, kind, digest):
    if not os.path.isfile(path):
        return False
    found = hashlib.new(kind)
    with open(path, "rb") as file:
        while piece := file.read(PIECE):
            found.update(piece)
    return digest in (None, found.hexdigest())

if len(sys.argv) != 3:
    print(__doc__, file=sys.stderr)
    sys.exit(2)
path, folder = sys.argv[1:]
try:
    main(path, folder)
except OSError as error:
    fail(1, f"{os.fsdecode(error.filename or path)}: {error.strerror}")

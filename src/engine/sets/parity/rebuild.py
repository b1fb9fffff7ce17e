#!/usr/bin/env python3
"""Gives the image of a lost disc back from the other discs of its set and parity.

    python3 REBUILD.py PARITY.tsv LABEL OUTPUT FILE...

PARITY.tsv, PARITY_P.bin and PARITY_Q.bin are in the folder of this script on the parity discs.
LABEL is that of the lost disc, OUTPUT the image to make. Each FILE is the image or the device of
another disc of the set, or PARITY_P.bin or PARITY_Q.bin under these names. With all others but one
disc, either parity is enough; with all but two, both are needed.

P is the exclusive-or of all images, byte by byte, zeros after the end of shorter ones. Q is the same
of image n (first column of PARITY.tsv) times 2 to the power n - 1, where bytes are polynomials over
the field of two elements modulo x^8 + x^4 + x^3 + x^2 + 1, as in RAID-6.
"""
import hashlib, os, re, sys

PIECE = 1 << 22

def shown(text):
    """A name or message without control characters, which a terminal would obey."""
    return re.sub("[\x00-\x1f\x7f-\x9f]", "?", text).encode("utf-8", "replace").decode("utf-8")

def times(a, b):
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = a << 1 ^ (0x11D if a & 0x80 else 0)
        b >>= 1
    return product

def power(base, exponent):
    result = 1
    for _ in range(exponent):
        result = times(result, base)
    return result

def main(listing, label, output, *names):
    rows = [line.rstrip("\r\n").split("\t") for line in open(listing, encoding="utf-8")][2:]
    discs = {row[2]: (int(row[0]), row[1], int(row[3]), row[4]) for row in rows}
    there = {}  # number or "P" or "Q": file
    for name in names:
        base = os.path.basename(name)
        if base in ("PARITY_P.bin", "PARITY_Q.bin"):
            there[base[7]] = name
        else:
            with open(name, "rb") as file:
                file.seek(32808)
                found = file.read(32).decode("ascii", "replace").rstrip()
            if found not in discs or discs[found][1] != "image":
                sys.exit(shown(f"{name}: its label {found!r} is not in {listing}"))
            there[discs[found][0]] = name
    x, _, size, digest = discs[label]
    lost = [n for n, kind, _, _ in discs.values() if kind == "image" and n not in there and n != x]
    there.pop(x, None)
    a, inverse = power(2, x - 1), lambda element: power(element, 254)
    if not lost and "P" in there:
        p, q = 1, 0
    elif not lost and "Q" in there:
        p, q = 0, inverse(a)
    elif len(lost) == 1 and "P" in there and "Q" in there and (x - lost[0]) % 255:
        b = power(2, lost[0] - 1)
        p, q = times(b, inverse(a ^ b)), inverse(a ^ b)
    else:
        missing = [name for name, disc in discs.items() if disc[0] in [x, *lost]]
        sys.exit("too many discs are missing: " + shown(", ".join(missing)))
    factors = {n: p if n == "P" else q if n == "Q" else p ^ times(q, power(2, n - 1)) for n in there}
    tables = {n: bytes(times(factors[n], byte) for byte in range(256)) for n in there}
    sizes = {number if kind == "image" else kind: bytes_ for number, kind, bytes_, _ in discs.values()}
    starts = range(0, size, PIECE)
    files = {n: open(name, "rb") for n, name in there.items()}
    sha = hashlib.sha256()
    with open(output, "xb") as out:
        for start in starts:
            length = min(PIECE, size - start)
            total = 0
            for n, file in files.items():
                part = file.read(max(0, min(length, sizes[n] - start))).translate(tables[n])
                total ^= int.from_bytes(part.ljust(length, b"\0"), "little")
            piece = total.to_bytes(length, "little")
            sha.update(piece)
            out.write(piece)
    if sha.hexdigest() != digest:
        sys.exit(shown(f"{output} is not {label}: SHA-256 differs, so one of the files given is damaged"))
    print(shown(f"{output} is {label}: SHA-256 is right"))

if len(sys.argv) < 5:
    sys.exit(__doc__)
main(*sys.argv[1:])

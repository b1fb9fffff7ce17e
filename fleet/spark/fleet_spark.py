#!/usr/bin/env python3
"""Compares the fingerprints of many sources on a Spark cluster, by the SQL text of `stowage fleet report`.

    spark-submit fleet_spark.py [--scheme NAME]... [--table pairs] [--check-digests] [--out FILE] FOLDER...

FOLDER has fingerprints of `stowage survey --fingerprints`: a path or an address that Hadoop can read,
such as s3a://bucket/prints. The result is what `stowage fleet report --range 1/1` saves: exact counts
(stowage.fleetPart/1), on standard output or in FILE, which must not exist. `stowage fleet report --sum`
shows the report of it, with ranges.

Before anything is compared, each survey is checked against its note: format, key, names and lengths of
its parts, their footers, columns and rows, and whether it is given twice. The SHA-256 of each part is
compared where it lies on a disk of this machine (file:), and everywhere with --check-digests: the driver
reads all parts for that.

Exit status: 0 done, 1 something failed, 2 wrong usage, or fingerprints that cannot be used.
"""

import argparse
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterable, NoReturn, Optional, TypeVar

from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
from pyspark import SparkFiles
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

FORMAT = 1
NOTE = "_COMPLETE.json"
FOOTER_KEY = "stowage.fingerprints"
# A note has some 200 bytes a part; anything much larger is none.
MOST_NOTE_BYTES = 64 << 20
# Parts that are looked at together: with a store far away nearly all of that is waiting.
AT_ONCE = 16
# A group of rows as it is written, and the most that it takes unpacked: a path has 64 KiB at most.
GROUP_ROWS = 1_000_000
UNPACKED_HEAD_BYTES = 5 << 16
UNPACKED_ROW_BYTES = 66_000
HASH_TABLES = ["blocks", "chunks", "contents"]
HASH_COLUMNS = "required int64 hash; required int64 bytes; required int32 file; required int32 count;"
COLUMNS = {
    "blocks": HASH_COLUMNS,
    "chunks": HASH_COLUMNS,
    "contents": HASH_COLUMNS,
    "zeros": "required int32 file; required int64 blocks; required int64 bytes;",
    "files": "required int32 file; required binary path (STRING); required int64 size; "
    "required int64 mtime_us; required binary sha256 (STRING);",
}
HASH_SCHEMA = "hash BIGINT, bytes BIGINT, file INT, count INT"

Json = dict[str, Any]
T = TypeVar("T")
R = TypeVar("R")


class Refused(Exception):
    """Fingerprints that cannot be used: the message names the folder or file and the cause."""


def refuse(place: object, because: str) -> NoReturn:
    raise Refused(f"cannot use {shown(place)}: {because}")


def shown(text: object) -> str:
    """A name without control characters, which a terminal would obey."""
    return re.sub("[\x00-\x1f\x7f-\x9f]", "?", str(text).removeprefix("file:"))


@dataclass(frozen=True)
class Part:
    """A file of a survey, as its note has it, and where it is."""

    name: str
    status: Any
    rows: int
    sha256: str

    @property
    def table(self) -> str:
        return self.name.split("/")[0].removeprefix("table=")

    @property
    def scheme(self) -> Optional[str]:
        names = self.name.split("/")
        return names[1].removeprefix("scheme=") if len(names) == 3 else None


@dataclass(frozen=True)
class Survey:
    folder: str
    note: Json
    parts: list[Part]


class Store:
    """Folders and files wherever Hadoop reads them."""

    def __init__(self, spark: SparkSession) -> None:
        self.jvm: Any = spark._jvm
        self.conf: Any = spark._jsc.hadoopConfiguration()

    def note(self, text: str) -> None:
        """A line on standard error; spark-submit adds that of Python to standard output."""
        self.jvm.java.lang.System.err.println(f"fleet_spark: {text}")

    def path(self, text: str, *names: str) -> Any:
        path = self.jvm.org.apache.hadoop.fs.Path(text)
        for name in names:
            path = self.jvm.org.apache.hadoop.fs.Path(path, name)
        return path.getFileSystem(self.conf).makeQualified(path)

    def names(self, path: Any) -> list[str]:
        """The names in a folder but those that readers of Parquet pass over."""
        system = path.getFileSystem(self.conf)
        if not system.exists(path):
            refuse(path, "it is not there")
        if not system.getFileStatus(path).isDirectory():
            refuse(path, "it is not a folder")
        found = [status.getPath().getName() for status in system.listStatus(path)]
        return sorted(name for name in found if not name.startswith("."))

    def files(self, folder: Any) -> dict[str, Any]:
        """Every file below a folder, by its path there."""
        start = len(folder.toString()) + 1
        found: dict[str, Any] = {}
        listed = folder.getFileSystem(self.conf).listFiles(folder, True)
        while listed.hasNext():
            status = listed.next()
            name = status.getPath().toString()[start:]
            if not any(part.startswith(".") for part in name.split("/")):
                found[name] = status
        return found

    def text(self, status: Any) -> str:
        if status.getLen() > MOST_NOTE_BYTES:
            refuse(status.getPath(), "it is damaged, or no note of fingerprints")
        stream = status.getPath().getFileSystem(self.conf).open(status.getPath())
        try:
            return str(self.jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8"))
        finally:
            stream.close()

    def sha256(self, status: Any) -> str:
        digest = self.jvm.java.security.MessageDigest.getInstance("SHA-256")
        file = status.getPath().getFileSystem(self.conf).open(status.getPath())
        stream = self.jvm.java.security.DigestInputStream(file, digest)
        try:
            # It reads to the end within the JVM, and keeps nothing.
            self.jvm.org.apache.commons.io.IOUtils.consume(stream)
        finally:
            stream.close()
        return bytes(digest.digest()).hex()

    def footer(self, status: Any) -> tuple[int, str, Json]:
        """The rows, the columns and the note in the footer of a part."""
        input_file = self.jvm.org.apache.parquet.hadoop.util.HadoopInputFile.fromStatus(status, self.conf)
        try:
            reader = self.jvm.org.apache.parquet.hadoop.ParquetFileReader.open(input_file)
        except Exception:
            refuse(status.getPath(), "it is damaged, or no Parquet file")
        try:
            data = reader.getFileMetaData()
            columns = " ".join(data.getSchema().toString().split("\n")[1:-2])
            note = json_of(data.getKeyValueMetaData().get(FOOTER_KEY))
            for group in reader.getRowGroups():
                most = UNPACKED_HEAD_BYTES + group.getRowCount() * UNPACKED_ROW_BYTES
                if group.getRowCount() > GROUP_ROWS or group.getTotalByteSize() > most:
                    refuse(status.getPath(), "it unpacks to more than its rows can take")
            return reader.getRecordCount(), " ".join(columns.split()), note if isinstance(note, dict) else {}
        finally:
            reader.close()

    def write(self, text: str, place: str) -> None:
        path = self.path(place)
        stream = path.getFileSystem(self.conf).create(path, False)
        stream.write(bytearray(text.encode()))
        stream.close()


def json_of(text: Optional[str]) -> Any:
    try:
        return json.loads(text or "")
    except ValueError:
        return None


def survey_folders(store: Store, folder: str) -> list[Any]:
    """The surveys' folders in a folder, or the folder itself if it is one."""
    place = store.path(folder)
    names = store.names(place)
    own = f"format={FORMAT}"
    if NOTE in names:
        return [place]
    for name in names:
        if name.startswith("format=") and name != own:
            refuse(store.path(folder, name), "it was made by another version of Stowage")
        if name.startswith("table="):
            refuse(place, f"{NOTE} is missing")
    tables = store.path(folder, own) if own in names else place
    surveys = store.names(tables) if own in names else names
    alien = next((name for name in surveys if not name.startswith("survey=")), None)
    if not surveys or (alien is not None and own not in names):
        refuse(place, "there are no fingerprints in it")
    if alien is not None:
        refuse(store.path(tables.toString(), alien), "it is not the folder of a survey")
    return [store.path(tables.toString(), name) for name in surveys]


def part_name(table: str, scheme: Optional[str] = None) -> str:
    return f"table={table}/" + ("" if scheme is None else f"scheme={scheme}/") + "part-0.parquet"


def read_survey(store: Store, folder: Any) -> Survey:
    """The note of a survey and its parts, all of which are there and as long as it says."""
    files = store.files(folder)
    if NOTE not in files:
        refuse(folder, f"it is not finished, or is incomplete: {NOTE} is missing")
    status = files.pop(NOTE)
    note = json_of(store.text(status))
    place = status.getPath()
    if isinstance(note, dict) and isinstance(note.get("format"), int) and note["format"] != FORMAT:
        refuse(place, "it was made by another version of Stowage")
    if not is_note(note):
        refuse(place, "it is damaged, or no note of fingerprints")
    name = folder.getName()
    if name.startswith("survey=") and name != f"survey={note['survey']}":
        refuse(folder, f"it holds survey {note['survey']}")
    expected = {part_name("contents"), part_name("files")}
    for scheme in note["schemes"]:
        expected.add(part_name(scheme["table"], scheme["name"]))
        if scheme["table"] == "blocks":
            expected.add(part_name("zeros", scheme["name"]))
    if len(note["parts"]) != len(expected) or {part["name"] for part in note["parts"]} != expected:
        refuse(place, "its parts are not those of its schemes")
    for name, file in files.items():
        if name not in expected:
            refuse(file.getPath(), "it is not one of the survey's parts")
    parts = []
    for part in note["parts"]:
        file = files.get(part["name"])
        if file is None:
            refuse(f"{folder.toString()}/{part['name']}", "it is missing")
        if file.getLen() != part["bytes"]:
            refuse(file.getPath(), f"it has {file.getLen()} bytes instead of {part['bytes']}")
        parts.append(Part(part["name"], file, part["rows"], part["sha256"]))
    return Survey(folder.toString(), note, parts)


def is_note(note: Any) -> bool:
    """Whether a note has what is read of it here."""

    def is_count(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0

    def is_scheme(one: Any) -> bool:
        return (
            re.fullmatch("[a-z0-9-]{1,40}", one["name"]) is not None
            and one["table"] in ("blocks", "chunks")
            and is_count(one["nominalBytes"])
            and is_count(one["shift"])
            and one["shift"] <= 20
        )

    try:
        return (
            note["schema"] == "stowage.fingerprints/1"
            and note["hash"] == "xxh3-128.high"
            and (note["key"] is None or re.fullmatch("[0-9a-f]{16}", note["key"]) is not None)
            and isinstance(note["survey"], str)
            and all(is_scheme(one) for one in note["schemes"])
            and note.get("contentsShift", 0) in range(21)
            and all(is_count(note["totals"][name]) for name in ("files", "bytes", "skipped"))
            and (note["carried"] is None or is_count(note["carried"]["others"]))
            and all(
                is_count(part["bytes"]) and is_count(part["rows"]) and isinstance(part["sha256"], str)
                for part in note["parts"]
            )
        )
    except (KeyError, TypeError):
        return False


def check_part(store: Store, survey: Survey, part: Part, digests: bool) -> None:
    place = part.status.getPath()
    if (digests or place.toUri().getScheme() == "file") and store.sha256(part.status) != part.sha256:
        refuse(place, "its content has changed")
    rows, columns, footer = store.footer(part.status)
    scheme = next((one for one in survey.note["schemes"] if one["name"] == part.scheme), None)
    about = {name: survey.note[name] for name in ("format", "survey", "key")}
    about |= {"table": part.table, "scheme": scheme}
    if rows != part.rows or any(footer.get(name) != value for name, value in about.items()):
        refuse(place, "its footer does not belong to the note")
    if columns != COLUMNS[part.table]:
        refuse(place, "its columns are others than those of this table")


def all_at_once(work: Callable[[T], R], items: Iterable[T]) -> list[R]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(work, items))


def open_surveys(store: Store, folders: list[str], digests: bool) -> list[Survey]:
    """All surveys in the order of the folders, those of one folder by their names; checked."""
    places = [place for folder in folders for place in survey_folders(store, folder)]
    surveys = all_at_once(lambda place: read_survey(store, place), places)
    known: dict[str, Survey] = {}
    first = surveys[0]
    for one in surveys:
        twin = known.setdefault(one.note["survey"], one)
        if twin is not one:
            where = f"{shown(twin.folder)} and {shown(one.folder)}"
            raise Refused(f"survey {one.note['survey']} is given twice: {where}")
        if one.note["key"] != first.note["key"]:
            own, other = (survey.note["key"] or "none" for survey in (one, first))
            refuse(one.folder, f"its key is {own}, that of {shown(first.folder)} is {other}")
    parts = [(survey, part) for survey in surveys for part in survey.parts]
    all_at_once(lambda one: check_part(store, *one, digests), parts)
    return surveys


@dataclass
class Scheme:
    """A way of cutting with the smallest of the shares of its sources, 2^-shift."""

    name: str
    table: str
    nominal_bytes: Optional[int]
    shift: int
    differ: bool
    sources: list[int]


def united_schemes(surveys: list[Survey], names: list[str]) -> list[Scheme]:
    known: dict[str, Scheme] = {}
    for index, survey in enumerate(surveys):
        for one in survey.note["schemes"]:
            name, table, shift = one["name"], one["table"], one["shift"]
            scheme = known.setdefault(name, Scheme(name, table, one["nominalBytes"], shift, False, []))
            scheme.differ = scheme.differ or shift != scheme.shift
            scheme.shift = max(shift, scheme.shift)
            scheme.sources.append(index)
    of_files = [survey.note.get("contentsShift", 0) for survey in surveys]
    everyone = list(range(len(surveys)))
    known["files"] = Scheme("files", "contents", None, max(of_files), len(set(of_files)) > 1, everyone)
    for name in names:
        if name not in known:
            raise Refused(f"no fingerprints of {name} are there, but of {', '.join(known)}")
    return [scheme for scheme in known.values() if not names or scheme.name in names]


def unglobbed(path: str) -> str:
    """A path in which nothing stands for other names."""
    return re.sub(r"([{}\[\]*?\\])", r"\\\1", path)


def addresses(path: Any) -> set[str]:
    """The forms in which Spark has the path of a row's file."""
    address = path.toUri().toString()
    return {address, re.sub("^file:/+", "file:/", address)}


def define_table(spark: SparkSession, surveys: list[Survey], schemes: list[Scheme], table: str) -> None:
    """A view of the rows of one table whose hashes are in the share of their scheme."""
    asked = {scheme.name: scheme for scheme in schemes if scheme.table == table}
    parts = []
    for index, survey in enumerate(surveys):
        for part in survey.parts:
            scheme = asked.get(part.scheme or "files") if part.table == table else None
            if scheme is not None:
                most = -(2**63) + 2 ** (64 - scheme.shift) - 1
                parts.append((part.status.getPath(), index, scheme.name, most))
    named = "" if table == "contents" else "scheme STRING, "
    if not parts:
        empty = spark.createDataFrame([], f"source INT, {named}{HASH_SCHEMA}")
        empty.createOrReplaceTempView(table)
        return
    rows = spark.read.schema(HASH_SCHEMA).parquet(*[unglobbed(path.toString()) for path, *_ in parts])
    known = [(address, *others) for path, *others in parts for address in addresses(path)]
    told = spark.createDataFrame(known, "path STRING, source INT, scheme STRING, most BIGINT")
    joined: DataFrame = rows.withColumn("path", F.col("_metadata.file_path")).join(
        F.broadcast(told), "path", "left"
    )
    # A row of no known part must not be lost silently.
    lost = F.raise_error(F.concat(F.lit("the rows of a part have no source: "), "path"))
    kept = joined.where(F.col("hash") <= F.coalesce("most", lost.cast("BIGINT")))
    columns = ["source", "hash", "bytes", "file", "count"] + ([] if table == "contents" else ["scheme"])
    kept.select(*columns).createOrReplaceTempView(table)


def sql_text(name: str) -> str:
    """A text of `fleet/sql`: next to this file's folder, or where `spark-submit --files` puts it."""
    places = [Path(__file__).resolve().parent.parent / "sql", Path(SparkFiles.getRootDirectory()), Path.cwd()]
    for place in places:
        if (place / f"{name}.sql").is_file():
            return (place / f"{name}.sql").read_text(encoding="utf-8")
    raise Refused(f"cannot find {name}.sql: give the files of fleet/sql with --files")


def counts(rows: Iterable[Any], *groups: str) -> list[Json]:
    """Sums by one group, or by two, in their order: as text, since JSON's numbers may be too small."""
    found = []
    for row in rows:
        keys = dict(zip(("group", "other"), (row[name] for name in groups)))
        found.append({**keys, **{name: str(int(row[name])) for name in ("contents", "bytes", "squares")}})
    return sorted(found, key=lambda one: (one["group"], one.get("other", 0)))


def added(counted: list[Json]) -> list[Json]:
    """One entry a group, of several."""
    sums: dict[int, Json] = {}
    for one in counted:
        known = sums.setdefault(
            one["group"], {"group": one["group"], "contents": 0, "bytes": 0, "squares": 0}
        )
        for name in ("contents", "bytes", "squares"):
            known[name] = str(int(known[name]) + int(one[name]))
    return list(sums.values())


def by_scheme(spark: SparkSession, query: str) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for row in spark.sql(sql_text(query)).toLocalIterator():
        found.setdefault(row["scheme"], []).append(row)
    return found


def common_folder(first: str, last: str) -> str:
    """The folder that all paths between two have in common, in the order of characters."""
    one, other = first.split("/"), last.split("/")
    folders = one[:-1]
    for at, part in enumerate(folders):
        if at == len(other) - 1 or part != other[at]:
            folders = folders[:at]
            break
    return "/".join(folders) or "/"


def source_names(spark: SparkSession, surveys: list[Survey]) -> list[Optional[str]]:
    """The folder in which all files of each source are; none where paths were left out."""
    files = {
        address: index
        for index, survey in enumerate(surveys)
        for part in survey.parts
        if part.table == "files"
        for address in addresses(part.status.getPath())
    }
    paths = [part.status.getPath() for survey in surveys for part in survey.parts if part.table == "files"]
    rows = spark.read.schema("path STRING").parquet(*[unglobbed(path.toString()) for path in paths])
    ends = rows.groupBy(F.col("_metadata.file_path").alias("part")).agg(F.min("path"), F.max("path"))
    names: list[Optional[str]] = [None] * len(surveys)
    for part, first, last in ends.toLocalIterator():
        if part not in files:
            raise Refused(f"the rows of a part have no source: {shown(part)}")
        names[files[part]] = None if first == "" else common_folder(first, last)
    return names


def count(spark: SparkSession, surveys: list[Survey], schemes: list[Scheme], with_pairs: bool) -> Json:
    """The document that `stowage fleet report --range 1/1 --out FILE` saves."""
    for table in HASH_TABLES:
        define_table(spark, surveys, schemes, table)
    for view in ("cuts", "owned"):
        spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW {view} AS {sql_text(view)}")
    own = by_scheme(spark, "own")
    firsts = by_scheme(spark, "new")
    pairs = by_scheme(spark, "pairs") if with_pairs else {}
    names = source_names(spark, surveys)
    sources = [
        {
            "survey": survey.note["survey"],
            "folder": survey.folder.removeprefix("file:"),
            "name": names[index],
            "createdWallMs": survey.note["createdWallMs"],
            **{name: survey.note["totals"][name] for name in ("files", "bytes", "skipped")},
            "changedSince": (survey.note["carried"] or {"others": 0})["others"],
        }
        for index, survey in enumerate(surveys)
    ]

    def counted(scheme: Scheme) -> Json:
        first = firsts.get(scheme.name, [])
        return {
            "name": scheme.name,
            "table": scheme.table,
            "nominalBytes": scheme.nominal_bytes,
            "shift": scheme.shift,
            "sharesDiffer": scheme.differ,
            "missing": [index for index in range(len(surveys)) if index not in set(scheme.sources)],
            "own": counts(own.get(scheme.name, []), "source"),
            "adds": added(counts(first, "source")),
            "onlyHere": counts((row for row in first if row["only_here"] == 1), "source"),
            "pairs": counts(pairs.get(scheme.name, []), "one", "other") if with_pairs else None,
        }

    return {
        "schema": "stowage.fleetPart/1",
        "range": {"index": 1, "count": 1},
        "by": "source",
        "sources": sources,
        "groups": [
            {"name": one["name"] or one["survey"], "files": one["files"], "bytes": one["bytes"]}
            for one in sources
        ],
        "key": surveys[0].note["key"],
        "schemes": [counted(scheme) for scheme in schemes],
    }


def cause_of(failed: Exception) -> str:
    java = failed.java_exception if isinstance(failed, Py4JJavaError) else None
    text = str(failed) if java is None else java.toString()
    return shown((text.splitlines() or [type(failed).__name__])[0])


def main() -> int:
    parser = argparse.ArgumentParser(prog="fleet_spark.py", allow_abbrev=False)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--scheme", action="append", default=[], metavar="NAME")
    parser.add_argument("--table", action="append", default=[], choices=["pairs"])
    parser.add_argument("--check-digests", action="store_true")
    parser.add_argument("--out", metavar="FILE")
    given = parser.parse_args()
    spark = SparkSession.builder.appName("stowage fleet").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    store = Store(spark)
    try:
        if given.out is not None:
            place = store.path(given.out)
            if place.getFileSystem(store.conf).exists(place):
                raise Refused(f"{shown(place)} exists")
        surveys = open_surveys(store, given.folders, given.check_digests)
        schemes = united_schemes(surveys, given.scheme)
        for scheme in schemes:
            if scheme.differ:
                store.note(f"{scheme.name}: the shares differ, compared at 1/{2**scheme.shift}")
        text = json.dumps(count(spark, surveys, schemes, "pairs" in given.table)) + "\n"
        if given.out is None:
            sys.stdout.write(text)
        else:
            store.write(text, given.out)
        return 0
    except Refused as refused:
        store.note(str(refused))
        return 2
    except (PySparkException, Py4JJavaError) as failed:
        store.note(cause_of(failed))
        return 1
    finally:
        spark.stop()


if __name__ == "__main__":
    sys.exit(main())

import { pathFromBytes } from '../../../src/primitives/pathText'
import { joinedRuns, type Run, type TreeNode } from './fileTree'
import { isDate, type RockRidge, RockRidgeReader, secondsOf } from './rockRidge'
import { type Findings, isZero, requireApart, SECTOR, type Sectors, type Taken } from './sectors'

const DESCRIPTOR = 16
const FLAG = { hidden: 1, directory: 2, more: 0x80 }
const MOST_PATH_TABLE_FOLDERS = 0xffff
const RECORD = 33
const D_CHARACTERS = /^[A-Z0-9_]*$/
const A_CHARACTERS = /^[A-Z0-9_ !"%&'()*+,\-./:;<=>?]*$/
const FILE_TYPES = { folder: 0o040000, file: 0o100000, link: 0o120000 }

/** A directory record (9.1), with what Rock Ridge adds. */
interface Record {
  readonly sector: number
  readonly bytes: number
  readonly flags: number
  readonly identifier: Buffer
  readonly systemUse: Buffer
  readonly date: Buffer
}

interface Folder {
  readonly node: TreeNode
  readonly identifier: Buffer
  readonly record: Record
  readonly parent: Folder | null
  readonly depth: number
}

/** The tree of ISO 9660 (ECMA-119), and the sectors that its own structures take. */
export interface IsoTree {
  readonly root: TreeNode
  readonly structures: readonly Taken[]
}

/** Checks the descriptors, directories and path tables of ISO 9660. */
export function checkIso(sectors: Sectors, findings: Findings): IsoTree | null {
  return new IsoChecker(sectors, findings).check()
}

class IsoChecker {
  readonly #rockRidge: RockRidgeReader
  readonly #taken: Taken[] = []
  readonly #files = new Map<string, number>()

  readonly #sectors: Sectors
  readonly #findings: Findings

  constructor(sectors: Sectors, findings: Findings) {
    this.#sectors = sectors
    this.#findings = findings
    this.#rockRidge = new RockRidgeReader(sectors, findings)
  }

  check(): IsoTree | null {
    const primary = Buffer.from(this.#sectors.read(DESCRIPTOR))
    if (primary[0] !== 1 || primary.subarray(1, 6).toString('latin1') !== 'CD001') {
      this.#findings.add('ISO: no primary volume descriptor in sector 16')
      return null
    }
    this.#primary(primary)
    this.#furtherDescriptors()
    const rootRecord = this.#record(primary.subarray(156, 190), 'the root in the volume descriptor')
    const root: Folder = {
      node: this.#node({ record: rootRecord, runs: [], rockRidge: null, name: '', path: '', kind: 'folder' }),
      identifier: Buffer.from([0]),
      record: rootRecord,
      parent: null,
      depth: 1,
    }
    const folders = this.#folders(root)
    this.#pathTables(primary, folders)
    this.#continuations()
    const structures = [...this.#taken]
    this.#require(
      structures.every(({ first, sectors }) => first > DESCRIPTOR && first + sectors <= this.#sectors.count),
      () => 'a structure outside of the image',
    )
    requireApart(structures, this.#findings, 'ISO')
    this.#requireFilesApart()
    return { root: root.node, structures }
  }

  #require(holds: boolean, finding: () => string): void {
    this.#findings.require(holds, () => `ISO: ${finding()}`)
  }

  #both32(bytes: Buffer, at: number, what: string): number {
    const value = bytes.readUInt32LE(at)
    this.#require(value === bytes.readUInt32BE(at + 4), () => `${what}: the two orders of bytes differ`)
    return value
  }

  #both16(bytes: Buffer, at: number, what: string): number {
    const value = bytes.readUInt16LE(at)
    this.#require(value === bytes.readUInt16BE(at + 2), () => `${what}: the two orders of bytes differ`)
    return value
  }

  /** 8.4. */
  #primary(bytes: Buffer): void {
    const value = (found: number, wanted: number, what: string): void =>
      this.#require(found === wanted, () => `primary descriptor: ${what} is ${found}, not ${wanted}`)
    const zero = (start: number, end: number): void =>
      this.#require(
        isZero(bytes.subarray(start, end)),
        () => `primary descriptor: bytes ${start} to ${end} are not zero`,
      )
    const text = (start: number, end: number, allowed: RegExp): void => {
      const found = bytes.subarray(start, end).toString('latin1')
      this.#require(allowed.test(found.trimEnd()), () => `primary descriptor: text at ${start}: "${found}"`)
    }
    value(bytes[6] as number, 1, 'version')
    zero(7, 8)
    text(8, 40, A_CHARACTERS)
    text(40, 72, D_CHARACTERS)
    this.#require(bytes[40] !== 0x20, () => 'primary descriptor: no volume identifier')
    zero(72, 80)
    value(this.#both32(bytes, 80, 'volume space size'), this.#sectors.count, 'volume space size')
    zero(88, 120)
    value(this.#both16(bytes, 120, 'volume set size'), 1, 'volume set size')
    value(this.#both16(bytes, 124, 'volume sequence number'), 1, 'volume sequence number')
    value(this.#both16(bytes, 128, 'logical block size'), SECTOR, 'logical block size')
    for (const [start, end, allowed] of [
      [190, 318, D_CHARACTERS],
      [318, 446, A_CHARACTERS],
      [446, 574, A_CHARACTERS],
      [574, 702, A_CHARACTERS],
      [702, 739, A_CHARACTERS],
      [739, 776, A_CHARACTERS],
      [776, 813, A_CHARACTERS],
    ] as const)
      text(start, end, allowed)
    for (const at of [813, 830, 847, 864])
      this.#require(isDate(bytes.subarray(at, at + 17)), () => `primary descriptor: date at ${at}`)
    value(bytes[881] as number, 1, 'file structure version')
    zero(882, 883)
    zero(1395, SECTOR)
  }

  /** Descriptors behind the primary one, to the terminator (8.3). */
  #furtherDescriptors(): void {
    for (let at = DESCRIPTOR + 1; at < DESCRIPTOR + 64; at++) {
      const bytes = this.#sectors.read(at)
      const isDescriptor = bytes.subarray(1, 6).toString('latin1') === 'CD001'
      this.#require(
        isDescriptor && bytes[6] === 1,
        () => `no descriptor in sector ${at}, and no terminator before`,
      )
      if (!isDescriptor) return
      if (bytes[0] !== 255) continue
      this.#require(isZero(bytes.subarray(7)), () => 'the terminator has data')
      return
    }
  }

  /** 9.1; the caller has made sure that its length is inside the sector. */
  #record(bytes: Buffer, what: string): Record {
    const identifierBytes = bytes[32] as number
    const padded = RECORD + identifierBytes + (identifierBytes % 2 === 0 ? 1 : 0)
    this.#require(
      bytes.length >= padded && bytes.length % 2 === 0,
      () => `${what}: record of ${bytes.length} bytes`,
    )
    if (identifierBytes % 2 === 0)
      this.#require((bytes[RECORD + identifierBytes] ?? 0) === 0, () => `${what}: padding of the identifier`)
    this.#require(bytes[1] === 0, () => `${what}: extended attribute record`)
    this.#require(bytes[26] === 0 && bytes[27] === 0, () => `${what}: interleaved`)
    this.#require(this.#both16(bytes, 28, what) === 1, () => `${what}: volume ${bytes.readUInt16LE(28)}`)
    const date = Buffer.from(bytes.subarray(18, 25))
    this.#require(isDate(date), () => `${what}: date ${date.toString('hex')}`)
    const flags = bytes[25] as number
    const known = FLAG.hidden | FLAG.directory | FLAG.more
    this.#require((flags & ~known) === 0, () => `${what}: flags ${flags}`)
    return {
      sector: this.#both32(bytes, 2, what),
      bytes: this.#both32(bytes, 10, what),
      flags,
      identifier: Buffer.from(bytes.subarray(RECORD, RECORD + identifierBytes)),
      systemUse: Buffer.from(bytes.subarray(padded)),
      date,
    }
  }

  /** All folders, by levels as the path tables have them. */
  #folders(root: Folder): Folder[] {
    const all: Folder[] = [root]
    const seen = new Set<number>([root.record.sector])
    for (let at = 0; at < all.length; at++) {
      const folder = all[at] as Folder
      const found = this.#list(folder)
      for (const next of found) {
        this.#require(!seen.has(next.record.sector), () => `${next.node.path}: a directory with two records`)
        if (seen.has(next.record.sector)) continue
        seen.add(next.record.sector)
        all.push(next)
      }
    }
    return all
  }

  /** A directory: `.` and `..`, then records in their order. @returns its folders in that order */
  #list(folder: Folder): Folder[] {
    const { node, record } = folder
    const name = `directory ${node.path === '' ? '/' : node.path}`
    const isWell =
      record.bytes > 0 &&
      record.bytes % SECTOR === 0 &&
      record.sector + record.bytes / SECTOR <= this.#sectors.count
    this.#require(isWell, () => `${name}: ${record.bytes} bytes in sector ${record.sector}`)
    if (!isWell) return []
    this.#taken.push({ first: record.sector, sectors: record.bytes / SECTOR, by: name })
    const found: Folder[] = []
    const names = new Set<string>()
    let before: Record | null = null
    let runs: Run[] = []
    let count = 0
    for (const bytes of this.#records(record, name)) {
      const what = `${name}, record ${count}`
      const next = this.#record(bytes, what)
      if (count < 2) {
        this.#ownRecord(next, count === 0 ? folder : (folder.parent ?? folder), count, folder, what)
        count += 1
        continue
      }
      count += 1
      this.#identifier(next, what)
      const isSame = before?.identifier.equals(next.identifier) === true
      if (before !== null) {
        const hasMore = (before.flags & FLAG.more) !== 0
        this.#require(hasMore === isSame, () => `${what}: sections of a file, or two records of one name`)
        this.#require(
          isSame || compareIdentifiers(before.identifier, next.identifier) < 0,
          () =>
            `${what}: ${next.identifier.toString('latin1')} is not behind ${before?.identifier.toString('latin1')}`,
        )
        if (hasMore)
          this.#require(before.bytes % SECTOR === 0, () => `${what}: a section of ${before?.bytes} bytes`)
      }
      before = next
      const isFolder = (next.flags & FLAG.directory) !== 0
      if (!isFolder) runs.push({ first: next.sector, bytes: next.bytes })
      const rockRidge = this.#rockRidge.read(
        next.systemUse,
        false,
        `${what} (${next.identifier.toString('latin1')})`,
      )
      if ((next.flags & FLAG.more) !== 0) continue
      const text =
        rockRidge.name === null ? next.identifier.toString('latin1') : pathFromBytes(rockRidge.name)
      this.#require(rockRidge.name !== null, () => `${what}: no NM`)
      const path = `${node.path}/${text}`
      this.#require(!names.has(text), () => `${path}: two of one name`)
      names.add(text)
      const kind = this.#kind(rockRidge, isFolder, path)
      const child = this.#node({ record: next, runs, rockRidge, name: text, path, kind })
      runs = []
      if (isFolder && child.bytes !== 0) this.#require(false, () => `${path}: a directory with content`)
      node.children.push(child)
      if (isFolder)
        found.push({
          node: child,
          identifier: next.identifier,
          record: next,
          parent: folder,
          depth: folder.depth + 1,
        })
      else this.#file(next, child, path)
    }
    this.#require(count >= 2, () => `${name}: no records of itself and its parent`)
    this.#require(
      before === null || (before.flags & FLAG.more) === 0,
      () => `${name}: a file without its last section`,
    )
    return found
  }

  /** Records of a directory: none crosses a sector (6.8.1.1), zeros are behind the last of each. */
  *#records(record: Record, name: string): Generator<Buffer> {
    const content = Buffer.from(this.#sectors.read(record.sector, record.bytes / SECTOR))
    for (let start = 0; start < content.length; start += SECTOR) {
      const sector = content.subarray(start, start + SECTOR)
      let at = 0
      while (at < SECTOR && sector[at] !== 0) {
        const length = sector[at] as number
        const isInside =
          length >= RECORD + 1 && at + length <= SECTOR && RECORD + (sector[at + 32] as number) <= length
        this.#require(isInside, () => `${name}: record of ${length} bytes at ${start + at}`)
        if (!isInside) return
        yield sector.subarray(at, at + length)
        at += length
      }
      this.#require(at > 0, () => `${name}: an empty sector`)
      this.#require(isZero(sector.subarray(at)), () => `${name}: bytes behind the records of a sector`)
    }
  }

  /** `.` and `..`, whose identifiers are 0 and 1. */
  #ownRecord(record: Record, wanted: Folder, at: number, folder: Folder, what: string): void {
    this.#require(
      record.identifier.equals(Buffer.from([at])),
      () => `${what}: identifier ${record.identifier.toString('hex')}`,
    )
    this.#require(record.flags === FLAG.directory, () => `${what}: flags ${record.flags}`)
    this.#require(
      record.sector === wanted.record.sector && record.bytes === wanted.record.bytes,
      () => `${what}: points to sector ${record.sector}, not ${wanted.record.sector}`,
    )
    const isRootSelf = folder.parent === null && at === 0
    const found = this.#rockRidge.read(record.systemUse, isRootSelf, what)
    this.#kind(found, true, what)
    this.#require(found.name === null && found.target === null, () => `${what}: has a name or a target`)
  }

  #kind(found: RockRidge, isFolder: boolean, what: string): TreeNode['kind'] {
    const type = found.mode === null ? 0 : found.mode & 0o170000
    const kind = isFolder ? 'folder' : found.target === null ? 'file' : 'link'
    this.#require(type === FILE_TYPES[kind], () => `${what}: mode ${found.mode?.toString(8)} of a ${kind}`)
    this.#require((found.mode ?? 0) >>> 16 === 0, () => `${what}: mode ${found.mode?.toString(8)}`)
    return kind
  }

  /** A file's identifier, 7.5; a directory's, 7.6. */
  #identifier({ identifier, flags }: Record, what: string): void {
    const text = identifier.toString('latin1')
    const isWell =
      (flags & FLAG.directory) === 0
        ? /^[A-Z0-9_]*\.[A-Z0-9_]*;\d{1,5}$/.test(text) &&
          !text.startsWith('.;') &&
          text.replace(/;\d+$/, '').length <= 31
        : /^[A-Z0-9_]{1,31}$/.test(text)
    this.#require(isWell, () => `${what}: identifier "${text}"`)
  }

  #file(record: Record, node: TreeNode, path: string): void {
    const end = node.runs.at(-1)
    if (node.kind === 'link') {
      this.#require(record.bytes === 0, () => `${path}: a link with content`)
      return
    }
    this.#require(node.runs.length <= 1, () => `${path}: its sections do not follow each other`)
    for (const { first, bytes } of node.runs)
      this.#require(
        first > DESCRIPTOR && first + Math.ceil(bytes / SECTOR) <= this.#sectors.count,
        () => `${path}: outside of the image`,
      )
    if (node.bytes === 0)
      this.#require(record.sector < this.#sectors.count, () => `${path}: outside of the image`)
    if (end)
      this.#files.set(`${end.first}:${end.bytes}`, (this.#files.get(`${end.first}:${end.bytes}`) ?? 0) + 1)
  }

  #node(from: {
    record: Record
    runs: Run[]
    rockRidge: RockRidge | null
    name: string
    path: string
    kind: TreeNode['kind']
  }): TreeNode {
    const { rockRidge, record, kind, path } = from
    const runs = kind === 'file' ? joinedRuns(from.runs) : []
    const date = rockRidge?.modified && isDate(rockRidge.modified) ? rockRidge.modified : null
    if (rockRidge) {
      this.#require(
        date === null ||
          !isDate(record.date) ||
          isZero(record.date) ||
          secondsOf(record.date) === nearestShort(secondsOf(date)),
        () => `${path}: the dates of the record and of TF differ`,
      )
    }
    const first = runs[0]
    return {
      name: from.name,
      path,
      kind,
      bytes: runs.reduce((sum, run) => sum + run.bytes, 0),
      runs,
      createdMicroseconds: null,
      modifiedMicroseconds: date === null ? null : BigInt(secondsOf(date)) * 1_000_000n,
      permissions: (rockRidge?.mode ?? 0) & 0o777,
      names: () => (first ? (this.#files.get(`${first.first}:${first.bytes}`) ?? 0) : 1),
      children: [],
    }
  }

  /** Both path tables (9.4): by level, in it by the parent's number, then by identifier. */
  #pathTables(primary: Buffer, folders: readonly Folder[]): void {
    const bytes = this.#both32(primary, 132, 'path table size')
    const numbers = new Map<Folder, number>()
    const ordered: Folder[] = []
    for (let level = folders.filter(({ depth }) => depth === 1); level.length > 0; ) {
      for (const folder of level) {
        ordered.push(folder)
        numbers.set(folder, ordered.length)
      }
      const parents = new Set(level)
      const depth = (level[0] as Folder).depth + 1
      // `folders` has each folder's own in their order.
      level = folders
        .filter((folder) => folder.depth === depth && folder.parent !== null && parents.has(folder.parent))
        .toSorted(
          (a, b) => (numbers.get(a.parent as Folder) as number) - (numbers.get(b.parent as Folder) as number),
        )
    }
    const named = ordered.slice(0, MOST_PATH_TABLE_FOLDERS)
    const table = (order: 'LE' | 'BE'): Buffer =>
      Buffer.concat(
        named.map(({ identifier, record, parent }) => {
          const entry = Buffer.alloc(8 + identifier.length + (identifier.length % 2))
          entry[0] = identifier.length
          entry[`writeUInt32${order}`](record.sector, 2)
          entry[`writeUInt16${order}`](parent === null ? 1 : (numbers.get(parent) as number), 6)
          identifier.copy(entry, 8)
          return entry
        }),
      )
    for (const [order, at] of [
      ['LE', 140],
      ['BE', 148],
    ] as const) {
      const sector = primary[`readUInt32${order}`](at)
      const optional = primary[`readUInt32${order}`](at + 4)
      const wanted = table(order)
      const name = `path table ${order === 'LE' ? 'L' : 'M'}`
      this.#require(
        bytes === wanted.length,
        () => `${name}: ${bytes} bytes, the directories need ${wanted.length}`,
      )
      const count = Math.ceil(bytes / SECTOR)
      const isInside = sector > DESCRIPTOR && sector + count <= this.#sectors.count
      this.#require(isInside, () => `${name}: outside of the image`)
      if (!isInside) continue
      this.#taken.push({ first: sector, sectors: count, by: name })
      const found = this.#sectors.read(sector, count)
      this.#require(found.subarray(0, bytes).equals(wanted), () => `${name} is not that of the directories`)
      this.#require(isZero(found.subarray(bytes)), () => `${name}: bytes behind it`)
      this.#require(optional === 0, () => `${name}: an optional one in sector ${optional}`)
    }
  }

  /** Continuation areas: apart from each other and from all else, with zeros between them. */
  #continuations(): void {
    const areas = this.#rockRidge.areas.toSorted((a, b) => a.start - b.start)
    const sectors = new Map<number, { start: number; end: number }[]>()
    let end = 0
    for (const area of areas) {
      this.#require(area.start >= end, () => `${area.by}: its continuation overlaps another one`)
      end = area.end
      const sector = Math.floor(area.start / SECTOR)
      const list = sectors.get(sector) ?? []
      list.push({ start: area.start % SECTOR, end: ((area.end - 1) % SECTOR) + 1 })
      sectors.set(sector, list)
    }
    for (const [sector, list] of sectors) {
      this.#taken.push({ first: sector, sectors: 1, by: `continuations in sector ${sector}` })
      const bytes = Buffer.from(this.#sectors.read(sector))
      for (const { start, end: stop } of list) bytes.fill(0, start, stop)
      this.#require(isZero(bytes), () => `bytes between the continuations of sector ${sector}`)
    }
  }

  /** Files share all of their sectors or none. */
  #requireFilesApart(): void {
    const files = [...this.#files.keys()].map((key) => {
      const [first, bytes] = key.split(':').map(Number) as [number, number]
      return { first, sectors: Math.ceil(bytes / SECTOR), by: `the file in sector ${first}` }
    })
    requireApart([...files, ...this.#taken], this.#findings, 'ISO')
  }
}

/** Dates of records have the years from 1900 to 2155. */
function nearestShort(seconds: number): number {
  const [least, most] = [Date.UTC(1900, 0, 1) / 1000, Date.UTC(2156, 0, 1) / 1000 - 1]
  return Math.min(Math.max(seconds, least), most)
}

/** 9.3: names, then extensions, both filled with spaces; then versions, the highest first. */
function compareIdentifiers(a: Buffer, b: Buffer): number {
  const parts = (identifier: Buffer): [string, string, number] => {
    const [whole = '', version = ''] = identifier.toString('latin1').split(';')
    const dot = whole.indexOf('.')
    return dot < 0 ? [whole, '', 0] : [whole.slice(0, dot), whole.slice(dot + 1), Number(version)]
  }
  const [stemA, endingA, versionA] = parts(a)
  const [stemB, endingB, versionB] = parts(b)
  const compare = (one: string, other: string): number => {
    const length = Math.max(one.length, other.length)
    const [left, right] = [one.padEnd(length), other.padEnd(length)]
    return left < right ? -1 : left > right ? 1 : 0
  }
  return compare(stemA, stemB) || compare(endingA, endingB) || versionB - versionA
}

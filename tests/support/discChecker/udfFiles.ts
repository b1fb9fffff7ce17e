import { joinedRuns, type Run, type TreeNode } from './fileTree'
import { isZero, requireApart, SECTOR, type Sectors, type Taken } from './sectors'
import { type FieldChecker, TAG, TAG_BYTES } from './udfFields'
import type { UdfVolume } from './udfVolume'

const DESCRIPTOR = 512
const FILE_ENTRY = 176
const FILE_IDENTIFIER = 38
const ALLOCATION_EXTENT = 24
/** A file times attribute with one time (4/14.10.5). */
const FILE_TIMES = 32
const FOLDER_TYPE = 4
const FILE_TYPE = 5
const LINK_TYPE = 12
/** Identifiers below it are for other uses (UDF 3.2.1.1). */
const FIRST_UNIQUE_ID = 16n
const MOST_LINKS = 0xffff
const INVALID_OWNER = 0xffffffff
/** The most that a folder's list of names may have here, for images whose lengths are damaged. */
const MOST_LIST_BYTES = 2 ** 30

/** Bits of file characteristics, 4/14.4.3. */
const CHARACTERISTIC = { hidden: 1, directory: 2, deleted: 4, parent: 8 }

/** A file entry: one file, however many names it has. */
interface FileEntry {
  readonly block: number
  readonly name: string
  readonly type: number
  readonly links: number
  readonly bytes: number
  readonly runs: readonly Run[]
  readonly times: readonly (bigint | null)[]
  readonly created: bigint | null
  readonly permissions: number
  readonly uniqueId: bigint
  /** File identifiers that point to it. */
  identifiers: number
}

/** Checks the file set and everything in it. @returns its root */
export function checkFiles(sectors: Sectors, volume: UdfVolume): TreeNode | null {
  return new UdfFiles(sectors, volume).check()
}

class UdfFiles {
  readonly #fields: FieldChecker
  readonly #entries = new Map<number, FileEntry | null>()
  readonly #taken: Taken[] = []

  readonly #sectors: Sectors
  readonly #volume: UdfVolume

  constructor(sectors: Sectors, volume: UdfVolume) {
    this.#sectors = sectors
    this.#volume = volume
    this.#fields = volume.fields
  }

  check(): TreeNode | null {
    const rootBlock = this.#fileSet()
    if (rootBlock === null) return null
    const root = this.#entry(rootBlock, '/')
    if (root === null) return null
    const node = this.#node(root, '', '')
    this.#require(root.type === FOLDER_TYPE, () => 'the root is no directory')
    this.#require(root.uniqueId === 0n, () => `the root has unique ID ${root.uniqueId}`)
    const folders: [TreeNode, FileEntry, FileEntry][] = [[node, root, root]]
    const listed = new Set<number>([root.block])
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const child of this.#list(...folder)) {
        folder[0].children.push(child.node)
        if (child.entry.type !== FOLDER_TYPE) continue
        this.#require(!listed.has(child.entry.block), () => `${child.node.path}: a directory with two names`)
        if (listed.has(child.entry.block)) continue
        listed.add(child.entry.block)
        folders.push([child.node, child.entry, folder[1]])
      }
    }
    this.#checkEntries()
    return node
  }

  #require(holds: boolean, finding: () => string): void {
    this.#fields.findings.require(holds, () => `UDF: ${finding()}`)
  }

  /** Blocks of the partition. Those outside of it are a finding, and read as nothing. */
  #read(block: number, blocks: number, by: string): Buffer {
    const isInside = block + blocks <= this.#volume.length
    this.#require(isInside, () => `${by}: blocks ${block} + ${blocks} are outside of the partition`)
    return isInside
      ? Buffer.from(this.#sectors.read(this.#volume.start + block, blocks))
      : Buffer.alloc(SECTOR)
  }

  /** The file set descriptor, 4/14.1 and UDF 2.3.2. @returns the root's block */
  #fileSet(): number | null {
    const { block, bytes: extentBytes } = this.#volume.fileSet
    const name = 'file set descriptor'
    const blocks = Math.ceil(extentBytes / SECTOR)
    this.#require(
      blocks >= 1 && block + blocks <= this.#volume.length,
      () => `${name}: outside of the partition`,
    )
    const bytes = this.#read(block, 1, name)
    this.#taken.push({ first: block, sectors: blocks, by: name })
    const fields = this.#fields
    const isOne = fields.tag(bytes, { identifier: TAG.fileSet, location: block, lengths: [DESCRIPTOR], name })
    if (!isOne) return null
    fields.timestamp(bytes.subarray(16, 28), `${name}: recording time`)
    fields.value(bytes.readUInt16LE(28), [3], `${name}: interchange level`)
    fields.value(bytes.readUInt16LE(30), [3], `${name}: maximum interchange level`)
    fields.value(bytes.readUInt32LE(32), [1], `${name}: character sets`)
    fields.value(bytes.readUInt32LE(36), [1], `${name}: maximum character sets`)
    fields.value(bytes.readUInt32LE(40), [0], `${name}: file set number`)
    fields.value(bytes.readUInt32LE(44), [0], `${name}: number`)
    fields.charspec(bytes.subarray(48), `${name}: logical volume identifier`)
    const label = fields.dstring(bytes.subarray(112, 240), `${name}: logical volume identifier`)
    this.#require(label === this.#volume.label, () => `${name}: logical volume identifier "${label}"`)
    fields.charspec(bytes.subarray(240), `${name}: file set`)
    const own = fields.dstring(bytes.subarray(304, 336), `${name}: file set identifier`)
    this.#require(own !== '', () => `${name}: no file set identifier`)
    fields.dstring(bytes.subarray(336, 368), `${name}: copyright file`)
    fields.dstring(bytes.subarray(368, 400), `${name}: abstract file`)
    const domain = fields.regid(bytes.subarray(416, 448), 'domain', `${name}: domain`)
    this.#require(domain === '*OSTA UDF Compliant', () => `${name}: domain "${domain}"`)
    fields.zero(bytes.subarray(448), `${name} behind the domain`)
    for (let at = 1; at < Math.min(blocks, 16); at++) {
      const next = this.#read(block + at, 1, name)
      if (isZero(next)) continue
      const what = 'file set sequence, terminating descriptor'
      fields.tag(next, {
        identifier: TAG.terminating,
        location: block + at,
        lengths: [DESCRIPTOR],
        name: what,
      })
      fields.zero(next.subarray(TAG_BYTES), what)
    }
    return this.#icb(bytes.subarray(400, 416), `${name}: root`)
  }

  /** A long_ad to an ICB of one block. */
  #icb(bytes: Buffer, name: string): number {
    this.#fields.value(bytes.readUInt32LE(0), [SECTOR], `${name}: length of the ICB`)
    this.#fields.value(bytes.readUInt16LE(8), [0], `${name}: partition of the ICB`)
    this.#fields.value(bytes.readUInt16LE(10), [0], `${name}: flags of the ICB`)
    return bytes.readUInt32LE(4)
  }

  #entry(block: number, name: string): FileEntry | null {
    const known = this.#entries.get(block)
    if (known !== undefined) return known
    const entry = this.#readEntry(block, name)
    this.#entries.set(block, entry)
    return entry
  }

  /** A file entry, 4/14.9 and UDF 2.3.6. */
  #readEntry(block: number, path: string): FileEntry | null {
    const name = `file entry of ${path}`
    const fields = this.#fields
    const bytes = this.#read(block, 1, name)
    const attributeBytes = bytes.readUInt32LE(168)
    const allocationBytes = bytes.readUInt32LE(172)
    const length = Math.min(FILE_ENTRY + attributeBytes + allocationBytes, SECTOR)
    const isOne = fields.tag(bytes, { identifier: TAG.fileEntry, location: block, lengths: [length], name })
    if (!isOne) return null
    this.#taken.push({ first: block, sectors: 1, by: name })
    this.#require(
      FILE_ENTRY + attributeBytes + allocationBytes <= SECTOR,
      () => `${name}: longer than its block`,
    )
    fields.zero(bytes.subarray(length), `${name} behind its end`)
    // The ICB tag, 4/14.6 and UDF 2.3.5.
    fields.value(bytes.readUInt32LE(16), [0], `${name}: prior entries`)
    fields.value(bytes.readUInt16LE(20), [4], `${name}: strategy`)
    fields.zero(bytes.subarray(22, 24), `${name}: strategy parameter`)
    fields.value(bytes.readUInt16LE(24), [1], `${name}: maximum number of entries`)
    fields.zero(bytes.subarray(26, 27), `${name}: ICB tag`)
    const type = bytes[27] as number
    fields.value(type, [FOLDER_TYPE, FILE_TYPE, LINK_TYPE], `${name}: file type`)
    fields.zero(bytes.subarray(28, 34), `${name}: parent ICB`)
    const flags = bytes.readUInt16LE(34)
    const descriptors = flags & 7
    fields.value(descriptors, [0, 3], `${name}: kind of allocation descriptors`)
    // Archive, setuid, setgid, sticky and system; the content need not be contiguous (UDF 2.3.5.4).
    this.#require((flags & ~7 & ~0x05e0) === 0, () => `${name}: ICB flags ${flags.toString(16)}`)
    const permissions = bytes.readUInt32LE(44)
    this.#require(permissions >>> 15 === 0, () => `${name}: permissions ${permissions.toString(16)}`)
    fields.zero(bytes.subarray(50, 56), `${name}: record format`)
    const implementation = bytes.subarray(128, 160)
    fields.regid(implementation, 'implementation', `${name}: implementation`)
    if (implementation[24] === 0)
      for (const at of [36, 40])
        fields.value(bytes.readUInt32LE(at), [INVALID_OWNER], `${name}: owner of an undefined system`)
    const times = [72, 84, 96].map((at) => fields.timestamp(bytes.subarray(at, at + 12), `${name}: time`))
    fields.value(bytes.readUInt32LE(108), [1], `${name}: checkpoint`)
    fields.zero(bytes.subarray(112, 128), `${name}: ICB of extended attributes`)
    const created = this.#attributes(bytes.subarray(FILE_ENTRY, FILE_ENTRY + attributeBytes), block, name)
    const start = FILE_ENTRY + attributeBytes
    const body = bytes.subarray(start, start + allocationBytes)
    const informationBytes = Number(bytes.readBigUInt64LE(56))
    const recorded = Number(bytes.readBigUInt64LE(64))
    const runs: Run[] = []
    if (descriptors === 3) {
      this.#require(
        type !== FILE_TYPE || informationBytes === 0,
        () => `${name}: content inside the file entry`,
      )
      this.#require(
        informationBytes === body.length,
        () => `${name}: ${body.length} bytes for ${informationBytes}`,
      )
      fields.value(recorded, [0], `${name}: recorded blocks`)
    } else {
      runs.push(...this.#extents(body, name))
      const sum = runs.reduce((total, run) => total + run.bytes, 0)
      this.#require(
        sum === informationBytes,
        () => `${name}: information length ${informationBytes}, extents ${sum}`,
      )
      const blocks = runs.reduce((total, run) => total + Math.ceil(run.bytes / SECTOR), 0)
      fields.value(recorded, [blocks], `${name}: recorded blocks`)
    }
    return {
      block,
      name: path,
      type,
      links: bytes.readUInt16LE(48),
      bytes: informationBytes,
      runs: joinedRuns(runs.map((run) => ({ first: run.first + this.#volume.start, bytes: run.bytes }))),
      times,
      created,
      permissions: [10, 5, 0].reduce((mode, shift) => mode * 8 + triple(permissions >>> shift), 0),
      uniqueId: bytes.readBigUInt64LE(160),
      identifiers: 0,
    }
  }

  /** Short allocation descriptors, 4/14.14.1, also in further extents of them. */
  #extents(first: Buffer, name: string): Run[] {
    const runs: Run[] = []
    let body = first
    const seen = new Set<number>()
    for (let at = 0; at < body.length; at += 8) {
      this.#require(at + 8 <= body.length, () => `${name}: half an allocation descriptor`)
      if (at + 8 > body.length) break
      const lengthAndType = body.readUInt32LE(at)
      const block = body.readUInt32LE(at + 4)
      const [type, bytes] = [lengthAndType >>> 30, lengthAndType & 0x3fffffff]
      if (bytes === 0) {
        this.#fields.zero(body.subarray(at), `${name} behind the last allocation descriptor`)
        break
      }
      if (type === 3) {
        this.#fields.zero(body.subarray(at + 8), `${name} behind the last allocation descriptor`)
        this.#fields.value(bytes, [SECTOR], `${name}: extent of allocation descriptors`)
        if (seen.has(block)) {
          this.#require(false, () => `${name}: a circle of allocation descriptors`)
          break
        }
        seen.add(block)
        body = this.#allocationExtent(block, name)
        at = -8
        continue
      }
      this.#fields.value(type, [0], `${name}: type of an extent`)
      const last = runs.at(-1)
      this.#require(
        last === undefined || last.bytes % SECTOR === 0,
        () => `${name}: an extent of ${last?.bytes} bytes before the last one`,
      )
      const blocks = Math.ceil(bytes / SECTOR)
      this.#require(
        block + blocks <= this.#volume.length,
        () => `${name}: extent ${block} + ${blocks} is outside of the partition`,
      )
      this.#taken.push({ first: block, sectors: blocks, by: name })
      runs.push({ first: block, bytes })
    }
    return runs
  }

  /** 4/14.5. */
  #allocationExtent(block: number, name: string): Buffer {
    const what = `allocation extent of ${name}`
    const bytes = this.#read(block, 1, what)
    const length = Math.min(bytes.readUInt32LE(20), SECTOR - ALLOCATION_EXTENT)
    const lengths = [ALLOCATION_EXTENT, ALLOCATION_EXTENT + length]
    if (!this.#fields.tag(bytes, { identifier: TAG.allocationExtent, location: block, lengths, name: what }))
      return Buffer.alloc(0)
    this.#taken.push({ first: block, sectors: 1, by: what })
    this.#fields.value(bytes.readUInt32LE(16), [0], `${what}: previous extent`)
    this.#fields.value(bytes.readUInt32LE(20), [length], `${what}: length`)
    this.#fields.zero(bytes.subarray(ALLOCATION_EXTENT + length), `${what} behind its end`)
    return bytes.subarray(ALLOCATION_EXTENT, ALLOCATION_EXTENT + length)
  }

  /** Extended attributes, 4/14.10 and UDF 3.3.4. @returns the time of creation */
  #attributes(bytes: Buffer, block: number, name: string): bigint | null {
    if (bytes.length === 0) return null
    const what = `extended attributes of ${name}`
    this.#require(
      bytes.length % 4 === 0 && bytes.length >= ALLOCATION_EXTENT,
      () => `${what}: ${bytes.length} bytes`,
    )
    if (bytes.length < ALLOCATION_EXTENT) return null
    const isOne = this.#fields.tag(bytes, {
      identifier: TAG.attributeHeader,
      location: block,
      lengths: [ALLOCATION_EXTENT],
      name: what,
    })
    if (!isOne) return null
    // Where there are no attributes of a kind the place is the end of the space (UDF 3.3.4.1).
    for (const at of [16, 20])
      this.#fields.value(bytes.readUInt32LE(at), [bytes.length], `${what}: place of others`)
    let created: bigint | null = null
    for (let at = ALLOCATION_EXTENT; at < bytes.length; ) {
      // The only attribute that the images may have, with one time.
      const isWhole = at + FILE_TIMES <= bytes.length
      this.#require(isWhole, () => `${what}: ${bytes.length - at} bytes behind the last attribute`)
      if (!isWhole) return created
      const [type, length] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 8)]
      this.#fields.value(length, [FILE_TIMES], `${what}: length of attribute ${type}`)
      this.#fields.value(bytes[at + 4] as number, [1], `${what}: subtype`)
      this.#fields.zero(bytes.subarray(at + 5, at + 8), what)
      this.#fields.value(type, [5], `${what}: attribute`)
      // File times, 4/14.10.5: bit 0 is the creation.
      const [timeBytes, existence] = [bytes.readUInt32LE(at + 12), bytes.readUInt32LE(at + 16)]
      this.#fields.value(timeBytes, [12], `${what}: length of times`)
      this.#fields.value(existence, [1], `${what}: existence of times`)
      this.#require(created === null, () => `${what}: file times twice`)
      created = this.#fields.timestamp(bytes.subarray(at + 20, at + 32), `${what}: creation`)
      at += FILE_TIMES
    }
    return created
  }

  /** The names of a folder: file identifier descriptors, 4/14.4 and UDF 2.3.4. */
  #list(folder: TreeNode, entry: FileEntry, parent: FileEntry): { node: TreeNode; entry: FileEntry }[] {
    const found: { node: TreeNode; entry: FileEntry }[] = []
    const name = `directory ${folder.path === '' ? '/' : folder.path}`
    const { content, blockAt } = this.#content(entry, name)
    const names = new Set<string>()
    const encoded = new Set<string>()
    for (let at = 0; at < content.length; ) {
      const what = `${name}, name at ${at}`
      if (at + FILE_IDENTIFIER > content.length) {
        this.#require(false, () => `${name}: ends within a descriptor`)
        break
      }
      const nameBytes = content[at + 19] as number
      const useBytes = content.readUInt16LE(at + 36)
      const end = FILE_IDENTIFIER + useBytes + nameBytes
      const length = Math.ceil(end / 4) * 4
      const bytes = content.subarray(at, at + length)
      const location = blockAt(at)
      const isOne =
        at + length <= content.length &&
        this.#fields.tag(bytes, { identifier: TAG.fileIdentifier, location, lengths: [length], name: what })
      this.#require(isOne, () => `${what}: no file identifier descriptor`)
      if (!isOne) break
      at += length
      this.#fields.zero(bytes.subarray(end), `${what}: padding`)
      this.#fields.value(bytes.readUInt16LE(16), [1], `${what}: file version number`)
      this.#fields.value(useBytes, [0], `${what}: implementation use`)
      const characteristics = bytes[18] as number
      const isParent = (characteristics & CHARACTERISTIC.parent) !== 0
      this.#require(
        (characteristics & ~(CHARACTERISTIC.hidden | CHARACTERISTIC.directory | CHARACTERISTIC.parent)) === 0,
        () => `${what}: characteristics ${characteristics}`,
      )
      const target = this.#icb(bytes.subarray(20, 36), what)
      this.#require(isParent === (at === length), () => `${what}: the parent must be first, once`)
      if (isParent) {
        this.#fields.value(nameBytes, [0], `${what}: length of the parent's name`)
        this.#fields.value(
          characteristics,
          [CHARACTERISTIC.parent | CHARACTERISTIC.directory],
          `${what}: characteristics`,
        )
        this.#require(
          target === parent.block,
          () => `${what}: the parent is at ${target}, not ${parent.block}`,
        )
        this.#identified(target, bytes, what)
        continue
      }
      this.#require(nameBytes >= 2, () => `${what}: ${nameBytes} bytes of a name`)
      const raw = bytes.subarray(FILE_IDENTIFIER, end)
      const text = this.#fields.text(raw, what)
      if (text === null) continue
      // Characters of a name are d-characters of CS0: all but NUL and the slash of paths.
      this.#require(
        !/[\0/]/.test(text) && text !== '.' && text !== '..',
        () => `${what}: the name ${JSON.stringify(text)}`,
      )
      this.#require(
        !names.has(text) && !encoded.has(raw.toString('latin1')),
        () => `${name}: two names ${JSON.stringify(text)}`,
      )
      names.add(text)
      encoded.add(raw.toString('latin1'))
      const path = `${folder.path}/${text}`
      const child = this.#entry(target, path)
      this.#identified(target, bytes, what)
      if (child === null) continue
      const isFolder = (characteristics & CHARACTERISTIC.directory) !== 0
      this.#require(isFolder === (child.type === FOLDER_TYPE), () => `${path}: named as another kind of file`)
      found.push({ node: this.#node(child, text, path), entry: child })
    }
    this.#require(content.length >= 40, () => `${name}: no parent`)
    return found
  }

  #identified(block: number, identifier: Buffer, what: string): void {
    const entry = this.#entries.get(block)
    if (!entry) return
    entry.identifiers += 1
    const id = identifier.readUInt32LE(32)
    const low = Number(entry.uniqueId & 0xffffffffn)
    this.#require(id === 0 || id === low, () => `${what}: unique ID ${id}, the file entry's is ${low}`)
  }

  /** The bytes of a folder's list, and the block of the partition that each of them is in. */
  #content(entry: FileEntry, name: string): { content: Buffer; blockAt: (at: number) => number } {
    this.#require(entry.bytes <= MOST_LIST_BYTES, () => `${name}: ${entry.bytes} bytes`)
    if (entry.bytes > MOST_LIST_BYTES) return { content: Buffer.alloc(0), blockAt: () => 0 }
    const pieces: Buffer[] = []
    const starts: { at: number; block: number }[] = []
    let at = 0
    for (const run of entry.runs) {
      const blocks = Math.ceil(run.bytes / SECTOR)
      const block = run.first - this.#volume.start
      starts.push({ at, block })
      const bytes = this.#read(block, blocks, name)
      pieces.push(bytes.subarray(0, run.bytes))
      this.#fields.zero(bytes.subarray(run.bytes), `${name} behind its end`)
      at += run.bytes
    }
    const blockAt = (place: number): number => {
      const start = starts.findLast((one) => one.at <= place) ?? { at: 0, block: 0 }
      return start.block + Math.floor((place - start.at) / SECTOR)
    }
    return { content: Buffer.concat(pieces), blockAt }
  }

  #node(entry: FileEntry, name: string, path: string): TreeNode {
    const kind = entry.type === FOLDER_TYPE ? 'folder' : entry.type === LINK_TYPE ? 'link' : 'file'
    return {
      name,
      path,
      kind,
      bytes: kind === 'file' ? entry.bytes : 0,
      runs: kind === 'file' ? entry.runs : [],
      modifiedMicroseconds: entry.times[1] ?? null,
      createdMicroseconds: entry.created,
      permissions: entry.permissions,
      names: () => entry.identifiers,
      children: [],
    }
  }

  /** What holds of all file entries together. */
  #checkEntries(): void {
    const entries = [...this.#entries.values()].filter((entry) => entry !== null)
    const ids = new Map<bigint, string>()
    for (const { name, type, links, identifiers, uniqueId, times, created } of entries) {
      // A count of 16 bits ends before a directory with more directories in it.
      const counted = type === FOLDER_TYPE ? Math.min(identifiers, MOST_LINKS) : identifiers
      this.#require(links === counted, () => `${name}: link count ${links}, ${identifiers} names`)
      for (const time of [...times, created])
        this.#require(
          time === null || this.#volume.closed === null || time <= this.#volume.closed,
          () => `${name}: a time later than that of the integrity descriptor`,
        )
      this.#require(
        name === '/' || (uniqueId & 0xffffffffn) >= FIRST_UNIQUE_ID,
        () => `${name}: unique ID ${uniqueId}`,
      )
      this.#require(!ids.has(uniqueId), () => `${name}: the unique ID of ${ids.get(uniqueId)}`)
      ids.set(uniqueId, name)
      this.#require(
        uniqueId < this.#volume.nextUniqueId,
        () => `${name}: unique ID ${uniqueId}, the next one is ${this.#volume.nextUniqueId}`,
      )
    }
    const folders = entries.filter(({ type }) => type === FOLDER_TYPE).length
    // Every name of a file counts (UDF 2.2.6.4).
    const files = entries
      .filter(({ type }) => type !== FOLDER_TYPE)
      .reduce((sum, { identifiers }) => sum + identifiers, 0)
    this.#fields.value(this.#volume.folders, [folders], 'integrity descriptor: directories')
    this.#fields.value(this.#volume.files, [files], 'integrity descriptor: files')
    requireApart(this.#taken, this.#fields.findings, 'UDF')
  }
}

/** Read, write and execute as Unix orders them, of five bits that begin with execute (4/14.9.5). */
const triple = (bits: number): number => ((bits & 4) === 0 ? 0 : 4) + (bits & 2) + (bits & 1)

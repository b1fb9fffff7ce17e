import { createHash } from 'node:crypto'
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import type { PlanEntry } from '../../src/contract/dto/plan'
import { joinPath } from '../../src/engine/files/fileSystem'
import { pathFromBytes, pathToBytes } from '../../src/primitives/pathText'
import { type SeededRandom, seededRandom } from '../../src/primitives/seededRandom'
import { digestOfRanges } from './treeFacts'

/** Letters of names: from one byte to four in UTF-8, and what shells and tables trip over. */
const SCRIPTS = [
  'abcdefghijklmnopqrstuvwxyz',
  'ABCXYZ0123456789_-. ',
  'äöüßéèñçøåÿÀ',
  'αβγδεζηθλμξπσω',
  'бвгджзиклмнпрстфцчшщ',
  'אבגדהוזחטי',
  'ابتثجحخدذ',
  'あいうえおカキクケコ漢字日本語',
  '가나다라마바사',
  'कखगघङच',
  '😀🎉🚀🧪𝒳𝔘',
  '!"#$%&\'()*+,:;<=>?@[]^`{|}~\\',
  'e\u0301o\u0308n\u0303a\u030a',
  // A mark of the order of bytes, which no name in UDF has.
  'xy\ufeff',
]
/** Bytes that no UTF-8 has. */
const FOREIGN = [0xff, 0xfe, 0xc0, 0x80, 0xe4, 0xfc]
const LONGEST = 255
const DEEPEST = 12
const SECOND_NS = 1_000_000_000n
/** More than a record of ISO 9660 holds, with a last sector that is not full. */
const SPARSE_BYTES = 2 ** 32 + 70 * 2 ** 20 + 3

/** Seconds since 1970: now, and far from it. ISO 9660 has the years from 1900 to 2155. */
const TIMES = [1.7e9, 0, -1, -2.1e9, 2 ** 31, 2 ** 32 + 5, 5.8e9, 951_782_399, -1_234_567_890]

/** A tree on the disk with what plans list of it. */
export interface DiscTree {
  readonly entries: PlanEntry[]
  /** By path: SHA-256 of files, the target of links. */
  readonly contents: ReadonlyMap<string, string>
}

/**
 * A seeded tree of at most some 300 names: all scripts, names of 255 bytes and of no UTF-8, deep
 * folders, empty files and folders, links, hard links, identical files, times before 1970 and after
 * 2038, and creation times of half of them.
 */
export function randomDiscTree(folder: string, seed: number): DiscTree {
  const tree = new Tree(folder, seededRandom(seed))
  tree.grow()
  return tree
}

/**
 * A seeded tree of thousands of names: everything that a small one has, and a file in parts; with
 * 70,000 files in one folder and a sparse file of more than 4 GiB where asked for.
 */
export function largeDiscTree(
  folder: string,
  seed: number,
  { flat, sparse }: { readonly flat: boolean; readonly sparse: boolean },
): DiscTree {
  const tree = new Tree(folder, seededRandom(seed))
  tree.growLarge(flat ? 70_000 : 0, sparse)
  return tree
}

class Tree implements DiscTree {
  readonly entries: PlanEntry[] = []
  readonly contents = new Map<string, string>()
  readonly #names = new Set<string>()
  readonly #folders: string[] = ['']
  readonly #files: Extract<PlanEntry, { kind: 'file' }>[] = []

  readonly #folder: string
  readonly #random: SeededRandom

  constructor(folder: string, random: SeededRandom) {
    this.#folder = folder
    this.#random = random
  }

  grow(): void {
    this.#chain()
    this.#fill(5 + this.#random.below(20), 10 + this.#random.below(230))
    this.#settle()
  }

  growLarge(flat: number, isSparse: boolean): void {
    for (let chains = 20; chains > 0; chains--) this.#chain()
    this.#fill(200 + this.#random.below(200), 2000 + this.#random.below(3000))
    this.#addParts(3)
    const folder = this.#addFolder('')
    for (let left = flat; left > 0; left--) this.#addFile(folder, Buffer.from(`number ${left}`))
    if (isSparse) this.#addSparse(SPARSE_BYTES)
    this.#settle()
  }

  #fill(folders: number, names: number): void {
    const random = this.#random
    for (let left = folders; left > 0; left--) this.#addFolder(this.#pick(this.#folders))
    for (let left = names; left > 0; left--) {
      const parent = this.#pick(this.#folders)
      const draw = random.unit()
      if (draw < 0.08) this.#addLink(parent)
      else if (draw < 0.16 && this.#files.length > 0) this.#addName(parent, this.#pick(this.#files))
      else if (draw < 0.24 && this.#files.length > 0) this.#addCopy(parent, this.#pick(this.#files))
      else this.#addFile(parent, this.#content())
    }
  }

  /** Folders come before what is in them, in any order apart from that. */
  #settle(): void {
    this.entries.sort((a, b) => (a.path < b.path ? -1 : 1))
    this.#firstNamesFirst()
    this.#addCreationTimes()
  }

  #addParts(parts: number): void {
    const content = new Uint8Array(parts * 40 * 2048 - 5)
    this.#random.fillBytes(content)
    const path = 'whole.bin'
    writeFileSync(this.#bytes(path), content)
    const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
    const whole = { wholePath: path, wholeBytes: content.length, wholeSha256: digestOf(content) }
    for (let part = 1; part <= parts; part++) {
      const offset = (part - 1) * 40 * 2048
      const bytes = content.subarray(offset, offset + 40 * 2048)
      const of = { offset, part, parts, bytes: bytes.length, sha256: digestOf(bytes), ...whole }
      const place = { path: `${path}.00${part}`, source: this.#source(path), mtimeNs: this.#time() }
      this.entries.push({ kind: 'part', ...place, ...of })
    }
  }

  /** A file with holes, and content where extents end. */
  #addSparse(bytes: number): void {
    const path = 'sparse.img'
    const file = openSync(this.#bytes(path), 'w+')
    ftruncateSync(file, bytes)
    for (const at of [0, 2 ** 30 - 2048, 2 ** 32 - 4096, bytes - 9]) writeSync(file, 'piece', at)
    const sha256 = digestOfRanges(file, [{ offset: 0, bytes }])
    closeSync(file)
    this.entries.push({
      kind: 'file',
      path,
      source: this.#source(path),
      bytes,
      sha256,
      mtimeNs: this.#time(),
      mode: 0o644,
    })
  }

  /** A folder at the greatest depth, with a file in it. */
  #chain(): void {
    let path = ''
    for (let depth = 1; depth < DEEPEST; depth++) path = this.#addFolder(path)
    this.#addFile(path, Buffer.from('deep'))
  }

  #addFolder(parent: string): string {
    const path = this.#newPath(parent)
    if (path.split('/').length >= DEEPEST) return parent
    mkdirSync(this.#bytes(path))
    this.#folders.push(path)
    this.entries.push({ kind: 'folder', path, source: this.#source(path), mtimeNs: this.#time() })
    return path
  }

  #addFile(parent: string, content: Uint8Array): void {
    const path = this.#newPath(parent)
    writeFileSync(this.#bytes(path), content)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const mode = this.#random.unit() < 0.2 ? 0o755 : 0o640
    const entry = {
      kind: 'file' as const,
      path,
      source: this.#source(path),
      bytes: content.length,
      sha256,
      mtimeNs: this.#time(),
      mode,
    }
    this.entries.push(entry)
    this.contents.set(path, sha256)
    this.#files.push(entry)
  }

  /** A further name of a file. */
  #addName(parent: string, first: Extract<PlanEntry, { kind: 'file' }>): void {
    const path = this.#newPath(parent)
    this.entries.push({ ...first, path, linkOf: first.path })
    this.contents.set(path, first.sha256)
  }

  #addCopy(parent: string, { source, sha256, bytes }: Extract<PlanEntry, { kind: 'file' }>): void {
    const path = this.#newPath(parent)
    this.entries.push({ kind: 'file', path, source, bytes, sha256, mtimeNs: this.#time(), mode: 0o644 })
    this.contents.set(path, sha256)
  }

  #addLink(parent: string): void {
    const path = this.#newPath(parent)
    const part = (): string =>
      this.#pick(['..', 'other', 'größe', '漢字', 'n'.repeat(1 + this.#random.below(250))])
    const parts = Array.from({ length: 1 + this.#random.below(5) }, part)
    const target = (this.#random.unit() < 0.3 ? '/' : '') + parts.join('/')
    this.entries.push({ kind: 'symlink', path, source: this.#source(path), target, mtimeNs: this.#time() })
    this.contents.set(path, target)
  }

  /** A plan has the first name of a file before its others. */
  #firstNamesFirst(): void {
    const names = new Map(this.#files.map(({ path }) => [path, path]))
    for (const [at, entry] of this.entries.entries()) {
      if (entry.kind !== 'file') continue
      const first = names.get(entry.linkOf ?? entry.path)
      const group = entry.linkOf ?? entry.path
      if (first === undefined) continue
      const isFirstMet = !this.#met.has(group)
      if (isFirstMet) this.#met.set(group, entry.path)
      const { linkOf: _, ...rest } = entry
      this.entries[at] = isFirstMet ? rest : { ...rest, linkOf: this.#met.get(group) as string }
    }
  }
  readonly #met = new Map<string, string>()

  /** Half of the files and folders have one; all names of a file have its own. */
  #addCreationTimes(): void {
    const times = new Map<string, string>()
    for (const [at, entry] of this.entries.entries()) {
      if (entry.kind === 'symlink') continue
      const first = entry.kind === 'file' ? entry.linkOf : undefined
      if (first === undefined && this.#random.unit() < 0.5) times.set(entry.path, this.#time())
      const createdNs = times.get(first ?? entry.path)
      if (createdNs !== undefined) this.entries[at] = { ...entry, createdNs }
    }
  }

  #content(): Uint8Array {
    const random = this.#random
    const lengths = [0, 1, 2047, 2048, 2049, 4096, random.below(9000), random.below(60_000)]
    const content = new Uint8Array(this.#pick(lengths))
    random.fillBytes(content)
    return content
  }

  #time(): string {
    const seconds = BigInt(Math.floor(this.#pick(TIMES))) + BigInt(this.#random.below(100_000))
    return String(seconds * SECOND_NS + BigInt(this.#random.below(1_000_000_000)))
  }

  #newPath(parent: string): string {
    for (;;) {
      const name = this.#name()
      const path = parent === '' ? name : `${parent}/${name}`
      // Some readers, and the tests' own file system, take 255 bytes a name and 4,095 a path.
      if (pathToBytes(path).length > 3000 || this.#names.has(path)) continue
      this.#names.add(path)
      return path
    }
  }

  #name(): string {
    const random = this.#random
    const script = this.#pick(SCRIPTS)
    const letters = Array.from(script)
    const draw = random.unit()
    const most = draw < 0.1 ? LONGEST : draw < 0.2 ? 60 + random.below(195) : 1 + random.below(30)
    let name = ''
    const ending = this.#pick(['', '', '.txt', '.txt0', '.JPG', '.tar.gz', '.größe'])
    const room = most - Buffer.byteLength(ending)
    for (;;) {
      const next = this.#pick(letters)
      if (Buffer.byteLength(name) + Buffer.byteLength(next) > Math.max(room, 1)) break
      name += next
      if (random.unit() < 0.02 && most < LONGEST) break
    }
    if (name === '') name = 'x'
    if (Buffer.byteLength(name) + Buffer.byteLength(ending) <= LONGEST) name += ending
    if (random.unit() < 0.05) {
      const bytes = Buffer.from(name.slice(0, 40))
      const foreign = Buffer.from([this.#pick(FOREIGN), this.#pick(FOREIGN)])
      name = pathFromBytes(Buffer.concat([foreign, bytes]))
    }
    // 7-Zip extracts a name of spaces under another one.
    return name === '.' || name === '..' || name.trim() === '' ? '_' : name
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#random.below(from.length)] as T
  }

  #source(path: string): string {
    return joinPath(this.#folder, path)
  }
  #bytes(path: string): Buffer {
    return Buffer.from(pathToBytes(this.#source(path)))
  }
}

import { closeSync, mkdirSync, openSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SeededRandom, seededRandom } from '../../../src/primitives/seededRandom'

/** What is known of a collection of cartridges because it was made so. */
export interface RomFacts {
  readonly files: number
  readonly bytes: number
  /** Titles of all collections together, each counted once. */
  readonly titles: number
  /** Titles that a later collection took over file by file: their merged archives are the same byte for byte. */
  readonly sameTitles: number
  /** Files whose content an earlier file has already, and their bytes: what file-level deduplication saves exactly. */
  readonly duplicateFiles: number
  readonly duplicateBytes: number
  /** Bytes that clones and hacks share with their parent in place: what blocks can save beyond equal files, at most. */
  readonly sharedInPlaceBytes: number
}

const KIB = 1024
/** Of each collection in turn: how many of the titles that are known by then it holds. */
const COLLECTIONS = [
  { name: 'set-2004', titles: 24 },
  { name: 'set-2006', titles: 34 },
  { name: 'everything', titles: 44 },
] as const
/** So many of the titles that an earlier collection held got another clone meanwhile: their archives differ. */
const GROWN_SHARE = 0.3

interface Cartridge {
  readonly name: string
  readonly data: Buffer
}

/**
 * Collections of cartridges as people keep them: three folders that grew out of one another. Each title is a parent with clones for
 * other regions (some places differ, the rest stands where it stood) and hacks (one piece moved by some bytes). Titles that a later
 * collection took over unchanged are there again with the same names and bytes; in the others one clone was added. A cartridge is half
 * program (pieces of a real one), a quarter packed graphics without pattern, and the rest tables and zeros.
 */
export function makeRomCollections(folder: string): RomFacts {
  const random = seededRandom(71)
  const program = openSync(process.execPath, 'r')
  const known: Cartridge[][] = []
  const seen = new Set<Buffer>()
  const facts = {
    files: 0,
    bytes: 0,
    sameTitles: 0,
    duplicateFiles: 0,
    duplicateBytes: 0,
    sharedInPlaceBytes: 0,
  }
  for (const { name, titles } of COLLECTIONS) {
    const place = join(folder, name)
    mkdirSync(place)
    for (let index = 0; index < titles; index++) {
      const before = known[index]
      const grows = before !== undefined && random.unit() < GROWN_SHARE
      const { cartridges, shared } = titleOf(index, before, grows, random, program)
      known[index] = cartridges
      facts.sharedInPlaceBytes += shared
      if (before !== undefined && !grows) facts.sameTitles++
      for (const { name: file, data } of cartridges) {
        writeFileSync(join(place, file), data)
        facts.files++
        facts.bytes += data.length
        if (seen.has(data)) {
          facts.duplicateFiles++
          facts.duplicateBytes += data.length
        }
        seen.add(data)
      }
    }
  }
  closeSync(program)
  return { ...facts, titles: known.length }
}

/** A title as the collection before had it, with one clone more if it grows, or a new one. */
function titleOf(
  index: number,
  before: readonly Cartridge[] | undefined,
  grows: boolean,
  random: SeededRandom,
  program: number,
): { cartridges: Cartridge[]; shared: number } {
  const title = titleWord(index)
  if (before) {
    if (!grows) return { cartridges: [...before], shared: 0 }
    const clone = edited((before[0] as Cartridge).data, random, false)
    const added = { name: `${title} (Rev ${before.length}).bin`, data: clone.data }
    return { cartridges: [...before, added], shared: clone.shared }
  }
  const parent = parentOf(random, program)
  const cartridges = [{ name: `${title} (World).bin`, data: parent }]
  let shared = 0
  const clones = 1 + random.below(4)
  for (let at = 0; at < clones; at++) {
    const isHack = random.unit() < 0.25
    const clone = edited(parent, random, isHack)
    shared += clone.shared
    cartridges.push({ name: `${title} ${isHack ? `[h${at}]` : `(${REGIONS[at]})`}.bin`, data: clone.data })
  }
  return { cartridges, shared }
}

const REGIONS = ['Europe', 'Japan', 'USA', 'Brazil'] as const

function parentOf(random: SeededRandom, program: number): Buffer {
  const size = (32 * KIB) << random.below(4)
  const data = Buffer.alloc(size)
  // Half of it is program; from 4 MB to 74 MB of Node there is nothing but.
  readSync(program, data, 0, size >> 1, 4_000_000 + random.below(70_000_000))
  random.fillBytes(data.subarray(size >> 1, (size >> 1) + (size >> 2)))
  for (let at = (size >> 1) + (size >> 2); at < size - (size >> 4); at += 4)
    data.writeUInt32LE(random.below(900), at)
  return data
}

/** Some places written anew; a hack moves what follows one place by some bytes, too. */
function edited(parent: Buffer, random: SeededRandom, isHack: boolean): { data: Buffer; shared: number } {
  const data = Buffer.from(parent)
  let shared = data.length
  for (let place = 2 + random.below(6); place > 0; place--) {
    const length = 256 << random.below(5)
    random.fillBytes(data.subarray(random.below(data.length - length)).subarray(0, length))
    shared -= length
  }
  if (isHack) {
    const at = data.length >> 2
    data.copyWithin(at + 1 + random.below(40), at, data.length - 64)
    shared = Math.min(shared, at)
  }
  return { data, shared: Math.max(0, shared) }
}

function titleWord(index: number): string {
  const random = seededRandom(7919 * (index + 1))
  const syllables = ['So', 'ma', 'zel', 'me', 'tro', 'id', 'ka', 'star', 'fi', 'na', 'gun', 'ri']
  const word = Array.from({ length: 3 }, () => syllables[random.below(syllables.length)]).join('')
  return `${word} ${index + 1}`
}

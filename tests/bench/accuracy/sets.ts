import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { type SeededRandom, seededRandom } from '../../../src/primitives/seededRandom'
import { HELD_OUT_SETS } from './heldOutSets'
import { RELEASE_SETS } from './releaseSets'
import { makeRomCollections } from './romCollections'
import { SPANNING_SETS } from './spanningSets'

const MIB = 1024 * 1024
const PACKAGES = resolve(import.meta.dirname, '../../../node_modules')

/** Sets that a forecast is held against; each maker fills an empty folder, the same at every call. */
export const SETS: Readonly<Record<string, (folder: string, store: string) => void>> = {
  ...HELD_OUT_SETS,
  ...RELEASE_SETS,
  ...SPANNING_SETS,
  media: makeMedia,
  source: (folder) => copyPackages(folder, /\.(?:js|ts|mjs|cjs|mts|md|json|c|h|css)$/, 40 * MIB, 4 * MIB),
  releases: makeReleases,
  logs: makeLogs,
  tiny: makeTiny,
  disk: makeDisk,
  collections: makeRomCollections,
  programs: (folder) => copyPackages(folder, /\.node$|\/7zz$|\/(?:tsgo|tsgolint|tsc)$/, 48 * MIB, 24 * MIB),
}

/** The set's folder below `root`, made if it is not there whole. */
export function setFolder(root: string, name: string): string {
  return madeOnce(root, name, SETS)
}

/** The same for a set that is one of others. */
export function madeOnce(root: string, name: string, sets: typeof SETS): string {
  const folder = join(root, name)
  const mark = `${folder}.complete`
  const make = sets[name]
  if (!make) throw new Error(`no such set: ${name} (there are ${Object.keys(sets).join(', ')})`)
  if (!existsSync(mark)) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    make(folder, join(root, 'fetched'))
    writeFileSync(mark, '')
  }
  return folder
}

/** Packed pictures and sounds, as codecs see them: bytes without pattern, a little structure, some text in front. */
function makeMedia(folder: string): void {
  const random = seededRandom(31)
  for (let index = 0; index < 36; index++) {
    const body = new Uint8Array(Math.round((0.2 + 2 * random.unit()) * MIB))
    random.fillBytes(body)
    const parts: Uint8Array[] = [Buffer.from(`header ${index} ${words(random, 300)}`)]
    for (let at = 0; at < body.length; at += 60_000) {
      parts.push(
        Buffer.from(`\xff\xd8marker ${String(at).padStart(12, '0')}`, 'latin1'),
        body.subarray(at, at + 60_000),
      )
    }
    writeFileSync(join(folder, `take-${index}.${index % 3 === 0 ? 'mp3' : 'jpg'}`), Buffer.concat(parts))
  }
  const text = words(random, 400_000)
  writeFileSync(join(folder, 'packed.zip'), deflateRawSync(text))
}

/** Files of the installed packages whose names match, up to a total; real text and real programs. */
function copyPackages(folder: string, wanted: RegExp, most: number, mostEach: number): void {
  let total = 0
  const names = readdirSync(PACKAGES, { recursive: true, encoding: 'utf8' }).toSorted()
  for (const name of names) {
    const path = join(PACKAGES, name)
    if (!wanted.test(`/${name.replaceAll('\\', '/')}`)) continue
    const found = lstatSync(path)
    if (!found.isFile() || found.size > mostEach || total + found.size > most) continue
    total += found.size
    const target = join(folder, name)
    mkdirSync(resolve(target, '..'), { recursive: true })
    copyFileSync(path, target)
  }
}

const RELEASES = ['2.6.3', '2.7.1', '2.8', '2.8.4', '2.8.8', '3.0', '3.1', '3.2.1', '3.3', '3.4.2']

/** Ten releases of one pure Python package, unpacked. */
function makeReleases(folder: string): void {
  for (const release of RELEASES) {
    const target = join(folder, release)
    mkdirSync(target)
    const from = ['-m', 'pip', 'download', '-q', '--no-deps', '--only-binary', ':all:', '-d', target]
    execFileSync('python3', [...from, `networkx==${release}`], { stdio: ['ignore', 'ignore', 'inherit'] })
    for (const wheel of readdirSync(target)) {
      execFileSync('python3', ['-m', 'zipfile', '-e', join(target, wheel), target])
      rmSync(join(target, wheel))
    }
  }
}

function makeLogs(folder: string): void {
  const random = seededRandom(32)
  for (let index = 0; index < 10; index++) {
    const lines: string[] = []
    let length = 0
    let time = 1_700_000_000 + index * 86_400
    const wanted = (1 + random.below(8)) * MIB
    while (length < wanted) {
      time += random.below(4)
      const who = `10.${random.below(4)}.${random.below(256)}.${random.below(256)}`
      const line = `${new Date(time * 1000).toISOString()} ${who} ${pick(random, ['GET', 'GET', 'GET', 'POST'])} /${pick(random, VOCABULARY)}/${pick(random, VOCABULARY)}?id=${random.below(100_000)} ${pick(random, ['200', '200', '304', '404', '500'])} ${random.below(50_000)} "${pick(random, VOCABULARY)} ${pick(random, VOCABULARY)}"\n`
      lines.push(line)
      length += line.length
    }
    writeFileSync(join(folder, `access-${index}.log`), lines.join(''))
  }
}

/** Thousands of files from nothing to 12 KiB: notes, records, settings, and small pictures. */
function makeTiny(folder: string): void {
  const random = seededRandom(33)
  for (let index = 0; index < 8000; index++) {
    const place = join(folder, `part-${index >> 7}`)
    if ((index & 127) === 0) mkdirSync(place)
    const kind = index % 4
    const size = Math.floor(12_000 * random.unit() ** 3)
    if (kind === 0) {
      const body = new Uint8Array(size)
      random.fillBytes(body)
      writeFileSync(join(place, `icon-${index}.png`), body)
    } else if (kind === 1) {
      const rows = Array.from({ length: size >> 6 }, () => ({
        name: pick(random, VOCABULARY),
        value: random.below(1e6),
        on: random.unit() < 0.5,
      }))
      writeFileSync(join(place, `record-${index}.json`), JSON.stringify(rows, null, 1))
    } else if (kind === 2) writeFileSync(join(place, `note-${index}.txt`), words(random, size >> 3))
    else {
      const lines = Array.from(
        { length: size >> 5 },
        () => `${pick(random, VOCABULARY)} = ${random.below(1000)}`,
      )
      writeFileSync(join(place, `settings-${index}.ini`), lines.join('\n'))
    }
  }
}

/** Two images of disks: runs of zeros, text, programs and packed data in pieces of 4 KiB and more. */
function makeDisk(folder: string): void {
  const random = seededRandom(34)
  const program = readFileSync(process.execPath)
  for (let index = 0; index < 2; index++) {
    const pieces: Uint8Array[] = []
    let length = 0
    while (length < 32 * MIB) {
      const size = 4096 * (1 + random.below(random.unit() < 0.1 ? 512 : 32))
      const kind = random.unit()
      let piece: Uint8Array
      if (kind < 0.45) piece = new Uint8Array(size)
      else if (kind < 0.6) {
        piece = new Uint8Array(size)
        random.fillBytes(piece)
      } else if (kind < 0.8) {
        const at = random.below(program.length - size)
        piece = program.subarray(at, at + size)
      } else {
        piece = new Uint8Array(size)
        piece.set(Buffer.from(words(random, size >> 3)).subarray(0, size))
      }
      pieces.push(piece)
      length += size
    }
    writeFileSync(join(folder, `disk-${index}.img`), Buffer.concat(pieces))
  }
}

/** Made-up words, the same ones always. */
const VOCABULARY: readonly string[] = (() => {
  const random = seededRandom(30)
  const syllables = [
    'ta',
    'ri',
    'mon',
    'el',
    'su',
    'ver',
    'ka',
    'dir',
    'os',
    'len',
    'pra',
    'ti',
    'un',
    'gor',
    'shi',
    'ba',
  ]
  return Array.from({ length: 4000 }, () =>
    Array.from({ length: 1 + random.below(4) }, () => pick(random, syllables)).join(''),
  )
})()

function pick<T>(random: SeededRandom, from: readonly T[]): T {
  return from[Math.floor(from.length * random.unit() ** 2)] as T
}

function words(random: SeededRandom, count: number): string {
  return Array.from({ length: count }, () => pick(random, VOCABULARY)).join(' ')
}

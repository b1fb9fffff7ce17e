import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { seededRandom } from '../../../src/primitives/seededRandom'
import { filesOf } from '../../support/referenceSampler'
import { setFolder } from './sets'

const MB = 1_000_000
/** LZMA at its best makes 2 to 4 MB/s, and every set is packed eight times or more. */
const MOST_BYTES = 24 * MB

/** Sets for solid archives: parts of the other truth sets, and one like a collection of game cartridges. */
export const SOLID_SETS = [
  'media',
  'source',
  'releases',
  'logs',
  'tiny',
  'disk',
  'programs',
  'roms',
  'collections',
] as const

/** The set's folder below `root`, made if it is not there whole. */
export function solidSetFolder(root: string, name: string): string {
  const folder = join(root, `solid-${name}`)
  const mark = `${folder}.complete`
  if (existsSync(mark)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  if (name === 'roms') makeRoms(folder)
  else if (name === 'collections') makeCollections(solidSetFolder(root, 'roms'), folder)
  else copyPart(setFolder(root, name), folder, name)
  writeFileSync(mark, '')
  return folder
}

/** The first files up to 24 MB: a third of each image of a disk, of each release the same part. */
function copyPart(from: string, to: string, name: string): void {
  let left = name === 'media' ? MOST_BYTES / 2 : MOST_BYTES
  for (const { path, bytes } of filesOf(from)) {
    const below = relative(from, path)
    if (name === 'releases' && !below.includes('/algorithms/')) continue
    const length = name === 'disk' ? Math.min(bytes, MOST_BYTES / 2) : bytes
    if (length > left) continue
    left -= length
    const target = join(to, below)
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(path, target)
    if (length < bytes) truncateSync(target, length)
  }
}

/**
 * Three collections of cartridges: the first has the first half of them; the second the same but every tenth, and some of the others;
 * the third all that are left and, in folders of its own, some of the first again by other names.
 */
function makeCollections(roms: string, folder: string): void {
  const names = filesOf(roms).map(({ path }) => relative(roms, path))
  const put = (name: string, place: string): void => {
    const target = join(folder, place)
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(join(roms, name), target)
  }
  for (const [index, name] of names.entries()) {
    const isFirst = index < names.length / 2
    if (isFirst) put(name, join('one', name))
    if (isFirst ? index % 10 !== 3 : index % 3 === 0) put(name, join('two', name))
    if (!isFirst) put(name, join('three', name))
    else if (index % 5 === 0) put(name, join('three', 'again', `${index}.rom`))
  }
}

const REGIONS = [
  '(Europe)',
  '(Japan)',
  '(USA)',
  '(USA) (Rev 1)',
  '(World)',
  '(Beta)',
  '(Proto)',
  '[h1]',
  '[T+Fre]',
]

/**
 * Families of cartridges: a parent, and clones that differ in a few places. Half of the clones go by a name of their own, so
 * that an order by name does not bring them together.
 */
function makeRoms(folder: string): void {
  const random = seededRandom(41)
  const program = openSync(process.execPath, 'r')
  let left = MOST_BYTES
  for (let family = 0; left > 0; family++) {
    const size = 65_536 << random.below(4)
    const parent = Buffer.alloc(size)
    readSync(program, parent, 0, size, 4_000_000 + random.below(70 * MB))
    // Packed graphics.
    random.fillBytes(parent.subarray(size - (size >> 2), size - (size >> 4)))
    const clones = random.below(7)
    for (let clone = 0; clone <= clones && left > 0; clone++) {
      const rom = Buffer.from(parent)
      if (clone > 0) edit(rom, random)
      const own = clone > 0 && random.unit() < 0.5
      const title = own ? word(random.uint32()) : word(family * 7919)
      writeFileSync(join(folder, `${title} ${REGIONS[clone % REGIONS.length]} ${family}-${clone}.bin`), rom)
      left -= size
    }
  }
  closeSync(program)
}

function edit(rom: Buffer, random: ReturnType<typeof seededRandom>): void {
  for (let place = 1 + random.below(12); place > 0; place--) {
    const length = Math.min(rom.length >> 3, 1 << random.below(13))
    random.fillBytes(rom.subarray(random.below(rom.length - length)).subarray(0, length))
  }
  if (random.unit() < 0.3) {
    // Moved by some bytes from a place on.
    const at = random.below(rom.length >> 1)
    rom.copyWithin(at + 1 + random.below(40), at, rom.length - 64)
  }
}

function word(seed: number): string {
  const random = seededRandom(seed)
  const syllables = ['so', 'ma', 'zel', 'me', 'tro', 'id', 'ka', 'star', 'fi', 'na', 'gun', 'ri']
  return Array.from({ length: 3 }, () => syllables[random.below(syllables.length)]).join('')
}

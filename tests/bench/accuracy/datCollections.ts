import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type SeededRandom, seededRandom } from '../../../src/primitives/seededRandom'

const KIB = 1024

/** How the ROM sets of a collection are made. */
interface Kind {
  readonly parents: number
  /** Clones of a parent, at most. */
  readonly clones: number
  /** Files of a ROM set. */
  readonly files: number
  /** Bytes of a file, by chance up to four times as many. */
  readonly fileBytes: number
  /** Shares of program, of packed data, of tables and of text; the rest is zeros. */
  readonly of: readonly [program: number, packed: number, tables: number, text: number]
  /** Places of a clone that are written anew, in each file that is no copy of the parent's. */
  readonly edits: number
  /** Share of a clone's files that are its parent's as they are. */
  readonly copied: number
  /** Clones are moved by some bytes in the middle. */
  readonly moves?: boolean
}

/**
 * Collections that nothing was tuned on: cartridges, boards of many chips, handhelds, home computers' floppies, discs of large
 * tracks, hacks of few games, packed games and adventures of text.
 */
export const DAT_COLLECTIONS: Readonly<Record<string, Kind>> = {
  cartridges: {
    parents: 40,
    clones: 3,
    files: 1,
    fileBytes: 64 * KIB,
    of: [0.5, 0.2, 0.2, 0],
    edits: 6,
    copied: 0,
  },
  boards: {
    parents: 14,
    clones: 4,
    files: 10,
    fileBytes: 16 * KIB,
    of: [0.3, 0.4, 0.2, 0],
    edits: 3,
    copied: 0.6,
  },
  handhelds: {
    parents: 6,
    clones: 3,
    files: 1,
    fileBytes: 512 * KIB,
    of: [0.3, 0.3, 0.3, 0.05],
    edits: 20,
    copied: 0,
  },
  floppies: {
    parents: 16,
    clones: 2,
    files: 2,
    fileBytes: 110 * KIB,
    of: [0.3, 0.1, 0.1, 0.2],
    edits: 4,
    copied: 0.3,
  },
  discs: {
    parents: 2,
    clones: 1,
    files: 3,
    fileBytes: 3000 * KIB,
    of: [0.15, 0.7, 0.1, 0],
    edits: 40,
    copied: 0.3,
    moves: true,
  },
  hacks: {
    parents: 4,
    clones: 14,
    files: 1,
    fileBytes: 128 * KIB,
    of: [0.6, 0.2, 0.1, 0],
    edits: 8,
    copied: 0,
    moves: true,
  },
  packed: {
    parents: 20,
    clones: 2,
    files: 1,
    fileBytes: 200 * KIB,
    of: [0.02, 0.97, 0, 0],
    edits: 2,
    copied: 0,
  },
  adventures: {
    parents: 12,
    clones: 3,
    files: 3,
    fileBytes: 60 * KIB,
    of: [0.1, 0.05, 0.05, 0.75],
    edits: 12,
    copied: 0.2,
  },
}

/**
 * Writes a collection below a folder, with some files that no DAT knows, and gives its DAT.
 * @param merges the DAT says which files of clones are their parent's, as MAME's does
 */
export function makeDatCollection(folder: string, name: string, seed: number, merges = false): string {
  const kind = DAT_COLLECTIONS[name]
  if (!kind) throw new Error(`no collection ${name}`)
  const random = seededRandom(seed)
  const program = openSync(process.execPath, 'r')
  const games: string[] = []
  const put = (path: string, data: Buffer): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), data)
  }
  const game = (
    title: string,
    cloneOf: string | null,
    files: readonly Buffer[],
    parents: readonly Buffer[] = [],
  ): void => {
    const fileOf = (of: string, at: number): string => (kind.files === 1 ? `${of}.bin` : `part ${at + 1}.bin`)
    const roms = files.map((data, at) => {
      const file = fileOf(title, at)
      put(kind.files === 1 ? `${name}/${file}` : `${name}/${title}/${file}`, data)
      const sha1 = createHash('sha1').update(data).digest('hex')
      const isParents = merges && cloneOf !== null && parents[at] === data
      const merge = isParents ? ` merge="${fileOf(cloneOf, at)}"` : ''
      return `<rom name="${file}"${merge} size="${data.length}" sha1="${sha1}"/>`
    })
    const romOf = merges ? ` romof="${cloneOf}"` : ''
    const parent = cloneOf === null ? '' : ` cloneof="${cloneOf}"${romOf}`
    games.push(`<game name="${title}"${parent}><description>${title}</description>${roms.join('')}</game>`)
  }
  for (let parent = 0; parent < kind.parents; parent++) {
    const title = `Title ${parent + 1} (World)`
    const files = Array.from({ length: kind.files }, () => contentOf(kind, random, program))
    game(title, null, files)
    const clones = random.below(kind.clones + 1)
    for (let clone = 0; clone < clones; clone++) {
      const changed = files.map((data) => (random.unit() < kind.copied ? data : edited(data, kind, random)))
      game(`Another ${random.below(1e6)} of ${parent + 1} (Japan)`, title, changed, files)
    }
  }
  for (let at = 0; at < 3; at++) put(`unknown/${at}.bin`, contentOf(kind, random, program))
  closeSync(program)
  const header = `<header><name>${name}</name><version>1</version></header>`
  return `<?xml version="1.0"?>\n<datafile>${header}${games.join('\n')}</datafile>\n`
}

function contentOf({ fileBytes, of }: Kind, random: SeededRandom, program: number): Buffer {
  const data = Buffer.alloc(fileBytes + random.below(3 * fileBytes))
  const words = Array.from({ length: 800 }, () => random.below(2 ** 30).toString(36))
  let at = 0
  const next = (share: number): Buffer => {
    const from = at
    at = Math.min(data.length, at + Math.floor(share * data.length))
    return data.subarray(from, at)
  }
  const code = next(of[0])
  // There is program from 4 MB to 74 MB of Node.
  if (code.length > 0) readSync(program, code, 0, code.length, 4_000_000 + random.below(60_000_000))
  random.fillBytes(next(of[1]))
  const tables = next(of[2])
  for (let entry = 0; entry + 4 <= tables.length; entry += 4) tables.writeUInt32LE(random.below(1500), entry)
  const text = next(of[3])
  for (let to = 0; to < text.length; )
    to += Math.max(1, text.write(`${words[random.below(800)]} `, to, 'latin1'))
  return data
}

/** Some places written anew; what follows the middle may be moved by some bytes, too. */
function edited(parent: Buffer, { edits, moves }: Kind, random: SeededRandom): Buffer {
  const data = Buffer.from(parent)
  for (let place = 1 + random.below(edits); place > 0; place--) {
    const length = Math.min(data.length, 128 << random.below(6))
    random.fillBytes(data.subarray(random.below(data.length - length + 1)).subarray(0, length))
  }
  if (moves) data.copyWithin((data.length >> 1) + 1 + random.below(60), data.length >> 1, data.length - 64)
  return data
}

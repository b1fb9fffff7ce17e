import type { Dat } from '../../src/domain/roms/dat'
import { seededRandom } from '../../src/primitives/seededRandom'
import { datOf, fileOf, gameOf } from './madeDats'

/** A made-up collection of a system, and the DAT that describes it. */
export interface MadeRoms {
  readonly dat: Dat
  /** By their paths: each ROM set a folder, and each that is one file alone. */
  readonly files: Readonly<Record<string, Uint8Array>>
  /** The paths of each parent with its clones. */
  readonly families: readonly (readonly string[])[]
}

/**
 * Parents with up to three clones each, drawn from a seed. Clones share most of what their parents
 * have; half of the content is text, the rest tables that compress a little.
 * @param system the folder that all of it is in
 */
export function madeRoms(
  seed: number,
  { system, parents, bytes }: { readonly system: string; readonly parents: number; readonly bytes: number },
): MadeRoms {
  const random = seededRandom(seed)
  const words = Array.from({ length: 2000 }, () => random.below(2 ** 40).toString(36))
  const content = (): Buffer => {
    const text = Array.from({ length: Math.ceil(bytes / 12) }, () => words[random.below(2000)]).join(' ')
    const table = Buffer.alloc(Math.ceil(bytes / 2))
    random.fillBytes(table)
    for (let at = 0; at < table.length; at++) table[at] = (table[at] as number) & 0x3f
    return Buffer.concat([Buffer.from(text).subarray(0, Math.floor(bytes / 2)), table])
  }
  const changed = (parent: Buffer): Buffer => {
    const clone = Buffer.from(parent)
    for (let change = 0; change < 3; change++) {
      const patch = Buffer.alloc(200 + random.below(Math.max(1, Math.floor(bytes / 20))))
      random.fillBytes(patch)
      patch.copy(clone, random.below(Math.max(1, clone.length - patch.length)))
    }
    return clone
  }
  const files: Record<string, Uint8Array> = {}
  const games: Dat['games'][number][] = []
  const families: string[][] = []
  for (let parent = 0; parent < parents; parent++) {
    const name = `Game ${String.fromCharCode(90 - (parent % 26))}${parent} (World)`
    const [program, data] = [content(), content()]
    const isOneFile = parent % 3 === 0
    const family: string[] = []
    const add = (game: string, parts: readonly (readonly [name: string, content: Buffer])[]): void => {
      for (const [file, bytesOf] of parts) {
        const path = isOneFile ? `${system}/${file}` : `${system}/${game}/${file}`
        files[path] = bytesOf
        family.push(path)
      }
    }
    const partsOf = (game: string, one: Buffer): (readonly [string, Buffer])[] =>
      isOneFile
        ? [[`${game}.bin`, one]]
        : [
            ['program.bin', one],
            ['data.bin', changed(data)],
          ]
    const listed = (game: string, cloneOf: string | null, one: Buffer): void => {
      const parts = partsOf(game, one)
      add(game, parts)
      games.push(gameOf(game, { cloneOf, files: parts.map(([file, bytesOf]) => fileOf(file, bytesOf)) }))
    }
    listed(name, null, program)
    const clones = random.below(4)
    // Names that do not begin as the parent's does: titles would not put them together.
    for (let clone = 0; clone < clones; clone++)
      listed(`Other ${random.below(1e6)} of ${parent} (Japan)`, name, changed(program))
    families.push(family)
  }
  return { dat: datOf(games, { name: system, version: '2026' }), files, families }
}

import { said, saidAll } from '../../primitives/said'
import type { Dat, DatFile, DatGame } from './dat'
import type { DatNotes } from './datNotes'

/** The links between the games of a DAT; those that lead nowhere or in a circle are dropped. */
export interface RomLinks {
  /** The game of a name; the first where several have it. */
  game(name: string): DatGame | null
  /** The game that this one is a variant of. */
  parentOf(game: DatGame): DatGame | null
  /** The first game of the chain of variants; itself for a parent. */
  topOf(game: DatGame): DatGame
  /** The games that this one takes files from: its parent, then its BIOS and so on. */
  sourcesOf(game: DatGame): readonly DatGame[]
}

type Link = 'cloneOf' | 'romOf'

const CIRCLE_NAMES = 5

/**
 * Follows `cloneOf` and `romOf`. Names that no game has, and games that are variants of one
 * another, are noted: each game of a circle then counts as a parent.
 */
export function romLinks({ games }: Dat, notes: DatNotes): RomLinks {
  const byName = new Map<string, DatGame>()
  const folded = new Map<string, string>()
  for (const game of games) {
    const { name } = game
    if (byName.has(name)) {
      notes.add('twice', () => said`more than one game is named "${name}"`)
      continue
    }
    byName.set(name, game)
    const other = folded.get(name.toLowerCase())
    if (other !== undefined)
      notes.add('case', () => said`the games "${other}" and "${name}" differ only in upper and lower case`)
    else folded.set(name.toLowerCase(), name)
  }
  const dropped = { cloneOf: new Set<DatGame>(), romOf: new Set<DatGame>() }
  const linked = (game: DatGame, link: Link): DatGame | null => {
    const name = game[link]
    if (name === null || dropped[link].has(game)) return null
    return byName.get(name) ?? null
  }
  for (const link of ['cloneOf', 'romOf'] as const) {
    for (const game of games) {
      const name = game[link]
      if (name !== null && !byName.has(name))
        notes.add('nowhere', () => said`game "${game.name}" names "${name}", which is not in the DAT`)
    }
    for (const circle of circlesOf(games, (game) => linked(game, link))) {
      const names = circle.slice(0, CIRCLE_NAMES).map((game) => `"${game.name}"`)
      notes.add('circle', () =>
        circle.length === 1
          ? said`game ${names[0]} names itself as its parent`
          : said`the games ${saidAll(names)} name each other as parents: each counts as one`,
      )
      for (const game of circle) dropped[link].add(game)
    }
  }
  const parentOf = (game: DatGame): DatGame | null => linked(game, 'cloneOf')
  return {
    game: (name) => byName.get(name) ?? null,
    parentOf,
    topOf(game) {
      let top = game
      for (let parent = parentOf(top); parent; parent = parentOf(top)) top = parent
      return top
    },
    sourcesOf(game) {
      const sources = new Set<DatGame>()
      const next = (from: DatGame): DatGame | null => linked(from, 'romOf') ?? parentOf(from)
      for (let at = next(game); at && at !== game && !sources.has(at); at = next(at)) sources.add(at)
      return [...sources]
    },
  }
}

/** The groups of games whose links lead back to them. */
function circlesOf(games: readonly DatGame[], next: (game: DatGame) => DatGame | null): DatGame[][] {
  const walkOf = new Map<DatGame, number>()
  const circles: DatGame[][] = []
  for (const [walk, start] of games.entries()) {
    let at: DatGame | null = start
    while (at && !walkOf.has(at)) {
      walkOf.set(at, walk)
      at = next(at)
    }
    if (!at || walkOf.get(at) !== walk) continue
    const circle = [at]
    for (let other = next(at); other && other !== at; other = next(other)) circle.push(other)
    circles.push(circle)
  }
  return circles
}

/** The file of a source that a file with a `merge` name is; null where none has it. */
export function mergedFile(file: DatFile, sources: readonly DatGame[]): DatFile | null {
  if (file.merge === null) return null
  for (const { files } of sources) {
    const found = files.find((other) => other.kind === file.kind && other.name === file.merge)
    if (found) return found
  }
  return null
}

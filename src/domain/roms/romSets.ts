import { said } from '../../primitives/said'
import type { RomLayout } from '../survey/romLayout'
import { type Dat, type DatFile, type DatGame, type DatNote, isSameContent } from './dat'
import { DatNotes } from './datNotes'
import { mergedFile, type RomLinks, romLinks } from './romLinks'

/** A file of a ROM set, under its name there. */
export interface HeldFile {
  readonly name: string
  readonly file: DatFile
  /** The game that lists it. */
  readonly game: DatGame
}

/** The files that belong into one folder or archive, which has the name of its game. */
export interface RomSet {
  readonly name: string
  readonly game: DatGame
  /** The parent at the top of its chain of variants; the game itself for a parent. */
  readonly family: DatGame
  readonly files: readonly HeldFile[]
}

/** The layout that a DAT asks for; `split` where it asks for none. */
export function layoutOf({ header }: Dat): RomLayout {
  switch (header.forceMerging) {
    case 'full':
    case 'merged':
      return 'merged'
    case 'none':
      return 'non-merged'
    default:
      return 'split'
  }
}

/**
 * The ROM sets of a DAT in the order of its games. Games without files of their own in this layout
 * have none.
 */
export function romSets(dat: Dat, layout: RomLayout): { sets: RomSet[]; notes: DatNote[] } {
  const notes = new DatNotes()
  const links = romLinks(dat, notes)
  const games = dat.games.filter((game) => links.game(game.name) === game)
  const listed = LISTED[layout](games, links, notes)
  const sets = listed.map(
    ({ game, files }): RomSet => ({ name: game.name, game, family: links.topOf(game), files }),
  )
  return { sets: sets.filter(({ files }) => files.length > 0), notes: notes.list() }
}

interface Listed {
  readonly game: DatGame
  readonly files: readonly HeldFile[]
}

type Lister = (games: readonly DatGame[], links: RomLinks, notes: DatNotes) => Listed[]

const LISTED: Readonly<Record<RomLayout, Lister>> = {
  split: (games, links, notes) => games.map((game) => splitSet(game, links, notes)),
  merged: mergedSets,
  'non-merged': (games, links, notes) => games.map((game) => wholeSet(game, links, notes)),
}

function splitSet(game: DatGame, links: RomLinks, notes: DatNotes): Listed {
  const held = new Held(notes)
  const sources = game.files.some(({ merge }) => merge !== null) ? links.sourcesOf(game) : []
  for (const file of game.files) {
    if (file.merge !== null) {
      if (mergedFile(file, sources)) continue
      notes.add(
        'merge',
        () =>
          said`game "${game.name}" takes "${file.merge}" from a parent that does not have it: it counts as its own`,
      )
    }
    held.add(game, file, null)
  }
  return { game, files: held.files }
}

function mergedSets(games: readonly DatGame[], links: RomLinks, notes: DatNotes): Listed[] {
  const families = new Map<DatGame, DatGame[]>()
  for (const game of games) {
    const top = links.topOf(game)
    const family = families.get(top)
    if (!family) families.set(top, game === top ? [game] : [top, game])
    else if (game !== top) family.push(game)
  }
  return games.flatMap((game): Listed[] => {
    const family = families.get(game)
    if (!family) return []
    const held = new Held(notes)
    for (const each of family)
      for (const { file } of splitSet(each, links, notes).files)
        held.add(each, file, each === game ? null : each.name)
    return [{ game, files: held.files }]
  })
}

/** All that a game lists, its BIOS where it lists nothing of it, and its devices' files. */
function wholeSet(game: DatGame, links: RomLinks, notes: DatNotes): Listed {
  const held = new Held(notes)
  for (const file of game.files) held.add(game, file, null)
  const sources = links.sourcesOf(game)
  for (const source of sources) {
    if (!source.isBios) continue
    const listsIt = game.files.some((file) => mergedFile(file, [source]) !== null)
    if (!listsIt) for (const file of source.files) held.add(source, file, source.name)
  }
  for (const device of devicesOf(game, links))
    for (const file of device.files) held.add(device, file, device.name)
  return { game, files: held.files }
}

/** The devices of a game and those that they contain, each once. */
function devicesOf(game: DatGame, links: RomLinks): DatGame[] {
  const devices = new Set<DatGame>()
  const open = [game]
  for (let at = open.pop(); at; at = open.pop())
    for (const name of at.devices) {
      const device = links.game(name)
      if (!device || device === game || devices.has(device)) continue
      devices.add(device)
      open.push(device)
    }
  return [...devices]
}

/**
 * The files of a ROM set. One content under one name is there once; another content of the same
 * name goes to a folder with the name of its game.
 */
class Held {
  readonly files: HeldFile[] = []
  readonly #byName = new Map<string, DatFile[]>()
  readonly #notes: DatNotes

  constructor(notes: DatNotes) {
    this.#notes = notes
  }

  /** @param folder takes the file where its name is used already; null for a game's own files */
  add(game: DatGame, file: DatFile, folder: string | null): void {
    const plain = file.kind === 'disk' ? `${file.name}.chd` : file.name
    if (this.#has(plain, file)) return
    if (folder !== null && this.#byName.has(plain)) {
      const inFolder = `${folder}/${plain}`
      if (!this.#has(inFolder, file)) this.#put(game, file, inFolder)
      return
    }
    if (this.#byName.has(plain))
      this.#notes.add('files', () => said`game "${game.name}" lists two different files named "${plain}"`)
    this.#put(game, file, plain)
  }

  #has(name: string, file: DatFile): boolean {
    return this.#byName.get(name)?.some((other) => isSameEntry(other, file)) === true
  }

  #put(game: DatGame, file: DatFile, name: string): void {
    const known = this.#byName.get(name)
    if (known) known.push(file)
    else this.#byName.set(name, [file])
    this.files.push({ name, file, game })
  }
}

/** Files that nobody has dumped have no content to compare. */
function isSameEntry(one: DatFile, other: DatFile): boolean {
  if (one.kind !== other.kind) return false
  if (one.status === 'nodump' && other.status === 'nodump') return true
  return isSameContent(one, other)
}

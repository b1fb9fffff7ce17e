import type { DatFile, DatGame } from './dat'
import type { SetJudgement } from './judgeFiles'
import type { HeldFile, RomSet } from './romSets'
import type { WrittenKind } from './writtenKinds'

/** A file of a game as it is written. */
interface WrittenFile {
  readonly name: string
  readonly file: DatFile
}

/** A game of a DAT that is written: a ROM set, or the part of it that is missing. */
export interface WrittenGame {
  readonly name: string
  readonly game: DatGame
  /** The written name of its parent; null where that is not written. */
  readonly cloneOf: string | null
  readonly files: readonly WrittenFile[]
}

/** The header of a DAT that is written. */
export interface WrittenHeader {
  readonly name: string
  readonly description: string
  readonly version: string
  readonly date: string
  /** The file name of the detector of copier headers; null for none. */
  readonly detector: string | null
}

/** A DAT's ROM sets as they were judged, and its name. */
export interface JudgedDat {
  readonly name: string
  readonly sets: readonly SetJudgement[]
}

/**
 * The games of a DAT of the complete ROM sets with all their files, or of the others with the files
 * that are missing. Each holds its ROM set as it is laid out, without `romof` and `merge`, so that
 * it is read again as the same. Of ROM sets of one name the later get the name of their DAT too.
 */
export function writtenGames(dats: readonly JudgedDat[], kind: WrittenKind): WrittenGame[] {
  const taken = new Set<string>()
  return dats.flatMap(({ name: dat, sets }) => {
    const names = new Map<string, string>()
    const chosen = sets.filter(({ state }) =>
      kind === 'have' ? state === 'complete' : state === 'partial' || state === 'missing',
    )
    for (const { set } of chosen) names.set(set.name, freeName(set.name, dat, taken))
    return chosen.map(({ set, missing }): WrittenGame => {
      const held = kind === 'have' ? set.files : missing.map((one) => one.held)
      return {
        name: names.get(set.name) ?? set.name,
        game: set.game,
        cloneOf: parentIn(set, names),
        files: held.map(writtenFile),
      }
    })
  })
}

function freeName(name: string, dat: string, taken: Set<string>): string {
  let free = name
  for (let number = 1; taken.has(free); number++)
    free = `${name} (${dat || 'DAT'}${number === 1 ? '' : ` ${number}`})`
  taken.add(free)
  return free
}

/** Games that name each other as parents have none. */
function parentIn({ game, family }: RomSet, names: ReadonlyMap<string, string>): string | null {
  return game.cloneOf === null || family === game ? null : (names.get(game.cloneOf) ?? null)
}

function writtenFile({ name, file }: HeldFile): WrittenFile {
  return { name: file.kind === 'disk' ? name.replace(/\.chd$/, '') : name, file }
}

/** Writes a DAT in Logiqx's XML. */
export class LogiqxWriter {
  readonly #header: WrittenHeader
  readonly #games: readonly WrittenGame[]
  readonly #replaced = new Set<string>()

  constructor(header: WrittenHeader, games: readonly WrittenGame[]) {
    this.#header = header
    this.#games = games
  }

  /** Texts with characters that XML cannot hold, which were written as U+FFFD so far. */
  get replaced(): number {
    return this.#replaced.size
  }

  *pieces(): Generator<string, void, void> {
    const { name, description, version, date, detector } = this.#header
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<datafile>\n\t<header>\n'
    for (const [field, text] of Object.entries({ name, description, version, date, author: 'Stowage' }))
      if (text !== '') yield `\t\t<${field}>${this.#escaped(text)}</${field}>\n`
    if (detector !== null) yield `\t\t<clrmamepro${this.#attribute('header', detector)}/>\n`
    yield '\t</header>\n'
    for (const game of this.#games) yield this.#game(game)
    yield '</datafile>\n'
  }

  #game({ name, game, cloneOf, files }: WrittenGame): string {
    const own =
      this.#attribute('name', name) +
      this.#attribute('isbios', game.isBios && 'yes') +
      this.#attribute('isdevice', game.isDevice && 'yes') +
      this.#attribute('cloneof', cloneOf)
    const listed = files.map((file) => this.#file(file)).join('')
    return `\t<game${own}>\n\t\t<description>${this.#escaped(game.description)}</description>\n${listed}\t</game>\n`
  }

  #file({ name, file }: WrittenFile): string {
    const { kind, bytes, crc, md5, sha1, sha256, status, isMia, isOptional } = file
    const own =
      this.#attribute('name', name) +
      this.#attribute('size', bytes) +
      this.#attribute('crc', crc) +
      this.#attribute('md5', md5) +
      this.#attribute('sha1', sha1) +
      this.#attribute('sha256', sha256) +
      this.#attribute('status', status !== 'good' && status) +
      this.#attribute('mia', isMia && 'yes') +
      this.#attribute('optional', isOptional && 'yes')
    return `\t\t<${kind}${own}/>\n`
  }

  #attribute(name: string, value: string | number | null | false): string {
    return value === null || value === false ? '' : ` ${name}="${this.#escaped(String(value))}"`
  }

  /** Signs with a meaning in XML, and white space that readers would change, as references. */
  #escaped(text: string): string {
    const whole = text.toWellFormed().replace(NOT_IN_XML, '\ufffd')
    if (whole !== text) this.#replaced.add(text)
    return whole.replace(/[&<>"'\t\n\r\u007f-\u009f\u2028]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  }
}

/** The characters that XML 1.0 lacks. */
const NOT_IN_XML = /(?![\t\n\r\u007f-\u009f])\p{Cc}|[\ufffe\uffff]/gu

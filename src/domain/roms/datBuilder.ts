import { said } from '../../primitives/said'
import type { BiosSet, Dat, DatFile, DatFormat, DatGame, DatHeader, DigestKind, DumpStatus } from './dat'
import { DatFault } from './datFault'
import { DatNotes } from './datNotes'

/** The attributes of an element of a DAT, by their names. */
export type Fields = Readonly<Record<string, string | undefined>>

/**
 * Bounds of one file, which may hold several DATs: hostile files must not fill the memory. What
 * real lists have is in docs/methods/dats.md.
 */
const MOST_GAMES = 1_000_000
const MOST_FILES = 2_000_000
const MOST_REFERENCES = 8_000_000
const LONGEST_NAME = 1024
/** Longer texts of a header or a description are cut. */
const LONGEST_TEXT = 4096

/** The entries of one file so far. */
export class DatCounts {
  #games = 0
  #files = 0
  #references = 0

  /** @throws DatFault past the bound */
  game(): void {
    if (++this.#games > MOST_GAMES) throw new DatFault(said`it has more than ${MOST_GAMES} games`)
  }

  /** @throws DatFault past the bound */
  file(): void {
    if (++this.#files > MOST_FILES) throw new DatFault(said`its games have more than ${MOST_FILES} files`)
  }

  /** @throws DatFault past the bound */
  reference(): void {
    if (++this.#references > MOST_REFERENCES)
      throw new DatFault(said`its games name more than ${MOST_REFERENCES} devices and samples`)
  }
}

interface OpenGame {
  readonly name: string
  readonly id: string | undefined
  readonly fields: Record<string, string | undefined>
  readonly files: DatFile[]
  readonly samples: string[]
  readonly devices: string[]
  readonly biosSets: BiosSet[]
}

const NONE: readonly never[] = []
const DIGITS: Readonly<Record<DigestKind, number>> = { crc: 8, md5: 32, sha1: 40, sha256: 64 }
const DIGEST_NAMES: Readonly<Record<DigestKind, string>> = {
  crc: 'CRC-32',
  md5: 'MD5',
  sha1: 'SHA-1',
  sha256: 'SHA-256',
}
const STATUSES: Readonly<Record<string, DumpStatus>> = {
  good: 'good',
  verified: 'verified',
  baddump: 'baddump',
  nodump: 'nodump',
}

/**
 * Makes a DAT of the elements of either format, each of which is checked: a wrong checksum, size or
 * name is refused with the game that has it.
 */
export class DatBuilder {
  readonly #format: DatFormat
  readonly #counts: DatCounts
  readonly #notes = new DatNotes()
  readonly #header: Record<string, string> = {}
  readonly #games: DatGame[] = []
  readonly #idNames = new Map<string, string>()
  readonly #cloneIds: { readonly at: number; readonly id: string }[] = []
  #game: OpenGame | null = null
  /** The last ROM of a part of a software list, which the next entries may make longer. */
  #continued: { readonly at: number } | null = null

  constructor(format: DatFormat, counts: DatCounts) {
    this.#format = format
    this.#counts = counts
  }

  get isInGame(): boolean {
    return this.#game !== null
  }

  /** A field of the header; the first of each name counts. */
  header(name: string, value: string): void {
    this.#header[name] ??= value.slice(0, LONGEST_TEXT).trim()
  }

  /** @throws DatFault for a game without a name, or one that no folder may have */
  beginGame(fields: Fields): void {
    this.#counts.game()
    const name = this.#name(fields['name'], null)
    this.#game = {
      name,
      id: fields['id'],
      fields: { ...fields },
      files: [],
      samples: [],
      devices: [],
      biosSets: [],
    }
    this.#continued = null
  }

  /** A field that is not an attribute of the game's element. */
  gameField(name: string, value: string): void {
    if (this.#game) this.#game.fields[name] ??= value.slice(0, LONGEST_TEXT)
  }

  /** The beginning of an area of a software list: its first entry is a file of its own. */
  beginArea(): void {
    this.#continued = null
  }

  /** @throws DatFault for a file that is not described as DATs do */
  file(kind: DatFile['kind'], fields: Fields): void {
    const game = this.#opened()
    if (this.#isPartOfLast(fields)) return
    this.#counts.file()
    if (kind === 'rom' && /[\\/]$/.test(fields['name'] ?? '') && Number(fields['size'] ?? '0') === 0)
      return this.#notes.add(
        'folder',
        () => said`game "${game.name}" lists the folder "${fields['name']}": not read`,
      )
    const name = this.#name(fields['name'], game.name)
    const status = this.#status(fields, game.name)
    game.files.push({
      kind,
      name,
      bytes: kind === 'disk' ? null : this.#bytes(fields['size'], name),
      crc: this.#digest('crc', fields['crc'], name),
      md5: this.#digest('md5', fields['md5'], name),
      sha1: this.#digest('sha1', fields['sha1'], name),
      sha256: this.#digest('sha256', fields['sha256'], name),
      merge: fields['merge'] ? this.#name(fields['merge'], game.name) : null,
      status,
      isMia: fields['mia'] === 'yes' || game.fields['mia'] === 'yes',
      isOptional: fields['optional'] === 'yes',
    })
    this.#continued = { at: game.files.length - 1 }
  }

  sample(name: string): void {
    this.#counts.reference()
    if (name !== '') this.#opened().samples.push(name)
  }

  device(name: string): void {
    this.#counts.reference()
    if (name !== '') this.#opened().devices.push(name)
  }

  biosSet({ name = '', description = '', default: isDefault }: Fields): void {
    this.#counts.reference()
    this.#opened().biosSets.push({
      name,
      description: description.slice(0, LONGEST_TEXT),
      isDefault: isDefault === 'yes',
    })
  }

  endGame(): void {
    const { name, id, fields, files, samples, devices, biosSets } = this.#opened()
    this.#game = null
    const other = (key: string): string | null => {
      const text = fields[key]
      return text === undefined || text === '' ? null : this.#name(text, name)
    }
    if (id !== undefined && id !== '') this.#idNames.set(id, name)
    const cloneId = fields['cloneofid']
    if (cloneId !== undefined && cloneId !== '') this.#cloneIds.push({ at: this.#games.length, id: cloneId })
    this.#games.push({
      name,
      description: fields['description'] ?? name,
      isBios: fields['isbios'] === 'yes',
      isDevice: fields['isdevice'] === 'yes',
      cloneOf: other('cloneof'),
      romOf: other('romof'),
      sampleOf: other('sampleof'),
      files: files.length === 0 ? NONE : files,
      samples: samples.length === 0 ? NONE : samples,
      devices: devices.length === 0 ? NONE : devices,
      biosSets: biosSets.length === 0 ? NONE : biosSets,
    })
  }

  /** The DAT, once everything was handed over. */
  finish(): Dat {
    for (const { at, id } of this.#cloneIds) {
      const game = this.#games[at] as DatGame
      const parent = this.#idNames.get(id)
      if (game.cloneOf === null && parent !== undefined && parent !== game.name)
        this.#games[at] = { ...game, cloneOf: parent }
    }
    if (this.#games.length === 0) this.#notes.add('none', () => said`it names no games`)
    return { format: this.#format, header: this.#headerOf(), games: this.#games, notes: this.#notes.list() }
  }

  #headerOf(): DatHeader {
    const field = (name: string): string => this.#header[name] ?? ''
    const optional = (name: string): string | null => this.#header[name]?.toLowerCase() || null
    return {
      name: field('name'),
      description: field('description'),
      version: field('version'),
      date: field('date'),
      author: field('author'),
      detector: this.#header['header'] || null,
      forceMerging: optional('forcemerging'),
      forceNoDump: optional('forcenodump'),
      forcePacking: optional('forcepacking'),
    }
  }

  #opened(): OpenGame {
    if (this.#game) return this.#game
    throw new DatFault(said`a file is outside of every game`)
  }

  /**
   * Entries of software lists that say where a ROM is loaded: the file is as long as it and the
   * entries that continue it.
   */
  #isPartOfLast(fields: Fields): boolean {
    const flag = fields['loadflag']
    if (flag === undefined || (fields['name'] ?? '') !== '') return false
    if (flag !== 'continue' && flag !== 'ignore') return true
    const files = this.#opened().files
    const last = this.#continued && files[this.#continued.at]
    if (last?.bytes != null) {
      const more = this.#bytes(fields['size'], last.name) ?? 0
      files[(this.#continued as { at: number }).at] = { ...last, bytes: last.bytes + more }
    }
    return true
  }

  #fault(file: string, because: string): DatFault {
    return new DatFault(said`game "${this.#game?.name}", file "${file}": ${because}`)
  }

  #status(fields: Fields, game: string): DumpStatus {
    const text = (fields['status'] ?? fields['flags'] ?? 'good').toLowerCase()
    const status = STATUSES[text]
    if (status) return status
    this.#notes.add(
      'status',
      () => said`game "${game}" has a file of the unknown status "${text}": read as good`,
    )
    return 'good'
  }

  #bytes(text: string | undefined, file: string): number | null {
    if (text === undefined || text === '' || text === '-') return null
    const bytes = /^(?:\d+|0x[\da-f]+)$/i.test(text) ? Number(text) : Number.NaN
    if (Number.isSafeInteger(bytes)) return bytes
    throw this.#fault(file, said`"${text.slice(0, 40)}" is no size`)
  }

  #digest(kind: DigestKind, text: string | undefined, file: string): string | null {
    if (text === undefined || text === '' || text === '-') return null
    if (text.length === DIGITS[kind] && /^[\da-f]+$/i.test(text)) return text.toLowerCase()
    const name = DIGEST_NAMES[kind]
    throw this.#fault(
      file,
      text.length === DIGITS[kind]
        ? said`its ${name} "${text}" is not hexadecimal`
        : said`its ${name} has ${text.length} digits instead of ${DIGITS[kind]}`,
    )
  }

  /** A name as a relative path. @param game null for the name of a game itself */
  #name(text: string | undefined, game: string | null): string {
    if (text === undefined || text === '')
      throw new DatFault(game === null ? said`a game has no name` : said`game "${game}": a file has no name`)
    let name = text
    if (name.includes('\\')) {
      name = name.replaceAll('\\', '/')
      this.#notes.add('backslash', () => said`"${text}" has a backslash: it is read as a folder`)
    }
    if (isSafeName(name)) return name
    const shown = text.slice(0, 80).replaceAll('\0', '\u2400')
    const because =
      name.length > LONGEST_NAME
        ? said`the name "${shown}…" has more than ${LONGEST_NAME} characters`
        : said`the name "${shown}" could lead out of its folder`
    throw new DatFault(game === null ? because : said`game "${game}": ${because}`)
  }
}

/** False for absolute paths, for `.`, `..` and empty parts, and for names with NUL or too long. */
function isSafeName(name: string): boolean {
  if (name.length > LONGEST_NAME || name.includes('\0') || /^[A-Za-z]:\//.test(name)) return false
  if (!name.includes('/')) return name !== '.' && name !== '..'
  return name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

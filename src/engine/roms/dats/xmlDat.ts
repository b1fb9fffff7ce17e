import type { Dat, DatFormat } from '../../../domain/roms/dat'
import { DatBuilder, DatCounts } from '../../../domain/roms/datBuilder'
import { DatFault } from '../../../domain/roms/datFault'
import { said } from '../../../primitives/said'
import type { DatParser } from './datParser'
import { copied, OwnText } from './ownText'
import { type XmlEvents, XmlReader } from './xmlEvents'

const FORMATS: Readonly<Record<string, DatFormat>> = {
  datafile: 'logiqx',
  mame: 'mame',
  mess: 'mame',
  softwarelist: 'softwarelist',
  softwarelists: 'softwarelist',
}
const GAMES = new Set(['game', 'machine', 'software'])
const FILES = new Set(['rom', 'disk'])
/** Values that many elements share; all others are copied one by one. */
const SHARED = new Set(['name', 'merge', 'status', 'cloneof', 'romof', 'sampleof', 'bios', 'loadflag'])

/**
 * Reads DATs of Logiqx's format, lists of `mame -listxml`, and software lists, of which one file
 * may hold several.
 */
export class XmlDat implements DatParser, XmlEvents {
  readonly #reader = new XmlReader(this)
  readonly #counts = new DatCounts()
  readonly #texts = new OwnText()
  readonly #dats: Dat[] = []
  #format: DatFormat | null = null
  #builder: DatBuilder | null = null
  #isInHeader = false
  /** The elements that are open in a game or header, and the text of the last one. */
  readonly #inside: string[] = []
  #text = ''

  get line(): number {
    return this.#reader.line
  }

  write(piece: string): void {
    this.#reader.write(piece)
  }

  finish(): Dat[] {
    this.#reader.end()
    return this.#dats
  }

  open(name: string, fields: Readonly<Record<string, string>>): void {
    if (this.#format === null) return this.#root(name, fields)
    const builder = this.#builder
    if (builder === null) {
      if (name === 'softwarelist') this.#beginList(fields)
      return
    }
    this.#text = ''
    if (this.#isInHeader) {
      this.#inside.push(name)
      if (name === 'clrmamepro')
        for (const [key, value] of Object.entries(fields)) builder.header(key, copied(value))
      return
    }
    if (!builder.isInGame) {
      if (name === 'header') this.#isInHeader = true
      else if (GAMES.has(name)) builder.beginGame(this.#own(fields))
      return
    }
    this.#inside.push(name)
    if (FILES.has(name)) builder.file(name === 'disk' ? 'disk' : 'rom', this.#own(fields))
    else if (name === 'device_ref') builder.device(this.#texts.shared(fields['name'] ?? ''))
    else if (name === 'sample') builder.sample(this.#texts.shared(fields['name'] ?? ''))
    else if (name === 'biosset') builder.biosSet(this.#own(fields))
    else if (name === 'dataarea') builder.beginArea()
    else if (GAMES.has(name)) throw new DatFault(said`a game is inside of another one`)
  }

  text(text: string): void {
    const depth = this.#inside.length
    if (depth === 1 && (this.#isInHeader || this.#inside[0] === 'description')) this.#text += text
  }

  close(name: string): void {
    const builder = this.#builder
    if (builder === null) return
    const inside = this.#inside.pop()
    if (inside !== undefined) {
      if (this.#isInHeader) {
        if (this.#inside.length === 0 && inside !== 'clrmamepro') builder.header(inside, copied(this.#text))
      } else if (inside === 'description' && this.#inside.length === 0)
        builder.gameField('description', copied(this.#text))
      return
    }
    if (this.#isInHeader) this.#isInHeader = false
    else if (builder.isInGame) builder.endGame()
    else if (name === 'softwarelist' || name in FORMATS) {
      this.#dats.push(builder.finish())
      this.#builder = null
    }
  }

  #root(name: string, fields: Readonly<Record<string, string>>): void {
    const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined
    if (!format) throw new DatFault(said`it is no DAT: its first element is <${name.slice(0, 40)}>`)
    this.#format = format
    if (name === 'softwarelist') this.#beginList(fields)
    else if (name !== 'softwarelists') this.#builder = new DatBuilder(format, this.#counts)
    if (format !== 'mame') return
    this.#builder?.header('name', 'MAME')
    this.#builder?.header('version', copied(fields['build'] ?? ''))
  }

  #beginList(fields: Readonly<Record<string, string>>): void {
    this.#builder = new DatBuilder('softwarelist', this.#counts)
    for (const key of ['name', 'description']) this.#builder.header(key, copied(fields[key] ?? ''))
  }

  #own(fields: Readonly<Record<string, string>>): Record<string, string> {
    const own: Record<string, string> = {}
    for (const key in fields) {
      const value = fields[key] as string
      own[key] = SHARED.has(key) ? this.#texts.shared(value) : copied(value)
    }
    return own
  }
}

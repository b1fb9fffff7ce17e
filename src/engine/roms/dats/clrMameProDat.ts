import type { Dat } from '../../../domain/roms/dat'
import { DatBuilder, DatCounts } from '../../../domain/roms/datBuilder'
import { DatFault } from '../../../domain/roms/datFault'
import { said } from '../../../primitives/said'
import type { DatParser } from './datParser'
import { copied } from './ownText'

const HEADERS = new Set(['clrmamepro', 'emulator'])
const GAMES = new Set(['game', 'machine', 'resource'])
const BLOCKS = new Set(['rom', 'disk', 'biosset', 'sample', 'device_ref'])
const LONGEST_LINE = 1 << 20
const DEEPEST = 8
/**
 * A text in quotes ends at a quote that has no backslash before it and white space after it; a word
 * ends at white space.
 */
const TOKENS = /"((?:\\.|[^"\\]|"(?!\s|$))*)"(?=\s|$)|(\S+)/g
/** A line with a text alone, which may have quotes of its own. */
const PROSE = /^\s*(description|comment|author)\s+"(.*)"\s*$/i

interface Block {
  readonly name: string
  readonly fields: Record<string, string>
}

/**
 * Reads DATs of ClrMamePro's text format: blocks `name ( … )` of names with a value or a block.
 * Unknown blocks are passed over.
 */
export class ClrMameProDat implements DatParser {
  readonly #builder = new DatBuilder('clrmamepro', new DatCounts())
  readonly #open: Block[] = []
  #key: string | null = null
  #rest = ''
  #hasBegun = false
  line = 1

  write(piece: string): void {
    let start = 0
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      this.#takeLine(this.#rest + piece.slice(start, end))
      this.#rest = ''
      this.line++
      start = end + 1
    }
    this.#rest += piece.slice(start)
    if (this.#rest.length > LONGEST_LINE)
      throw new DatFault(said`the line is longer than ${LONGEST_LINE} characters`)
  }

  finish(): Dat[] {
    this.#takeLine(this.#rest)
    const [first] = this.#open
    if (first) throw new DatFault(said`it ends within a block "${first.name}"`)
    if (this.#key !== null) throw new DatFault(said`it ends after "${this.#key.slice(0, 40)}"`)
    if (!this.#hasBegun) throw new DatFault(said`it is no DAT`)
    return [this.#builder.finish()]
  }

  #takeLine(line: string): void {
    const [, key, prose] = PROSE.exec(line) ?? []
    if (key !== undefined && this.#key === null && this.#open.length === 1) {
      this.#value(key, true)
      this.#value((prose ?? '').replaceAll('\\"', '"'), false)
      return
    }
    for (const [token, quoted, word] of line.matchAll(TOKENS)) {
      // Else the rest of the line would be searched for its end at every quote.
      if (word?.startsWith('"')) throw new DatFault(said`a quote is not closed`)
      if (token === '(') this.#begin()
      else if (token === ')') this.#end()
      else
        this.#value(quoted === undefined ? (word ?? '') : quoted.replaceAll('\\"', '"'), quoted === undefined)
    }
  }

  #value(text: string, isWord: boolean): void {
    if (this.#key === null) {
      if (!isWord || (!this.#hasBegun && !HEADERS.has(text.toLowerCase()) && !GAMES.has(text.toLowerCase())))
        throw new DatFault(
          this.#hasBegun ? said`a name is missing before "${text.slice(0, 40)}"` : said`it is no DAT`,
        )
      this.#key = copied(text.toLowerCase())
      return
    }
    const key = this.#key
    this.#key = null
    const block = this.#open.at(-1)
    if (!block) throw new DatFault(said`"${key.slice(0, 40)}" is outside of every block`)
    const value = copied(text)
    if (this.#open.length > 1) block.fields[key] ??= value
    else if (HEADERS.has(block.name)) this.#builder.header(key, value)
    else if (!GAMES.has(block.name)) return
    else if (key === 'sample') this.#inGame(block).sample(value)
    else if (key === 'device_ref') this.#inGame(block).device(value)
    else if (this.#builder.isInGame) this.#builder.gameField(key, value)
    else block.fields[key] ??= value
  }

  #begin(): void {
    const name = this.#key
    this.#key = null
    if (name === null) throw new DatFault(said`a block has no name`)
    if (this.#open.length >= DEEPEST) throw new DatFault(said`blocks are nested more than ${DEEPEST} deep`)
    const outer = this.#open.at(-1)
    if (this.#open.length === 1 && outer && GAMES.has(outer.name) && BLOCKS.has(name)) this.#inGame(outer)
    this.#open.push({ name, fields: Object.create(null) as Record<string, string> })
    this.#hasBegun = true
  }

  /** A game begins with its first file, or ends without one: its name is known then. */
  #inGame(block: Block): DatBuilder {
    if (this.#builder.isInGame) return this.#builder
    const bios = block.name === 'resource' ? { isbios: 'yes' } : {}
    this.#builder.beginGame({ ...block.fields, ...bios })
    return this.#builder
  }

  #end(): void {
    const block = this.#open.pop()
    if (!block) throw new DatFault(said`a block ends that did not begin`)
    if (this.#key !== null) this.#key = null
    if (this.#open.length === 0) {
      if (GAMES.has(block.name)) this.#inGame(block).endGame()
      return
    }
    const outer = this.#open[0]
    if (this.#open.length > 1 || !outer || !GAMES.has(outer.name)) return
    const builder = this.#builder
    if (block.name === 'rom' || block.name === 'disk') builder.file(block.name, block.fields)
    else if (block.name === 'biosset') builder.biosSet(block.fields)
    else if (block.name === 'sample') builder.sample(block.fields['name'] ?? '')
    else if (block.name === 'device_ref') builder.device(block.fields['name'] ?? '')
  }
}

import { SaxesParser } from 'saxes'
import { DatFault } from '../../../domain/roms/datFault'
import { said } from '../../../primitives/said'

/** The elements of an XML file as they come. */
export interface XmlEvents {
  open(name: string, fields: Readonly<Record<string, string>>): void
  text(text: string): void
  close(name: string): void
}

/** A tag, comment, text or document type is shorter: that bounds the parser's memory. */
const LONGEST_MARKUP = 1 << 20
const DEEPEST = 64

/**
 * Reads XML in pieces. It has to be well-formed; nothing is loaded, and entities that its document
 * type declares are not expanded but refused.
 */
export class XmlReader {
  readonly #parser = new SaxesParser<{ xmlns: false; position: true }>({ xmlns: false, position: true })
  #waiting = 0
  #depth = 0

  constructor(events: XmlEvents) {
    const parser = this.#parser
    parser.on('error', (error) => {
      // The library puts the place before its words.
      const words = error.message.replace(/^\d+:\d+:\s*/, '').replace(/\.$/, '')
      throw new DatFault(said`it is not well-formed XML (${words})`)
    })
    const ended = (): void => {
      this.#waiting = 0
    }
    // With a listener more the parser's object becomes a dictionary, and it takes four times as long.
    parser.on('comment', ended)
    parser.on('doctype', ended)
    parser.on('cdata', (text) => {
      ended()
      events.text(text)
    })
    parser.on('text', (text) => {
      ended()
      events.text(text)
    })
    parser.on('opentag', ({ name, attributes }) => {
      ended()
      if (++this.#depth > DEEPEST) throw new DatFault(said`its elements are nested more than ${DEEPEST} deep`)
      events.open(name, attributes)
    })
    parser.on('closetag', ({ name }) => {
      ended()
      this.#depth--
      events.close(name)
    })
  }

  get line(): number {
    return this.#parser.line
  }

  /** @throws DatFault, and as the events throw */
  write(piece: string): void {
    this.#waiting += piece.length
    this.#parser.write(piece)
    if (this.#waiting > LONGEST_MARKUP)
      throw new DatFault(said`one tag, comment or text is longer than ${LONGEST_MARKUP} characters`)
  }

  /** @throws DatFault where the file ends early */
  end(): void {
    this.#parser.close()
  }
}

import { DatFault } from '../../../domain/roms/datFault'
import {
  type DataTest,
  HEADER_OPERATIONS,
  type HeaderDetector,
  type HeaderRule,
  parseBytes,
  parseOffset,
  type SizeTest,
} from '../../../domain/roms/headerDetectors'
import { said } from '../../../primitives/said'
import { cannot } from '../../files/fileSystem'
import { shortRange } from '../../files/read'
import { fileLength } from './fileLength'
import { type XmlEvents, XmlReader } from './xmlEvents'

type Fields = Readonly<Record<string, string>>

const MOST_BYTES = 1 << 20
const MOST_RULES = 1000

/**
 * Reads a detector of copier headers in the format of clrmamepro.
 * @throws AppError `bad-input` naming the file, the line and the cause, `io`, `cancelled`
 */
export async function readDetector(path: string, signal: AbortSignal): Promise<HeaderDetector> {
  const size = await fileLength(path)
  if (size > MOST_BYTES)
    throw cannot('bad-input', 'read', path, said`it has ${size} bytes, and a detector may have ${MOST_BYTES}`)
  const bytes = await shortRange({ file: path, offset: 0, bytes: size }, signal)
  const rules = new DetectorRules()
  const reader = new XmlReader(rules)
  try {
    reader.write(bytes.toString('utf8').replace(/^\ufeff/, ''))
    reader.end()
    return rules.detector()
  } catch (thrown) {
    if (!(thrown instanceof DatFault)) throw thrown
    throw cannot('bad-input', 'read', path, said`line ${reader.line}: ${thrown.message}`)
  }
}

class DetectorRules implements XmlEvents {
  readonly #rules: HeaderRule[] = []
  readonly #open: string[] = []
  #tests: (DataTest | SizeTest)[] = []
  #fields: Fields = {}
  #name = ''

  open(name: string, fields: Fields): void {
    if (this.#open.length === 0 && name !== 'detector')
      throw new DatFault(said`it is no detector: its first element is <${name.slice(0, 40)}>`)
    if (name === 'rule') {
      this.#fields = fields
      this.#tests = []
    } else if (this.#open.at(-1) === 'rule') this.#tests.push(testOf(name, fields))
    this.#open.push(name)
  }

  text(text: string): void {
    if (this.#open.at(-1) === 'name') this.#name += text
  }

  close(name: string): void {
    this.#open.pop()
    if (name !== 'rule') return
    const { start_offset, end_offset, operation = 'none' } = this.#fields
    const known = HEADER_OPERATIONS.find((each) => each === operation)
    if (!known) throw new DatFault(said`the operation "${operation.slice(0, 40)}" is not known`)
    if (this.#rules.length >= MOST_RULES) throw new DatFault(said`it has more than ${MOST_RULES} rules`)
    this.#rules.push({
      start: parseOffset(start_offset, 'start'),
      end: parseOffset(end_offset, 'end'),
      operation: known,
      tests: this.#tests,
    })
  }

  detector(): HeaderDetector {
    if (this.#rules.length === 0) throw new DatFault(said`it has no rules`)
    return { name: this.#name.trim(), rules: this.#rules }
  }
}

function testOf(name: string, fields: Fields): DataTest | SizeTest {
  const { result = 'true', size, operator = 'equal', offset, value, mask } = fields
  if (result !== 'true' && result !== 'false')
    throw new DatFault(said`a result is "true" or "false", not "${result.slice(0, 40)}"`)
  const succeeds = result === 'true'
  if (name === 'file') {
    if (operator !== 'equal' && operator !== 'less' && operator !== 'greater')
      throw new DatFault(said`the operator "${operator.slice(0, 40)}" is not known`)
    const bytes = size?.toUpperCase() === 'PO2' ? null : parseOffset(size ?? '-', 'start').bytes
    return { test: 'file', bytes, operator, result: succeeds }
  }
  if (name !== 'data' && name !== 'and' && name !== 'or' && name !== 'xor')
    throw new DatFault(said`the test <${name.slice(0, 40)}> is not known`)
  const bytes = parseBytes(value)
  const masks = name === 'data' ? null : parseBytes(mask)
  if (masks && masks.length !== bytes.length)
    throw new DatFault(said`a mask has ${masks.length} bytes and its value ${bytes.length}`)
  return { test: name, offset: parseOffset(offset, 'start'), value: bytes, mask: masks, result: succeeds }
}

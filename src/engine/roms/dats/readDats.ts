import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Dat } from '../../../domain/roms/dat'
import { DatFault } from '../../../domain/roms/datFault'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { cannot } from '../../files/fileSystem'
import { rangeOf } from '../../files/read'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { eachZipMember, isZip } from '../archives/zipArchive'
import { ClrMameProDat } from './clrMameProDat'
import { type DatBytes, datText } from './datText'
import { fileLength } from './fileLength'
import { XmlDat } from './xmlDat'

/** A DAT with the file that it is from. */
export interface ReadDat {
  readonly path: string
  /** Its name in a zip; null for a file. */
  readonly member: string | null
  readonly encoding: string
  readonly dat: Dat
}

/** A longer file is refused, and a member of a zip that unpacks to more. */
const MOST_BYTES = 1 << 30

/**
 * Reads the DATs of a file, or of each `.dat` and `.xml` of a zip.
 * @param onBytes bytes of text that were read since the last call
 * @throws AppError `bad-input` naming the file, the line and the cause, `io`, `cancelled`
 */
export async function readDats(
  path: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<ReadDat[]> {
  const size = await fileLength(path)
  if (!(await isZip(path))) {
    requireLength(path, null, size)
    const bytes: DatBytes = () => rangeOf({ file: path, offset: 0, bytes: size }, signal)
    return readAll(path, null, bytes, signal, onBytes)
  }
  const read: ReadDat[] = []
  await eachZipMember(path, signal, async ({ name, bytes, content }) => {
    if (!/\.(?:dat|xml)$/i.test(name)) return
    requireLength(path, name, bytes)
    read.push(...(await readAll(path, name, content, signal, onBytes)))
  })
  if (read.length === 0) throw cannot('bad-input', 'read', path, said`the zip holds no .dat and no .xml`)
  return read
}

function requireLength(path: string, member: string | null, bytes: number): void {
  if (bytes > MOST_BYTES)
    throw faulty(path, member, null, said`it has ${bytes} bytes, and a DAT may have ${MOST_BYTES}`)
}

async function readAll(
  path: string,
  member: string | null,
  bytes: DatBytes,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<ReadDat[]> {
  let line: number | null = null
  try {
    const text = await datText(bytes)
    const parser = text.isXml ? new XmlDat() : new ClrMameProDat()
    try {
      for await (const piece of text.pieces()) {
        throwIfAborted(signal)
        parser.write(piece)
        onBytes(piece.length)
        await nextTurn()
      }
      return parser.finish().map((dat) => ({ path, member, encoding: text.encoding, dat }))
    } catch (thrown) {
      line = parser.line
      throw thrown
    }
  } catch (thrown) {
    if (thrown instanceof DatFault) throw faulty(path, member, line, thrown.message)
    throw thrown
  }
}

function faulty(path: string, member: string | null, line: number | null, because: string) {
  const placed = line === null ? because : said`line ${line}: ${because}`
  return cannot(
    'bad-input',
    'read',
    path,
    member === null ? placed : said`"${pathForDisplay(member)}" in it: ${placed}`,
  )
}

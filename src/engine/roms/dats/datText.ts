import { DatFault } from '../../../domain/roms/datFault'
import { said } from '../../../primitives/said'

/** The bytes of a DAT, which can be read again from the beginning. */
export type DatBytes = () => AsyncIterable<Uint8Array>

/** The text of a DAT with the encoding that it is read in. */
export interface DatText {
  readonly encoding: string
  readonly isXml: boolean
  /** @throws DatFault where bytes are none of the encoding */
  pieces(): AsyncIterable<string>
}

/** Enough for an XML declaration with all that may be before it. */
const HEAD_BYTES = 1024

/**
 * Finds out how a DAT is encoded: by its byte order mark, else by its XML declaration; text DATs
 * without a mark are UTF-8 where all of their bytes are, else windows-1252.
 * @throws DatFault for an empty file, one of zeros or another program's, and an unknown encoding
 */
export async function datText(bytes: DatBytes): Promise<DatText> {
  const head = await headOf(bytes)
  if (head.length === 0) throw new DatFault(said`the file is empty`)
  const marked = markOf(head)
  const start = new TextDecoder(marked ?? 'latin1')
    .decode(head)
    .replace(/^\ufeff/, '')
    .trimStart()
  if (start === '') throw new DatFault(said`it begins with nothing but white space`)
  if (start.includes('\0')) throw new DatFault(said`it is no text`)
  const isXml = start.startsWith('<')
  const declared = isXml ? /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(start)?.[1] : undefined
  const isUtf8 = marked !== null || declared !== undefined || isXml || (await isAllUtf8(bytes))
  const encoding = marked ?? usable(declared) ?? (isUtf8 ? 'utf-8' : 'windows-1252')
  return { encoding, isXml, pieces: () => decoded(bytes, encoding) }
}

async function headOf(bytes: DatBytes): Promise<Uint8Array> {
  const head: Uint8Array[] = []
  let length = 0
  for await (const piece of bytes()) {
    head.push(piece.slice(0, HEAD_BYTES - length))
    length += piece.length
    if (length >= HEAD_BYTES) break
  }
  return Buffer.concat(head)
}

function markOf([a, b, c]: Uint8Array): string | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  return a === 0xfe && b === 0xff ? 'utf-16be' : null
}

/** The decoder's name of a declared encoding; a file that is read by bytes is not UTF-16. */
function usable(declared: string | undefined): string | null {
  if (declared === undefined) return null
  try {
    const { encoding } = new TextDecoder(declared, { fatal: true })
    if (!encoding.startsWith('utf-16')) return encoding
  } catch {
    // Named below.
  }
  throw new DatFault(
    said`its XML declaration names the encoding "${declared.slice(0, 40)}", which it is not in or which is not known`,
  )
}

async function isAllUtf8(bytes: DatBytes): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of bytes()) decoder.decode(piece, { stream: true })
    decoder.decode()
    return true
  } catch (thrown) {
    if (thrown instanceof TypeError) return false
    throw thrown
  }
}

/** Decoding in short pieces keeps a cancel and the memory of the parser short. */
const PIECE_BYTES = 64 * 1024

async function* decoded(bytes: DatBytes, encoding: string): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const next = (piece?: Uint8Array): string => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
    } catch {
      throw new DatFault(said`some of its bytes are not ${encoding.toUpperCase()}`)
    }
  }
  for await (const piece of bytes())
    for (let at = 0; at < piece.length; at += PIECE_BYTES) yield next(piece.subarray(at, at + PIECE_BYTES))
  yield next()
}

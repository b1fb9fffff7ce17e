import { close, fstat, read } from 'node:fs'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { said } from '../../primitives/said'
import { cannot, joinPath } from '../files/fileSystem'
import { openedAtOnce } from '../files/read'
import { diskContent, HEAD_BYTES, has } from './diskContent'

/** The header of Apple's first form of encryption, at the end of the file. */
const FIRST_FORM_BYTES = 1276
const FIRST_FORM = 'cdsaencr'
const SECTOR_BYTES = 512
/** Containers that begin so: encrypted, and sparse images. */
const CONTAINERS: readonly string[] = ['encrcdsa', 'sprs']
const UDIF_TRAILER_BYTES = 512

const RAW_ENDINGS: ReadonlySet<string> = new Set(
  ['dmg', 'img', 'iso', 'cdr', 'raw', 'dd', 'bin', 'toast', 'udf', 'image'].map((ending) => `.${ending}`),
)

/**
 * How files begin that are no raw disk whatever they are called; the first four also begin a UDIF
 * whose trailer is lost.
 */
const OTHER_FILES: readonly string[] = [
  'x\u0001',
  'x\u009c',
  'x\u00da',
  'BZh',
  'bvx',
  '\u00fd7zXZ',
  '\u001f\u008b',
  'PK\u0003\u0004',
  '7z\u00bc\u00af',
  'Rar!',
  '%PDF',
  '\u0089PNG',
  '\u00ff\u00d8\u00ff',
  '\u007fELF',
  'QFI\u00fb',
  'KDMV',
  'vhdxfile',
  'conectix',
]

/**
 * Refuses anything that is not a disk image that Stowage reads, before it is opened as one: the
 * core takes every file without a signature for a read-write image. A raw disk has a partition
 * table, a file system or nothing but zeros at its start; or it is called as one, has whole
 * sectors, and is neither text nor another known kind of file. What cannot be read, and whether a
 * bundle is whole, is for the opening to say.
 * @throws AppError `bad-input`; `refused` for Apple's first form of encryption
 */
export async function requireKnownImage(path: string): Promise<void> {
  const ends = (await endsOf(path)) ?? (await endsOf(joinPath(path, 'token')))
  if (ends === null) return
  if (isFirstForm(ends.tail)) {
    throw cannot(
      'refused',
      'open',
      path,
      "it is encrypted in Apple's first format (version 1), which is not supported",
    )
  }
  if (ends.path === path && !isKnown(ends)) {
    throw cannot('bad-input', 'open', path, said`it is not a supported disk image`)
  }
}

interface Ends {
  readonly path: string
  readonly bytes: number
  readonly head: Buffer
  /** At most the length of the header at the end. */
  readonly tail: Buffer
}

/** The beginning and the end of a file; null for everything else, and for what cannot be read. */
async function endsOf(path: string): Promise<Ends | null> {
  let file: number
  try {
    file = openedAtOnce(path)
  } catch {
    return null
  }
  try {
    const facts = await promisify(fstat)(file)
    if (!facts.isFile()) return null
    const part = async (from: number, to: number): Promise<Buffer> => {
      const room = Buffer.alloc(to - from)
      const { bytesRead } = await promisify(read)(file, room, 0, room.length, from)
      return room.subarray(0, bytesRead)
    }
    const bytes = facts.size
    return {
      path,
      bytes,
      head: await part(0, Math.min(bytes, HEAD_BYTES)),
      tail: await part(Math.max(0, bytes - FIRST_FORM_BYTES), bytes),
    }
  } catch {
    return null
  } finally {
    await promisify(close)(file)
  }
}

function isFirstForm(tail: Buffer): boolean {
  if (has(tail, tail.length - FIRST_FORM.length, FIRST_FORM)) return true
  return tail.length === FIRST_FORM_BYTES && has(tail, 0, FIRST_FORM)
}

function isKnown({ path, bytes, head, tail }: Ends): boolean {
  if (has(tail, tail.length - UDIF_TRAILER_BYTES, 'koly')) return true
  if (CONTAINERS.some((text) => has(head, 0, text)) || diskContent(head) !== null) return true
  if (bytes === 0 || bytes % SECTOR_BYTES !== 0) return false
  if (head.every((byte) => byte === 0)) return true
  const isOther = OTHER_FILES.some((text) => has(head, 0, text)) || isText(head.subarray(0, SECTOR_BYTES))
  return RAW_ENDINGS.has(extname(path).toLowerCase()) && !isOther
}

function isText(sector: Buffer): boolean {
  return sector.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d))
}

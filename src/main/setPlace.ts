import { lstat } from 'node:fs/promises'
import { absolutePath } from '../files/absolutePath'
import { nativePath } from '../files/nativePath'
import { fileFailure } from '../primitives/fileFailure'
import { APP_NAME, say } from './words'

/** Stowage's folder in the person's documents. */
const SETS_FOLDER = APP_NAME

/** Names of files may have 255 bytes; a number and what is made next to it need some. */
const LONGEST_NAME = 80
/** Names that Windows keeps for devices, whatever their ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * The folder for a new set: named after its source, in Stowage's folder in the person's documents,
 * and numbered where something of that name is there. Nothing is made.
 * @param name as the window shows it
 * @throws AppError where the folder cannot be looked into
 */
export async function newSetPlace(documents: string, name: string): Promise<string> {
  const base = absolutePath(SETS_FOLDER, documents)
  for (let number = 1; ; number++) {
    const place = `${base}/${number === 1 ? folderName(name) : `${folderName(name)} ${number}`}`
    if (!(await isThere(place))) return place
  }
}

/** A name that every system can hold: one part of a path, never hidden, never `..`. */
function folderName(name: string): string {
  const held = Array.from(name.normalize('NFC').replace(/[/\\:*?"<>|\p{Cc}\p{Cs}]/gu, '_'))
    .slice(0, LONGEST_NAME)
    .join('')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  if (held === '') return say('set.unnamed')
  return DEVICE.test(held) ? `_${held}` : held
}

async function isThere(place: string): Promise<boolean> {
  try {
    await lstat(nativePath(place))
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return false
    throw fileFailure(error, 'read', place)
  }
}

import { hash } from 'node:crypto'
import { AppError } from '../../../primitives/appError'
import { type ContentPlace, digestHex } from '../../files/read'
import { hashRanges } from '../../native/addon'
import type { FoundMember } from './unpacker'

/**
 * The SHA-256 of what was found of members, as the unpacker wrote it or read back now; an error for
 * what cannot be read.
 * @param onBytes how many bytes are read back so far
 * @throws AppError `cancelled`
 */
export async function digestsOf(
  found: Iterable<readonly [member: string, FoundMember]>,
  signal: AbortSignal,
  onBytes: (done: number) => void,
): Promise<Map<string, string | AppError>> {
  const digests = new Map<string, string | AppError>()
  const unhashed: { readonly member: string; readonly place: ContentPlace }[] = []
  for (const [member, { content, sha256 }] of found) {
    if (sha256 !== null) digests.set(member, sha256)
    else if (Buffer.isBuffer(content)) digests.set(member, hash('sha256', content))
    else if (content) unhashed.push({ member, place: content })
  }
  if (unhashed.length === 0) return digests
  const ranges = unhashed.map(({ place: { file, offset, bytes } }) => ({ path: file, offset, length: bytes }))
  const { sha256, errors } = await hashRanges(ranges, { signal, onProgress: onBytes })
  for (const [at, { member, place }] of unhashed.entries()) {
    const error = errors.get(at)
    const digest = error
      ? new AppError(error.code, error.message, { path: place.file })
      : digestHex(sha256, at)
    digests.set(member, digest)
  }
  return digests
}

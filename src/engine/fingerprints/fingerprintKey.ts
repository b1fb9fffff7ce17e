import { createHmac, createSecretKey } from 'node:crypto'
import { open } from 'node:fs/promises'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { fileFailure, fsPath } from '../files/fileSystem'

/** With a key nobody without it can tell from fingerprints which contents a source has. */
export interface FingerprintKey {
  /** 16 digits, from which the key does not follow: fingerprints of one key have the same. */
  readonly id: string
  /** 16 bytes, for the hashes of contents (SipHash-2-4). */
  readonly hashKey: Uint8Array
  /** The 64 digits that stand for a file's SHA-256 (HMAC-SHA-256 of its bytes). */
  digest(sha256: string): string
}

const LEAST_BYTES = 16
const MOST_BYTES = 64 * 1024

/**
 * Derives a key from all bytes of a file.
 * @throws AppError `bad-input` for one of less than 16 bytes or more than 64 KiB; or why it cannot
 *   be read
 */
export async function readFingerprintKey(file: string): Promise<FingerprintKey> {
  const secret = await firstBytes(file)
  if (secret.length < LEAST_BYTES || secret.length > MOST_BYTES)
    throw new AppError(
      'bad-input',
      said`cannot use ${pathForDisplay(file)} as a key: a key file has 16 bytes to 64 KiB`,
      { path: file },
    )
  const derived = (purpose: string): Buffer =>
    createHmac('sha256', secret).update(`stowage fingerprints ${purpose}`).digest()
  // From bytes each HMAC would make a key of its own, which takes six times as long as the rest.
  const digestKey = createSecretKey(derived('sha256'))
  return {
    id: derived('id').toString('hex').slice(0, 16),
    hashKey: derived('hash').subarray(0, 16),
    digest: (sha256) => createHmac('sha256', digestKey).update(sha256, 'hex').digest('hex'),
  }
}

async function firstBytes(file: string): Promise<Buffer> {
  try {
    await using handle = await open(fsPath(file), 'r')
    const bytes = Buffer.alloc(MOST_BYTES + 1)
    let length = 0
    for (;;) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, null)
      length += bytesRead
      if (bytesRead === 0 || length === bytes.length) return bytes.subarray(0, length)
    }
  } catch (thrown) {
    throw fileFailure(thrown, 'read', file)
  }
}

import { sha256Of } from '../../files/read'
import { fileLength } from './fileLength'

/**
 * The SHA-256 of DATs, by their paths: a DAT is known by it wherever it lies.
 * @throws AppError `not-found`, `special-file`, `io`, `cancelled`
 */
export async function datDigests(
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>()
  for (const file of new Set(paths)) {
    const range = { file, offset: 0, bytes: await fileLength(file) }
    digests.set(file, await sha256Of(range, signal))
  }
  return digests
}

import { createHash } from 'node:crypto'
import { IMAGE_VERIFY_SCHEMA, type ImageResult, type ImageVerifyRequest } from '../../contract/dto/image'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { type OpenContainer, openContainer } from '../native/containers'
import { imageDocument, neededPassword } from './imageDocument'
import type { ImageWork } from './imageJob'

/** Small enough that cancelling is felt at once, large enough that calls cost nothing. */
const PIECE_BYTES = 4 << 20

/**
 * Reads all of an image and checks what can be checked; the digest of the disk in it on request.
 */
export async function verifyImage(
  { path, password, sha256 }: ImageVerifyRequest,
  { context, phase }: ImageWork,
): Promise<ImageResult> {
  const startedMs = context.clock.monotonicMs()
  const { options } = await neededPassword(path, password)
  const disk = await openContainer(path, options)
  let report: Awaited<ReturnType<OpenContainer['verify']>>
  let digest: string | null = null
  try {
    const phases = sha256 ? 2 : 1
    report = await disk.verify(phase('verifying', 1, phases))
    if (sha256) digest = await diskDigest(disk, phase('hashing', 2, phases))
  } finally {
    await disk.close()
  }
  return {
    image: await imageDocument(path, password),
    verify: {
      schema: IMAGE_VERIFY_SCHEMA,
      path,
      bytesRead: report.bytesRead,
      problems: [...report.problems],
      sha256: digest,
      elapsedMs: context.clock.monotonicMs() - startedMs,
    },
  }
}

async function diskDigest(disk: OpenContainer, work: ReturnType<ImageWork['phase']>): Promise<string> {
  const { bytes } = await disk.info()
  const hash = createHash('sha256')
  for (let offset = 0; offset < bytes; offset += PIECE_BYTES) {
    if (work.signal.aborted) throw new AppError('cancelled', said`verifying was cancelled`)
    hash.update(await disk.read(offset, Math.min(PIECE_BYTES, bytes - offset)))
    work.onProgress?.(offset, bytes)
  }
  return hash.digest('hex')
}

import type { ImageDocument, ImageResult } from '../../contract/dto/image'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import type { PasswordOptions, Passwords } from '../passwords'
import type { Session } from '../session'
import type { Terminal } from '../terminal'
import { printImage } from './imageReport'

/** The tools of every verb. */
export interface ImageTools {
  readonly session: Session
  passwords(options: PasswordOptions): Passwords
}

/** Runs a job on an image; gives what it left. */
export async function ranJob(
  { session }: ImageTools,
  start: () => { jobId: string } | Promise<{ jobId: string }>,
): Promise<ImageResult> {
  return session.engine.image.result({ resultId: await session.run(start) })
}

/** Runs a job and shows the image that it left. */
export async function finished(
  tools: ImageTools,
  out: Terminal,
  done: string,
  start: () => { jobId: string } | Promise<{ jobId: string }>,
): Promise<number> {
  const { image } = await ranJob(tools, start)
  out.document(image)
  printImage(image, out, done)
  return EXIT.done
}

/** An image's password if it needs one, and what is known of it. */
export async function openedWith(
  { session }: ImageTools,
  path: string,
  passwords: Passwords,
): Promise<{ info: ImageDocument; password: Uint8Array | null }> {
  const info = await session.engine.image.info({ path, password: null })
  return { info, password: info.locked ? await passwords.current(path) : null }
}

/** Says by which option the person gets past what is there. */
export function withForceHint(thrown: unknown): unknown {
  if (!(thrown instanceof AppError) || thrown.code !== 'exists') return thrown
  return new AppError('exists', `${thrown.message} (--force replaces it)`, {
    ...(thrown.path === undefined ? {} : { path: thrown.path }),
    cause: thrown,
  })
}

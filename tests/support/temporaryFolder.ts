import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** A fresh folder that is removed when the running test has ended. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { OpenedSets } from '../../src/engine/sets/restore/openedSets'
import type { Bench } from './archiveRun'
import { noNotes } from './noNotes'
import { runRestore } from './restoreRun'
import { treeFacts } from './treeFacts'

/**
 * Restores each generation of an archive that grows and opens it to choose from: both must have the
 * source as it was.
 * @param states of the source, as `treeFacts` has them
 * @returns what was opened, in the order of the generations
 */
export async function expectEachGeneration(
  { catalog }: Pick<Bench, 'catalog'>,
  {
    volumes,
    folder,
    secret = null,
  }: { readonly volumes: readonly string[]; readonly folder: string; readonly secret?: string | null },
  states: readonly unknown[],
): Promise<Awaited<ReturnType<OpenedSets['open']>>[]> {
  const sets = new OpenedSets({ notes: noNotes, catalog })
  const all: Awaited<ReturnType<OpenedSets['open']>>[] = []
  for (const [at, state] of states.entries()) {
    const to = join(folder, `restored ${at + 1}`)
    const asOf = String(at + 1)
    const password = (): Buffer | null => (secret === null ? null : Buffer.from(secret))
    const { document, error } = await runRestore({ volumes: [...volumes], to, asOf, password: password() })
    expect(error).toBeNull()
    expect(document).toMatchObject({ outcome: 'done', volumesNeeded: [] })
    expect(treeFacts(to)).toEqual(state)
    const opened = await sets.open({ volumes: [...volumes], password: password(), asOf })
    expect(opened).toMatchObject({ generation: at + 1, files: document?.files, bytes: document?.bytes })
    all.push(opened)
    rmSync(to, { recursive: true })
  }
  sets.closeAll()
  return all
}

import type { Medium } from '../../src/domain/media/medium'
import { resolveMedium } from '../../src/domain/media/resolveMedium'
import { ownFolderName } from '../../src/domain/sets/naming/volumePaths'
import type { Placement } from '../../src/domain/sets/placement'
import type { Protection } from '../../src/domain/sets/protection/volumeProtection'
import { mediaCatalogue } from '../../src/engine/media/mediaCatalogue'
import { type Layout, layoutVolumes } from '../../src/engine/sets/plan/layoutVolumes'
import { PlanLines } from '../../src/engine/sets/plan/planLines'
import { masteringOf } from '../../src/engine/sets/plan/splitPartDigests'
import { topNames } from '../../src/engine/survey/sourceEntries'
import { noNotes } from './noNotes'
import { type FileInMemory, sourceInMemory } from './sourceInMemory'

/** The volumes of a plan of plain files on Stowage's own images, which reads no file. */
export async function laidOutPlan(
  files: readonly FileInMemory[],
  mediumId: string,
  protection?: Protection,
  placement?: Placement,
): Promise<Layout & { readonly medium: Medium }> {
  const medium = resolveMedium(mediaCatalogue, mediumId)
  const source = sourceInMemory(files)
  const layout = await layoutVolumes({
    notes: noNotes,
    source,
    medium,
    plan: {
      id: 'p-0123456789ab',
      createdWallMs: 0,
      roots: [...source.roots],
      medium,
      ...(protection !== undefined && { protection }),
      ...(placement && { placement }),
      mastering: masteringOf(medium, 0),
    },
    payloadName: ownFolderName(topNames(source.items)),
    labelPrefix: 'SET',
    lines: new PlanLines(source),
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  return { ...layout, medium }
}

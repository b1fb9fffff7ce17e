import { mediumAt } from '../../../../domain/sets/mixedMedia'
import { withEqualFiles } from '../../../../domain/sets/packing/equalFiles'
import { udfEntriesProblem } from '../../../../domain/sets/packing/udfEntries'
import { usableSectors } from '../../../../domain/sets/placement'
import { AppError } from '../../../../primitives/appError'
import { said } from '../../../../primitives/said'
import { usualMemory } from '../../../protection/usualMemory'
import { layoutVolumes } from '../layoutVolumes'
import { EQUAL_FILES_ONCE, placedGroups } from '../placedSource'
import { PlanLines } from '../planLines'
import { protectionProblems } from '../protectionProblems'
import { romSetsOfPlan } from '../romSetsOfPlan'
import { timesOfPlan } from '../timesOfPlan'
import { namesOnVolumes } from './namesOnVolumes'
import type { AskedPlan, PlanKind } from './planKind'

/** Files as they are, each content stored once where that is asked for. */
export function plainKind(asked: AskedPlan): PlanKind {
  const { request, medium, media, survey, catalog, labelPrefix, signal } = asked
  const { protection } = request
  const isOnce = request.recipe === EQUAL_FILES_ONCE
  // Equal files lie where the first of them does, whichever ROM set they are of.
  const romSets = isOnce ? null : romSetsOfPlan(catalog, survey)
  const kind: PlanKind = {
    facts: isOnce ? { equalFiles: 'once' } : {},
    splitsFiles: true,
    ofNew: () => kind,
    items({ source, placing }, files) {
      if (!isOnce) return source.items
      const half = Math.floor(medium.capacityBytes / 2)
      return withEqualFiles(source.items, files, half, placing && placedGroups(placing))
    },
    layout: {
      beforeDigests: () => Promise.resolve(null),
      async layOut({ source, placing }, laying) {
        const layout = await layoutVolumes({
          ...laying,
          notes: catalog,
          source,
          firstMedia: media,
          mostVolumes: request.mostVolumes,
          placement: placing,
          groupOf: romSets?.groupOf,
          labelPrefix,
          signal,
        })
        if (isOnce && medium.kind === 'folder') requireOneFolder(layout.volumes.length)
        return romSets?.noted(source.items, layout) ?? layout
      },
    },
    lines: {
      of: (source, files) => new PlanLines(source, { files }),
      inOrder: () => (all) => all,
    },
    problems: {
      ofNames: (source) => namesOnVolumes(source, medium.kind),
      ofVolumes(layout, { volumes, totals, placement, parity }) {
        const sized = layout.volumes.map(({ label, sectors, protection: data }, at) => ({
          label,
          sectors,
          protection: data,
          room: usableSectors(mediumAt(layout.packing.volumes[at]?.bin ?? 0, medium, media), placement),
        }))
        const memory = request.protectionMemoryBytes ?? usualMemory()
        return [
          ...(medium.kind === 'image' && !parity ? udfEntriesProblem(layout.packing, volumes, totals) : []),
          ...protectionProblems(sized, protection, memory),
        ]
      },
    },
    times: (layout, source, parity) =>
      timesOfPlan(catalog, survey, { medium, packed: null, layout, source, protection, parity }, signal),
  }
  return kind
}

function requireOneFolder(volumes: number): void {
  if (volumes <= 1) return
  throw new AppError(
    'refused',
    said`cannot plan ${EQUAL_FILES_ONCE} on ${volumes} folders: what they are copied to may not keep hard links; plan one folder, discs or plain files`,
  )
}

import type { PlanDocument } from '../../../../contract/dto/plan'
import type { Medium } from '../../../../domain/media/medium'
import { isImageTarget, rockRidgeTarget } from '../../../../domain/sets/naming/linkTargets'
import { namesPreflight } from '../../../../domain/sets/naming/names'
import { readerNames } from '../../../../domain/sets/naming/readerNames'
import { pathForDisplay } from '../../../../primitives/pathText'
import { said } from '../../../../primitives/said'
import type { SourceEntries } from '../../../survey/sourceEntries'

type Problems = PlanDocument['problems']

/**
 * The problems of names and link targets that are on the volumes as they are in the source.
 * @param more of the same kind
 */
export function namesOnVolumes(source: SourceEntries, kind: Medium['kind'], more: Problems = []): Problems {
  const isImage = kind === 'image'
  return [
    ...namesPreflight(source.items, kind),
    ...(isImage ? targetProblems(source) : []),
    ...more,
    ...(isImage ? readerNames(source.items) : []),
  ]
}

/**
 * Links whose targets an image cannot hold: those that are too long are in the index alone, and of
 * the others doubled or trailing slashes are lost, which changes nothing of what the link means.
 * Restoring puts both back from the index.
 */
function targetProblems(source: SourceEntries): Problems {
  return source.items.flatMap(({ index, path }) => {
    const target = source.entries.get(index)?.linkTarget ?? ''
    if (!isImageTarget(target)) {
      const message = said`the target of the link ${pathForDisplay(path)} is too long for an image: the link is in the index alone, and restored from it`
      return [{ code: 'target-too-long', message, path, blocking: false }]
    }
    if (rockRidgeTarget(target) === target) return []
    const message = said`the target of the link ${pathForDisplay(path)} loses its doubled or trailing slashes`
    return [{ code: 'target-tidied', message, path, blocking: false }]
  })
}

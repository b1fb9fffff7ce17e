import { BUILT_COPY, type VolumeCopy } from '../../../domain/sets/copies/copy'
import { AppError } from '../../../primitives/appError'
import { isBelow } from '../../../primitives/isBelow'
import { said } from '../../../primitives/said'

interface Given {
  /** Where it is, without links. */
  readonly path: string
  readonly planId: string | null
  readonly setId: string | null
  readonly index: number | null
  readonly label: string
}

/**
 * The copy that a volume is which is to be checked: the one asked for; else the built one in its
 * plan's folder, the one that was written to this path, or the only one that there is; 1 where none
 * is known.
 * @param asked null where the person did not say
 * @throws AppError `usage` where it may be one of several
 */
export function whichCopy(given: Given, asked: number | null, known: readonly VolumeCopy[]): number {
  const { path, planId, setId, index, label } = given
  const all = known.filter(
    (copy) =>
      copy.volume === index &&
      (planId === null ? copy.setId === setId && setId !== null : copy.planId === planId),
  )
  const isHere = (copy: VolumeCopy): boolean =>
    copy.path !== null && (copy.path === path || isBelow(path, copy.path))
  if (all.some((copy) => copy.copy === BUILT_COPY && isHere(copy))) return BUILT_COPY
  if (asked !== null) return asked
  const written = all.filter(({ copy }) => copy !== BUILT_COPY)
  const here = written.filter(isHere)
  const candidates = here.length > 0 ? here : written
  if (candidates.length <= 1) return candidates[0]?.copy ?? 1
  const numbers = candidates.map(({ copy, place }) => (place === null ? `${copy}` : `${copy} (${place})`))
  throw new AppError(
    'usage',
    said`${label} has copies ${numbers.join(', ')}: say which one this is with --copy N`,
  )
}

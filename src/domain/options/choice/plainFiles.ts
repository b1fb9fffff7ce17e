import type { Option } from '../optionsDocument'

type Named = Pick<Option, 'family' | 'reduction'> & {
  readonly allows: Pick<Option['allows'], 'addLater'>
  readonly estimate: Pick<Option['estimate'], 'volumes'>
}

/**
 * True when an edit of one file also changes its copies: hard links on a medium that can be written
 * again.
 */
export function sharesEdits({ family, reduction, allows }: Omit<Named, 'estimate'>): boolean {
  return family === 'plain' && reduction === 'duplicates' && allows.addLater
}

function isLinked({ reduction }: Named): boolean {
  return reduction === 'duplicates'
}

/**
 * The middle and both ends of the range count: fewer in any of them are fewer volumes to expect.
 */
function volumesOf({ estimate: { volumes } }: Named): number {
  return Math.round(volumes.low) + Math.round(volumes.value) + Math.round(volumes.high)
}

/**
 * The plain files of one medium that every comparison and card names: with identical ones once only
 * where that saves a volume. Null where plain files break a limit.
 */
export function plainFiles<T extends Named>(options: readonly T[]): T | null {
  const plain = options.filter(({ family }) => family === 'plain')
  const separate = plain.filter((each) => !sharesEdits(each))
  const [usual] = (separate.length > 0 ? separate : plain).toSorted(
    (one, other) => volumesOf(one) - volumesOf(other) || Number(isLinked(one)) - Number(isLinked(other)),
  )
  return usual ?? null
}

import type { Option } from '../optionsDocument'

type Named = Pick<Option, 'family' | 'reduction'> & {
  readonly allows: Pick<Option['allows'], 'addLater'>
  readonly estimate: Pick<Option['estimate'], 'bytes'>
}

/** Whether an edit of one file also changes its copies: hard links on a medium that can be written again. */
export function sharesEdits({ family, reduction, allows }: Omit<Named, 'estimate'>): boolean {
  return family === 'plain' && reduction === 'duplicates' && allows.addLater
}

/** The plain files of one medium that every comparison and card names; null where plain files break a limit. */
export function plainFiles<T extends Named>(options: readonly T[]): T | null {
  const plain = options.filter(({ family }) => family === 'plain')
  const separate = plain.filter((each) => !sharesEdits(each))
  const [smallest] = (separate.length > 0 ? separate : plain).toSorted(
    (one, other) => one.estimate.bytes.value - other.estimate.bytes.value,
  )
  return smallest ?? null
}

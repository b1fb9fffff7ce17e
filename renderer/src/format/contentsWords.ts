import type { ContentsSum } from '../../../src/contract/dto/survey'
import { formatShare } from '../../../src/primitives/quantity'
import { t } from '../copy'

/** From this share of the bytes on a class is most of them. */
const MOST = 0.5
/** From this share on there is nothing else worth a word. */
const ALL = 0.995

/** Words for the classes of a folder's kept files: `mostly images`; empty where none has bytes. */
export function sayMostly(classes: ContentsSum['classes'], keptBytes: number): string {
  const [first] = classes
  if (!first || keptBytes === 0) return ''
  const share = first.bytes / keptBytes
  const name = t(`contentsOf.${first.fileClass}`)
  if (share >= ALL) return name
  return share >= MOST
    ? t('contentsOf.mostly', { name })
    : t('contentsOf.part', { name, share: formatShare(share) })
}

/** The largest classes, each with its share: `images 72 %, videos 20 %`; empty for none. */
export function sayClasses(classes: ContentsSum['classes'], keptBytes: number): string {
  return classes
    .map(({ fileClass, bytes }) =>
      t('contentsOf.part', {
        name: t(`contentsOf.${fileClass}`),
        share: formatShare(bytes / Math.max(1, keptBytes)),
      }),
    )
    .join(', ')
}

/** The years in which files were last changed: `2019` or `2019–2021`; empty for none. */
export function sayYears(years: { readonly first: number; readonly last: number } | null): string {
  if (years === null) return ''
  return years.first === years.last ? String(years.first) : `${years.first}–${years.last}`
}

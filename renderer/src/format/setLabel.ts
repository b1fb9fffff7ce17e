import { t } from '../copy'

/** The labels of a set: `PHOTOS_01`, `PHOTOS_01 to _12`. */
export function setLabel({
  firstLabel,
  lastLabel,
}: {
  readonly firstLabel: string
  readonly lastLabel: string
}): string {
  if (firstLabel === lastLabel) return firstLabel
  const cut = firstLabel.lastIndexOf('_')
  const isSame = cut > 0 && lastLabel.startsWith(firstLabel.slice(0, cut + 1))
  return t('home.labels', { first: firstLabel, last: isSame ? lastLabel.slice(cut) : lastLabel })
}

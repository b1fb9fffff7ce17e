import type { Option } from '../../../../../src/contract/dto/options'
import { titleOfRoots } from '../../../format/paths'

/** How the one file of a container is usually called; what is a folder has no ending. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/^7z-(titles|groups|dat|t7z-files)/, ''],
  [/^7z-/, '.7z'],
  [/^tar-zst/, '.tar.zst'],
  [/^squashfs/, '.squashfs'],
  [/^iso/, '.iso'],
  [/^udsb/, '.sparsebundle'],
  [/^udsp/, '.sparseimage'],
  [/^asif/, '.asif'],
  [/^ud/, '.dmg'],
]

const LONGEST_TITLE = 80

/** A name for what a build makes, of the source's and the variant's: `Photos 7z-files.7z`. */
export function placeNameOf(option: Pick<Option, 'variant'>, roots: readonly string[]): string {
  const title = Array.from(titleOfRoots(roots).replace(/[/\\:*?"<>|\p{Cc}]/gu, '_'))
    .slice(0, LONGEST_TITLE)
    .join('')
  const ending = ENDINGS.find(([variant]) => variant.test(option.variant))?.[1] ?? ''
  return `${title} ${option.variant}${ending}`.trim()
}

import type { OptionBuilder } from './optionBuilder'
import { sevenZipFiles } from './sevenZipFiles'
import { sevenZipSolid } from './sevenZipSolid'
import { torrent7z } from './torrent7z'

/** Every builder, by the family it builds. */
export const BUILDERS: readonly OptionBuilder[] = [sevenZipFiles, sevenZipSolid, torrent7z]

/** The builder of a variant, though it may refuse to build it here; null where none knows the name. */
export function builderOf(variant: string): OptionBuilder | null {
  return BUILDERS.find((builder) => builder.refuses(variant) === null) ?? null
}

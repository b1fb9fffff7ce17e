/**
 * How the files of games are laid out: `split`, each ROM set without what its parent or BIOS has;
 * `merged`, parents with the files of their clones; `non-merged`, each with all that it needs.
 */
export const ROM_LAYOUTS = ['split', 'merged', 'non-merged'] as const
export type RomLayout = (typeof ROM_LAYOUTS)[number]

/** The layout of all these DATs; null where they differ, or where one does not say. */
export function layoutOfAll(dats: readonly { readonly layout?: RomLayout | undefined }[]): RomLayout | null {
  const [layout, ...others] = new Set(dats.map((dat) => dat.layout))
  return layout && others.length === 0 ? layout : null
}

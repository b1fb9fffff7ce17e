/**
 * How the files of games are laid out: `split`, each ROM set without what its parent or BIOS has;
 * `merged`, parents with the files of their clones; `non-merged`, each with all that it needs.
 */
export const ROM_LAYOUTS = ['split', 'merged', 'non-merged'] as const
export type RomLayout = (typeof ROM_LAYOUTS)[number]

import { classColour } from '../../../charts/classColour'
import type { FolderTile } from '../../../charts/folderTiles'
import { type YearRamp, yearColour } from '../../../charts/yearColour'
import { sayMostly, sayYears } from '../../../format/contentsWords'
import type { MapColours } from '../../../state/source/keptState'

/** The colours of folders and of files, where a colour means nothing else. */
export const FOLDER_COLOUR = 'var(--share-edge)'
export const FILE_COLOUR = 'var(--class-other)'

type Coloured = Pick<FolderTile, 'classes' | 'years' | 'keptBytes'>

/** The colour of a tile as CSS takes it. @param isFolder that can be opened */
export function tileColour(tile: Coloured, colours: MapColours, ramp: YearRamp, isFolder: boolean): string {
  if (colours === 'folders') return isFolder ? FOLDER_COLOUR : FILE_COLOUR
  if (colours === 'year') return tile.years ? yearColour(ramp, tile.years.middle) : FILE_COLOUR
  const [most] = tile.classes
  return most ? classColour(most.fileClass) : FILE_COLOUR
}

/** The meaning of a tile's colour in words; empty where its name shows it. */
export function sayColour(tile: Coloured, colours: MapColours): string {
  if (colours === 'folders') return ''
  return colours === 'year' ? sayYears(tile.years) : sayMostly(tile.classes, tile.keptBytes)
}

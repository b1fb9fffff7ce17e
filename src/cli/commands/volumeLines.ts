import { DISK_MEDIUM } from '../../contract/dto/options'
import type { PlanDocument, PlanVolume } from '../../contract/dto/plan'
import { planVolumeTable } from '../../contract/tables/planTables'
import type { Provenance } from '../../primitives/estimate'
import { firstRows } from '../shape/firstRows'
import { tableLines } from '../shape/tableLines'
import { lineWidth } from '../shape/wrapped'
import { discFolders } from './discFolders'

/** Volumes that are listed; the rest are only counted. */
const SHOWN_VOLUMES = 10
/** The narrowest column of folders; a narrower terminal breaks its lines. */
const LEAST_FOLDERS = 16
const INDENT = '  '

/**
 * The first volumes of a plan or of a draft as a table, with the folders on each.
 * @param rest where all of them are listed
 * @param sized where their sizes come from; by default as plans have them
 */
export function volumeLines(
  { volumes, medium, packing }: Pick<PlanDocument, 'volumes' | 'medium' | 'packing'>,
  rest: string,
  sized?: Provenance,
): string[] {
  const first = firstRows(volumes, SHOWN_VOLUMES, rest)
  const table = planVolumeTable({ medium, packing }, sized)
  const keys = ['disc', 'label', 'files', 'bytes', 'sectors'] as const
  const figures = medium.id === DISK_MEDIUM ? keys : ([...keys, 'capacity_sectors', 'full'] as const)
  const widest = Math.max(...tableLines(table, figures, first.shown).map(({ length }) => length))
  const room = Math.max(LEAST_FOLDERS, lineWidth() - INDENT.length - widest - INDENT.length)
  const isJoined = packing?.arrangement === 'joined'
  const cells = { folders: (volume: PlanVolume) => discFolders(volume, room) }
  const columns = isJoined ? figures : ([...figures, 'folders'] as const)
  return [...tableLines(table, columns, first.shown, { cells }), ...first.rest]
}

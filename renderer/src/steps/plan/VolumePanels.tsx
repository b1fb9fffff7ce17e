import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { PlanDocument, PlanVolume } from '../../../../src/contract/dto/plan'
import { planVolumeTable } from '../../../../src/contract/tables/planTables'
import type { Units } from '../../../../src/primitives/quantity'
import { SectorsSize } from '../../components/columns'
import { type Column } from '../../components/DataTable'
import { columnsOf } from '../../components/declaredColumns'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { makerName } from '../../format/permanentNames'
import { useUnits } from '../../state/sessionContext'

/** How the sizes of the volumes are known. */
function sizeSource({ packing, medium, mastering }: PlanDocument): string {
  if (packing) return t('volumes.says.forecast')
  if (medium.kind === 'folder') return t('basis.folder')
  return t('volumes.says', { tool: makerName(mastering.tool), version: mastering.version })
}

/** Every volume with its figures: the table behind the shelf. */
export function VolumesPanel({ plan, selected }: { plan: PlanDocument; selected: number | null }) {
  const units = useUnits()
  const columns = volumeColumns(plan, units)
  return (
    <TablePanel
      title={t('volumes.title')}
      says={sizeSource(plan)}
      csv="volumes"
      columns={columns}
      rows={plan.volumes}
      rowKey={(volume) => volume.index}
      visibleRows={12}
      empty=""
      isSelected={(volume) => volume.index === selected}
      inView={plan.volumes.findIndex((volume) => volume.index === selected)}
    />
  )
}

function volumeColumns(plan: PlanDocument, units: Units): Column<PlanVolume>[] {
  const { sectorBytes, id } = plan.medium
  // One archive over all volumes divides no files among them.
  const isJoined = plan.packing?.arrangement === 'joined'
  const columns = columnsOf(planVolumeTable(plan), units, {
    label: { track: 'minmax(96px, 1.4fr)', sortBy: (volume) => volume.index },
    ...(!isJoined && { files: '58px', bytes: '86px' }),
    sectors: {
      track: '86px',
      cell: ({ sectors }) => <SectorsSize sectors={sectors} sectorBytes={sectorBytes} units={units} />,
    },
    ...(id !== DISK_MEDIUM && { free_bytes: '80px' }),
    ...(plan.volumes.some(({ protection }) => protection) && {
      recovery_bytes: { track: '92px', absent: t('recovery.none.short') },
    }),
  })
  return columns.map((column) => ({ ...column, isForComparing: true }))
}

import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { PlanDocument, PlanVolume } from '../../../../src/contract/dto/plan'
import type { Units } from '../../../../src/primitives/quantity'
import { countColumn, figureColumn, sectorsColumn, sizeColumn } from '../../components/columns'
import { type Column } from '../../components/DataTable'
import { Size } from '../../components/Figure'
import { TablePanel } from '../../components/TablePanel'
import { VolumeLabel } from '../../components/VolumeLabel'
import { t } from '../../copy'
import { makerName } from '../../format/permanentNames'
import { useUnits } from '../../state/sessionContext'
import { storedAs } from './storedAs'

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
  const { sectorBytes } = plan.medium
  const freeOf = ({ sectors, capacitySectors }: PlanVolume): number =>
    Math.max(0, capacitySectors - sectors) * sectorBytes
  const columns: Column<PlanVolume>[] = [
    {
      key: 'label',
      header: t('column.volume'),
      track: 'minmax(96px, 1.4fr)',
      cell: (volume) => <VolumeLabel label={volume.label} />,
      sortBy: (volume) => volume.index,
      csv: { label: (volume) => volume.label },
    },
    countColumn('files', t('column.files'), '58px', (volume) => volume.files),
    sizeColumn(units, 'bytes', t('column.bytesOfFiles'), '86px', (volume) => volume.bytes),
    {
      ...sectorsColumn<PlanVolume>(
        units,
        sectorBytes,
        'sectors',
        t(`column.${storedAs(plan)}Size`),
        '86px',
        (volume) => volume.sectors,
      ),
      csv: { sectors: (volume) => volume.sectors, capacity_sectors: (volume) => volume.capacitySectors },
    },
    ...(plan.medium.id === DISK_MEDIUM
      ? []
      : [sizeColumn(units, 'free_bytes', t('column.free'), '80px', freeOf)]),
    ...(plan.volumes.some(({ protection }) => protection) ? [recoveryColumn(units)] : []),
  ]
  // One archive over all volumes divides no files among them.
  const isJoined = plan.packing?.arrangement === 'joined'
  return columns
    .filter(({ key }) => !isJoined || (key !== 'files' && key !== 'bytes'))
    .map((column) => ({ ...column, isForComparing: true }))
}

/** The recovery data of each disc; the CSV has the scratch that it survives too. */
function recoveryColumn(units: Units): Column<PlanVolume> {
  return {
    ...figureColumn<PlanVolume>(
      'recovery_bytes',
      t('column.recovery'),
      '92px',
      ({ protection }) => protection?.bytes,
      (bytes) => <Size bytes={bytes} units={units} />,
      t('recovery.none.short'),
    ),
    csv: {
      recovery_bytes: ({ protection }) => protection?.bytes ?? 0,
      scratch_bytes: ({ protection }) => protection?.scratchBytes ?? 0,
    },
  }
}

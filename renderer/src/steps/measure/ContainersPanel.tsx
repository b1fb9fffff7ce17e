import {
  type ContainerRow,
  containerRows,
  type MeasurementDocument,
} from '../../../../src/contract/dto/measure'
import { CONTAINER_TABLE } from '../../../../src/contract/tables/measureTables'
import { containerName } from '../../../../src/primitives/containerName'
import { columnsOf } from '../../components/declaredColumns'
import { TablePanel } from '../../components/TablePanel'
import { spoken, t } from '../../copy'
import { useUnits } from '../../state/sessionContext'
import { Warning } from './Signs'

/** Every kind of container in each of its states, and the kinds that were not measured. */
export function ContainersPanel({ document }: { document: MeasurementDocument | null }) {
  const units = useUnits()
  const track = 'minmax(64px, 1fr)'
  return (
    <TablePanel
      title={t('containers.title')}
      says={`${t('container.states')} ${t('container.ranges')}`}
      csv={document === null ? undefined : `measurement-${document.id}-containers`}
      columns={columnsOf(CONTAINER_TABLE, units, {
        container: { track: 'minmax(13ch, 1.200fr)', cell: (row) => nameOf(row) },
        state: { track: 'minmax(12ch, 1.100fr)', say: ({ state }) => t(`state.${state}`) },
        write: track,
        writeRange: track,
        read: track,
        readRange: track,
        occupied: track,
        deleted: track,
        bands: '52px',
        bandsLeft: '68px',
      })}
      rows={document?.containers === undefined ? [] : containerRows(document.containers)}
      rowKey={(row) => `${nameOf(row)} ${row.state}`}
      visibleRows={18}
      empty={t('tests.none')}
    >
      <ul className="signs stack tight">
        {document?.notMeasured?.map(({ kind, encryption, reason }) => (
          <Warning key={`${kind} ${encryption}`}>
            {t('containers.notMeasured', {
              name: containerName({ kind, encryption, bandSize: null }),
              reason: spoken(reason),
            })}
          </Warning>
        ))}
      </ul>
    </TablePanel>
  )
}

function nameOf(row: ContainerRow): string {
  return containerName({ ...row, bandSize: null })
}

import { useMemo } from 'react'
import type { RomsDocument } from '../../../../src/contract/dto/roms'
import { DataTable } from '../../components/DataTable'
import { Folded } from '../../components/Folded'
import { skippedColumns } from '../../components/skippedColumns'
import { t } from '../../copy'
import { useUnits } from '../../state/sessionContext'

/** Paths that were not read, each with the reason. */
export function SkippedPaths({ skipped }: Pick<RomsDocument, 'skipped'>) {
  const units = useUnits()
  const columns = useMemo(() => skippedColumns(units), [units])
  const title = t('roms.skipped', { count: skipped.length })
  return (
    <Folded summary={title}>
      <p className="muted">{t('roms.skipped.says')}</p>
      <DataTable
        label={title}
        columns={columns}
        rows={skipped}
        rowKey={({ path, message }) => `${path} ${message}`}
        visibleRows={10}
        empty=""
      />
    </Folded>
  )
}

import { useMemo } from 'react'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { DataTable } from '../../components/DataTable'
import { t } from '../../copy'
import { useUnits } from '../../state/sessionContext'
import { heldColumns } from './romColumns'
import { type HeldRow, heldElsewhere, type RomRows, type SetRow } from './romRows'

/** The files of a ROM set: missing ones, then those that were found. */
export function HeldFiles({ set, rows, roots }: { set: SetRow; rows: RomRows; roots: readonly string[] }) {
  const units = useUnits()
  const columns = useMemo(() => heldColumns(roots, units), [roots, units])
  const held = useMemo(() => rows.heldIn(set), [rows, set])
  const elsewhere = heldElsewhere(set, held)
  return (
    <div className="rom-held stack close">
      {set.cloneOf !== null && (
        <p className="muted">{t('roms.held.cloneOf', { name: pathForDisplay(set.cloneOf) })}</p>
      )}
      {held.length > 0 && (
        <DataTable
          label={t('roms.held', { name: pathForDisplay(set.name) })}
          columns={columns}
          rows={held}
          rowKey={keyOf}
          visibleRows={10}
          empty={t('roms.held.none')}
        />
      )}
      {elsewhere > 0 && <p className="muted">{t('roms.held.elsewhere', { count: elsewhere })}</p>}
      {set.undumped > 0 && <p className="muted">{t('roms.held.undumped', { count: set.undumped })}</p>}
    </div>
  )
}

function keyOf({ key }: HeldRow): string {
  return key
}

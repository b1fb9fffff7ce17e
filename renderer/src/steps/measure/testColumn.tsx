import type { Column } from '../../components/DataTable'
import { spoken, t } from '../../copy'

/** The name of the test that a row is of, sorted in the order of the specification. */
export function testColumn<Row extends { readonly test: number; readonly name: string }>(): Column<Row> {
  return {
    key: 'name',
    header: t('column.test'),
    track: 'minmax(18ch, 2fr)',
    cell: (row) => (
      <span className="ellipsis" title={spoken(row.name)}>
        {spoken(row.name)}
      </span>
    ),
    sortBy: (row) => row.test,
    csv: { test: (row) => row.name },
  }
}

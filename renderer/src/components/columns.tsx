import type { ComponentProps } from 'react'
import { formatCount, type Units } from '../../../src/primitives/quantity'
import { HowDoWeKnow, Size } from './Figure'
import type { Column } from './tableColumns'

/** A column of counts, with thousands separated. Its key is also its header in the CSV. */
export function countColumn<Row>(
  key: string,
  header: string,
  track: string,
  of: (row: Row) => number,
): Column<Row> {
  return {
    key,
    header,
    track,
    align: 'end',
    cell: (row) => formatCount(of(row)),
    sortBy: of,
    csv: { [key]: of },
  }
}

/** A column of sizes; the CSV has them in bytes. */
export function sizeColumn<Row>(
  units: Units,
  key: string,
  header: string,
  track: string,
  of: (row: Row) => number,
): Column<Row> {
  return {
    ...countColumn(key, header, track, of),
    cell: (row) => <Size bytes={of(row)} units={units} />,
  }
}

/** The mark at the end of a row that shows, when pressed, how its figure is known; null for a row without one. */
export function markColumn<Row>(
  of: (row: Row) => Pick<ComponentProps<typeof HowDoWeKnow>, 'label' | 'exactly' | 'unit' | 'basis'> | null,
  track = '28px',
): Column<Row> {
  return {
    key: 'know',
    header: '',
    track,
    align: 'end',
    cell: (row) => {
      const mark = of(row)
      return mark && <HowDoWeKnow className="mark-button" {...mark} />
    },
  }
}

import type { ComponentProps, ReactNode } from 'react'
import { formatExactBytes, sizeQuantity, type Units } from '../../../src/primitives/quantity'
import { t } from '../copy'
import { HowDoWeKnow, QuantityText } from './Figure'
import type { Column } from './tableColumns'

/**
 * A column of figures that no table declares. Its key is also its header in the CSV; a row without
 * one shows what is given for it, sorts last and is empty in the CSV.
 */
export function figureColumn<Row>(
  key: string,
  header: string,
  track: string,
  of: (row: Row) => number | null | undefined,
  write: (value: number) => ReactNode,
  absent: ReactNode = '',
): Column<Row> {
  return {
    key,
    header,
    track,
    align: 'end',
    cell: (row) => {
      const value = of(row) ?? null
      return value === null ? absent : write(value)
    },
    sortBy: (row) => of(row) ?? -1,
    csv: { [key]: (row) => of(row) ?? '' },
  }
}

/** A size that is counted in sectors: these and the exact bytes are its title. */
export function SectorsSize({
  sectors,
  sectorBytes,
  units,
}: {
  sectors: number
  sectorBytes: number
  units: Units
}) {
  return (
    <QuantityText
      {...sizeQuantity(sectors * sectorBytes, units)}
      title={sectorsExactly(sectors, sectorBytes)}
    />
  )
}

/** `11,864,683 sectors, 24,298,870,784 bytes`. */
export function sectorsExactly(sectors: number, sectorBytes: number): string {
  return `${t('medium.sectors', { count: sectors })}, ${formatExactBytes(sectors * sectorBytes)}`
}

type Mark = Pick<ComponentProps<typeof HowDoWeKnow>, 'label' | 'exactly' | 'unit' | 'basis'>

/** A column of marks (`shownMark`), which no CSV has. */
export function markColumn<Row>(of: (row: Row) => Mark | null, track?: string): Column<Row> {
  return { key: 'know', header: t('column.provenance'), ...shownMark(of, track) }
}

/**
 * The provenance of a row as the mark at its end that shows, when pressed, how its figure is known;
 * null for a row without one.
 */
export function shownMark<Row>(
  of: (row: Row) => Mark | null,
  track = '28px',
): Pick<Column<Row>, 'isHeaderHidden' | 'track' | 'align' | 'cell'> {
  return {
    isHeaderHidden: true,
    track,
    align: 'end',
    cell: (row) => {
      const mark = of(row)
      return mark && <HowDoWeKnow className="mark-button" {...mark} />
    },
  }
}

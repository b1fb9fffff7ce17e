import type { Shown } from '../../components/declaredColumns'
import { spoken } from '../../copy'

interface OfTest {
  readonly test: number
  readonly name: string
}

/** The name of the test that a row is of, sorted in the order of the specification. */
export function shownTest<Row extends OfTest>(): Shown<Row> {
  return {
    track: 'minmax(18ch, 2fr)',
    cell: (row) => (
      <span className="ellipsis" title={spoken(row.name)}>
        {spoken(row.name)}
      </span>
    ),
    sortBy: (row) => row.test,
  }
}

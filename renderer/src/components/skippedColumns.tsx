import type { Skipped } from '../../../src/contract/dto/survey'
import { pathForDisplay } from '../../../src/primitives/pathText'
import type { Units } from '../../../src/primitives/quantity'
import { spoken } from '../copy'
import { columnsOf, type WindowTable } from './declaredColumns'
import type { Column } from './tableColumns'

/** The reason without the path, which has a column of its own. */
function reasonOf({ path, message }: Skipped): string {
  const named = `${pathForDisplay(path)}: `
  const at = message.indexOf(named)
  return at < 0 ? message : message.slice(at + named.length)
}

const SKIPPED = {
  path: { heading: 'path', kind: 'path', of: ({ path }) => path },
  message: { heading: 'why', kind: 'words', of: ({ message }) => message },
  code: { heading: 'code', kind: 'code', of: ({ code }) => code },
} satisfies WindowTable<Skipped>

/** Paths that were not read, with the reasons. */
export const skippedColumns = (units: Units): Column<Skipped>[] =>
  columnsOf<Skipped, keyof typeof SKIPPED>(SKIPPED, units, {
    path: 'minmax(200px, 3fr)',
    message: {
      track: 'minmax(32ch, 2fr)',
      say: ({ message }) => spoken(message),
      cell: (row) => (
        <span className="ellipsis selectable" title={spoken(row.message)}>
          {reasonOf(row)}
        </span>
      ),
    },
    code: { track: '140px', cell: ({ code }) => <span className="mono muted">{code}</span> },
  })

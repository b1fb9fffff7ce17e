import { columnsOf, wrapped } from './wrapped'

const GAP = '  '
/** Callers indent a table by this much at most. */
const INDENT = 2

/**
 * Rows as lines with aligned columns: numbers (columns named in `right`) to the right, the last
 * column unpadded. Where the table is wider than `room`, cells of words take several lines.
 */
export function textTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[],
  room = (columnsOf(process.stdout) ?? Number.POSITIVE_INFINITY) - INDENT,
): string[] {
  const all = [header, ...rows]
  const widest = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const widths = narrowed(widest, all, room)
  return all.flatMap((row) => {
    const cells = row.map((cell, column) => wrapped(cell, '', 0, widths[column]))
    const height = Math.max(1, ...cells.map(({ length }) => length))
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((lines, column) => {
          const text = lines[line] ?? ''
          if (right.includes(column)) return text.padStart(widths[column] ?? 0)
          return column === row.length - 1 ? text : text.padEnd(widths[column] ?? 0)
        })
        .join(GAP)
        .trimEnd(),
    )
  })
}

/**
 * Takes what is too wide from the columns that can be narrowed most, down to their longest word.
 */
function narrowed(widest: readonly number[], rows: readonly (readonly string[])[], room: number): number[] {
  const widths = [...widest]
  let over = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) - room
  if (over <= 0) return widths
  const slack = widest.map((width, column) => {
    const words = rows.flatMap((row) => wrapped(row[column] ?? '', '', 0, 1))
    return width - Math.max(...words.map(({ length }) => length))
  })
  for (; over > 0; over--) {
    const column = slack.indexOf(Math.max(...slack))
    if ((slack[column] ?? 0) <= 0) break
    slack[column] = (slack[column] ?? 0) - 1
    widths[column] = (widths[column] ?? 0) - 1
  }
  return widths
}

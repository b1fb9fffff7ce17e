/** Rows as lines with aligned columns: numbers (columns named in `right`) to the right, the last column unpadded. */
export function textTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[],
): string[] {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) =>
    row
      .map((cell, column) =>
        right.includes(column)
          ? cell.padStart(widths[column] ?? 0)
          : column === row.length - 1
            ? cell
            : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}

import type { Terminal } from '../terminal'
import { unknownName } from '../unknownName'

/** One table of a document in full, or the sentence that says why it is empty. */
export type NamedTable<D> = (document: D) => readonly string[] | Promise<readonly string[]>

/**
 * The tables that `--table` names, which may be repeated; none where it is not given.
 * @throws AppError `usage` with the names that there are
 */
export function namedTables<D>(
  tables: Readonly<Record<string, NamedTable<D>>>,
  names: readonly string[] | undefined,
): NamedTable<D>[] {
  return (names ?? []).map((name) => {
    const table = Object.hasOwn(tables, name) ? tables[name] : undefined
    if (table) return table
    throw unknownName('table', name, Object.keys(tables))
  })
}

/** Prints tables in full, an empty line between two. */
export async function printTables<D>(
  document: D,
  tables: readonly NamedTable<D>[],
  out: Terminal,
): Promise<void> {
  for (const [index, table] of tables.entries()) {
    if (index > 0) out.line()
    out.lines(await table(document))
  }
}

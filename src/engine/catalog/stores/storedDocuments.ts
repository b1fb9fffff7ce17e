import type { Database } from 'better-sqlite3'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'

interface Schema<T> {
  parse(value: unknown): T
}

/**
 * The kinds of documents with the tables that keep them, each in a row of its own with its `id`.
 */
const TABLES = {
  survey: 'surveys',
  plan: 'plans',
  run: 'runs',
  check: 'checks',
  measurement: 'measurements',
  'band sweep': 'band_sweeps',
  'option build': 'option_builds',
  'unfinished restore': 'asked_restores',
  archive: 'archives',
  'restore drill': 'drills',
} as const

/** Reads documents of one kind as the catalog keeps them; any of them may be damaged. */
export interface StoredDocuments<T> {
  /** @throws AppError `catalog-broken` naming the document */
  read(id: string, text: string): T
  /** Null for one that cannot be read, which is noted on stderr once in the life of the catalog. */
  readable(id: string, text: string): T | null
  /** @throws AppError `not-found`; `catalog-broken` naming the document */
  of(id: string): T
  /**
   * Those that can be read, of rows that fulfil a condition. @param rest of the query: condition
   * and order
   */
  all(rest: string, values?: Readonly<Record<string, unknown>>): T[]
}

/** @param column that has the document */
export function storedDocuments<T>(
  database: Database,
  what: keyof typeof TABLES,
  schema: Schema<T>,
  column: 'document' | 'item' = 'document',
): StoredDocuments<T> {
  const select = `SELECT id, ${column} AS text FROM ${TABLES[what]}`
  const noted = new Set<string>()
  const read = (id: string, text: string): T => {
    const document = documentIn(schema, text)
    if (document) return document
    throw new AppError(
      'catalog-broken',
      said`cannot read ${what} ${id}: its document in the catalog is damaged`,
    )
  }
  const readable = (id: string, text: string): T | null => {
    try {
      return read(id, text)
    } catch (thrown) {
      if (!noted.has(id)) process.stderr.write(`${AppError.from(thrown).message}\n`)
      noted.add(id)
      return null
    }
  }
  return {
    read,
    readable,
    of(id) {
      const row = database.prepare<[string], { text: string }>(`${select} WHERE id = ?`).get(id)
      if (!row) throw new AppError('not-found', said`no ${what} ${id} in the catalog`)
      return read(id, row.text)
    },
    all: (rest, values = {}) =>
      database
        .prepare<[typeof values], { id: string; text: string }>(`${select} ${rest}`)
        .all(values)
        .flatMap(({ id, text }) => readable(id, text) ?? []),
  }
}

/** Null for what is no such document. */
export function documentIn<T>(schema: Schema<T>, text: string): T | null {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

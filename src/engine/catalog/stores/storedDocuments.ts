import { AppError } from '../../../primitives/appError'

interface Schema<T> {
  parse(value: unknown): T
}

/** Reads documents of one kind as the catalog keeps them; any of them may be damaged. */
export interface StoredDocuments<T> {
  /** @throws AppError `catalog-broken` naming the document */
  read(id: string, text: string): T
  /** Null for one that cannot be read, which is noted on stderr once in the life of the catalog. */
  readable(id: string, text: string): T | null
}

export function storedDocuments<T>(
  what: 'survey' | 'plan' | 'run' | 'check',
  schema: Schema<T>,
): StoredDocuments<T> {
  const noted = new Set<string>()
  const read = (id: string, text: string): T => {
    const document = documentIn(schema, text)
    if (document) return document
    throw new AppError('catalog-broken', `cannot read ${what} ${id}: its document in the catalog is damaged`)
  }
  return {
    read,
    readable(id, text) {
      try {
        return read(id, text)
      } catch (thrown) {
        if (!noted.has(id)) process.stderr.write(`${AppError.from(thrown).message}\n`)
        noted.add(id)
        return null
      }
    },
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

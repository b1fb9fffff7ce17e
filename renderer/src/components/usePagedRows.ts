import { useRef, useState } from 'react'

/** Rows asked for at a time while scrolling. */
export const PAGE_ROWS = 1000

/**
 * Rows that come in pages as they are scrolled to: holes until they are there.
 * @param of names the list; another list begins anew
 * @param start the rows at hand, as long as the whole list
 * @param load a page; null where it could not be loaded, which is tried again
 */
export function usePagedRows<Row>(
  of: string,
  start: () => Row[],
  load: (offset: number, limit: number) => Promise<readonly Row[] | null>,
): { readonly rows: readonly Row[]; readonly need: (from: number, to: number) => void } {
  const [pages, setPages] = useState<{ readonly of: string; readonly rows: Row[] }>({ of: '', rows: [] })
  const asked = useRef(new Set<string>())
  const rows = pages.of === of ? pages.rows : start()
  const need = (from: number, to: number) => {
    for (let page = Math.floor(from / PAGE_ROWS); page <= Math.floor((to - 1) / PAGE_ROWS); page++) {
      const key = `${of} ${page}`
      if (asked.current.has(key) || rows[page * PAGE_ROWS] !== undefined) continue
      asked.current.add(key)
      void load(page * PAGE_ROWS, PAGE_ROWS).then((found) => {
        if (found === null) asked.current.delete(key)
        else
          setPages((was) => {
            const next = (was.of === of ? was.rows : start()).slice()
            found.forEach((row, index) => {
              next[page * PAGE_ROWS + index] = row
            })
            return { of, rows: next }
          })
      })
    }
  }
  return { rows, need }
}

/** All rows, in large pages; null where one could not be loaded. */
export async function allRows<Row>(
  total: number,
  load: (offset: number, limit: number) => Promise<readonly Row[] | null>,
): Promise<Row[] | null> {
  const found: Row[] = []
  while (found.length < total) {
    const page = await load(found.length, 10_000)
    if (page === null) return null
    if (page.length === 0) break
    found.push(...page)
  }
  return found
}

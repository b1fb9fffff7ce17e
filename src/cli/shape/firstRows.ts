import { formatCount } from '../../primitives/quantity'

/** The first rows of a long list, with one line that counts the rest and says how to see it. */
export function firstRows<T>(
  rows: readonly T[],
  most: number,
  how: string,
): { readonly shown: readonly T[]; readonly rest: readonly string[] } {
  if (rows.length <= most) return { shown: rows, rest: [] }
  return { shown: rows.slice(0, most), rest: [`and ${formatCount(rows.length - most)} more: ${how}`] }
}

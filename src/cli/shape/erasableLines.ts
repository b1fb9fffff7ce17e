/** Lines on a terminal that can be erased as long as nothing follows them. */
export interface ErasableLines {
  /** Everything written meanwhile is those lines. */
  print(print: () => void): void
  /** Takes every text that is written to the terminal, ended lines. */
  wrote(text: string): void
  /**
   * Erases them.
   * @returns false where there are none, or where that cannot be done: they are taller than the
   *   screen, its width has changed since, or something follows
   */
  erase(): boolean
}

/** Characters that may be wider than one column, or none: how many rows they take is not known. */
const OF_UNKNOWN_WIDTH = /[\p{Mark}\u1100-\u11ff\u2e80-\uffdc\u{10000}-\u{10ffff}]/u

/** @param screen of the terminal; it tells its size where it knows it */
export function erasableLines(screen: {
  write(text: string): unknown
  readonly columns?: number
  readonly rows?: number
}): ErasableLines {
  /** The rows that the lines take; null where they cannot be erased. */
  let rows: number | null = null
  let columns = 0
  let isPrinting = false
  return {
    print(print) {
      columns = screen.columns || 0
      rows = columns === 0 ? null : 0
      isPrinting = true
      try {
        print()
      } finally {
        isPrinting = false
      }
    },
    wrote(text) {
      if (rows === null) return
      if (!isPrinting || OF_UNKNOWN_WIDTH.test(text)) rows = null
      else
        for (const line of text.split('\n').slice(0, -1))
          rows += Math.max(1, Math.ceil(line.length / columns))
    },
    erase() {
      const height = rows
      rows = null
      if (height === null || height === 0 || screen.columns !== columns) return false
      if (height >= (screen.rows || 0)) return false
      screen.write(`\u001b[${height}A\r\u001b[J`)
      return true
    },
  }
}

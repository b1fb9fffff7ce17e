/** The widest line of help and of a command's ordinary output. */
export const WIDTH = 100
/** Narrower terminals get lines of this width: words would be broken off one by one. */
const LEAST_WIDTH = 40

/** Columns of a terminal for lines of text, or null where output goes to a file or a program. */
export function columnsOf({ columns }: { readonly columns?: number | undefined }): number | null {
  return columns ? Math.max(LEAST_WIDTH, columns) : null
}

/** The width of prose: that of the terminal, at most `WIDTH`. */
export function lineWidth(): number {
  return Math.min(WIDTH, columnsOf(process.stdout) ?? WIDTH)
}

/**
 * Breaks a line at spaces so that its parts are at most `width` columns wide; further parts begin
 * with `indent`. A word that is longer stays whole, and so does a number with its unit and mark.
 * The first `from` characters are not broken.
 */
export function wrapped(line: string, indent = '', from = indent.length, width = lineWidth()): string[] {
  if (line.length <= width) return [line]
  let before = line.lastIndexOf(' ', width)
  while (before > from && isWithinFigure(line, before)) before = line.lastIndexOf(' ', before - 1)
  let space = before > from ? before : line.indexOf(' ', Math.max(from, width))
  while (space > from && isWithinFigure(line, space)) space = line.indexOf(' ', space + 1)
  if (space <= from) return [line]
  return [line.slice(0, space), ...wrapped(`${indent}${line.slice(space + 1)}`, indent, indent.length, width)]
}

/**
 * True when the space at a place is between a number and its unit, or between a figure and its
 * mark.
 */
function isWithinFigure(line: string, at: number): boolean {
  const [left, right] = [line.slice(0, at), line.slice(at + 1)]
  const isUnit = /\d$/.test(left) && /^(?:[kMGT]?B|[KMGT]iB|ms|s|min|h|d|%)(?![a-z])/.test(right)
  return isUnit || (/(?:\d|B|s|%)$/.test(left) && /^[■●◐○]/.test(right))
}

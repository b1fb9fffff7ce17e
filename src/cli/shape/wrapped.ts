/** The widest line of help and of a command's ordinary output. */
export const WIDTH = 100

/**
 * Breaks a line at spaces so that its parts are at most `WIDTH` columns wide; further parts begin with `indent`. A word that
 * is longer stays whole, and so does a number with its unit and mark. The first `from` characters are not broken.
 */
export function wrapped(line: string, indent = '', from = indent.length): string[] {
  if (line.length <= WIDTH) return [line]
  let before = line.lastIndexOf(' ', WIDTH)
  while (before > from && isWithinFigure(line, before)) before = line.lastIndexOf(' ', before - 1)
  const space = before > from ? before : line.indexOf(' ', Math.max(from, WIDTH))
  if (space <= from) return [line]
  return [line.slice(0, space), ...wrapped(`${indent}${line.slice(space + 1)}`, indent)]
}

/** Whether the space at a place is between a number and its unit, or between a figure and its mark. */
function isWithinFigure(line: string, at: number): boolean {
  const [left, right] = [line.slice(0, at), line.slice(at + 1)]
  const isUnit = /\d$/.test(left) && /^(?:[kMGT]?B|[KMGT]iB|ms|s|min|h|d|%)(?![a-z])/.test(right)
  return isUnit || (/(?:\d|B|s|%)$/.test(left) && /^[■●◐○]/.test(right))
}

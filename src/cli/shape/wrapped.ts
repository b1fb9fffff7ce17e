/** The widest line of help and of a command's ordinary output. */
export const WIDTH = 100

/**
 * Breaks a line at spaces so that its parts are at most `WIDTH` columns wide; further parts begin with `indent`. A word that
 * is longer stays whole. The first `from` characters are not broken.
 */
export function wrapped(line: string, indent = '', from = indent.length): string[] {
  if (line.length <= WIDTH) return [line]
  const before = line.lastIndexOf(' ', WIDTH)
  const space = before > from ? before : line.indexOf(' ', Math.max(from, WIDTH))
  if (space <= from) return [line]
  return [line.slice(0, space), ...wrapped(`${indent}${line.slice(space + 1)}`, indent)]
}

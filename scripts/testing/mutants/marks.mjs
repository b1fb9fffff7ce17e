import { parseSync } from 'vite'

/**
 * The source with a call at the start of every function that holds one of the offsets; of nested
 * functions the innermost. Offsets outside of all functions are marked at the end of the source.
 * @param {string} file its name, for the parser
 * @param {string} source
 * @param {number[]} offsets
 * @param {(offset: number) => string} markOf an expression for an offset
 */
export function withMarks(file, source, offsets, markOf) {
  const bodies = functionBodies(parseSync(file, source).program)
  const inserted = []
  for (const offset of offsets) {
    const body = bodies.findLast(({ start, end }) => start <= offset && offset < end)
    const mark = markOf(offset)
    if (!body) inserted.push({ at: source.length, text: `\n;${mark};` })
    else if (body.type === 'BlockStatement') inserted.push({ at: body.start + 1, text: `${mark};` })
    else {
      inserted.push({ at: body.start, text: `(${mark},` }, { at: body.end, text: ')' })
    }
  }
  // From the end, so that what was not yet changed keeps its offsets.
  return inserted
    .toSorted((one, other) => other.at - one.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source)
}

/** The bodies of all functions, outer ones first. */
function functionBodies(node) {
  if (Array.isArray(node)) return node.flatMap(functionBodies)
  if (typeof node !== 'object' || node === null) return []
  const inner = Object.values(node).flatMap(functionBodies)
  const isFunction = /^(Function(Declaration|Expression)|ArrowFunctionExpression)$/.test(node.type)
  return isFunction && node.body ? [node.body, ...inner] : inner
}

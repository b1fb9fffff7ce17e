/**
 * Writes the tables of Unicode's canonical decomposition and composition, by which the native code
 * compares rules with names (`native/src/core/rules/compositionTables.cc`). All of it is from what
 * this Node's own `normalize` does.
 *
 *   node scripts/writeComposition.mjs
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FILE = fileURLToPath(new URL('../native/src/core/rules/compositionTables.cc', import.meta.url))
const LAST = 0x10ffff
const HANGUL = { first: 0xac00, last: 0xd7a3 }
/** Marks of the lowest and the highest class there is. */
const [LOWEST, HIGHEST] = ['\u0334', '\u0345']

const nfd = (text) => text.normalize('NFD')
const nfc = (text) => text.normalize('NFC')
const numbers = (text) => [...text].map((character) => character.codePointAt(0))
const swaps = (one, other) => nfd(one + other) !== one + other

const decompositions = []
const compositions = []
const marks = []
for (let point = 0; point <= LAST; point++) {
  if (point >= 0xd800 && point <= 0xdfff) continue
  if (point >= HANGUL.first && point <= HANGUL.last) continue
  const character = String.fromCodePoint(point)
  const parts = nfd(character)
  if (parts !== character) {
    decompositions.push([point, ...numbers(parts)])
    const [last] = numbers(parts).slice(-1)
    const before = numbers(nfc(String.fromCodePoint(...numbers(parts).slice(0, -1))))
    if (nfc(character) === character) {
      if (before.length !== 1) throw new Error(`U+${point.toString(16)} has no pair`)
      compositions.push([before[0], last, point])
    }
  } else if (swaps(character, LOWEST) || swaps(HIGHEST, character)) marks.push(character)
}

/** One mark of each class, in the order of the classes. */
const classes = []
for (const mark of marks) {
  if (classes.some((known) => !swaps(mark, known) && !swaps(known, mark))) continue
  const at = classes.findIndex((known) => swaps(known, mark))
  classes.splice(at < 0 ? classes.length : at, 0, mark)
}
const classOf = (mark) => classes.findIndex((known) => !swaps(mark, known) && !swaps(known, mark)) + 1

/** Neighbours of one class. */
const ranges = []
for (const mark of marks) {
  const [point] = numbers(mark)
  const last = ranges.at(-1)
  if (last && last[1] === point - 1 && last[2] === classOf(mark)) last[1] = point
  else ranges.push([point, point, classOf(mark)])
}

compositions.sort(([a, b], [c, d]) => a - c || b - d)
const hex = (value) => `0x${value.toString(16)}`
const rows = (all) => {
  const lines = []
  for (const row of all) {
    const text = `{${row.join(', ')}},`
    const last = lines.at(-1)
    if (last !== undefined && last.length + text.length < 100) lines[lines.length - 1] = `${last} ${text}`
    else lines.push(`    ${text}`)
  }
  return lines.join('\n')
}

writeFileSync(
  FILE,
  `// Written by scripts/writeComposition.mjs from Unicode ${process.versions.unicode}; change that instead.
// Over 600 lines because a table is one thing.
// clang-format off
#include "core/rules/compositionTables.h"

namespace stowage {

namespace {

constexpr Decomposition decompositionRows[] = {
${rows(decompositions.map(([point, ...parts]) => [hex(point), `{${parts.map(hex).join(', ')}}`]))}
};

constexpr Composition compositionRows[] = {
${rows(compositions.map((row) => row.map(hex)))}
};

constexpr MarkRange markRows[] = {
${rows(ranges.map(([first, last, order]) => [hex(first), hex(last), order]))}
};

} // namespace

const std::span<const Decomposition> decompositions = decompositionRows;
const std::span<const Composition> compositions = compositionRows;
const std::span<const MarkRange> markRanges = markRows;

} // namespace stowage
`,
)
console.log(
  `${decompositions.length} decompositions, ${compositions.length} compositions, ${marks.length} marks`,
)

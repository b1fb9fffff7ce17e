import { createHash } from 'node:crypto'
import { isParsed, placesIn } from './places.mjs'
import { replaced } from './replacement.mjs'

/**
 * One change of one source.
 * @typedef {object} Mutant
 * @property {string} path from the repository's top
 * @property {string} kind
 * @property {number} line
 * @property {number} start
 * @property {number} end
 * @property {string} old what stands from start to end
 * @property {string} replacement
 * @property {string} from what a person is shown of the line before the change
 * @property {string} to the same after it
 */

/**
 * Chooses mutants by a seed: of all places of all sources the first `count` in an order that the
 * seed and the places' own text decide, and one of the changes possible at each. A source is chosen
 * the more often the more places it has. A change that cannot be parsed is left out.
 * @param {ReadonlyMap<string, string>} sources texts by path
 * @returns {Mutant[]} in the order of the choice
 */
export function chosenMutants(sources, { count, seed }) {
  const ranked = [...sources]
    .flatMap(([path, source]) => rankedPlaces(path, source, seed))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
  const chosen = []
  for (const { rank, path, place } of ranked) {
    if (chosen.length === count) break
    const mutant = mutantAt(path, sources.get(path), place, Number.parseInt(rank.slice(-8), 16))
    if (isParsed(path, replaced(sources.get(path), mutant))) chosen.push(mutant)
  }
  return chosen
}

/** How many places the sources have. */
export function countPlaces(sources) {
  return [...sources].reduce((sum, [path, source]) => sum + placesIn(path, source).length, 0)
}

function rankedPlaces(path, source, seed) {
  const seen = new Map()
  return placesIn(path, source).map((place) => {
    // By its text rather than its line: a change elsewhere in the file leaves the choice as it is.
    const text = [
      seed,
      path,
      place.kind,
      source.slice(...place.shown),
      source.slice(place.start, place.end),
    ].join('\0')
    const earlier = seen.get(text) ?? 0
    seen.set(text, earlier + 1)
    return { rank: createHash('sha256').update(`${text}\0${earlier}`).digest('hex'), path, place }
  })
}

function mutantAt(path, source, { kind, start, end, line, shown, options }, number) {
  const replacement = options[number % options.length]
  return {
    path,
    kind,
    line,
    start,
    end,
    old: source.slice(start, end),
    replacement,
    from: oneLine(source.slice(...shown)),
    to: oneLine(source.slice(shown[0], start) + replacement + source.slice(end, shown[1])),
  }
}

function oneLine(text) {
  return text.replaceAll(/\s+/g, ' ').trim()
}

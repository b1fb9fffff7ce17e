import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type RomsDocument, romsDocumentSchema } from '../../src/contract/dto/roms'
import { IGIR_DIFFERENCES } from '../fixtures/igirDifferences'
import { collectionDigest, romCollections, writeCollection } from '../fixtures/romCollections'
import { placeOfEachTest } from '../support/place'

/** States of games by DAT and name, and of files by their paths. */
interface Judged {
  readonly games: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, string>>
}

const RECORD = JSON.parse(readFileSync(new URL('../fixtures/igirStates.json', import.meta.url), 'utf8')) as {
  readonly igir: string
  readonly collections: Readonly<Record<string, Judged & { digest: string }>>
}

const here = placeOfEachTest('romjudge')
const GAME_STATES = { complete: 'found', partial: 'incomplete', missing: 'missing' } as const
/** A file with several members has the first of these states that one of them has. */
const FILE_STATES = ['used', 'duplicate', 'bad-dump', 'not-opened', 'unused'] as const

function judged({ dats, sets, files }: RomsDocument): Judged {
  const states = new Map<string, string>()
  for (const { path, state } of files) {
    const own = state === 'right' || state === 'renamed' ? 'used' : state === 'unneeded' ? 'unused' : state
    const file = path.slice(here.source.length + 1)
    const known = states.get(file)
    states.set(file, FILE_STATES.find((each) => each === own || each === known) ?? own)
  }
  return {
    games: Object.fromEntries(
      sets.map(({ dat, name, state }) => [`${dats[dat]?.name}: ${name}`, GAME_STATES[state]]),
    ),
    files: Object.fromEntries(states),
  }
}

/** `NAME: igir | Stowage` of all that differs. */
function differences(igir: Judged, own: Judged): string[] {
  return (['games', 'files'] as const).flatMap((kind) => {
    const names = new Set([...Object.keys(igir[kind]), ...Object.keys(own[kind])])
    return [...names].flatMap((name) => {
      const [theirs = 'none', ours = 'none'] = [igir[kind][name], own[kind][name]]
      return theirs === ours ? [] : [`${name}: ${theirs} | ${ours}`]
    })
  })
}

it('the record and the differences are of these collections', () => {
  const names = romCollections().map(({ name }) => name)
  expect(names.length).toBeGreaterThanOrEqual(40)
  expect(Object.keys(RECORD.collections)).toEqual(names)
  const known = IGIR_DIFFERENCES.flatMap(({ of }) => Object.keys(of))
  expect(known.filter((name) => !names.includes(name))).toEqual([])
  expect(IGIR_DIFFERENCES.every(({ because }) => because !== '')).toBe(true)
})

describe(`judged as by igir ${RECORD.igir}`, () => {
  it.each(romCollections().map((collection) => [collection.name, collection] as const))(
    '%s',
    async (name, collection) => {
      const record = RECORD.collections[name]
      expect(record?.digest, 'recordIgir.mjs has to run again').toBe(collectionDigest(collection))
      const { dats } = writeCollection(collection, here.folder)
      const given = [...dats.flatMap((dat) => ['--dat', dat]), '--layout', collection.layout, '--json']
      const { stdout } = await here.run('roms', here.source, ...given)
      const own = judged(romsDocumentSchema.parse(JSON.parse(stdout)))
      const known = IGIR_DIFFERENCES.flatMap(({ of }) => of[name] ?? [])
      expect(differences(record as Judged, own).toSorted()).toEqual(known.toSorted())
    },
  )
})

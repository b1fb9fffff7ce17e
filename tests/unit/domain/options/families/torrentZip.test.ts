import { expect, it } from 'vitest'
import { torrentZipFamily } from '../../../../../src/domain/options/families/torrentZip'
import {
  factsFrom,
  knownFacts,
  knownSurvey,
  variantNamed,
  withGroups,
} from '../../../../fixtures/options/optionFacts'

const facts = factsFrom(withGroups(knownSurvey('programs')))

it('has every file deflated by itself, in as many zips as there are groups', () => {
  const zips = variantNamed(facts, 'torrentzip-titles', torrentZipFamily)
  const gzip = variantNamed(facts, 'files-gzip-9').storedBytes
  const { files } = facts.survey.totals
  expect(zips.storedFiles).toMatchObject({ value: 120, provenance: 'exact' })
  // 57 bytes a file more than gzip, and names.
  expect(zips.storedBytes.value).toBeGreaterThan(gzip.value + 57 * files)
  expect(zips.storedBytes.value).toBeLessThan(gzip.value + (57 + facts.survey.pathBytes) * files + 44 * 120)
  expect(zips.storedBytes.low).toBeLessThan(gzip.low + 57 * files)
  expect(zips.encryption).toBeNull()
  expect(new Set(zips.readers.flatMap(({ systems }) => systems))).toEqual(
    new Set(['linux', 'macos', 'windows']),
  )
})

it('is left out where no groups were forecast, and has no groups by shared data', () => {
  expect(torrentZipFamily.variants(knownFacts('programs'))).toEqual([])
  const row = facts.survey.grouped.map((one) => ({ ...one, by: 'groups' as const }))
  expect(torrentZipFamily.variants(factsFrom({ ...facts.survey, grouped: row }))).toEqual([])
})

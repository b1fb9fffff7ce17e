import { expect, it } from 'vitest'
import { resolveMedium } from '../../../../../src/domain/media/resolveMedium'
import { DISK_FACTS, mediumFacts } from '../../../../../src/domain/options/cost/mediumFacts'
import { allowsOf } from '../../../../../src/domain/options/recipes/allows'
import { mediaCatalogue } from '../../../../../src/engine/media/mediaCatalogue'
import { factsFrom, knownSurvey, variantNamed, withGroups } from '../../../../fixtures/options/optionFacts'

const FACTS = factsFrom(withGroups(knownSurvey('source')))
const DISC = mediumFacts(mediaCatalogue, resolveMedium(mediaCatalogue, 'bd-r-25'))

it.each([
  ['plain', 'add, mount, alone'],
  ['iso', 'mount, alone'],
  ['udsb', 'add, mount, alone, aes-128, aes-256'],
  ['udzo', 'mount, alone, aes-128, aes-256'],
  ['7z-files', 'add, alone, aes-256'],
  ['7z-solid-16m-path', 'alone, aes-256'],
  ['7z-titles', 'add, alone, aes-256'],
  ['tar-zst-19-16m-path', 'alone'],
  ['torrentzip-titles', 'add, alone'],
  ['squashfs-lz4-128k', 'add, mount, alone'],
  ['borg-1-none', 'add, history, mount, aes-256'],
  ['restic-off', 'add, history, mount, aes-256'],
])('%s allows on a disk: %s', (name, uses) => {
  const { addLater, history, mount, volumesAlone, encrypt } = allowsOf(variantNamed(FACTS, name), DISK_FACTS)
  const words = [
    ...(addLater ? ['add'] : []),
    ...(history ? ['history'] : []),
    ...(mount ? ['mount'] : []),
    ...(volumesAlone ? ['alone'] : []),
    ...encrypt,
  ]
  expect(words.join(', ')).toBe(uses)
})

it('allows adding nothing to discs that were written', () => {
  expect(allowsOf(variantNamed(FACTS, 'plain'), DISC).addLater).toBe(false)
})

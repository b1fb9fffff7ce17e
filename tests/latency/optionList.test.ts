import { expect, test } from 'vitest'
import { listMedia } from '../../src/domain/media/resolveMedium'
import { composeOption } from '../../src/domain/options/cost/compose'
import { DISK_FACTS, mediumFacts } from '../../src/domain/options/cost/mediumFacts'
import { allVariants } from '../../src/domain/options/families/registry'
import { mediaCatalogue } from '../../src/engine/media/mediaCatalogue'
import { factsFrom, knownSurvey, timesLarger, withGroups } from '../fixtures/options/optionFacts'

test('the options of a million files on ten media are estimated within half a second', () => {
  const facts = factsFrom(withGroups(timesLarger(knownSurvey('tiny'), 125)))
  const nine = listMedia(mediaCatalogue).slice(0, 9)
  const media = [DISK_FACTS, ...nine.map((medium) => mediumFacts(mediaCatalogue, medium))]
  const began = performance.now()
  let options = 0
  for (const medium of media)
    for (const variant of allVariants(facts)) {
      composeOption(facts, variant, medium, { encryption: 'none', protection: 0 })
      options += 1
    }
  expect(options).toBeGreaterThan(400)
  expect(performance.now() - began).toBeLessThan(500)
})

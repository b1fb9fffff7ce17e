import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { optionBuildSchema } from '../../../src/contract/dto/options'
import { seededRandom } from '../../../src/primitives/seededRandom'
import { stowage } from '../../fixtures/stowageCommand'
import { mostlyLong } from '../../support/mostlyLong'
import { temporaryFolder } from '../../support/temporaryFolder'

/** Files of 1 to 9,000 bytes in folders of 30, with names as people give them. */
function makeTree(folder: string, files: number, seed: number): void {
  const random = seededRandom(seed)
  for (let file = 0; file < files; file++) {
    const inside = join(folder, `Holiday ${Math.floor(file / 300)}`, `Day ${Math.floor(file / 30)}`)
    mkdirSync(inside, { recursive: true })
    const content = new Uint8Array(1 + random.below(9000))
    random.fillBytes(content)
    writeFileSync(join(inside, `Photo ${random.below(1_000_000)} ${file}.jpg`), content)
  }
}

mostlyLong(
  it,
  [30, 1500],
  (files) => files === 30,
)(
  'forecasts of an ISO image and a UDZO image of %i files have the actual sizes in their ranges',
  async (files) => {
    const folder = await temporaryFolder()
    const home = join(folder, 'home')
    makeTree(join(folder, 'tree'), files, files)
    const run = async (...args: string[]): Promise<unknown> => {
      const { code, stdout, stderr } = await stowage([...args, '--json'], { home })
      expect(code, stderr).toBe(0)
      return JSON.parse(stdout)
    }
    const { id } = (await run('survey', join(folder, 'tree'), '--samples', 'fast')) as { id: string }
    for (const option of ['iso', 'udzo']) {
      const { forecast, actual } = optionBuildSchema.parse(
        await run('options', 'build', option, '--survey', id, '--discard', '--out', join(folder, option)),
      )
      expect(actual.bytes).toBeGreaterThanOrEqual(forecast.bytes.low)
      expect(actual.bytes).toBeLessThanOrEqual(forecast.bytes.high)
      if (option === 'iso') expect(Math.abs(forecast.bytes.value / actual.bytes - 1)).toBeLessThan(0.05)
    }
  },
)

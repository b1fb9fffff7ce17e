import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stowage } from '../fixtures/stowageCommand'
import { wordsOf } from '../support/builtOption'
import { temporaryFolder } from '../support/temporaryFolder'

/** Files younger than this when a survey begins are not trusted by the next. */
const RACY_MS = 2100

it('a survey whose forecasts failed does not keep the next one from making them', async () => {
  const folder = await temporaryFolder()
  const [home, source] = [join(folder, 'home'), join(folder, 'source')]
  mkdirSync(source)
  for (let index = 0; index < 4; index++) writeFileSync(join(source, `${index}.txt`), wordsOf(index, 40_000))
  await new Promise((resolve) => setTimeout(resolve, RACY_MS))
  const survey = ['survey', source, '--samples', 'fast']
  const failed = await stowage(survey, { home, env: { TMPDIR: join(folder, 'no such folder') } })
  expect(failed.code, failed.stderr).not.toBe(0)
  const end = await stowage([...survey, '--json'], { home })
  expect(end.code, end.stderr).toBe(0)
  const { compression, samples } = JSON.parse(end.stdout) as Record<string, unknown>
  expect({ compression, samples }).toEqual({
    compression: expect.arrayContaining([expect.objectContaining({ codec: 'zstd-3' })]),
    samples: 'fast',
  })
})

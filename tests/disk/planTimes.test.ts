import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planDocumentSchema } from '../../src/contract/dto/plan'
import { probeSource, type ReadProbe } from '../../src/engine/sets/plan/readProbe'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/archiveRun'

const folder = temporaryFolder('plan-times')
const source = join(folder.path, 'source')
const files = Array.from({ length: 40 }, (_, at) => ({
  path: join(source, `f${at}`),
  bytes: at % 10 === 0 ? 400_000 : 100 * at,
}))
const never = new AbortController().signal

beforeAll(() => {
  mkdirSync(source)
  const random = seededRandom(4)
  for (const { path, bytes } of files) {
    const content = Buffer.alloc(bytes)
    random.fillBytes(content)
    writeFileSync(path, content)
  }
})
afterAll(() => folder.dispose())

describe('a sample of a source', () => {
  it('times every file of a small one, whole', async () => {
    const probe = await probeSource(files, never)
    expect(probe).toMatchObject({
      files: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    })
    const { fileSeconds, secondsPerByte } = (probe as ReadProbe).profile
    for (const { low, value, high } of [fileSeconds, secondsPerByte]) {
      expect(low).toBeLessThanOrEqual(value)
      expect(value).toBeLessThanOrEqual(high)
    }
    expect(fileSeconds.value + secondsPerByte.value).toBeGreaterThan(0)
  })

  it('is what could be read until a file is missing, and nothing of none', async () => {
    const gone = { path: join(source, 'gone'), bytes: 10 }
    expect(await probeSource([gone], never)).toBeNull()
    expect(await probeSource([], never)).toBeNull()
    const link = join(source, 'link')
    symlinkSync('f1', link)
    expect(await probeSource([{ path: link, bytes: 100 }], never)).toBeNull()
  })

  it('ends at once when it is cancelled', async () => {
    expect(await probeSource(files, AbortSignal.abort())).toBeNull()
  })
})

describe('the times of a plan for discs', () => {
  it('name the bottleneck and the buffer, in text, JSON and the report', async () => {
    const out = join(folder.path, 'plan')
    const home = join(folder.path, 'home')
    const { code, stdout, stderr } = await stowage(['plan', source, '--medium', 'dvd+r', '--out', out], {
      home,
    })
    expect(code, stderr).toBe(0)
    const text = stdout.replaceAll(/\s+/g, ' ')
    expect(text).toMatch(
      /Times: build .*, write .*, verify .* Burned without an image on disk: .* \(assumed\); .* a buffer of .* is enough\./,
    )
    const { times } = planDocumentSchema.parse(JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8')))
    expect(times?.burn).toMatchObject({ from: 'files', disc: { index: 1 } })
    expect(times?.total.build.basis).toContain('40 of its files')
    const report = readFileSync(join(out, 'report.html'), 'utf8')
    expect(report).toContain('files in order, only a pipe of 64 KiB')
  })
})

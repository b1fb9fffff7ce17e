import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Emit } from '../../src/contract/defineSchema'
import { drillRequestSchema } from '../../src/contract/dto/drill'
import type { JobEnd } from '../../src/contract/dto/job'
import { openSetRequestSchema } from '../../src/contract/dto/openedSet'
import type { EngineSchema } from '../../src/contract/engineSchema'
import { createEngine, type Engine } from '../../src/engine/engine'
import { placeOfEachTest } from '../support/place'

const place = placeOfEachTest('preview')
const { at, files, done, planIn, image } = place
const MEDIUM = ['--medium', 'custom:3MB']

let engine: Engine | null = null
let ended: (end: JobEnd) => void = () => {}
function opened(): Engine {
  const emit = ((_group: string, event: string, payload: unknown) => {
    if (event === 'ended') ended(payload as JobEnd)
  }) as Emit<EngineSchema>
  engine = createEngine({ dataDir: place.home, emit })
  return engine
}
afterEach(async () => {
  await engine?.close()
  engine = null
})

beforeEach(() => {
  files(Object.fromEntries(Array.from({ length: 30 }, (_, number) => [`${number}.jpg`, 20_000])))
})

const request = (volumes: string[], more: object = {}) => drillRequestSchema.parse({ volumes, ...more })
const leftOvers = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('stowage-drill'))

describe('the preview of a restore drill', () => {
  it('draws the sample that a drill with its seed restores, and writes nothing', async () => {
    await done('plan', at('source'), ...MEDIUM, '--out', at('set'))
    await done('build', at('set'))
    const left = leftOvers()
    const { drill } = opened().handlers
    const drawn = await drill.preview(request([at('set')], { files: 5 }))
    expect(drawn).toMatchObject({ files: 5, bytes: 100_000, spaceBytes: 100_000, evidence: 'catalog' })
    expect(drawn.volumes).toMatchObject([{ planId: planIn('set').id, copy: 0, files: 5 }])
    expect(drawn.unpacked).toEqual({ archives: 0, bytes: 0 })
    expect(drawn.seconds?.value).toBeGreaterThan(0)
    expect(await drill.list()).toEqual([])
    await expect
      .poll(() => leftOvers().filter((name) => !left.includes(name)), { timeout: 10_000 })
      .toEqual([])
    const end = new Promise<JobEnd>((resolve) => {
      ended = resolve
    })
    await drill.start(request([at('set')], { files: 5, seed: drawn.seed }))
    const drillId = (await end).resultId ?? ''
    expect(await drill.get({ drillId })).toMatchObject({
      seed: drawn.seed,
      bytes: drawn.bytes,
      volumes: drawn.volumes,
    })
  })

  it('names the copy that is read where the image in the folder of the plan is given too', async () => {
    await done('plan', at('source'), ...MEDIUM, '--out', at('set'))
    await done('build', at('set'))
    mkdirSync(at('shelf'))
    await done('write', at('set'), '--to', at('shelf'), '--place', 'the bank')
    const [disc = ''] = readdirSync(at('shelf'))
    const { drill } = opened().handlers
    const copiesOf = async (...volumes: string[]) =>
      (await drill.preview(request(volumes))).volumes.map(({ copy }) => copy)
    expect(await copiesOf(image('set'), at('shelf', disc))).toEqual([0])
    expect(await copiesOf(at('shelf', disc), image('set'))).toEqual([1])
  })

  it('counts what is unpacked for a file, and takes the password of the set that is open', async () => {
    writeFileSync(at('password'), 'correct horse\n')
    const encrypted = ['--option', '7z-solid-1m-content', '--encrypt', '256']
    await done('plan', at('source'), ...MEDIUM, ...encrypted, '--out', at('set'))
    await done('build', at('set'), '--password-file', at('password'))
    const { restore, drill } = opened().handlers
    await expect(drill.preview(request([at('set')]))).rejects.toMatchObject({ code: 'wrong-password' })
    const password = new TextEncoder().encode('correct horse')
    const { id } = await restore.open(openSetRequestSchema.parse({ volumes: [at('set')], password }))
    const drawn = await drill.preview(request([at('set')], { opened: id, files: 2 }))
    expect(drawn).toMatchObject({ files: 2, bytes: 40_000, unpacked: { archives: 1, bytes: 600_000 } })
    expect(drawn.spaceBytes).toBe(640_000)
    const end = new Promise<JobEnd>((resolve) => {
      ended = resolve
    })
    await drill.start(request([at('set')], { opened: id, files: 2, seed: drawn.seed }))
    expect(await end).toMatchObject({ outcome: 'done', error: null })
    expect(JSON.stringify(await drill.list())).not.toContain('correct horse')
  })
})

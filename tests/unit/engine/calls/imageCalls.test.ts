import { writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JobEnd, JobProgress } from '../../../../src/contract/dto/job'
import { engineSchema } from '../../../../src/contract/engineSchema'
import { imageCalls } from '../../../../src/engine/calls/imageCalls'
import { serve } from '../../../../src/engine/channel/serve'
import { jobRunner } from '../../../../src/engine/jobs/jobRunner'
import { newId } from '../../../../src/engine/jobs/newId'
import { systemClock } from '../../../../src/primitives/clock'
import { unwrap } from '../../../../src/primitives/result'
import { noNotes } from '../../../support/noNotes'
import { temporaryFolder } from '../../../support/temporaryFolder'

const SECRET = 'correct horse battery staple'
const password = (text = SECRET): Uint8Array => new TextEncoder().encode(text)
const isWiped = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)

/** The engine's part for images behind its door, and all that it tells. */
function images() {
  const reported: (JobProgress | JobEnd)[] = []
  const ends = new Map<string, (end: JobEnd) => void>()
  const early = new Map<string, JobEnd>()
  const runner = jobRunner(
    systemClock,
    {
      progress: (progress) => void reported.push(progress),
      live: () => {},
      measured: () => {},
      swept: () => {},
      ended(end) {
        reported.push(end)
        early.set(end.jobId, end)
        ends.get(end.jobId)?.(end)
      },
    },
    newId,
  )
  const listed: unknown[] = []
  const service = serve(
    { image: engineSchema.image },
    imageCalls({ start: (job) => runner.start(job), catalog: noNotes }),
  )
  const ask = async (name: string, params: unknown): Promise<unknown> =>
    unwrap(await service.answer(`image.${name}`, params))
  return {
    ask,
    reported,
    listed,
    async run(name: string, params: unknown): Promise<JobEnd> {
      const { jobId } = (await ask(name, params)) as { jobId: string }
      listed.push(...runner.list())
      return early.get(jobId) ?? new Promise((resolve) => ends.set(jobId, resolve))
    },
  }
}

describe('calls on images', () => {
  it('overwrite the passwords they were given, also after a failure, and never pass them on', async () => {
    const { ask, run, reported, listed } = images()
    const path = join(await temporaryFolder(), 'a.sparsebundle')
    const [first, second, wrong, old, next] = [
      password(),
      password(),
      password('no'),
      password(),
      password('new'),
    ]
    const encryption = { keyBits: 128, password: first }
    const made = await run('create', { path, kind: 'UDSB', bytes: 4e6, encryption })
    expect([made.outcome, isWiped(first)]).toEqual(['done', true])
    expect(await ask('info', { path, password: second })).toMatchObject({ locked: false, bytes: 4_000_256 })
    expect(isWiped(second)).toBe(true)
    const refused = await run('compact', { path, password: wrong })
    expect([refused.outcome, refused.error?.code, isWiped(wrong)]).toEqual(['failed', 'wrong-password', true])
    const changed = await run('changePassword', { path, password: old, newPassword: next })
    expect([changed.outcome, isWiped(old), isWiped(next)]).toEqual(['done', true, true])
    const result = await ask('result', { resultId: changed.resultId })
    expect(result).toMatchObject({
      image: { schema: 'stowage.image/1', locked: false, encryption: { keyBits: 128 } },
    })
    expect(listed).toHaveLength(3)
    expect(JSON.stringify([reported, listed, result])).not.toMatch(/horse|"password"|\[110,111\]/)
  })

  it('say what a bad request lacks without repeating what was in it', async () => {
    const { ask } = images()
    for (const bad of ['text', password(''), new Uint8Array(5000), [1, 2, 3]])
      await expect(ask('info', { path: '/a', password: bad })).rejects.toThrow(
        /^image\.info: bad parameters at password: not the bytes of a password$/,
      )
  })

  it('leave no partial file when a new image cannot be created', async () => {
    const { run } = images()
    const folder = await temporaryFolder()
    const path = join(folder, 'a.dmg')
    writeFileSync(path, 'mine')
    for (const force of [false, true]) {
      const end = await run('create', { path, kind: 'UDZO', bytes: 4096, force })
      expect(end.error?.code).toBe(force ? 'usage' : 'exists')
    }
    expect(await readdir(folder)).toEqual(['a.dmg'])
  })

  it('forget the results of jobs long past', async () => {
    const { ask } = images()
    await expect(ask('result', { resultId: 'i-1' })).rejects.toMatchObject({ code: 'not-found' })
  })
})

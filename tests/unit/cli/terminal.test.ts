import { expect, it } from 'vitest'
import { terminal } from '../../../src/cli/terminal'
import { AppError } from '../../../src/primitives/appError'
import { buildUnderWay } from '../../support/buildUnderWay'
import { noHome } from '../../support/noHome'

/** What a terminal obeys, or what turns the direction of text. */
const OBEYED = /[\p{Cc}\p{Bidi_Control}]/u
const NAME = '/photos/\u001b[2J\u009b31m\u202egpj.exe\u2066\u007f\n'

it.each([
  ['text', false],
  ['JSON', true],
])('no %s reaches the terminal with characters that it obeys', (_what, isJson) => {
  let written = ''
  const stream = {
    write(text: string): void {
      written += text
    },
  }
  const out = terminal({ out: stream, err: stream }, isJson, noHome)
  out.line(`found ${NAME}`)
  out.note(`kept ${NAME}`)
  out.document({ schema: 'stowage.sample/1', directory: NAME })
  out.failure(new AppError('not-found', `no ${NAME}`, { path: NAME }))
  out.failure(AppError.from(new Error(`bug at ${NAME}`)))
  const lines = written.trimEnd().split('\n')
  for (const line of lines) expect(line).not.toMatch(OBEYED)
  const named = lines.filter((line) => line.includes('photos'))
  expect(named.length).toBeGreaterThanOrEqual(4)
  if (!isJson) return
  expect(named.slice(1).map((line) => JSON.parse(line).directory ?? JSON.parse(line).error.message)).toEqual([
    NAME,
    `no ${NAME}`,
    `bug at ${NAME}`,
  ])
})

it('shows share and time left first, which a narrow terminal keeps, or that the time left is unknown', () => {
  const written: string[] = []
  const err = { write: (text: string) => written.push(text), isTTY: true, columns: 80 }
  const out = terminal({ out: err, err }, false, noHome)
  const progress = buildUnderWay
  out.progress(progress)
  out.progress({ ...progress, etaMs: null, stillMs: 65_000 })
  expect(written[0]).toContain('building: 29 % done, about 2 min left, volume 2 of 5: 57 %, 41 of 230 files')
  expect(written[1]).toContain('building: 29 % done, no progress for 1 min, time left unknown, volume 2 of 5')
})

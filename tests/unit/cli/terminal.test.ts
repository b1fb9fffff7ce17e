import { expect, it } from 'vitest'
import { terminal } from '../../../src/cli/terminal'
import { AppError } from '../../../src/primitives/appError'

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
  const out = terminal({ out: stream, err: stream }, isJson)
  out.line(`found ${NAME}`)
  out.note(`kept ${NAME}`)
  out.document({ path: NAME })
  out.failure(new AppError('not-found', `no ${NAME}`, { path: NAME }))
  out.failure(AppError.from(new Error(`bug at ${NAME}`)))
  const lines = written.trimEnd().split('\n')
  for (const line of lines) expect(line).not.toMatch(OBEYED)
  const named = lines.filter((line) => line.includes('photos'))
  expect(named.length).toBeGreaterThanOrEqual(4)
  if (!isJson) return
  expect(named.slice(1).map((line) => JSON.parse(line).path ?? JSON.parse(line).error.message)).toEqual([
    NAME,
    `no ${NAME}`,
    `bug at ${NAME}`,
  ])
})

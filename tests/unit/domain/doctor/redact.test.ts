import { expect, it } from 'vitest'
import { redact } from '../../../../src/domain/doctor/redact'

const HIDDEN = { user: 'ana', host: 'studio-7' }

it.each([
  ['cannot read /home/ana/My Photos/b c.jpg: permission denied', 'cannot read <path>: permission denied'],
  ['cannot open C:\\Users\\Ana\\wedding.db: is locked', 'cannot open <path>: is locked'],
  ['cannot read \\\\nas\\photos\\1: gone', 'cannot read <path>: gone'],
  [
    'bad-input: /etc/ana/settings.yaml:3:1: units takes GB, not "mine"',
    'bad-input: <path>: units takes GB, not <name>',
  ],
  ['no project “Ana and Ben”', 'no project <name>'],
  ['cannot use IMG_2041.CR2, Ana', 'cannot use <file>, <user>'],
  ['the host studio-7 is gone', 'the host <host> is gone'],
  ['banana split', 'banana split'],
  ['needs Node 24.1.0 and glibc 2.36', 'needs Node 24.1.0 and glibc 2.36'],
])('redacts %s', (line, redacted) => {
  expect(redact(line, HIDDEN)).toBe(redacted)
})

it('keeps a line as it is where user and host have no names', () => {
  expect(redact('the engine ended', { user: '', host: '' })).toBe('the engine ended')
})

import { describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '../../../src/domain/settings/settings'
import { changedSettingsText, readSettingsText, settingsTextOfJson } from '../../../src/files/settingsText'

const FILE = '/a/settings.yaml'
const WRITTEN = `# Ana's, for the laptop

units: decimal # as on the boxes

# Evenings are dark.
theme: dark
future:
  - one # of a newer version
"max-memory": '64MiB'
`

describe('a text of settings', () => {
  it('is read with the place of each value', () => {
    const { values, places, unknown, wrong } = readSettingsText(WRITTEN, FILE)
    expect(values).toEqual({ units: 'decimal', theme: 'dark', 'max-memory': '64MiB' })
    expect(places).toMatchObject({ theme: `${FILE}:6:8`, 'max-memory': `${FILE}:9:15` })
    expect(unknown).toEqual([expect.stringContaining(`${FILE}:7:1: no setting "future": one of units, `)])
    expect(wrong).toEqual({})
  })

  it.each([
    ['nothing', ''],
    ['a comment', '# nothing yet\n'],
    ['no value', 'units:\ntheme: ~\n'],
    ['an empty map', '{}\n'],
    ['the mark of UTF-8', '\ufeff'],
  ])('may hold %s: then the defaults hold', (_what, text) => {
    expect(readSettingsText(text, FILE).values).toEqual({})
  })

  it('may be JSON', () => {
    expect(readSettingsText('{"units": "binary", "sha256": false}', FILE).values).toEqual({
      units: 'binary',
      sha256: false,
    })
  })

  it.each([
    ['a: [b\n', /^\/a\/settings\.yaml:2:1: /],
    ['units: decimal\nunits: binary\n', /^\/a\/settings\.yaml:2:1: this name is given twice$/],
    ['units: "bin', /^\/a\/settings\.yaml:1:12: /],
    ['- units\n', `${FILE}:1:1: each setting is a line "name: value"`],
    ['units\n', `${FILE}:1:1: each setting is a line "name: value"`],
    ['a: 1\n---\nb: 2\n', /^\/a\/settings\.yaml:2:1: /],
  ])('that is broken is refused with line and column: %j', (text, message) => {
    const refused = expect.objectContaining({ code: 'bad-input', path: FILE })
    expect(() => readSettingsText(text, FILE)).toThrow(refused)
    expect(() => readSettingsText(text, FILE)).toThrow(message)
    expect(() => changedSettingsText(text, { units: 'binary' }, FILE)).toThrow(refused)
  })

  it.each(['units: *nowhere\n', 'a: &a [1, 2]\nunits: *a\n', 'units: {a: b}\n'])(
    'keeps the other settings when one makes no sense: %j',
    (text) => {
      const { values, wrong } = readSettingsText(`${text}theme: dark\n`, FILE)
      expect(values).toEqual({ theme: 'dark' })
      expect(wrong.units?.message).toMatch(/^\/a\/settings\.yaml:\d:8: /)
    },
  )
})

describe('a change', () => {
  it('keeps comments, order and what it does not know', () => {
    expect(changedSettingsText(WRITTEN, { units: 'binary', 'max-memory': '1GiB', sha256: false }, FILE)).toBe(
      `${WRITTEN.replace('decimal', 'binary').replace('64MiB', '1GiB')}sha256: false\n`,
    )
  })

  it('takes a setting back and keeps the comment above it', () => {
    expect(changedSettingsText(WRITTEN, { theme: null }, FILE)).toBe(WRITTEN.replace('theme: dark\n', ''))
    const last = '# top\n\nunits: binary\n# about colours\ntheme: dark\n'
    expect(changedSettingsText(last, { theme: null }, FILE)).toContain('# about colours')
  })

  it('writes one setting a line after all were taken back', () => {
    const empty = changedSettingsText('units: binary\n', { units: null }, FILE)
    expect(readSettingsText(empty, FILE).values).toEqual({})
    expect(changedSettingsText(empty, { units: 'binary', theme: 'dark' }, FILE).trim()).toBe(
      'units: binary\ntheme: dark',
    )
  })

  it('leaves a wrong value of another setting alone, and corrects its own', () => {
    expect(changedSettingsText('units: bits\ntheme: neon\n', { units: 'binary' }, FILE)).toBe(
      'units: binary\ntheme: neon\n',
    )
  })

  it('keeps the line ends of Windows', () => {
    const text = changedSettingsText('units: binary\r\n# c\r\ntheme: light\r\n', { theme: 'dark' }, FILE)
    expect(text).toBe('units: binary\r\n# c\r\ntheme: dark\r\n')
  })

  it('begins a new file with a line that says what it is', () => {
    expect(changedSettingsText(null, { units: 'binary' }, FILE)).toBe(
      '# The settings of Stowage: "stowage config list" explains each.\n\nunits: binary\n',
    )
  })
})

describe('settings of an earlier version', () => {
  it('are taken over: what differs from the defaults, and what a newer version added', () => {
    const old = { units: 'binary', theme: 'system', mediumId: 'dvd-r', sha256: true, later: { a: [1] } }
    const text = settingsTextOfJson(JSON.stringify(old), DEFAULT_SETTINGS, FILE)
    expect(readSettingsText(text, FILE).values).toEqual({ units: 'binary', medium: 'dvd-r' })
    expect(text).toContain('later:\n  a:\n    - 1\n')
  })

  it('are none where the file holds something else', () => {
    expect(settingsTextOfJson('[1]', DEFAULT_SETTINGS, FILE)).toBe('')
  })
})

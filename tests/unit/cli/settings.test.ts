import { describe, expect, it } from 'vitest'
import { readArguments } from '../../../src/cli/arguments'
import { givenRules } from '../../../src/cli/commands/surveyRules'
import { SURVEY } from '../../../src/cli/declarations/survey'
import { CommandSettings, type ProjectSettings } from '../../../src/cli/settings'
import { NO_RULES } from '../../../src/domain/survey/rules/rules'
import { readSettingsText } from '../../../src/files/settingsText'

const SETTINGS = '/a/settings.yaml'
const PROJECT: ProjectSettings = {
  file: '/a/photos.stowage.yaml',
  medium: 'dvd-r',
  mediumPlace: '/a/photos.stowage.yaml:7:9',
}

function usedMedium(settings: string, project: ProjectSettings | null, option?: string) {
  const stored = { file: SETTINGS, ...readSettingsText(settings, SETTINGS) }
  const { value, origin, from } = new CommandSettings(stored, project).used('medium', {
    option: '--medium',
    text: option,
  })
  return [value, origin, from]
}

describe('the medium of a command', () => {
  it('is that of the option, else of the project, else of the settings, else the default', () => {
    const text = 'medium: cd-700\n'
    expect(usedMedium(text, PROJECT, 'disk')).toEqual(['disk', 'option', '--medium'])
    expect(usedMedium(text, PROJECT)).toEqual(['dvd-r', 'project', PROJECT.file])
    expect(usedMedium(text, { ...PROJECT, medium: undefined })).toEqual(['cd-700', 'settings', SETTINGS])
    expect(usedMedium(text, null)).toEqual(['cd-700', 'settings', SETTINGS])
    expect(usedMedium('', { ...PROJECT, medium: undefined })).toEqual(['bd-r-25', 'default', null])
  })

  it('that a project names and nobody knows is refused at its place, unless an option gives another', () => {
    const project = { ...PROJECT, medium: 'dvd' }
    expect(() => usedMedium('', project)).toThrow(/^\/a\/photos\.stowage\.yaml:7:9: no medium "dvd": /)
    expect(usedMedium('', project, 'disk')).toEqual(['disk', 'option', '--medium'])
  })
})

describe('the rules of a command', () => {
  const rulesFor = (args: readonly string[], own = NO_RULES) => {
    const { tokens, values } = readArguments(args, SURVEY)
    return givenRules(tokens, values, own)
  }
  const own = {
    ...NO_RULES,
    patterns: ['*.tmp'],
    presets: ['litter' as const],
    caches: true,
    largerThanBytes: 1000,
  }

  it('are added after those of the project', async () => {
    expect(await rulesFor([], own)).toEqual(own)
    const args = ['--include', 'keep.tmp', '--exclude-preset', 'trash', '--exclude-preset', 'litter']
    expect(await rulesFor([...args, '--exclude-larger-than', '5kB', '--no-ignore-files'], own)).toEqual({
      ...own,
      patterns: ['*.tmp', '!keep.tmp'],
      presets: ['litter', 'trash'],
      largerThanBytes: 5000,
      ignoreFiles: false,
    })
  })

  it('stay those of the command without a project', async () => {
    expect(await rulesFor([])).toEqual(NO_RULES)
  })
})

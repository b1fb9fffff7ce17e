import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { DISK_MEDIUM, type Option, type OptionsDocument } from '../../contract/dto/options'
import { folderLines } from '../../domain/options/recipes/byFolder'
import { nextCommand } from '../shape/nextCommand'

/** Tells if Stowage can make an option here: as a plan, or on a disk as one build. */
export function canBeMade({ plan, build, medium }: Option): boolean {
  return plan.form !== null || (build.possible && medium === DISK_MEDIUM)
}

/**
 * The command that makes an option, with a folder for it that does not exist yet. A survey that was
 * stopped early is finished first: nothing is planned from it.
 */
export function makeCommand(option: Option, { surveyId, source, preliminary }: OptionsDocument): string[] {
  if (preliminary) return nextCommand('First survey the source:', ['survey', ...source.roots])
  if (source.partial) return nextCommand('First finish the survey:', ['survey', ...source.roots])
  const { variant, medium, encryption, plan } = option
  const encrypt = encryption === 'none' ? [] : ['--encrypt', encryption.replace('aes-', '')]
  const name = basename(source.roots[0] ?? '')
  const survey = ['--survey', surveyId]
  if (plan.form !== null) {
    const out = ['--out', freeName(name === '' ? 'plan' : `${name}-plan`)]
    return nextCommand('Next:', [
      'plan',
      ...survey,
      ...optionWords(variant),
      '--medium',
      medium,
      ...encrypt,
      ...out,
    ])
  }
  const out = ['--out', freeName(name === '' ? 'archive' : `${name}-archive`)]
  return nextCommand('Next:', ['options', 'build', variant, ...survey, ...encrypt, ...out])
}

function optionWords(variant: string): string[] {
  const lines = folderLines(variant)
  return lines.length === 0 ? ['--option', variant] : lines.flatMap((line) => ['--option-for', line])
}

/** The name, with a number where something here has it. */
export function freeName(name: string): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}-${number}`
    if (!existsSync(free)) return free
  }
}

import { presetPatterns } from '../../../domain/survey/rules/presets'
import { NO_RULES, type Rules } from '../../../domain/survey/rules/rules'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay, pathFromBytes, pathToBytes } from '../../../primitives/pathText'
import { loadAddon, type RawRules } from '../../native/loadAddon'

/** The rules as the walk takes them. */
export function nativeRules(rules: Rules = NO_RULES): RawRules {
  return {
    given: rules.patterns.map(pathToBytes),
    presets: presetPatterns(rules.presets).map(({ pattern }) => pathToBytes(pattern)),
    ignoreFiles: rules.ignoreFiles,
    caches: rules.caches,
    mostBytes: rules.largerThanBytes,
    oneFileSystem: rules.oneFileSystem,
  }
}

/**
 * @throws AppError `bad-input` in one line: for a pattern that cannot be understood, with its
 *   column, and for one that takes nothing back because a folder above is left out as a whole
 */
export function requireUsableRules({ patterns }: Rules = NO_RULES): void {
  const { faults, vain } = loadAddon().checkRules(patterns.map(pathToBytes))
  const shown = (index: number): string => `"${pathForDisplay(patterns[index] ?? '')}"`
  const [fault] = faults
  if (fault) {
    const { index, column, cause } = fault
    throw new AppError('bad-input', `cannot use the rule ${shown(index)}, column ${column}: ${cause}`)
  }
  const [first] = vain
  if (!first) return
  const { rule, by, folder } = first
  const left = `${shown(by)} leaves out its folder ${pathForDisplay(pathFromBytes(folder))} as a whole`
  const instead = pathForDisplay(contentsOf(patterns[by] ?? ''))
  throw new AppError(
    'bad-input',
    `the rule ${shown(rule)} takes nothing back: ${left}; write "${instead}" instead`,
  )
}

/** The pattern that leaves out what is in the folders of another one, each by itself. */
function contentsOf(pattern: string): string {
  const folder = pattern.replace(/\/$/, '')
  return folder.includes('/') ? `${folder}/*` : `**/${folder}/*`
}

import { type PresetName, presetPatterns } from '../../../domain/survey/rules/presets'
import { NO_RULES, type Rules } from '../../../domain/survey/rules/rules'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay, pathFromBytes, pathToBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { loadAddon, type RawRules } from '../../native/loadAddon'

/**
 * The rules as the walk takes them.
 * @param tried presets that leave nothing out; the walk counts what each alone would
 */
export function nativeRules(rules: Rules = NO_RULES, tried: readonly PresetName[] = []): RawRules {
  const patternsOf = (names: readonly PresetName[]): Uint8Array[] =>
    presetPatterns(names).map(({ pattern }) => pathToBytes(pattern))
  return {
    given: rules.patterns.map(pathToBytes),
    presets: patternsOf(rules.presets),
    ignoreFiles: rules.ignoreFiles,
    caches: rules.caches,
    mostBytes: rules.largerThanBytes,
    oneFileSystem: rules.oneFileSystem,
    trials: tried.map((name) => patternsOf([name])),
  }
}

/** A pattern that cannot be used. */
export interface RuleFault {
  /** Its place among the patterns, from 0. */
  readonly index: number
  /** One line that names the pattern. */
  readonly message: string
}

/**
 * The patterns that cannot be understood, with the column; where there are none, those that take
 * nothing back because a folder above is left out as a whole.
 */
export function ruleFaults({ patterns }: Pick<Rules, 'patterns'>): RuleFault[] {
  const { faults, ineffective } = loadAddon().checkRules(patterns.map(pathToBytes))
  const shown = (index: number): string => `"${pathForDisplay(patterns[index] ?? '')}"`
  if (faults.length > 0) {
    return faults.map(({ index, column, cause }) => ({
      index,
      message: said`cannot use the rule ${shown(index)}, column ${column}: ${cause}`,
    }))
  }
  return ineffective.map(({ rule, by, folder }) => {
    const left = said`${shown(by)} leaves out its folder ${pathForDisplay(pathFromBytes(folder))} as a whole`
    const instead = pathForDisplay(contentsOf(patterns[by] ?? ''))
    return {
      index: rule,
      message: said`the rule ${shown(rule)} takes nothing back: ${left}; write "${instead}" instead`,
    }
  })
}

/** @throws AppError `bad-input` in one line with the first of `ruleFaults` */
export function requireUsableRules(rules: Rules = NO_RULES): void {
  const [fault] = ruleFaults(rules)
  if (fault) throw new AppError('bad-input', fault.message)
}

/** The pattern that leaves out what is in the folders of another one, each by itself. */
function contentsOf(pattern: string): string {
  const folder = pattern.replace(/\/$/, '')
  return folder.includes('/') ? `${folder}/*` : `**/${folder}/*`
}

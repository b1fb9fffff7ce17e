import { presetPatterns } from '../../domain/survey/rules/presets'
import type { Rules } from '../../domain/survey/rules/rules'
import { formatSize } from '../shape/sizes'

/**
 * All rules in one line.
 * @param withPatterns names what presets hold too, and ignore files that count
 */
export function rulesText(rules: Rules, { withPatterns }: { withPatterns: boolean }): string {
  const presets = rules.presets.map((preset) => {
    if (!withPatterns) return preset
    const patterns = presetPatterns([preset]).map(({ pattern }) => pattern)
    return `${preset} (${patterns.join(', ')})`
  })
  const parts = [
    ...(rules.patterns.length > 0 ? [rules.patterns.join(', ')] : []),
    ...presets,
    ...(rules.caches ? ['folders marked as caches'] : []),
    ...(rules.largerThanBytes === null ? [] : [`files larger than ${formatSize(rules.largerThanBytes)}`]),
    ...(rules.oneFileSystem ? ['folders on other file systems'] : []),
    ...(rules.ignoreFiles
      ? withPatterns
        ? ['what .stowageignore files name']
        : []
      : ['nothing by .stowageignore files']),
  ]
  return parts.join('; ')
}

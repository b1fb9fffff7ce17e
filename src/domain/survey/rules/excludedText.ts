import { formatCounted, formatSize } from '../../../primitives/quantity'
import type { Excluded } from './rules'

/** `1,204 files, 3.1 GB by 3 rules`, or with folders whose content was not counted. */
export function excludedText({
  files,
  bytes,
  folders,
  counted,
  rules,
}: Pick<Excluded, 'files' | 'bytes' | 'folders' | 'counted' | 'rules'>): string {
  const by = ` by ${formatCounted(rules.length, 'rule')}`
  const alone = `${formatCounted(files, 'file')}, ${formatSize(bytes)}`
  if (folders === 0) return `${alone}${by}`
  const whole = formatCounted(folders, 'folder')
  if (counted) return `${alone}${by}, ${whole} among them`
  const content = `with all that is in ${folders === 1 ? 'it' : 'them'}, not counted`
  return `${files === 0 ? '' : `${alone}, and `}${whole} ${content}${by}`
}

import type { Excluded, RuleCount, WalkDocument } from '../../contract/dto/survey'
import { ruleText } from '../../domain/survey/rules/rules'
import { excludedText } from '../../engine/sets/export/excludedText'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { formatSize } from '../shape/sizes'
import { textTable } from '../shape/textTable'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'

/** Rules that a summary names. */
const SHOWN_RULES = 8

/**
 * Notes rules without effect and ignore files that were not used. Default rules are for any source:
 * they need no effect on this one.
 */
export function noteRuleProblems(
  { excluded }: { readonly excluded?: Excluded | null | undefined },
  areDefault: boolean,
  out: Terminal,
): void {
  for (const pattern of areDefault ? [] : (excluded?.unused ?? []))
    out.note(`the rule "${pathForDisplay(pattern)}" left nothing out`)
  for (const { message } of excluded?.faults ?? []) out.note(pathForDisplay(message))
}

/** The rules that left something out, and the paths, in full. */
export function excludedTable(excluded: Excluded | null | undefined): string[] {
  if (!excluded || excluded.files + excluded.folders === 0) return ['No rule left anything out.']
  return [...ruleTable(excluded.rules), '', ...pathTable(excluded)]
}

/** The listing of a walk: what a survey would read, and what rules leave out of it. */
export function printWalk(
  document: WalkDocument,
  { everyPath, defaultRules }: { everyPath: boolean; defaultRules: string | null },
  out: Terminal,
): void {
  const { totals, excluded } = document
  if (everyPath) out.lines(excluded ? pathTable(excluded) : ['No rule leaves anything out.'])
  else {
    const kept = `${formatCounted(totals.files, 'file')}, ${formatSize(totals.bytes)} in ${formatCounted(totals.folders, 'folder')}`
    out.lines(wrapped(`A survey would read ${kept}.`))
    if (excluded && excluded.rules.length > 0) {
      out.lines(wrapped(`Left out: ${excludedText(excluded)}.`))
      out.line()
      const most = excluded.rules.toSorted((one, other) => bytesOf(other) - bytesOf(one))
      out.lines(ruleTable(most.slice(0, SHOWN_RULES)), '  ')
      const more = most.length - SHOWN_RULES
      if (more > 0) out.line(`  and ${formatCounted(more, 'more rule')} (--list-excluded)`)
    } else out.line('No rule leaves anything out.')
  }
  if (defaultRules !== null) out.lines(wrapped(defaultRules))
  noteRuleProblems(document, defaultRules !== null, out)
  if (totals.skipped > 0) out.note(`${formatCounted(totals.skipped, 'path')} could not be listed:`)
  for (const { message } of document.skipped.slice(0, 2)) out.note(`  ${pathForDisplay(message)}`)
}

function ruleTable(rules: readonly RuleCount[]): string[] {
  return textTable(
    ['rule', 'files', 'folders', 'size'],
    rules.map((rule) => [
      pathForDisplay(ruleText(rule)),
      formatCount(rule.files + (rule.folderFiles ?? 0)),
      formatCount(rule.folders),
      rule.folders > 0 && rule.folderBytes === undefined ? 'not counted' : formatSize(bytesOf(rule)),
    ]),
    [1, 2, 3],
  )
}

function bytesOf({ bytes, folderBytes = 0 }: RuleCount): number {
  return bytes + folderBytes
}

function pathTable({ paths, rules }: Excluded): string[] {
  return textTable(
    ['size', 'files', 'path', 'rule'],
    paths.map(({ path, isFolder, files, bytes, rule }) => {
      const by = rules[rule]
      return [
        bytes === undefined ? '' : formatSize(bytes),
        isFolder ? (files === undefined ? '' : formatCount(files)) : '1',
        `${pathForDisplay(path)}${isFolder ? '/' : ''}`,
        by ? pathForDisplay(ruleText(by)) : '',
      ]
    }),
    [0, 1],
  )
}

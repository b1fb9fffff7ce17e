import type { Excluded, RuleCount, WalkDocument } from '../../contract/dto/survey'
import type { TableColumn } from '../../contract/tables/declaredTable'
import { ruleText } from '../../domain/survey/rules/rules'
import { excludedText } from '../../engine/sets/export/excludedText'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCounted } from '../../primitives/quantity'
import { formatSize } from '../shape/sizes'
import { ownTableLines } from '../shape/tableLines'
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
  return ownTableLines(RULE_COLUMNS, rules)
}

const RULE_COLUMNS: readonly TableColumn<RuleCount, string>[] = [
  { heading: 'rule', kind: 'name', of: ruleText },
  { heading: 'files', kind: 'count', of: ({ files, folderFiles }) => files + (folderFiles ?? 0) },
  { heading: 'folders', kind: 'count', of: ({ folders }) => folders },
  {
    heading: 'size',
    kind: 'bytes',
    of: bytesOf,
    text: ({ folders, folderBytes }) => (folders > 0 && folderBytes === undefined ? 'not counted' : null),
  },
]

function bytesOf({ bytes, folderBytes = 0 }: RuleCount): number {
  return bytes + folderBytes
}

function pathTable({ paths, rules }: Excluded): string[] {
  const columns: readonly TableColumn<Excluded['paths'][number], string>[] = [
    { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes ?? null },
    { heading: 'files', kind: 'count', of: ({ isFolder, files }) => (isFolder ? (files ?? null) : 1) },
    { heading: 'path', kind: 'path', of: ({ path, isFolder }) => `${path}${isFolder ? '/' : ''}` },
    {
      heading: 'rule',
      kind: 'name',
      of: ({ rule }) => {
        const by = rules[rule]
        return by ? ruleText(by) : ''
      },
    },
  ]
  return ownTableLines(columns, paths)
}

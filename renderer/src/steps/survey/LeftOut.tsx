import type { Excluded } from '../../../../src/contract/dto/survey'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { type Column, DataTable } from '../../components/DataTable'
import { columnsOf, type WindowTable } from '../../components/declaredColumns'
import { Folded } from '../../components/Folded'
import { t } from '../../copy'
import { type RuleGroup, ruleGroups } from '../../state/source/ruleWords'

/** One line on the files that rules left out of a survey, with a table by rule behind it. */
export function LeftOut({ excluded, units }: { excluded: Excluded; units: Units }) {
  const groups = ruleGroups(excluded)
  return (
    <Folded className="left-out" summary={sayExcluded(excluded, units)}>
      <DataTable
        label={t('excluded.title')}
        columns={columnsFor(units)}
        rows={groups}
        rowKey={({ key }) => key}
        empty={t('kept.nothing')}
      />
    </Folded>
  )
}

/** The content of folders that were left out counts where the pass has counted it. */
function sayExcluded({ files, bytes, folders, counted, rules, faults }: Excluded, units: Units): string {
  const some = t('excluded.files', { count: files, size: formatSize(bytes, units) })
  const whole = t('excluded.folders', { count: folders })
  const what =
    counted || folders === 0 ? some : files === 0 ? whole : t('excluded.and', { one: whole, other: some })
  const by = t('kept.by', { count: ruleGroups({ rules, counted }).length })
  const line = rules.length === 0 ? t('kept.nothing') : t('excluded.line', { rules: by, what })
  return faults.length === 0 ? line : `${line} ${t('excluded.faults', { count: faults.length })}`
}

const RULES = {
  rule: { heading: 'rule', kind: 'name', of: ({ text }) => text },
  kind: { heading: 'ruleKind', kind: 'code', of: ({ from }) => from },
  folders: { heading: 'folders', kind: 'count', of: ({ folders }) => folders },
  files: { heading: 'files', kind: 'count', of: (group) => knownOf(group, group.files) },
  bytes: { heading: 'size', kind: 'bytes', of: (group) => knownOf(group, group.bytes) },
} satisfies WindowTable<RuleGroup>

/** Null where the content of folders was not counted. */
function knownOf({ isCounted }: RuleGroup, value: number): number | null {
  return isCounted || value > 0 ? value : null
}

function columnsFor(units: Units): Column<RuleGroup>[] {
  const absent = <span className="muted">{t('excluded.notCounted')}</span>
  return columnsOf<RuleGroup, keyof typeof RULES>(RULES, units, {
    rule: {
      track: 'minmax(180px, 2fr)',
      cell: ({ text }) => (
        <span className="given-name ellipsis selectable" title={text}>
          {text}
        </span>
      ),
    },
    kind: {
      track: 'minmax(96px, 1fr)',
      say: ({ from }) => t(`rules.from.${from}`),
      sortBy: ({ from }) => t(`rules.from.${from}`),
    },
    folders: '80px',
    files: { track: '96px', absent },
    bytes: { track: '96px', absent },
  })
}

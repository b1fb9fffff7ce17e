import type { Excluded } from '../../../../src/contract/dto/survey'
import { formatCount, formatSize, type Units } from '../../../../src/primitives/quantity'
import { countColumn, figureColumn, wordColumn } from '../../components/columns'
import { type Column, DataTable } from '../../components/DataTable'
import { Size } from '../../components/Figure'
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
        columns={columnsOf(units)}
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

function columnsOf(units: Units): Column<RuleGroup>[] {
  const notCounted = <span className="muted">{t('excluded.notCounted')}</span>
  const ofCounted = (value: 'files' | 'bytes') => (group: RuleGroup) =>
    group.isCounted || group[value] > 0 ? group[value] : null
  return [
    wordColumn(
      'rule',
      t('excluded.rule'),
      'minmax(180px, 2fr)',
      ({ text }) => text,
      ({ text }) => (
        <span className="given-name ellipsis selectable" title={text}>
          {text}
        </span>
      ),
    ),
    wordColumn('kind', t('excluded.from'), 'minmax(96px, 1fr)', ({ from }) => t(`rules.from.${from}`)),
    countColumn('folders', t('column.folders'), '80px', ({ folders }) => folders),
    figureColumn('files', t('column.files'), '96px', ofCounted('files'), formatCount, notCounted),
    figureColumn(
      'bytes',
      t('column.size'),
      '96px',
      ofCounted('bytes'),
      (value) => <Size bytes={value} units={units} />,
      notCounted,
    ),
  ]
}

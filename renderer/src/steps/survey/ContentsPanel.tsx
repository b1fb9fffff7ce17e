import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { isNotWorthCompressing, type SurveyDocument } from '../../../../src/contract/dto/survey'
import { formatShare, formatSize, type Units } from '../../../../src/primitives/quantity'
import { TypeTreemap } from '../../charts/TypeTreemap'
import { csvOf } from '../../components/DataTable'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import { extensionName } from '../../format/extensionName'
import { useStateOf } from '../../state/sessionContext'
import { ContentsSwitch } from './ContentsSwitch'
import { type ContentsParts, useFoldersView } from './foldersView'
import { amountWithin, type Linked, linkOf, pick, tileSelection, typesWithin } from './linked'
import { nameOfLinked } from './linkedWords'
import { SurveySession } from './surveySession'
import type { SurveyFigures } from './surveyState'
import { TypeTable, typeColumns } from './TypeTable'

/** With the switch above it. */
const MAP_PX = 296
/** Types that are named where compressing does not help. */
const NAMED = 3

export interface ContentsProps {
  readonly figures: SurveyFigures | null
  readonly units: Units
  /** The selection in the map, the table of types and the sizes of files. */
  readonly linked: Linked
  readonly onLink: (linked: Linked) => void
}

/** The contents by types, or by folders and years, as a person chooses. */
export function ContentsPanel({
  document,
  isOther,
  ...of
}: ContentsProps & {
  /** Null while the survey runs. */
  readonly document: SurveyDocument | null
  /** The sources at hand are not those of the figures. */
  readonly isOther: boolean
}) {
  const { units } = of
  const chosen = useStateOf(SurveySession, ({ contents }) => contents)
  const folders = useFoldersView({ isShown: chosen === 'folders', document, isOther, units })
  const { says, chart, table, csv } = chosen === 'folders' ? folders : typesView(of)
  const withSwitch = (shown: ReactNode) => (
    <>
      <ContentsSwitch />
      {shown}
    </>
  )
  return (
    <Panel
      title={t('contents.title')}
      says={says}
      chart={withSwitch(chart)}
      table={withSwitch(table)}
      csv={csv}
    />
  )
}

/** The types of the files as areas, and those that compressing does not help. */
function typesView({ figures, units, linked, onLink }: ContentsProps): ContentsParts {
  const rows = figures?.types ?? []
  const total = rows.reduce((sum, row) => sum + row.bytes, 0)
  const take = (next: Linked) => onLink(next === null ? null : pick(linked, next))
  const columns = typeColumns(rows, total, units)
  const shown = typesWithin(rows, linked)
  return {
    says:
      rows.length === 0 ? (
        t('types.says.none')
      ) : linked === null ? (
        `${t('contents.says')} ${sayNoGain(rows, total)}`
      ) : (
        <Picked figures={figures} linked={linked} units={units} onClear={() => onLink(null)} />
      ),
    chart:
      total === 0 ? (
        <div className="chart-absent" style={{ height: MAP_PX + 28 }} />
      ) : (
        <TypeTreemap
          rows={rows}
          units={units}
          height={MAP_PX}
          selection={tileSelection(linked)}
          onPick={(tile) => take(tile && linkOf(tile))}
        />
      ),
    table: <TypeTable rows={shown} total={total} units={units} linked={linked} onPick={take} />,
    csv: rows.length === 0 ? undefined : () => ({ name: 'file-types', ...csvOf(columns, rows) }),
  }
}

/** The share of the bytes that no codec makes smaller, with its largest types; empty for none. */
function sayNoGain(rows: SurveyFigures['types'], total: number): string {
  const kept = rows.filter(isNotWorthCompressing)
  const bytes = kept.reduce((sum, row) => sum + row.bytes, 0)
  if (bytes === 0) return ''
  return t('contents.noGain', {
    share: formatShare(bytes / total),
    types: kept
      .slice(0, NAMED)
      .map(({ extension }) => extensionName(extension))
      .join(', '),
    more: kept.length > NAMED ? 'yes' : 'no',
  })
}

/** The selection, its size, and the way back. */
function Picked({
  figures,
  linked,
  units,
  onClear,
}: {
  figures: SurveyFigures | null
  linked: Exclude<Linked, null>
  units: Units
  onClear: () => void
}) {
  const amount = amountWithin(figures?.types ?? [], linked)
  const total = figures?.totals.bytes ?? 0
  return (
    <span className="picked" role="status">
      <strong>{nameOfLinked(linked, figures)}</strong>
      <span>
        {t('contents.picked', {
          count: amount.files,
          size: formatSize(amount.bytes, units),
          share: formatShare(total === 0 ? 0 : amount.bytes / total),
        })}
      </span>
      <Button className="link" onPress={onClear}>
        {t('contents.clear')}
      </Button>
    </span>
  )
}

import { ToggleButton } from 'react-aria-components'
import { FILE_CLASSES } from '../../../../src/contract/dto/survey'
import { formatCount, formatShare } from '../../../../src/primitives/quantity'
import { classColour } from '../../charts/classColour'
import { csvOf } from '../../components/DataTable'
import { deferred } from '../../components/deferred'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import type { ContentsProps } from './ContentsPanel'
import { amountWithin, type Linked, pick, typesWithin } from './linked'
import { nameOfLinked } from './linkedWords'
import { SizePanel } from './SizePanel'
import type { SurveyFigures } from './surveyState'
import { TypeTable, typeColumns } from './TypeTable'

const Sizes = deferred(SizePanel)

/** The table of types and the sizes of files, with the selection of the map. */
export function TypesPanels({ figures, units, linked, onLink }: ContentsProps) {
  const rows = figures?.types ?? []
  const total = rows.reduce((sum, row) => sum + row.bytes, 0)
  const take = (next: Linked) => onLink(next === null ? null : pick(linked, next))
  const columns = typeColumns(rows, total, units)
  const shown = typesWithin(rows, linked)
  return (
    <div className="split types">
      <Panel
        title={t('types.title')}
        says={
          rows.length === 0
            ? t('types.says.none')
            : shown.length === rows.length
              ? t('types.says', { count: rows.length })
              : t('types.says.some', { count: shown.length, all: formatCount(rows.length) })
        }
        csv={shown.length === 0 ? undefined : () => ({ name: 'file-types', ...csvOf(columns, shown) })}
      >
        <ClassLegend figures={figures} total={total} linked={linked} onPick={take} />
        <TypeTable rows={shown} total={total} units={units} linked={linked} onPick={take} />
      </Panel>
      <Sizes
        figures={figures}
        units={units}
        linked={linked}
        name={linked === null ? null : nameOfLinked(linked, figures)}
        onPick={take}
      />
    </div>
  )
}

/** The classes with their colours and shares; a press picks one. */
function ClassLegend({
  figures,
  total,
  linked,
  onPick,
}: {
  figures: SurveyFigures | null
  total: number
  linked: Linked
  onPick: (linked: Linked) => void
}) {
  const classes = FILE_CLASSES.map((fileClass) => ({
    fileClass,
    bytes: amountWithin(figures?.types ?? [], { by: 'class', fileClass }).bytes,
  }))
    .filter(({ bytes }) => bytes > 0)
    .sort((one, other) => other.bytes - one.bytes)
  return (
    <ul className="class-legend">
      {classes.map(({ fileClass, bytes }) => (
        <li key={fileClass}>
          <ToggleButton
            className="class-toggle"
            isSelected={linked?.by === 'class' && linked.fileClass === fileClass}
            onChange={() => onPick({ by: 'class', fileClass })}
          >
            <span className="swatch" style={{ background: classColour(fileClass) }} aria-hidden="true" />
            {t(`class.${fileClass}`)}{' '}
            <span className="muted">{formatShare(total === 0 ? 0 : bytes / total)}</span>
          </ToggleButton>
        </li>
      ))}
    </ul>
  )
}

import { useState } from 'react'
import { Button, ToggleButton } from 'react-aria-components'
import { FILE_CLASSES } from '../../../../src/contract/dto/survey'
import { formatCount, formatShare, formatSize, type Units } from '../../../../src/primitives/quantity'
import { classColour } from '../../charts/classColour'
import { binName } from '../../charts/SizeChart'
import { TypeTreemap } from '../../charts/TypeTreemap'
import { csvOf } from '../../components/DataTable'
import { deferred } from '../../components/deferred'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import { extensionName } from '../../format/extensionName'
import { amountWithin, type Linked, linkOf, pick, tileSelection, typesWithin } from './linked'
import { SizePanel } from './SizePanel'
import type { SurveyFigures } from './surveyState'
import { TypeTable, typeColumns } from './TypeTable'

const MAP_PX = 330

const Sizes = deferred(SizePanel)

/** The contents: treemap, table of types and sizes of files, one selection through all three. */
export function ContentsPanels({ figures, units }: { figures: SurveyFigures | null; units: Units }) {
  const [linked, setLinked] = useState<Linked>(null)
  const rows = figures?.types ?? []
  const total = rows.reduce((sum, row) => sum + row.bytes, 0)
  const take = (next: Linked) => setLinked(next === null ? null : pick(linked, next))
  const columns = typeColumns(rows, total, units)
  const shown = typesWithin(rows, linked)
  const table = <TypeTable rows={shown} total={total} units={units} linked={linked} onPick={take} />
  const name = linked === null ? null : nameOf(linked, figures)
  return (
    <>
      <div className="split contents">
        <Panel
          title={t('contents.title')}
          says={
            linked === null || name === null ? (
              rows.length === 0 ? (
                t('types.says.none')
              ) : (
                t('contents.says')
              )
            ) : (
              <Picked
                name={name}
                figures={figures}
                linked={linked}
                units={units}
                onClear={() => setLinked(null)}
              />
            )
          }
          chart={
            <>
              {total === 0 ? (
                <div className="chart-absent" style={{ height: MAP_PX + 28 }} />
              ) : (
                <TypeTreemap
                  rows={rows}
                  units={units}
                  height={MAP_PX}
                  selection={tileSelection(linked)}
                  onPick={(tile) => take(tile && linkOf(tile))}
                />
              )}
              <ClassLegend figures={figures} total={total} linked={linked} onPick={take} />
            </>
          }
          table={table}
          csv={rows.length === 0 ? undefined : () => ({ name: 'file-types', ...csvOf(columns, rows) })}
        />
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
          {table}
        </Panel>
      </div>
      <Sizes figures={figures} units={units} linked={linked} name={name} onPick={take} />
    </>
  )
}

/** The selection, its size, and the way back. */
function Picked({
  name,
  figures,
  linked,
  units,
  onClear,
}: {
  name: string
  figures: SurveyFigures | null
  linked: Linked
  units: Units
  onClear: () => void
}) {
  const amount = amountWithin(figures?.types ?? [], linked)
  const total = figures?.totals.bytes ?? 0
  return (
    <span className="picked" role="status">
      <strong>{name}</strong>
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

function nameOf(linked: Exclude<Linked, null>, figures: SurveyFigures | null): string {
  switch (linked.by) {
    case 'class':
      return t(`class.${linked.fileClass}`)
    case 'type':
      return extensionName(linked.extension)
    case 'size':
      return binName(figures?.sizeHistogram[linked.bin])
  }
}

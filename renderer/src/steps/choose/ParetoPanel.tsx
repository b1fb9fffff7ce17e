import { useState } from 'react'
import type { Option, OptionsDocument } from '../../../../src/contract/dto/options'
import { formatSize } from '../../../../src/primitives/quantity'
import { ParetoChart } from '../../charts/ParetoChart'
import { BOARD_FIGURES, type BoardFigure, SHAPES, shapeOf } from '../../charts/paretoPicture'
import { MenuButton } from '../../components/MenuButton'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { useSession, useUnits } from '../../state/sessionContext'
import { FamilyMark } from './candidates/FamilyMark'
import { OPTION_ROW_PX, optionColumns } from './optionColumns'
import { OptionsSession } from './optionsSession'
import { FIGURE_KINDS, pointWords, shortName } from './optionWords'

const CHART_PX = 340
const LONGEST_NAME = 34

/** The board: every option as a dot, size against what it costs. */
export function ParetoPanel({
  document,
  marked,
}: {
  document: OptionsDocument | null
  /** The chosen option first, then those compared with it. */
  marked: readonly Option[]
}) {
  const units = useUnits()
  const session = useSession(OptionsSession)
  const [figure, setFigure] = useState<BoardFigure>('restoreSeconds')
  const options = document?.options ?? []
  const mostRam = Math.max(0, ...options.map(({ estimate }) => estimate.ramBytes.value))
  const shapes = SHAPES.filter((shape) => options.some(({ family }) => shapeOf(family) === shape))
  return (
    <TablePanel
      className="board"
      title={t('board.title')}
      says={
        options.length === 0
          ? t('board.says.none')
          : t('board.says', { most: formatSize(Math.round(mostRam), units) })
      }
      chart={
        document === null || options.length === 0 ? null : (
          <ParetoChart
            document={document}
            figure={figure}
            kind={FIGURE_KINDS[figure]}
            marked={marked}
            words={(option) => pointWords(option, figure, units)}
            name={(option) => shortName(option.name, LONGEST_NAME)}
            units={units}
            height={CHART_PX}
            onPick={(option) => session.pick(option.id)}
          />
        )
      }
      keptPx={CHART_PX}
      columns={document === null ? [] : optionColumns(document, marked[0] ?? null, units)}
      rows={options}
      rowKey={(option) => option.id}
      rowPx={OPTION_ROW_PX}
      visibleRows={6}
      empty={t('options.none')}
      isSelected={(option) => marked.includes(option)}
      onPick={(option) => session.pick(option.id)}
    >
      <div className="board-foot line">
        <MenuButton
          name={t('menu.named', { label: t('board.figure'), name: t(`board.figure.${figure}`) })}
          placement="bottom start"
          all={BOARD_FIGURES}
          chosen={figure}
          words={(each) => t(`board.figure.${each}`)}
          onPick={setFigure}
        />
        <ul className="board-shapes line muted">
          <li>
            <span className="board-line" aria-hidden="true" /> {t('board.line')}
          </li>
          {shapes.map((shape) => (
            <li key={shape}>
              <FamilyMark shape={shape} /> {t(`board.shape.${shape}`)}
            </li>
          ))}
        </ul>
      </div>
    </TablePanel>
  )
}

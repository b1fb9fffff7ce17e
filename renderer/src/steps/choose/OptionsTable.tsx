import { useMemo, useState } from 'react'
import type { Option, OptionsDocument } from '../../../../src/contract/dto/options'
import { formatCount } from '../../../../src/primitives/quantity'
import { csvOf } from '../../components/DataTable'
import { MenuButton } from '../../components/MenuButton'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { useSession, useUnits } from '../../state/sessionContext'
import { OPTION_ROW_PX, optionColumns, optionsCsv } from './optionColumns'
import { OptionsSession } from './optionsSession'

const FILTERS = ['all', 'front', 'keeps'] as const
type Filter = (typeof FILTERS)[number]
/** The height stays with fewer rows, so that what was clicked does not move away. */
const KEPT_PX = 540

/** Every option with its figures, and what speaks against it. */
export function OptionsTable({
  document,
  marked,
  chosen,
}: {
  document: OptionsDocument
  marked: readonly Option[]
  chosen: Option | null
}) {
  const units = useUnits()
  const session = useSession(OptionsSession)
  const [filter, setFilter] = useState<Filter>('all')
  const columns = useMemo(() => optionColumns(document, chosen, units), [document, chosen, units])
  const shown = useMemo(() => document.options.filter((option) => passes(option, filter)), [document, filter])
  return (
    <TablePanel
      title={t('options.title')}
      says={t('options.says', { shown: shown.length, count: formatCount(document.options.length) })}
      csv={() => ({ name: 'options', ...csvOf(optionsCsv(document), shown) })}
      above={
        <div className="options-filter">
          <MenuButton
            name={t('menu.named', { label: t('options.filter'), name: t(`options.filter.${filter}`) })}
            placement="bottom start"
            all={FILTERS}
            chosen={filter}
            words={(each) => t(`options.filter.${each}`)}
            onPick={setFilter}
          />
        </div>
      }
      keptPx={KEPT_PX}
      columns={columns}
      rows={shown}
      rowKey={(option) => option.id}
      rowPx={OPTION_ROW_PX}
      visibleRows={10}
      isFar
      empty={t('options.none')}
      isSelected={(option) => marked.includes(option)}
      onPick={(option) => session.pick(option.id)}
    />
  )
}

function passes(option: Option, filter: Filter): boolean {
  if (filter === 'all') return true
  return option.breaks.length === 0 && (filter === 'keeps' || option.pareto)
}

import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { ProtectionComparison, ProtectionRow } from '../../../../src/contract/dto/plan'
import { PROTECTION_TABLE } from '../../../../src/contract/tables/planTables'
import type { Estimate } from '../../../../src/primitives/estimate'
import { spokenNumber } from '../../../../src/primitives/figureLanguage'
import { formatCount, type Units } from '../../../../src/primitives/quantity'
import { formatForecast, formatSpan } from '../../../../src/primitives/spokenTime'
import { type Column, DataTable } from '../../components/DataTable'
import { columnsOf } from '../../components/declaredColumns'
import { spoken, t } from '../../copy'
import { sentence } from '../../format/sentence'
import { useIsRunning, useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { SurveySession } from '../survey/surveySession'
import { PlanSession } from './planSession'
import { canProtect, protectionAsked } from './recovery'

/** On demand: what each level of protection survives, and at what cost, before a plan is made. */
export function ProtectionTable() {
  const session = useSession(PlanSession)
  const units = useUnits()
  const isBusy = useIsRunning('plan')
  const surveyId = useStateOf(SurveySession, ({ document }) => document?.id ?? null)
  const plan = useStateOf(PlanSession)
  const [found, setFound] = useState<{
    readonly of: string
    readonly levels: ProtectionComparison | null
  } | null>(null)
  const { mediumId, packing, placement } = plan
  if (surveyId === null || packing !== null || !canProtect(plan)) return null
  const asked = JSON.stringify([surveyId, mediumId, placement, protectionAsked(plan) ?? null])
  const levels = found?.of === asked ? found.levels : null
  const isComparing = found?.of === asked && levels === null
  const compare = async () => {
    setFound({ of: asked, levels: null })
    const answer = await session.compareProtection()
    setFound((now) => (now?.of !== asked ? now : answer === null ? null : { of: asked, levels: answer }))
  }
  return (
    <section className="protection-levels" aria-label={t('levels.title')}>
      <div className="line">
        <Button
          className="plain"
          isDisabled={isBusy || isComparing || plan.wrong.includes('share')}
          onPress={() => void compare()}
        >
          {t('levels.compare')}
        </Button>
        <span className="muted" role="status">
          {isComparing ? t('levels.comparing') : levels ? t('levels.compared') : ''}
        </span>
      </div>
      {levels && (
        <>
          <DataTable
            label={t('levels.title')}
            columns={columnsFor(units)}
            rows={levels.rows}
            rowKey={nameOf}
            empty=""
          />
          <p className="field-note">{t('levels.note')}</p>
          {levels.refused.map((level) => (
            <p key={nameOf(level)} className="field-note">
              {t('levels.refused', { level: nameOf(level), reason: sentence(spoken(level.message)) })}
            </p>
          ))}
        </>
      )}
    </section>
  )
}

function nameOf({
  protection,
  parityDiscs,
  copies,
}: Pick<ProtectionRow, 'protection' | 'parityDiscs' | 'copies'>): string {
  const level =
    typeof protection === 'number'
      ? t('levels.share', { share: spokenNumber(String(protection)) })
      : t(`levels.${protection}`)
  if (copies > 1) return t('levels.copy', { level })
  return parityDiscs === 0 ? level : t('levels.parity', { level, count: parityDiscs })
}

function columnsFor(units: Units): Column<ProtectionRow>[] {
  const figures = 'minmax(64px, 1fr)'
  const times = 'minmax(100px, 1fr)'
  return columnsOf(PROTECTION_TABLE, units, {
    level: { track: 'minmax(160px, 2fr)', say: nameOf },
    sectors: { track: figures, cell: ({ survives }) => formatCount(survives.sectors) },
    scratch_bytes: figures,
    lost_discs: figures,
    bytes: figures,
    discs: figures,
    cpu_seconds: { track: times, cell: ({ cpuSeconds }) => <More time={cpuSeconds} /> },
    write_seconds: { track: times, cell: ({ writeSeconds }) => <More time={writeSeconds} /> },
  })
}

function More({ time }: { time: Estimate }) {
  if (time.high <= 0) return '–'
  return <span title={`${formatSpan(time)}: ${time.basis}`}>{formatForecast(time.value)}</span>
}

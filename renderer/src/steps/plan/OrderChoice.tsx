import { useState } from 'react'
import { Button } from 'react-aria-components'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import { FILL_BY, type FillBy, mostSpread, type PlanComparison } from '../../../../src/contract/dto/plan'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { Check, Choice } from '../../components/fields'
import { RadioGroup } from '../../components/Radio'
import { spoken, t } from '../../copy'
import { sentence } from '../../format/sentence'
import { useIsRunning, useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { SurveySession } from '../survey/surveySession'
import { chosenMedium } from './ownSize'
import { labelledBy, ordered } from './placement'
import { PlanSession } from './planSession'
import { protectionAsked } from './recovery'

/** The order that the plan chooses itself. */
const USUAL = 'usual'

/**
 * The orders of filling discs, to choose from before the plan is made, on demand with the discs
 * that each takes; and how discs are labelled.
 */
export function OrderChoice() {
  const session = useSession(PlanSession)
  const units = useUnits()
  const isBusy = useIsRunning('plan')
  const surveyId = useStateOf(SurveySession, ({ document }) => document?.id ?? null)
  const plan = useStateOf(PlanSession)
  const { media, mediumId, packing, placement } = plan
  const [found, setFound] = useState<{ readonly of: string; readonly figures: PlanComparison | null } | null>(
    null,
  )
  if (surveyId === null || packing !== null || mediumId === DISK_MEDIUM) return null
  if (chosenMedium(media, mediumId) === null) return null
  const { pins, keep, reserveBytes } = placement
  const asked = JSON.stringify([surveyId, mediumId, pins, keep, reserveBytes, protectionAsked(plan) ?? null])
  const figures = found?.of === asked ? found.figures : null
  const isComparing = found?.of === asked && figures === null
  const compare = async () => {
    setFound({ of: asked, figures: null })
    const answer = await session.compare()
    setFound((now) => (now?.of !== asked ? now : answer === null ? null : { of: asked, figures: answer }))
  }
  return (
    <section className="orders" aria-label={t('order.title')}>
      <h2>{t('order.title')}</h2>
      <RadioGroup
        className="choices"
        label={t('order.title')}
        value={placement.order ?? USUAL}
        isDisabled={isBusy}
        onChange={(key) => {
          const order = FILL_BY.find((each) => each === key) ?? null
          void session.place(ordered(placement, order))
        }}
      >
        <Choice id={USUAL} note={t('desk.order.usual.note')}>
          {t('desk.order.usual')}
        </Choice>
        {FILL_BY.map((order) => (
          <Choice
            key={order}
            id={order}
            isDisabled={figures?.refused.some((one) => one.order === order) ?? false}
            note={noteOn(order, figures, units)}
          >
            {t(`desk.order.${order}`)}
          </Choice>
        ))}
      </RadioGroup>
      <Check
        words={t('order.years')}
        note={t('order.years.note')}
        isOn={placement.labelBy === 'date'}
        isDisabled={isBusy}
        onChange={(isOn) => void session.place(labelledBy(placement, isOn ? 'date' : 'number'))}
      />
      <div className="line">
        <Button
          className="plain"
          isDisabled={isBusy || isComparing || plan.wrong.includes('share')}
          onPress={() => void compare()}
        >
          {t('order.compare')}
        </Button>
        <span className="muted" role="status">
          {isComparing ? t('order.comparing') : figures ? t('order.compared') : ''}
        </span>
      </div>
    </section>
  )
}

function noteOn(order: FillBy, figures: PlanComparison | null, units: Units): string {
  const refusal = figures?.refused.find((one) => one.order === order)
  if (refusal) return sentence(spoken(refusal.message))
  const one = figures?.alternatives.find((each) => each.order === order)
  if (!one) return t(`desk.order.${order}.note`)
  const spread = mostSpread(one)
  return [
    t('order.discs', { count: one.volumes }),
    t('order.broken', { count: one.brokenFolders }),
    t('order.free', { size: formatSize(one.freeBytes, units) }),
    ...(spread === null ? [] : [t('order.year', { year: String(spread.year), count: spread.volumes })]),
  ].join(' · ')
}

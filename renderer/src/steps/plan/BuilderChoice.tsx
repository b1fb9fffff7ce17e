import { useEffect } from 'react'
import { Radio, RadioGroup } from 'react-aria-components'
import { IMAGE_BUILDERS, USUAL_BUILDER } from '../../../../src/contract/dto/plan'
import { spoken, t } from '../../copy'
import { useSession, useStateOf } from '../../state/sessionContext'
import { PlanSession } from './planSession'

/** The choice of who makes the disc images; xorriso only where it is installed. */
export function BuilderChoice() {
  const session = useSession(PlanSession)
  const { builder, builders } = useStateOf(PlanSession)
  useEffect(() => {
    void session.loadBuilders()
  }, [session])
  return (
    <section className="builder" aria-label={t('builder.title')}>
      <h2>{t('builder.title')}</h2>
      <RadioGroup
        className="choices"
        aria-label={t('builder.title')}
        value={builder ?? USUAL_BUILDER}
        onChange={(key) => {
          const chosen = IMAGE_BUILDERS.find((each) => each === key)
          if (chosen) session.store.dispatch({ type: 'builder', builder: chosen })
        }}
      >
        {IMAGE_BUILDERS.map((each) => {
          const missing = builders?.find((state) => state.builder === each)?.missing ?? null
          return (
            <Radio key={each} value={each} className="choice" isDisabled={missing !== null}>
              <span className="radio-dot" aria-hidden="true" />
              <span className="choice-words">
                {t(`builder.${each}`)}
                <span className="option-note muted">
                  {missing === null
                    ? t(`builder.${each}.note`)
                    : t('builder.xorriso.missing', { howToGet: spoken(missing) })}
                </span>
              </span>
            </Radio>
          )
        })}
      </RadioGroup>
    </section>
  )
}

import { useEffect } from 'react'
import { IMAGE_BUILDERS, USUAL_BUILDER } from '../../../../src/contract/dto/plan'
import { Choice } from '../../components/fields'
import { RadioGroup } from '../../components/Radio'
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
        label={t('builder.title')}
        value={builder ?? USUAL_BUILDER}
        onChange={(key) => {
          const chosen = IMAGE_BUILDERS.find((each) => each === key)
          if (chosen) session.store.dispatch({ type: 'builder', builder: chosen })
        }}
      >
        {IMAGE_BUILDERS.map((each) => {
          const missing = builders?.find((state) => state.builder === each)?.missing ?? null
          return (
            <Choice
              key={each}
              id={each}
              isDisabled={missing !== null}
              note={
                missing === null
                  ? t(`builder.${each}.note`)
                  : t('builder.xorriso.missing', { howToGet: spoken(missing) })
              }
            >
              {t(`builder.${each}`)}
            </Choice>
          )
        })}
      </RadioGroup>
    </section>
  )
}

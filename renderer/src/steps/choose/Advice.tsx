import { Button } from 'react-aria-components'
import type { OptionsDocument } from '../../../../src/contract/dto/options'
import { t } from '../../copy'
import { useSession } from '../../state/sessionContext'
import { adviceStep } from './optionWords'

/** The gaps of the figures, and the steps that fill them. */
export function Advice({ document }: { document: OptionsDocument }) {
  const session = useSession()
  if (document.advice.length === 0) return null
  return (
    <section className="choose-advice" aria-label={t('advice.title')}>
      <div className="figure-label">{t('advice.title')}</div>
      <ul>
        {document.advice.map(({ code, text }) => {
          const step = adviceStep(code)
          return (
            <li key={code}>
              {text}{' '}
              {step !== null && (
                <Button className="quiet" onPress={() => session.goTo(step)}>
                  {t(`advice.${step}`)}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

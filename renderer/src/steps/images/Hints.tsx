import type { CompatibilityHint } from '../../../../src/contract/dto/image'
import { HowDoWeKnow } from '../../components/Figure'
import { spoken, t } from '../../copy'

/** Who can open it, each with where that is known from. */
export function Hints({ hints }: { hints: readonly CompatibilityHint[] }) {
  return (
    <section className="hints" aria-label={t('images.opens')}>
      <h3>{t('images.opens')}</h3>
      <ul>
        {hints.map(({ text, source }) => (
          <li key={text}>
            <span className="fills">{spoken(text)}</span>
            <HowDoWeKnow
              className="mark-button"
              label={t('images.opens')}
              exactly={spoken(text)}
              basis={{ provenance: 'assumed', text: t('basis.imageHint', { source }) }}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

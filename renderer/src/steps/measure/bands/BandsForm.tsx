import type { BandEncryption } from '../../../../../src/contract/dto/bands'
import { BAND_KINDS } from '../../../../../src/contract/dto/measure'
import { formatExactBytes } from '../../../../../src/primitives/quantity'
import { SizeLine, TextLine } from '../../../components/fields'
import { t } from '../../../copy'
import { useSession, useStateOf } from '../../../state/sessionContext'
import { Places, SomeOf } from '../formParts'
import { BandsSession } from './bandsSession'
import { bandSizesOf } from './bandsState'

/** Where to sweep, what, and how much may be written. */
export function BandsForm({ running }: { running: boolean }) {
  const session = useSession(BandsSession)
  const { form } = useStateOf(BandsSession)
  return (
    <>
      <Places
        session={session}
        none={t('bands.where.none')}
        chosen={form.place}
        mayRead={false}
        running={running}
      />
      <What running={running} />
      <Conditions running={running} />
    </>
  )
}

const ENCRYPTIONS: readonly BandEncryption[] = [null, 128, 256]

function What({ running }: { running: boolean }) {
  const session = useSession(BandsSession)
  const { form } = useStateOf(BandsSession)
  const sizes = bandSizesOf(form.sizes)
  return (
    <section className="conditions" aria-label={t('measure.what')}>
      <h2>{t('measure.what')}</h2>
      <TextLine
        label={t('bands.sizes')}
        example={t('bands.sizes.example')}
        text={form.sizes}
        isWrong={sizes === undefined}
        note={
          sizes === undefined
            ? t('bands.sizes.wrong')
            : sizes === null
              ? t('bands.sizes.usual')
              : sizes.map(formatExactBytes).join(', ')
        }
        isDisabled={running}
        longest={300}
        onChange={(text) => session.set({ sizes: text }, true)}
      />
      <SomeOf
        label={t('bands.kinds')}
        running={running}
        all={BAND_KINDS}
        chosen={form.kinds}
        words={(kind) => t(`bands.kind.${kind}`)}
        onChange={(kinds) => session.set({ kinds })}
      />
      <SomeOf
        label={t('measure.encryption')}
        running={running}
        all={ENCRYPTIONS}
        chosen={form.encryptions}
        words={(each) => t(`measure.encryption.${each ?? 'none'}`)}
        onChange={(encryptions) => session.set({ encryptions })}
      />
    </section>
  )
}

function Conditions({ running }: { running: boolean }) {
  const session = useSession(BandsSession)
  const { form } = useStateOf(BandsSession)
  return (
    <section className="conditions" aria-label={t('measure.how')}>
      <h2>{t('measure.how')}</h2>
      <SizeLine
        label={t('bands.full')}
        example={t('bands.full.example')}
        value={form.fullSize}
        empty={t('bands.full.note')}
        wrong={t('measure.budget.notSize')}
        isDisabled={running}
        onChange={(fullSize) => session.set({ fullSize }, true)}
      />
      <SizeLine
        label={t('measure.budget')}
        example={t('bands.budget.example')}
        value={form.budget}
        empty={t('bands.budget.note')}
        wrong={t('measure.budget.notSize')}
        isDisabled={running}
        onChange={(budget) => session.set({ budget }, true)}
      />
    </section>
  )
}

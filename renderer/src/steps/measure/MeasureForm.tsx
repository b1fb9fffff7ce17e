import { Button, Checkbox, Input, Label, Radio, RadioGroup, TextField } from 'react-aria-components'
import { formatExactBytes } from '../../../../src/primitives/quantity'
import { PathText } from '../../components/PathText'
import { typedSize } from '../../components/typedSize'
import { t } from '../../copy'
import { useSession } from '../../state/sessionContext'
import { useStore } from '../../state/store'
import { type MeasurePlace, type SpecKind, specKinds } from './measureState'

const MOST_PLACES = 5

/** Where to measure, with which specification, under which conditions. */
export function MeasureForm({ running }: { running: boolean }) {
  return (
    <fieldset className="measure-form" disabled={running}>
      <PlaceChoice running={running} />
      <SpecChoice running={running} />
      <Conditions running={running} />
    </fieldset>
  )
}

interface OfferedPlace extends MeasurePlace {
  readonly note: string
}

function PlaceChoice({ running }: { running: boolean }) {
  const session = useSession()
  const { form } = useStore(session.stores.measure)
  const places = usePlaces()
  return (
    <section aria-label={t('measure.where')}>
      <h2>{t('measure.where')}</h2>
      {places.length === 0 ? (
        <p className="field-note">{t('measure.where.none')}</p>
      ) : (
        <RadioGroup
          className="places"
          aria-label={t('measure.where')}
          isDisabled={running}
          value={form.place === null ? null : keyOf(form.place)}
          onChange={(key) => {
            const place = places.find((each) => keyOf(each) === key)
            if (place) session.measure.takePlace({ path: place.path, mayWrite: place.mayWrite })
          }}
        >
          {places.map((place) => (
            <Radio key={keyOf(place)} value={keyOf(place)} className="choice">
              <span className="radio-dot" aria-hidden="true" />
              <span className="choice-words">
                <PathText path={place.path} />
                <span className="option-note muted">{place.note}</span>
              </span>
            </Radio>
          ))}
        </RadioGroup>
      )}
      <Button
        className={form.place === null ? 'primary' : 'plain'}
        isDisabled={running}
        onPress={() => void session.measure.choosePlace()}
      >
        {t('measure.choose')}
      </Button>
    </section>
  )
}

function keyOf({ path, mayWrite }: MeasurePlace): string {
  return `${mayWrite ? 'write' : 'read'} ${path}`
}

/** The chosen folder, folders of the source, folders measured before: each once. */
function usePlaces(): OfferedPlace[] {
  const { stores } = useSession()
  const { form, list } = useStore(stores.measure)
  const sources = useStore(stores.sources)
  const all: OfferedPlace[] = [
    ...sources.list
      .filter(({ kind }) => kind === 'folder')
      .map(({ path }) => ({ path, mayWrite: false, note: t('measure.place.source') })),
    ...list.map(({ directory, readOnly }) => ({
      path: directory,
      mayWrite: !readOnly,
      note: t(readOnly ? 'measure.place.beforeReading' : 'measure.place.before'),
    })),
  ]
  const places = all.filter(
    (place, index) => all.findIndex((other) => keyOf(other) === keyOf(place)) === index,
  )
  const chosen = form.place
  if (chosen === null || places.slice(0, MOST_PLACES).some((place) => keyOf(place) === keyOf(chosen)))
    return places.slice(0, MOST_PLACES)
  const note = places.find((place) => keyOf(place) === keyOf(chosen))?.note ?? t('measure.place.chosen')
  return [{ ...chosen, note }, ...places.filter((place) => keyOf(place) !== keyOf(chosen))].slice(
    0,
    MOST_PLACES,
  )
}

function SpecChoice({ running }: { running: boolean }) {
  const session = useSession()
  const { form } = useStore(session.stores.measure)
  const survey = useStore(session.stores.survey)
  const kinds = specKinds(form, (survey.document?.totals.files ?? 0) > 0)
  return (
    <section aria-label={t('measure.what')}>
      <h2>{t('measure.what')}</h2>
      <RadioGroup
        className="specs"
        aria-label={t('measure.what')}
        isDisabled={running || form.readOnly}
        value={form.spec}
        onChange={(key) => session.measure.set({ spec: key as SpecKind })}
      >
        {kinds.map((kind) => (
          <Radio key={kind} value={kind} className="choice">
            <span className="radio-dot" aria-hidden="true" />
            <span className="choice-words">
              {t(`preset.${kind}`, { name: form.again?.name ?? '' })}
              {form.spec === kind && <span className="option-note muted">{t(`preset.${kind}.note`)}</span>}
            </span>
          </Radio>
        ))}
      </RadioGroup>
    </section>
  )
}

const CACHES = ['spec', 'uncached', 'buffered'] as const

function Conditions({ running }: { running: boolean }) {
  const session = useSession()
  const { form } = useStore(session.stores.measure)
  const budget = typedSize(form.budget)
  return (
    <section className="conditions" aria-label={t('measure.how')}>
      <h2>{t('measure.how')}</h2>
      <div>
        <TextField
          className="field"
          value={form.budget}
          isDisabled={running}
          onChange={(text) => session.measure.set({ budget: text }, true)}
          isInvalid={budget === undefined}
        >
          <Label>{t('measure.budget')}</Label>
          <Input placeholder={t('measure.budget.example')} aria-describedby="budget-note" maxLength={20} />
        </TextField>
        <div id="budget-note" className={budget === undefined ? 'field-note bad' : 'field-note'}>
          {budget === undefined
            ? t('measure.budget.notSize')
            : budget === null
              ? t('measure.budget.asSpec')
              : formatExactBytes(budget)}
        </div>
      </div>
      <RadioGroup
        className="caches"
        isDisabled={running}
        value={form.cache}
        onChange={(cache) => session.measure.set({ cache: CACHES.find((each) => each === cache) ?? 'spec' })}
      >
        <Label className="figure-label">{t('measure.cache')}</Label>
        {CACHES.map((cache) => (
          <Radio key={cache} value={cache} className="choice">
            <span className="radio-dot" aria-hidden="true" />
            <span className="choice-words">
              {t(`measure.cache.${cache}`)}
              {form.cache === cache && (
                <span className="option-note muted">{t(`measure.cache.${cache}.note`)}</span>
              )}
            </span>
          </Radio>
        ))}
      </RadioGroup>
      <Checkbox
        className="checkbox"
        isSelected={form.readOnly}
        isDisabled={running || form.place?.mayWrite === false}
        onChange={(readOnly) => session.measure.set({ readOnly })}
      >
        <span className="checkbox-box" aria-hidden="true" />
        <span>
          {t('measure.readOnly')}
          <span className="option-note muted">
            {t(form.place?.mayWrite === false ? 'measure.readOnly.source' : 'measure.readOnly.note')}
          </span>
        </span>
      </Checkbox>
    </section>
  )
}

import { Button } from 'react-aria-components'
import { Check, Choices } from '../../components/fields'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'

/** The folders that are offered, and the way to choose another one. */
export function PlaceChoice({
  places,
  none,
  chosen,
  running,
  onPick,
  onChoose,
}: {
  places: readonly { readonly key: string; readonly path: string; readonly note: string }[]
  /** The note where no folder is known. */
  none: string
  chosen: string | null
  running: boolean
  onPick: (key: string) => void
  onChoose: () => void
}) {
  return (
    <Choices
      title={t('measure.where')}
      options={places.map(({ key, path, note }) => ({ id: key, name: <PathText path={path} />, note }))}
      chosen={chosen ?? undefined}
      isDisabled={running}
      onChange={onPick}
    >
      {places.length === 0 && <p className="field-note">{none}</p>}
      <Button className={chosen === null ? 'primary' : 'plain'} isDisabled={running} onPress={onChoose}>
        {t('measure.choose')}
      </Button>
    </Choices>
  )
}

/** Each place once, the chosen one first where it would not be among the first `most`. */
export function offeredPlaces<Place extends { readonly key: string }>(
  all: readonly Place[],
  chosen: Place | null,
  most: number,
): Place[] {
  const once = all.filter(({ key }, index) => all.findIndex((other) => other.key === key) === index)
  if (chosen === null || once.slice(0, most).some(({ key }) => key === chosen.key)) return once.slice(0, most)
  const known = once.find(({ key }) => key === chosen.key) ?? chosen
  return [known, ...once.filter((place) => place !== known)].slice(0, most)
}

/** Some of a few things, in their own order; none is said to be wrong. */
export function SomeOf<T>({
  label,
  all,
  chosen,
  words,
  running,
  onChange,
}: {
  label: string
  all: readonly T[]
  chosen: readonly T[]
  words: (each: T) => string
  running: boolean
  onChange: (chosen: T[]) => void
}) {
  return (
    <div role="group" aria-label={label} className="some-of stack">
      <div className="figure-label">{label}</div>
      {all.map((each) => (
        <Check
          key={words(each)}
          words={words(each)}
          isOn={chosen.includes(each)}
          isDisabled={running}
          onChange={(isOn) =>
            onChange(all.filter((other) => (other === each ? isOn : chosen.includes(other))))
          }
        />
      ))}
      {chosen.length === 0 && <div className="field-note bad">{t('bands.kinds.none')}</div>}
    </div>
  )
}

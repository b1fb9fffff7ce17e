import { Button } from 'react-aria-components'
import { Check, Choices } from '../../components/fields'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'
import { useStateOf } from '../../state/sessionContext'
import { SourceSession } from '../../state/source/sourceSession'
import { BandsSession } from './bands/bandsSession'
import { MeasureSession } from './measureSession'
import type { MeasurePlace } from './timedState'

const MOST_PLACES = 5

/** The folders that are offered, and the way to choose another one. */
export function Places({
  session,
  none,
  chosen,
  mayRead,
  running,
}: {
  session: { set(form: { place: MeasurePlace }): void; choosePlace(): Promise<void> }
  /** The note where no folder is known. */
  none: string
  chosen: MeasurePlace | null
  /** Folders that may only be read are offered too. */
  mayRead: boolean
  running: boolean
}) {
  const places = usePlaces(chosen, mayRead)
  return (
    <Choices
      title={t('measure.where')}
      options={places.map(({ key, path, note }) => ({ id: key, name: <PathText path={path} />, note }))}
      chosen={chosen === null ? undefined : keyOf(chosen)}
      isDisabled={running}
      onChange={(key) => {
        const place = places.find((each) => each.key === key)
        if (place) session.set({ place: { path: place.path, mayWrite: place.mayWrite } })
      }}
    >
      {places.length === 0 && <p className="field-note">{none}</p>}
      <Button
        className={chosen === null ? 'primary' : 'plain'}
        isDisabled={running}
        onPress={() => void session.choosePlace()}
      >
        {t('measure.choose')}
      </Button>
    </Choices>
  )
}

function keyOf({ path, mayWrite }: MeasurePlace): string {
  return `${mayWrite ? 'write' : 'read'} ${path}`
}

/** The chosen folder, folders of the source, folders measured or swept before: each once. */
function usePlaces(chosen: MeasurePlace | null, mayRead: boolean) {
  const sources = useStateOf(SourceSession)
  const measured = useStateOf(MeasureSession)
  const swept = useStateOf(BandsSession)
  const placeOf = (place: MeasurePlace, note: string) => ({ ...place, key: keyOf(place), note })
  const all = [
    ...sources.list
      .filter(({ kind }) => kind === 'folder')
      .map(({ path }) => placeOf({ path, mayWrite: false }, t('measure.place.source'))),
    ...measured.list.map(({ directory: path, readOnly }) =>
      placeOf(
        { path, mayWrite: !readOnly },
        t(readOnly ? 'measure.place.beforeReading' : 'measure.place.before'),
      ),
    ),
    ...swept.list.map(({ directory: path }) => placeOf({ path, mayWrite: true }, t('bands.place.swept'))),
  ].filter(({ mayWrite }) => mayRead || mayWrite)
  return offeredPlaces(all, chosen && placeOf(chosen, t('measure.place.chosen')), MOST_PLACES)
}

/** Each place once, the chosen one first where it would not be among the first `most`. */
function offeredPlaces<Place extends { readonly key: string }>(
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

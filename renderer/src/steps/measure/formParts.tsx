import type { ReactNode } from 'react'
import { Button, Input, Label, Radio, RadioGroup, TextField } from 'react-aria-components'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'

/** One of a few, with a note below its name. */
export function Choice({ id, note, children }: { id: string; note: string | null; children: ReactNode }) {
  return (
    <Radio value={id} className="choice">
      <span className="radio-dot" aria-hidden="true" />
      <span className="choice-words">
        {children}
        {note !== null && <span className="option-note muted">{note}</span>}
      </span>
    </Radio>
  )
}

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
    <section aria-label={t('measure.where')}>
      <h2>{t('measure.where')}</h2>
      {places.length === 0 ? (
        <p className="field-note">{none}</p>
      ) : (
        <RadioGroup
          className="places"
          aria-label={t('measure.where')}
          isDisabled={running}
          value={chosen}
          onChange={onPick}
        >
          {places.map(({ key, path, note }) => (
            <Choice key={key} id={key} note={note}>
              <PathText path={path} />
            </Choice>
          ))}
        </RadioGroup>
      )}
      <Button className={chosen === null ? 'primary' : 'plain'} isDisabled={running} onPress={onChoose}>
        {t('measure.choose')}
      </Button>
    </section>
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

/** A field for sizes with what it means below. */
export function SizeField(props: {
  label: string
  example: string
  text: string
  isWrong: boolean
  note: ReactNode
  running: boolean
  longest?: number
  onChange: (text: string) => void
}) {
  const id = `note ${props.label}`.replaceAll(' ', '-').toLowerCase()
  return (
    <div>
      <TextField
        className="field"
        value={props.text}
        isDisabled={props.running}
        onChange={props.onChange}
        isInvalid={props.isWrong}
      >
        <Label>{props.label}</Label>
        <Input placeholder={props.example} aria-describedby={id} maxLength={props.longest ?? 20} />
      </TextField>
      <div id={id} className={props.isWrong ? 'field-note bad' : 'field-note'}>
        {props.note}
      </div>
    </div>
  )
}

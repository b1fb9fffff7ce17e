import { useState } from 'react'
import { Button, Form, Input, Label, TextField } from 'react-aria-components'
import { defaultRules } from '../../../../../src/contract/dto/settings'
import {
  areSameRules,
  PRESET_NAMES,
  type PresetName,
  type Rules,
} from '../../../../../src/contract/dto/survey'
import { pathForDisplay } from '../../../../../src/primitives/pathText'
import { formatSize, type Units } from '../../../../../src/primitives/quantity'
import { Folded } from '../../../components/Folded'
import { Check, SizeLine } from '../../../components/fields'
import { PathText } from '../../../components/PathText'
import { typedSize } from '../../../components/typedSize'
import { t } from '../../../copy'
import { sentence } from '../../../format/sentence'
import { useFrame, useSession } from '../../../state/sessionContext'
import { KeptSession } from '../../../state/source/keptSession'
import type { KeptState } from '../../../state/source/keptState'
import { countOf, type Effect, effectOf, ruleGroups } from '../../../state/source/ruleWords'

/** All rules for leaving out, behind one line. */
export function RulesArea({ state, units }: { state: KeptState; units: Units }) {
  const { rules, document } = state
  const fromFiles = document?.excluded
    ? ruleGroups(document.excluded).filter(({ from }) => from === 'file')
    : []
  const count = countOf(rules) + fromFiles.length
  const defaults = defaultRules(useFrame().settings)
  const areDefault = areSameRules(rules, defaults)
  const shown = count === 0 ? t('rules.summary.none') : t('rules.summary', { count })
  return (
    <Folded
      className="kept-rules"
      summary={areDefault && !areSameRules(rules) ? t('rules.summary.default', { shown }) : shown}
    >
      <div className="kept-rules-body stack near">
        <Patterns state={state} units={units} />
        <Presets state={state} units={units} />
        <Limits state={state} units={units} />
        <IgnoreFiles state={state} />
        {!(areDefault && areSameRules(rules)) && <Defaults areDefault={areDefault} />}
      </div>
    </Folded>
  )
}

/** Makes the rules at hand those of every new survey, or takes those. */
function Defaults({ areDefault }: { areDefault: boolean }) {
  const session = useSession(KeptSession)
  return (
    <section aria-label={t('rules.default')}>
      <p className="option-note muted">{t(areDefault ? 'rules.default.are' : 'rules.default.other')}</p>
      {!areDefault && (
        <div className="row-actions">
          <Button className="plain" onPress={() => void session.makeDefault()}>
            {t('rules.default.make')}
          </Button>
          <Button className="quiet" onPress={() => session.takeDefault()}>
            {t('rules.default.take')}
          </Button>
        </div>
      )}
    </section>
  )
}

function Patterns({ state, units }: { state: KeptState; units: Units }) {
  const session = useSession(KeptSession)
  const [text, setText] = useState('')
  const { rules, document, error, status } = state
  const problem = status === 'failed' && error?.code === 'bad-input' ? sentence(error.message) : null
  return (
    <section aria-label={t('rules.patterns')}>
      <h3>{t('rules.patterns')}</h3>
      {rules.patterns.length > 0 && (
        <ol className="kept-patterns" aria-label={t('rules.patterns')}>
          {rules.patterns.map((pattern, index) => {
            const rule = pathForDisplay(pattern)
            return (
              <li key={pattern}>
                <span className="mono given-name ellipsis selectable" title={rule}>
                  {rule}
                </span>
                <span className="kept-effect muted">
                  {document && sayEffect(effectOf(pattern, document.rules, document.excluded), units)}
                </span>
                {index === 0 ? (
                  <span />
                ) : (
                  <Button
                    className="quiet"
                    aria-label={t('rules.up.named', { rule })}
                    onPress={() => session.moveUp(index)}
                  >
                    {t('rules.up')}
                  </Button>
                )}
                <Button
                  className="quiet"
                  aria-label={t('rules.remove.named', { rule })}
                  onPress={() => session.removePattern(index)}
                >
                  {t('rules.remove')}
                </Button>
              </li>
            )
          })}
        </ol>
      )}
      <Form
        className="kept-add"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() === '') return
          session.addPattern(text)
          setText('')
        }}
      >
        <TextField className="field" value={text} isInvalid={problem !== null} onChange={setText}>
          <Label>{t('rules.add')}</Label>
          <Input placeholder={t('rules.add.example')} spellCheck="false" aria-describedby="kept-add-note" />
        </TextField>
        <Button className="plain" type="submit" isDisabled={text.trim() === ''}>
          {t('rules.add.action')}
        </Button>
      </Form>
      <div id="kept-add-note" className={problem === null ? 'field-note' : 'field-note bad'} role="status">
        {problem ?? t('rules.patterns.note')}
      </div>
    </section>
  )
}

function Presets({ state, units }: { state: KeptState; units: Units }) {
  const session = useSession(KeptSession)
  const { presets } = state.rules
  return (
    <section aria-label={t('rules.presets')}>
      <h3>{t('rules.presets')}</h3>
      <div className="kept-presets">
        {PRESET_NAMES.map((name) => (
          <RuleCheck
            key={name}
            words={t(`rules.preset.${name}`)}
            note={t(`rules.preset.${name}.note`)}
            isOn={presets.includes(name)}
            says={sayPreset(state, name, units)}
            onChange={(isOn) =>
              session.set({ presets: isOn ? [...presets, name] : presets.filter((each) => each !== name) })
            }
          />
        ))}
      </div>
    </section>
  )
}

function Limits({ state, units }: { state: KeptState; units: Units }) {
  const session = useSession(KeptSession)
  const { rules } = state
  const [larger, setLarger] = useState(
    rules.largerThanBytes === null ? '' : formatSize(rules.largerThanBytes, units),
  )
  const sayIfOn = (isOn: boolean, from: keyof typeof HAD_IT): string =>
    isOn ? sayEffect(settingEffect(state, from), units) : ''
  return (
    <section aria-label={t('rules.more')}>
      <h3>{t('rules.more')}</h3>
      <div className="kept-presets">
        <div className="kept-larger">
          <SizeLine
            label={t('rules.larger')}
            example={t('rules.larger.example')}
            value={larger}
            empty={t('rules.larger.empty')}
            onChange={(text) => {
              setLarger(text)
              const bytes = typedSize(text)
              if (bytes !== undefined && bytes !== rules.largerThanBytes)
                session.set({ largerThanBytes: bytes })
            }}
          />
          <span className="kept-effect muted">{sayIfOn(rules.largerThanBytes !== null, 'size')}</span>
        </div>
        <RuleCheck
          words={t('rules.caches')}
          note={t('rules.caches.note')}
          isOn={rules.caches}
          says={sayIfOn(rules.caches, 'caches')}
          onChange={(caches) => session.set({ caches })}
        />
        <RuleCheck
          words={t('rules.fileSystem')}
          note={t('rules.fileSystem.note')}
          isOn={rules.oneFileSystem}
          says={sayIfOn(rules.oneFileSystem, 'fileSystem')}
          onChange={(oneFileSystem) => session.set({ oneFileSystem })}
        />
      </div>
    </section>
  )
}

function IgnoreFiles({ state }: { state: KeptState }) {
  const session = useSession(KeptSession)
  const faults = state.document?.excluded?.faults ?? []
  return (
    <div>
      <Check
        words={t('rules.ignoreFiles')}
        note={t('rules.ignoreFiles.note')}
        isOn={state.rules.ignoreFiles}
        onChange={(ignoreFiles) => session.set({ ignoreFiles })}
      />
      {faults.length > 0 && (
        <>
          <p className="warn">{t('rules.faults')}</p>
          <ul className="kept-faults" aria-label={t('rules.faults')}>
            {faults.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <PathText path={path} />
                <span>{sentence(message)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

/** A rule that is on or off, with what a walk knows of it. */
function RuleCheck({
  words,
  note,
  isOn,
  says,
  onChange,
}: {
  words: string
  note: string
  isOn: boolean
  /** Its room is kept while it is empty. */
  says: string
  onChange: (isOn: boolean) => void
}) {
  return (
    <div className="kept-preset">
      <Check words={words} note={note} isOn={isOn} onChange={onChange} />
      <span className="kept-effect muted">{says}</span>
    </div>
  )
}

/** True where a walk had the same setting. */
const HAD_IT = {
  size: (walked: Rules, rules: Rules) => walked.largerThanBytes === rules.largerThanBytes,
  caches: (walked: Rules) => walked.caches,
  fileSystem: (walked: Rules) => walked.oneFileSystem,
} as const

/** The effect of a setting that is one rule; null where the last walk did not have it. */
function settingEffect({ document, rules }: KeptState, from: keyof typeof HAD_IT): Effect {
  if (document === null || !HAD_IT[from](document.rules, rules)) return null
  return (document.excluded && ruleGroups(document.excluded).find((group) => group.from === from)) ?? 'none'
}

/**
 * The files of a preset: those that it leaves out, or, while it is off, those that it would. Empty
 * until a walk with the same answer is there.
 */
function sayPreset({ document, rules }: KeptState, name: PresetName, units: Units): string {
  const isOn = rules.presets.includes(name)
  const counted = document?.presets.find(({ preset }) => preset === name)
  if (!counted || document?.rules.presets.includes(name) !== isOn) return ''
  const { files, bytes } = counted
  return files === 0
    ? t('rules.effect.nothingHere')
    : t('rules.effect', { count: files, size: formatSize(bytes, units) })
}

function sayEffect(effect: Effect, units: Units): string {
  if (effect === null) return ''
  if (typeof effect === 'string') return t(`rules.effect.${effect}`)
  return t('rules.effect', { count: effect.files, size: formatSize(effect.bytes, units) })
}

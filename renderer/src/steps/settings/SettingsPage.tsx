/**
 * The room `settings` is the page of settings, which the command line has too.
 * How: every change is saved at once by main.
 * Not here: the settings themselves (`src/domain/settings`).
 */

import { type ReactNode, useState } from 'react'
import { Button } from 'react-aria-components'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import {
  DEFAULT_SETTINGS,
  MOST_THREADS,
  SETTINGS,
  type SettingName,
  type Settings,
  settingText,
} from '../../../../src/contract/dto/settings'
import { PRESET_NAMES, type PresetName } from '../../../../src/contract/dto/survey'
import { typedNumbers } from '../../../../src/primitives/figureLanguage'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { formatExactBytes } from '../../../../src/primitives/quantity'
import { Check, ChoiceGroup, TextLine } from '../../components/fields'
import { MenuButton } from '../../components/MenuButton'
import { PathText } from '../../components/PathText'
import { StepPage } from '../../components/StepPage'
import { typedSize } from '../../components/typedSize'
import { t } from '../../copy'
import { useFrame, useSession, useStateOf } from '../../state/sessionContext'
import { PaperChoice } from '../building/printing/PaperChoice'
import { chosenMedium } from '../plan/ownSize'
import { PlanSession } from '../plan/planSession'
import type { PlanState } from '../plan/planState'
import { SamplesChoice } from '../source/SamplesChoice'
import { PriceLines } from './PriceLines'

/** The settings of a person, which the command line has too. */
export function SettingsPage() {
  const session = useSession()
  const { settings, settingsFile } = useFrame()
  const { media } = useStateOf(PlanSession)
  const set = (changes: Partial<Settings>): void => void session.saveSettings(changes)
  return (
    <StepPage step="settings" says={t('settings.says')}>
      <div className="settings">
        <Part
          title={t('settings.units')}
          names={['units']}
          defaults={t(`settings.units.${DEFAULT_SETTINGS.units}`)}
        >
          <ChoiceGroup
            title={t('settings.units')}
            options={SETTINGS.units.schema.options.map((id) => ({
              id,
              name: t(`settings.units.${id}`),
              note: t(`settings.units.${id}.note`),
            }))}
            chosen={settings.units}
            onChange={(units) => set({ units })}
          />
        </Part>
        <Part title={t('settings.theme')} names={['theme']} defaults={t(`theme.${DEFAULT_SETTINGS.theme}`)}>
          <ChoiceGroup
            title={t('settings.theme')}
            options={SETTINGS.theme.schema.options.map((id) => ({ id, name: t(`theme.${id}`) }))}
            chosen={settings.theme}
            onChange={(theme) => set({ theme })}
          />
        </Part>
        <Part
          title={t('settings.language')}
          names={['language']}
          defaults={t(`language.${DEFAULT_SETTINGS.language}`)}
        >
          <ChoiceGroup
            title={t('settings.language')}
            options={SETTINGS.language.schema.options.map((id) => ({ id, name: t(`language.${id}`) }))}
            chosen={settings.language}
            onChange={(language) => set({ language })}
          />
        </Part>
        <Part
          title={t('settings.medium')}
          names={['medium']}
          defaults={mediumName(media, DEFAULT_SETTINGS.medium)}
        >
          <UsualMedium />
        </Part>
        <Part title={t('settings.prices')} names={['prices']} defaults={t('settings.prices.default')}>
          <PriceLines />
        </Part>
        <Part
          title={t('settings.paper')}
          names={['paper']}
          defaults={t(`print.paper.${DEFAULT_SETTINGS.paper}`)}
        >
          <div className="stack close">
            <span>
              <PaperChoice />
            </span>
            <p className="option-note muted">{t('settings.paper.note')}</p>
          </div>
        </Part>
        <Part
          title={t('settings.surveys')}
          names={['max-memory', 'threads', 'sha256', 'samples', 'look']}
          defaults={t('settings.surveys.default', {
            memory: DEFAULT_SETTINGS['max-memory'],
            threads: DEFAULT_SETTINGS.threads,
          })}
        >
          <div className="stack near">
            <TableMemory key={settings['max-memory']} />
            <TypedSetting
              key={`threads ${settings.threads}`}
              name="threads"
              label={t('settings.threads')}
              example="auto"
              note={t('settings.threads.note')}
              wrong={t('settings.threads.wrong', { most: MOST_THREADS })}
            />
            <Check
              words={t('source.sha256')}
              note={t('source.sha256.note')}
              isOn={settings.sha256}
              onChange={(sha256) => set({ sha256 })}
            />
            <SamplesChoice />
            <Check
              words={t('settings.look')}
              note={t('settings.look.note')}
              isOn={settings.look}
              onChange={(look) => set({ look })}
            />
          </div>
        </Part>
        <Part title={t('settings.rules')} names={RULES} defaults={t('settings.rules.default')}>
          <DefaultRules />
        </Part>
        <Part title={t('settings.work')} names={['work-folder']} defaults={t('settings.work.default')}>
          <WorkFolder />
        </Part>
        <div className="settings-file muted small">
          <p>{t('settings.file')}</p>
          {settingsFile !== '' && <PathText path={settingsFile} />}
        </div>
      </div>
    </StepPage>
  )
}

/** Settings that belong together, with their defaults and the way back to them. */
function Part({
  title,
  names,
  defaults,
  children,
}: {
  title: string
  names: readonly SettingName[]
  /** The defaults in words. */
  defaults: string
  children: ReactNode
}) {
  const session = useSession()
  const { settings } = useFrame()
  const changed = names.filter((name) => settingText(settings[name]) !== settingText(DEFAULT_SETTINGS[name]))
  return (
    <section className="settings-part" aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className="option-note muted">{t('settings.default', { defaults })}</p>
        <Button
          className="quiet settings-reset"
          isDisabled={changed.length === 0}
          aria-label={t('settings.reset.named', { title })}
          onPress={() =>
            void session.saveSettings(
              Object.fromEntries(changed.map((name) => [name, DEFAULT_SETTINGS[name]])),
            )
          }
        >
          {t('settings.reset')}
        </Button>
      </div>
      <div>{children}</div>
    </section>
  )
}

const RULES = [
  'exclude',
  'exclude-preset',
  'exclude-larger-than',
  'exclude-caches',
  'one-file-system',
  'ignore-files',
] as const satisfies readonly SettingName[]

function mediumName(media: PlanState['media'], id: string): string {
  return chosenMedium(media, id)?.name ?? id
}

function UsualMedium() {
  const session = useSession(PlanSession)
  const { medium } = useFrame().settings
  const { media } = useStateOf(PlanSession)
  const nameOf = (id: string): string => mediumName(media, id)
  const listed = [...media.map(({ id }) => id), DISK_MEDIUM]
  return (
    <div className="stack close">
      <span>
        <MenuButton
          label={t('settings.medium')}
          name={nameOf(medium)}
          placement="bottom start"
          all={listed.includes(medium) ? listed : [medium, ...listed]}
          chosen={medium}
          words={nameOf}
          onPick={(id) => session.setUsualMedium(id)}
        />
      </span>
      <p className="option-note muted">{t('settings.medium.note')}</p>
    </div>
  )
}

function WorkFolder() {
  const session = useSession()
  const folder = useFrame().settings['work-folder']
  const choose = async (): Promise<void> => {
    const chosen = await session.ask('settings', session.call.app.chooseDirectory({ purpose: 'work' }))
    if (chosen !== null) await session.saveSettings({ 'work-folder': chosen })
  }
  return (
    <div className="stack close">
      {folder === null ? <p>{t('settings.work.system')}</p> : <PathText path={folder} />}
      <div className="row-actions">
        <Button className="plain" onPress={() => void choose()}>
          {t('settings.work.choose')}
        </Button>
        {folder !== null && (
          <Button className="quiet" onPress={() => void session.saveSettings({ 'work-folder': null })}>
            {t('settings.work.take')}
          </Button>
        )}
      </div>
      <p className="option-note muted">{t('settings.work.note')}</p>
    </div>
  )
}

/** The rules of new surveys; patterns are added where their effect is seen, in Source. */
function DefaultRules() {
  const session = useSession()
  const { settings } = useFrame()
  const { exclude, 'exclude-preset': presets } = settings
  const set = (changes: Partial<Settings>): void => void session.saveSettings(changes)
  const choose = (name: PresetName, isOn: boolean): void =>
    set({ 'exclude-preset': PRESET_NAMES.filter((each) => (each === name ? isOn : presets.includes(each))) })
  return (
    <div className="stack near">
      <p className="option-note muted">{t('settings.rules.note')}</p>
      {exclude.length === 0 && <p className="option-note muted">{t('settings.rules.patterns.none')}</p>}
      {exclude.length > 0 && (
        <ol className="kept-patterns" aria-label={t('rules.patterns')}>
          {exclude.map((pattern) => (
            <li key={pattern}>
              <span className="mono given-name ellipsis selectable" title={pathForDisplay(pattern)}>
                {pathForDisplay(pattern)}
              </span>
              <Button
                className="quiet"
                aria-label={t('rules.remove.named', { rule: pathForDisplay(pattern) })}
                onPress={() => set({ exclude: exclude.filter((each) => each !== pattern) })}
              >
                {t('rules.remove')}
              </Button>
            </li>
          ))}
        </ol>
      )}
      {PRESET_NAMES.map((name) => (
        <Check
          key={name}
          words={t(`rules.preset.${name}`)}
          note={t(`rules.preset.${name}.note`)}
          isOn={presets.includes(name)}
          onChange={(isOn) => choose(name, isOn)}
        />
      ))}
      <TypedSetting
        key={`larger ${settings['exclude-larger-than']}`}
        name="exclude-larger-than"
        label={t('settings.larger')}
        example="none"
        wrong={t('settings.larger.wrong')}
      />
      <Check
        words={t('rules.caches')}
        note={t('rules.caches.note')}
        isOn={settings['exclude-caches']}
        onChange={(isOn) => set({ 'exclude-caches': isOn })}
      />
      <Check
        words={t('rules.fileSystem')}
        note={t('rules.fileSystem.note')}
        isOn={settings['one-file-system']}
        onChange={(isOn) => set({ 'one-file-system': isOn })}
      />
      <Check
        words={t('rules.ignoreFiles')}
        note={t('rules.ignoreFiles.note')}
        isOn={settings['ignore-files']}
        onChange={(isOn) => set({ 'ignore-files': isOn })}
      />
    </div>
  )
}

/** A setting as a short text; kept when it is left or Enter is pressed, where it is sound. */
function TypedSetting({
  name,
  note,
  wrong,
  ...line
}: {
  name: 'threads' | 'exclude-larger-than'
  label: string
  example: string
  note?: string
  wrong: string
}) {
  const session = useSession()
  const kept = useFrame().settings[name]
  const [text, setText] = useState(String(kept))
  const { schema, form } = SETTINGS[name]
  const parsed = schema.safeParse(form?.(text.trim()))
  const keep = (): void => {
    if (parsed.success && parsed.data !== kept) void session.saveSettings({ [name]: parsed.data })
  }
  return (
    <TextLine
      {...line}
      text={text}
      isWrong={!parsed.success}
      note={parsed.success ? note : wrong}
      onChange={setText}
      onDone={keep}
    />
  )
}

/** Kept when it is left or Enter is pressed, where it is a size that a survey takes. */
function TableMemory() {
  const session = useSession()
  const kept = useFrame().settings['max-memory']
  const [text, setText] = useState(kept)
  const bytes = typedSize(text)
  const typed = typedNumbers(text.trim())
  const isRight = SETTINGS['max-memory'].schema.safeParse(typed).success
  const wrong = bytes ? t('settings.memory.least') : t('settings.memory.notSize')
  const keep = (): void => {
    if (isRight && typed !== kept) void session.saveSettings({ 'max-memory': typed })
  }
  return (
    <TextLine
      label={t('settings.memory')}
      example="512MiB"
      text={text}
      isWrong={!isRight}
      note={isRight ? `${formatExactBytes(bytes ?? 0)}. ${t('settings.memory.note')}` : wrong}
      onChange={setText}
      onDone={keep}
    />
  )
}

import { type ReactNode, useState } from 'react'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import { SETTINGS, type Settings } from '../../../../src/contract/dto/settings'
import { formatExactBytes } from '../../../../src/primitives/quantity'
import { Check, ChoiceGroup, TextLine } from '../../components/fields'
import { MenuButton } from '../../components/MenuButton'
import { PathText } from '../../components/PathText'
import { StepPage } from '../../components/StepPage'
import { typedSize } from '../../components/typedSize'
import { t } from '../../copy'
import { useFrame, useSession, useStateOf } from '../../state/sessionContext'
import { chosenMedium } from '../plan/ownSize'
import { PlanSession } from '../plan/planSession'
import { SamplesChoice } from '../source/SamplesChoice'

/** The settings of a person, which the command line has too. */
export function SettingsPage() {
  const session = useSession()
  const { settings, settingsFile } = useFrame()
  const set = (changes: Partial<Settings>): void => void session.saveSettings(changes)
  return (
    <StepPage step="settings" says={t('settings.says')}>
      <div className="settings">
        <Part title={t('settings.units')}>
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
        <Part title={t('settings.theme')}>
          <ChoiceGroup
            title={t('settings.theme')}
            options={SETTINGS.theme.schema.options.map((id) => ({ id, name: t(`theme.${id}`) }))}
            chosen={settings.theme}
            onChange={(theme) => set({ theme })}
          />
        </Part>
        <Part title={t('settings.medium')}>
          <UsualMedium />
        </Part>
        <Part title={t('settings.surveys')}>
          <div className="stack near">
            <TableMemory key={settings['max-memory']} />
            <Check
              words={t('source.sha256')}
              note={t('source.sha256.note')}
              isOn={settings.sha256}
              onChange={(sha256) => set({ sha256 })}
            />
            <SamplesChoice />
          </div>
        </Part>
        <div className="settings-file muted small">
          <p>{t('settings.file')}</p>
          {settingsFile !== '' && <PathText path={settingsFile} />}
        </div>
      </div>
    </StepPage>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="settings-part" aria-label={title}>
      <h2>{title}</h2>
      <div>{children}</div>
    </section>
  )
}

function UsualMedium() {
  const session = useSession(PlanSession)
  const { medium } = useFrame().settings
  const { media } = useStateOf(PlanSession)
  const nameOf = (id: string): string => chosenMedium(media, id)?.name ?? id
  const listed = [...media.map(({ id }) => id), DISK_MEDIUM]
  return (
    <div className="stack close">
      <span>
        <MenuButton
          label={`${t('settings.medium')}: ${nameOf(medium)}`}
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

/** Kept when it is left or Enter is pressed, where it is a size that a survey takes. */
function TableMemory() {
  const session = useSession()
  const kept = useFrame().settings['max-memory']
  const [text, setText] = useState(kept)
  const bytes = typedSize(text)
  const isRight = SETTINGS['max-memory'].schema.safeParse(text).success
  const wrong = bytes ? t('settings.memory.least') : t('settings.memory.notSize')
  const keep = (): void => {
    if (isRight && text.trim() !== kept) void session.saveSettings({ 'max-memory': text.trim() })
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

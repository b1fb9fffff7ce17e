import { readdirSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stowage } from '../../../fixtures/stowageCommand'
import { type Desk, emptyDesk, Person } from './person'
import { writeMedia } from './sources'

/** From Home, or from Restore, to a drill that runs. */
const MOST_TO_DRILL = 2

/** An archive on two discs, each with a copy in a folder kept at the bank, made by commands. */
async function kept({ place, home }: Desk): Promise<void> {
  const pictures = Array.from({ length: 40 }, (_, at) => [`${2001 + (at % 4)}/IMG_${at}.jpg`, 50_000])
  await writeMedia(join(place, 'Family'), Object.fromEntries(pictures))
  const set = join(place, 'family-1')
  await mkdir(join(place, 'bank'))
  for (const command of [
    ['plan', join(place, 'Family'), '--archive', 'Family', '--medium', 'custom:1.5MB', '--out', set],
    ['build', set],
    ['write', set, '--to', join(place, 'bank'), '--place', 'the bank'],
  ])
    expect(await stowage(command, { home })).toMatchObject({ code: 0 })
}

it('someone tries a restore of an archive and of its discs, with two interactions each', {
  tags: 'long',
}, async () => {
  const desk = await emptyDesk()
  await kept(desk)

  const maria = await Person.at(desk)
  await maria.reads('1 archive. Nothing needs attention.')
  await maria.clicks('button', 'Try a restore of Family')
  await maria.reads('20 random files')
  await maria.reads(/a drill of it proves nothing of the discs/)
  await maria.shows('drill 1, before')
  await maria.clicks('button', 'Start the drill')
  await maria.reads('20 of 20 files came back.')
  expect(maria.interactions()).toBeLessThanOrEqual(MOST_TO_DRILL)
  await maria.shows('drill 2, of the built images')

  // The images next to the plan count for no disc.
  await maria.presses('Alt+Home')
  await maria.clicks('button', 'Try a restore of Family')
  const drive = join(desk.place, 'drive')
  await cp(join(desk.place, 'bank'), drive, { recursive: true })
  const [disc = ''] = readdirSync(drive)
  await maria.reads(/a drill of it proves nothing of the discs/)
  await maria.chooses(join(drive, disc), 'button', 'Choose images…')
  await maria.reads(/copy 1 at the bank/)
  await maria.clicks('button', 'Start the drill')
  await maria.reads(/files? came back\.$/)
  await maria.shows('drill 3, of a disc')
  await maria.presses('Alt+Home')
  await maria.reads(/^Restore tried in .*copy 1 at the bank$/)
  await maria.shows('drill 4, on Home')
  await maria.leaves()
})

import { chmodSync, cpSync, linkSync, lstatSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SeededRandom } from '../../../src/primitives/seededRandom.ts'
import { type Place, plain } from './faultedCommand.ts'
import { bytesOf, nameReading, namesBelow, treeReading } from './readings.ts'
import type { Reading, Scenario, Stowage } from './scenario.ts'

/** Restores of a set with a split file, links and permissions. No name may ever have other content than the set's. */
export function restoreScenarios(random: SeededRandom): Scenario[] {
  const film = new Uint8Array(1_500_000)
  random.fillBytes(film)

  const built =
    (medium: string, recipe = 'plain') =>
    async (stowage: Stowage, place: Place) => {
      const whole = wholeOf(place)
      cpSync(place.source, whole, { recursive: true, preserveTimestamps: true })
      writeFileSync(join(whole, 'photos/film.bin'), film)
      chmodSync(join(whole, 'photos/film.bin'), 0o640)
      linkSync(join(whole, 'photos/1.jpg'), join(whole, 'photos/first.jpg'))
      symlinkSync('../letters/1.txt', join(whole, 'photos/letter'))
      const option = ['--option', recipe, '--medium', medium]
      await stowage('plan', whole, ...option, '--out', planOf(place))
      await stowage('build', planOf(place))
    }
  const images = (place: Place): string[] =>
    namesBelow(join(planOf(place), 'images')).map((name) => join(planOf(place), 'images', name))
  const restored = (
    name: string,
    medium: string,
    volumes: (place: Place) => string[],
    more: Partial<Scenario> = {},
  ): Scenario => ({
    name,
    setup: built(medium),
    args: (place) => ['restore', ...volumes(place), '--to', targetOf(place)],
    reading: restoredReading,
    settled: (place) => ({
      times: treeReading(targetOf(place), { withTimes: true, without: /(^|\/)mine\.txt$/ }),
      names: linksOf(join(targetOf(place), 'photos/first.jpg')),
    }),
    // A split file is joined as far as its discs are at hand, also by several calls.
    mayWait: /\.joining$/,
    ...more,
  })

  return [
    restored('restore (images)', 'custom:1130kB', images),
    restored('restore (plan of folders)', 'folder:900kB', (place) => [planOf(place)]),
    restored('restore (packed)', 'custom:2MB', (place) => [planOf(place)], {
      setup: built('custom:2MB', '7z-files'),
    }),
    restored('restore (partly restored)', 'custom:1130kB', images, {
      setup: async (stowage, place) => {
        await built('custom:1130kB')(stowage, place)
        await stowage('restore', ...images(place), '--to', targetOf(place), '--files', 'letters')
        // Exit code 3: the other discs are needed for the rest.
        await plain(place, ['restore', ...images(place).slice(0, 1), '--to', targetOf(place)])
      },
      foreign: ['target/mine.txt', 'target/letters/mine.txt'],
    }),
  ]
}

const wholeOf = ({ folder }: Place): string => join(folder, 'whole')
const planOf = ({ out }: Place): string => join(out, 'plan')
export const targetOf = ({ out }: Place): string => join(out, 'target')

/** Every name of the set by itself. Times and permissions of folders come last and do not count here. */
export function restoredReading(place: Place): Reading {
  return Object.fromEntries(
    namesBelow(wholeOf(place)).map((name) => [name, shownReading(bytesOf(join(targetOf(place), name)))]),
  )
}

/** A folder by its kind alone. */
function shownReading(path: Buffer): string {
  const reading = nameReading(path)
  return reading.startsWith('folder') ? 'folder' : reading
}

function linksOf(path: string): string {
  return String(lstatSync(path, { throwIfNoEntry: false })?.nlink)
}

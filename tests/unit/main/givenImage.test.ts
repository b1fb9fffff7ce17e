import { expect, it } from 'vitest'
import { givenImage } from '../../../src/main/givenImage'

it.each([['/a/Disc.iso'], ['/a/Vault.SPARSEBUNDLE'], ['C:\\images\\x.dmg']])(
  '%s alone is opened as a disk image',
  (image) => {
    expect(givenImage([image])).toBe(image)
  },
)

it.each([[[]], [['/a/Photos']], [['/a/1.iso', '/a/2.iso']], [['/a/notes.iso.txt']]])(
  '%j is to be archived',
  (paths) => {
    expect(givenImage(paths)).toBeNull()
  },
)

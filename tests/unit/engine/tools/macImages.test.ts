import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { hdiutilAttach, hdiutilCreate } from '../../../../src/domain/images/macArguments'
import { macCommandLine } from '../../../../src/engine/tools/macImages'

const image = { type: 'SPARSEBUNDLE', bytes: 2 ** 30, fileSystem: 'APFS' } as const

/** What a shell hands to hdiutil when it reads the line. */
function handedOver(line: string, input = ''): string[] {
  const show = `hdiutil() { printf '%s\\n--\\n' "$@"; cat; }; stty() { :; }`
  return execFileSync('sh', ['-c', `${show}\n${line}`], { encoding: 'utf8', input }).split('\n--\n')
}

describe('the command lines shown', () => {
  it.each([
    ['plain', 'Archive.sparsebundle', 'Archive'],
    ['spaces and quotes', `My 'best' "Archive".sparsebundle`, `It's`],
    ['what a shell would replace', '$HOME `id` $(id) * ~ \\.sparsebundle', '#!&|;<>'],
    ['newlines', 'one\ntwo.sparsebundle', 'three\nfour'],
    ['a leading dash', '-rf.sparsebundle', 'Archive'],
  ])('hand over exactly the arguments: %s', (_what, path, volumeName) => {
    const command = hdiutilCreate({ ...image, path, volumeName })
    expect(handedOver(macCommandLine(command)).slice(0, -1)).toEqual(command.args)
  })

  it('read the password from the terminal and hand it over with a zero byte, in no argument', () => {
    const command = hdiutilAttach({ path: 'A.dmg', mountPoint: null, readOnly: false, isEncrypted: true })
    const handed = handedOver(macCommandLine(command), ' a\\b $x \n')
    expect(handed).toEqual([...command.args, ' a\\b $x \0'])
  })
})

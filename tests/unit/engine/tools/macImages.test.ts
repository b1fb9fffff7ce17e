import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { hdiutilAttach, hdiutilCreate, hdiutilDetach } from '../../../../src/domain/images/macArguments'
import { mountPointOf } from '../../../../src/engine/devices/bands/mountedPasses'
import { macCommandLine, runMac } from '../../../../src/engine/tools/macImages'

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

describe('running them', () => {
  it('needs the password where the command takes one', async () => {
    const command = hdiutilAttach({ path: 'A.dmg', mountPoint: null, readOnly: false, isEncrypted: true })
    await expect(runMac(command)).rejects.toMatchObject({ code: 'wrong-password' })
  })

  it('says that the program is missing elsewhere', async (context) => {
    if (process.platform === 'darwin') context.skip('macOS has the program')
    await expect(runMac(hdiutilDetach('/dev/disk4'))).rejects.toMatchObject({ code: 'tool-missing' })
  })

  it('finds the mount point in what hdiutil prints', () => {
    const plist =
      '<dict>\n<key>dev-entry</key>\n<string>/dev/disk5s1</string>\n<key>mount-point</key>\n\t<string>/Volumes/A &amp; B</string></dict>'
    expect(mountPointOf(plist)).toBe('/Volumes/A & B')
    expect(() => mountPointOf('<dict/>')).toThrow(expect.objectContaining({ code: 'tool-failed' }))
  })
})

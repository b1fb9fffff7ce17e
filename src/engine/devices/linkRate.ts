import { readFile, realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

/**
 * Bits of data for each bit on the wire, by transfers per second: 8b/10b until PCIe 2, 128b/130b
 * from 3 on.
 */
function pciBytesPerLane(gigatransfers: number): number {
  const share = gigatransfers <= 5 ? 0.8 : 128 / 130
  return (gigatransfers * 1e9 * share) / 8
}

/**
 * The payload rate of a PCIe link as Linux reports it: `8.0 GT/s PCIe` and `4`. Null for anything
 * else.
 */
export function pciLinkRate(speed: string, width: string): number | null {
  const gigatransfers = Number(/^(\d+(?:\.\d+)?) GT\/s/.exec(speed.trim())?.[1])
  const lanes = Number(width.trim())
  if (!(gigatransfers > 0) || !Number.isInteger(lanes) || lanes < 1) return null
  return pciBytesPerLane(gigatransfers) * lanes
}

/**
 * The rate of a USB link as Linux reports it in megabits: `480`, `5000`. Line coding takes 8b/10b
 * up to 5 Gb/s.
 */
export function usbLinkRate(speed: string): number | null {
  const megabits = Number(speed.trim())
  if (!(megabits > 0)) return null
  const share = megabits < 5000 ? 1 : megabits === 5000 ? 0.8 : 128 / 132
  return (megabits * 1e6 * share) / 8
}

/**
 * The rate that the link to a device can carry, from Linux's description of the devices above it;
 * null where it does not report one. Only for NVMe and USB: links that virtual machines describe
 * have nothing to do with their rate.
 */
export async function linkBytesPerSecond(device: string, bus: string | null): Promise<number | null> {
  if (process.platform !== 'linux' || (bus !== 'nvme' && bus !== 'usb')) return null
  try {
    let at = await realpath(`/sys/class/block/${basename(device)}`)
    for (; at.length > '/sys/devices'.length; at = dirname(at)) {
      const rate = bus === 'nvme' ? await pciRateAt(at) : await usbRateAt(at)
      if (rate !== null) return rate
    }
  } catch {
    // Nothing is described here.
  }
  return null
}

async function pciRateAt(folder: string): Promise<number | null> {
  const speed = await textOf(`${folder}/current_link_speed`)
  const width = await textOf(`${folder}/current_link_width`)
  return speed === null || width === null ? null : pciLinkRate(speed, width)
}

async function usbRateAt(folder: string): Promise<number | null> {
  // `speed` means other things elsewhere; a USB device also says what it is.
  if ((await textOf(`${folder}/bDeviceClass`)) === null) return null
  const speed = await textOf(`${folder}/speed`)
  return speed === null ? null : usbLinkRate(speed)
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    return null
  }
}

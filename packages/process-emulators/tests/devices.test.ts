import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { socatDeviceCarrier } from '../src/devices/index.ts'
import { boundSocket } from './bound-socket.ts'
import { scratchDirectory } from './scratch-directory.ts'

/** Creates a program in the place of socat, which prints a message and ends. */
async function directoryWithSocat(message: string): Promise<string> {
  const directory = await scratchDirectory()
  const program = join(directory, 'socat')
  writeFileSync(program, `#!/bin/sh\necho '${message}' >&2\nexit 1\n`)
  chmodSync(program, 0o755)
  return directory
}

const ports = { relayPort: 40_001, devicePort: 40_002 }
const loopback = { type: 'linux-ethernet', device: 'lo' } as const

describe('socatDeviceCarrier', () => {
  it.each([
    ['E socket(17, 3, 0): Operation not permitted', 'not-privileged', 'socat has no privileged access to lo.'],
    ['E open("/dev/net/tun", 02, 0666): Permission denied', 'not-privileged', 'socat has no privileged access to lo.'],
    ['E ioctl(6, TUNSETIFF, {"lo"}: Device or resource busy', 'unavailable', 'lo is used by another program.'],
    ['x E unknown device type', 'failed', 'lo could not be opened: unknown device type'],
  ])('refuses a device that cannot be opened: %s', async (message, reason, expected) => {
    const programDirectories = [await directoryWithSocat(message)]
    const carrier = socatDeviceCarrier({ devices: ['lo'], programDirectories })
    await expect(carrier.carry(loopback, ports)).rejects.toMatchObject({ reason, message: expected })
    await carrier.close()
  })

  it('waits for the socket of socat where the relay has one that is connected to it', async () => {
    const programDirectories = [await directoryWithSocat('x E unknown device type')]
    const carrier = socatDeviceCarrier({ devices: ['lo'], programDirectories })
    const relay = await boundSocket('127.0.0.1')
    relay.connect(ports.devicePort, carrier.address)
    await once(relay, 'connect')
    await expect(carrier.carry(loopback, ports)).rejects.toMatchObject({ reason: 'failed' })
    await carrier.close()
  })

  it('names the Debian package of socat where it is not installed', async () => {
    const carrier = socatDeviceCarrier({ devices: ['lo'], programDirectories: [await scratchDirectory()] })
    await expect(carrier.carry(loopback, ports)).rejects.toMatchObject({
      reason: 'missing-program',
      debianPackage: 'socat',
    })
  })

  it('refuses a device outside the list before it looks for it', async () => {
    const carrier = socatDeviceCarrier({ devices: ['tap0'] })
    for (const device of ['lo', 'no-such-device', 'tap0,x', '../lo'])
      await expect(carrier.carry({ type: 'tap', device }, ports)).rejects.toMatchObject({ reason: 'not-allowed' })
    await expect(carrier.carry({ type: 'tap', device: 'tap0' }, ports)).rejects.toMatchObject({ reason: 'unavailable' })
  })
})

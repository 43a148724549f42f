import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { boundSocket } from '../../tests/bound-socket.ts'
import { scratchDirectory } from '../../tests/scratch-directory.ts'
import { plainEnvironment } from '../processes/process-environment.ts'
import { startCarrier } from './carrier-process.ts'

const facts = { kind: 'bridge', index: 1, isUp: true } as const
const address = '127.77.12.3'

/** Starts a carrier on a bridge with scripts in the place of socat and ip. The port of socat is bound. */
async function carryWith({ socat, ip }: { readonly socat: string; readonly ip: string }) {
  const directory = await scratchDirectory()
  const script = (name: string, text: string) => {
    const path = join(directory, name)
    writeFileSync(path, `#!/bin/sh\n${text}\n`)
    chmodSync(path, 0o755)
    return path
  }
  const devicePort = (await boundSocket(address)).address().port
  return startCarrier({
    program: script('socat', socat),
    placement: { ip: script('ip', ip), parameters: ['master', 'br0', 'up'] },
    command: { device: 'tvm1', facts, address, ports: { relayPort: 40_001, devicePort } },
    name: 'br0',
    environment: plainEnvironment(),
  })
}

const missing = `echo 'Cannot find device "tvm1"' >&2; exit 1`

it('names why socat has ended before its TAP device is a port of the bridge', async () => {
  const socat = `echo '2026/01/01 socat[7] E bind(7): Address already in use' >&2; exit 1`
  const message = 'br0 could not be opened: bind(7): Address already in use'
  await expect(carryWith({ socat, ip: missing })).rejects.toMatchObject({ reason: 'failed', message })
  await expect(carryWith({ socat, ip: 'exec sleep 100' })).rejects.toMatchObject({ reason: 'failed', message })
})

it('refuses a bridge where socat has ended without a message', async () => {
  const message = 'br0 could not be opened: socat has ended without a message'
  await expect(carryWith({ socat: 'exit 1', ip: 'exec sleep 100' })).rejects.toMatchObject({
    reason: 'failed',
    message,
  })
})

it('passes on what ip prints without its line ends', async () => {
  const message = 'br0 could not be opened: Cannot find device "tvm1"'
  await expect(carryWith({ socat: 'exec sleep 100', ip: missing })).rejects.toMatchObject({ reason: 'failed', message })
})

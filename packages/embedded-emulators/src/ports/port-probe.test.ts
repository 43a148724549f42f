import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createPortAllocator } from '@trivium/emulation-core'
import { portAllocatorConformance } from '@trivium/emulation-core/conformance'
import type { PortUse } from '@trivium/emulation-core/ports'
import { describe, expect, it } from 'vitest'
import { takePort, testPorts } from '../../tests/test-ports.ts'
import { portProbe } from './port-probe.ts'

portAllocatorConformance(testPorts)

describe('portProbe', () => {
  const free = (use: PortUse) => takePort(testPorts(), use)
  const addresses = ['127.0.0.1', '0.0.0.0']

  it.each(addresses)('detects a TCP port that is in use on %s', async (host) => {
    const port = await free('console')
    const isFree = portProbe()
    expect(await isFree('console', port)).toBe(true)
    const server = createServer().listen(port, host)
    await once(server, 'listening')
    expect(await isFree('console', port)).toBe(false)
    expect(await isFree('udp', port)).toBe(true)
    server.close()
    await once(server, 'close')
    expect(await isFree('console', port)).toBe(true)
  })

  it.each(addresses)('detects a UDP port that is in use on %s', async (address) => {
    const port = await free('udp')
    const isFree = portProbe()
    const socket = createSocket('udp4').bind(port, address)
    await once(socket, 'listening')
    expect(await isFree('udp', port)).toBe(false)
    socket.close()
    await once(socket, 'close')
    expect(await isFree('udp', port)).toBe(true)
  })

  it('makes an allocator skip ports that other programs use', async () => {
    const first = await free('udp')
    const socket = createSocket('udp4').bind(first, '127.0.0.1')
    await once(socket, 'listening')
    const ports = createPortAllocator({ isFree: portProbe(), udpPorts: { first, last: first + 1 } })
    expect(await ports.allocate('udp')).toBe(first + 1)
    expect(await ports.claim('udp', first)).toBe('in-use')
    socket.close()
  })
})

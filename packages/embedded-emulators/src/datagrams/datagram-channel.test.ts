import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { datagramConformance } from '../conformance/datagrams.ts'
import { socketDescriptor } from './socket-descriptor.ts'

datagramConformance({ label: 'by their descriptors' })
datagramConformance({ label: 'by node:dgram alone', portable: true })

it.runIf(process.platform === 'linux')(
  'finds the descriptor of a socket in this version of Node until it is closed',
  async () => {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    await once(socket, 'listening')
    expect(socketDescriptor(socket)).toBeGreaterThan(2)
    socket.close()
    expect(socketDescriptor(socket)).toBeUndefined()
  },
)

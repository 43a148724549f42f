import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { CarrierPorts, DeviceCarrier } from '@trivium/emulation-core/ports'
import { Refusal } from '@trivium/emulation-core/ports'
import { describe, expect, it, onTestFinished } from 'vitest'
import { nicOf } from '../../tests/test-nic.ts'
import { testPorts } from '../../tests/test-ports.ts'
import { dataPlane } from '../data-plane/data-plane.ts'
import { linkRelay } from './link-relay.ts'

/** Creates devices that are UDP sockets. Those whose names begin with `bad` are refused. */
function fakeDevices() {
  const open = new Map<string, Socket>()
  const carried: string[] = []
  const carrier: DeviceCarrier = {
    address: '127.0.0.1',
    carry: async ({ device }: { readonly device: string }, { relayPort, devicePort }: CarrierPorts) => {
      if (device.startsWith('bad')) throw new Refusal('unavailable', `${device} does not exist.`)
      const socket = createSocket('udp4').bind(devicePort, '127.0.0.1')
      await once(socket, 'listening')
      socket.connect(relayPort, '127.0.0.1')
      await once(socket, 'connect')
      socket.on('error', () => {})
      open.set(device, socket)
      carried.push(device)
      return {
        release: async () => {
          if (open.get(device) === socket) open.delete(device)
          await new Promise<void>((resolve) => socket.close(() => resolve()))
        },
      }
    },
    close: async () => {},
  }
  return { carrier, open, carried }
}

const frame = new Uint8Array(60).fill(7)
const tap = (device: string) => ({ type: 'tap', device }) as const

describe.each(['main', 'worker'] as const)('devices of a relay on the thread %s', (thread) => {
  function open() {
    const devices = fakeDevices()
    const ports = testPorts()
    const { relay } = dataPlane({ ports, devices: devices.carrier, thread })
    onTestFinished(() => relay.close())
    return { ...devices, relay }
  }

  it('carry frames both ways, and are counted', async () => {
    const { relay, open: devices } = open()
    const nic = nicOf('first')
    const received = new Promise<Uint8Array>((resolve) => {
      const device = relay.plug(nic, resolve)
      onTestFinished(() => device.unplug())
    })
    const port = relay.plug(nicOf('second'), () => {})
    expect(await relay.connect(nic, tap('tap0'))).toEqual({ ownPort: undefined })
    await relay.connect(nicOf('second'), tap('tap1'))
    devices.get('tap0')?.send(frame)
    expect([...(await received)]).toEqual([...frame])
    const atDevice = once(devices.get('tap1') ?? createSocket('udp4'), 'message')
    port.send(frame)
    expect((await atDevice)[0]).toHaveLength(60)
    expect((await relay.counters(nic)).incoming).toEqual({ frames: 1, bytes: 60, dropped: 0 })
  })

  it('stay attached for the same device, are replaced by another one, and end with the connection', async () => {
    const { relay, open: devices, carried } = open()
    const nic = nicOf('first')
    await relay.connect(nic, tap('tap0'))
    await relay.connect(nic, tap('tap0'), { linkUp: false })
    expect(carried).toEqual(['tap0'])
    await relay.connect(nic, tap('tap1'))
    expect([...devices.keys()]).toEqual(['tap1'])
    await relay.connect(nic, { type: 'null' })
    expect(devices.size).toBe(0)
    await relay.connect(nic, tap('tap2'))
    await relay.disconnect(nic)
    await relay.connect(nic, tap('tap3'))
    await relay.close()
    expect(devices.size).toBe(0)
  })

  it('leave the connection as it was where one is refused', async () => {
    const { relay, open: devices } = open()
    const nic = nicOf('first')
    await relay.connect(nic, tap('tap0'))
    await expect(relay.connect(nic, tap('bad'))).rejects.toMatchObject({ message: 'bad does not exist.' })
    expect([...devices.keys()]).toEqual(['tap0'])
  })
})

it('refuses devices without a carrier', async () => {
  const relay = linkRelay({ ports: testPorts() })
  onTestFinished(() => relay.close())
  await expect(relay.connect(nicOf('first'), tap('tap0'))).rejects.toMatchObject({ reason: 'unsupported' })
})

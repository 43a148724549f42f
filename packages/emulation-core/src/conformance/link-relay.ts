import { createSocket } from 'node:dgram'
import type { Promisable } from 'type-fest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type CaptureSink,
  isRefusal,
  type LinkRelay,
  type Nic,
  noImpairment,
  noImpairments,
  type UdpNio,
} from '../ports.ts'
import { instanceId } from './records.ts'

/** The relay and ports of one test case. */
export interface RelayUnderTest {
  readonly relay: LinkRelay
  /** Six free UDP ports. */
  readonly ports: readonly number[]
}

const frame = (text: string) => new TextEncoder().encode(text.padEnd(20, '.'))
const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes).replace(/\.+$/, '')

/** Collects frames, and waits for the next one. */
function mailbox() {
  const frames: Uint8Array[] = []
  let arrived = () => {}
  return {
    receive: (bytes: Uint8Array) => {
      frames.push(bytes)
      arrived()
    },
    next: async () => {
      while (frames.length === 0) {
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      }
      return text(frames.shift())
    },
    frames,
  }
}

/** A sink that keeps all bytes in memory. */
function memorySink() {
  const written: number[] = []
  let closed = false
  const sink: CaptureSink = {
    write: (bytes) => void written.push(...bytes),
    bufferedBytes: 0,
    close: async () => {
      closed = true
    },
  }
  return { sink, written, isClosed: () => closed }
}

/**
 * Registers vitest cases for a `LinkRelay`. They send datagrams on 127.0.0.1.
 *
 * @param open returns a relay without connections, for each test; the suite closes it
 */
export function linkRelayConformance(open: () => Promisable<RelayUnderTest>): void {
  describe('LinkRelay', () => {
    const [one, other, third]: [Nic, Nic, Nic] = [
      { instanceId: instanceId(1), adapter: 0, port: 0 },
      { instanceId: instanceId(2), adapter: 0, port: 0 },
      { instanceId: instanceId(3), adapter: 2, port: 3 },
    ]
    let relay: LinkRelay
    let port: (index: number) => number
    beforeEach(async () => {
      const opened = await open()
      relay = opened.relay
      port = (index) => opened.ports[index] ?? 0
    })
    afterEach(() => relay.close())

    const udp = (local: number, remote: number): UdpNio => ({
      type: 'udp',
      localPort: port(local),
      remoteHost: '127.0.0.1',
      remotePort: port(remote),
    })

    const join = async () => {
      await relay.connect(one, udp(0, 1))
      await relay.connect(other, udp(1, 0))
    }

    it('carries frames in both directions between two NICs that point at each other', async () => {
      await join()
      const [left, right] = [mailbox(), mailbox()]
      const [a, b] = [relay.plug(one, left.receive), relay.plug(other, right.receive)]
      a.send(frame('to the right'))
      expect(await right.next()).toBe('to the right')
      b.send(frame('to the left'))
      expect(await left.next()).toBe('to the left')
      expect(await relay.counters(one)).toEqual({
        outgoing: { frames: 1, bytes: 20, dropped: 0 },
        incoming: { frames: 1, bytes: 20, dropped: 0 },
      })
    })

    it('keeps the order of frames', async () => {
      await join()
      const right = mailbox()
      relay.plug(other, right.receive)
      const a = relay.plug(one, () => {})
      for (let number = 0; number < 200; number += 1) a.send(frame(`${number}`))
      for (let number = 0; number < 200; number += 1) expect(await right.next()).toBe(`${number}`)
    })

    it('joins NICs regardless of the order of connect and plug', async () => {
      const right = mailbox()
      const a = relay.plug(one, () => {})
      a.send(frame('nowhere to go'))
      await relay.connect(other, udp(1, 0))
      relay.plug(other, right.receive)
      await relay.connect(one, udp(0, 1))
      a.send(frame('now'))
      expect(await right.next()).toBe('now')
    })

    it('returns the port of this machine to which a NIC sends, also where no NIC has it', async () => {
      expect(await relay.connect(one, udp(0, 1))).toEqual({ ownPort: port(1) })
      expect(await relay.connect(other, udp(1, 0))).toEqual({ ownPort: port(0) })
      const elsewhere: UdpNio = { ...udp(2, 3), remoteHost: '192.0.2.1' }
      expect(await relay.connect(third, elsewhere)).toEqual({ ownPort: undefined })
      expect(await relay.connect(third, { type: 'null' })).toEqual({ ownPort: undefined })
    })

    it('never calls a device during its own send', async () => {
      await join()
      let sending = false
      let nested = false
      const left = mailbox()
      const a = relay.plug(one, (bytes) => {
        nested ||= sending
        left.receive(bytes)
      })
      const b = relay.plug(other, (bytes) => b.send(bytes))
      sending = true
      a.send(frame('echo'))
      sending = false
      expect(await left.next()).toBe('echo')
      expect(nested).toBe(false)
    })

    it('replaces a connection while devices are plugged in', async () => {
      await join()
      const [right, far] = [mailbox(), mailbox()]
      relay.plug(other, right.receive)
      relay.plug(third, far.receive)
      const a = relay.plug(one, () => {})
      await relay.connect(third, udp(3, 2))
      await relay.connect(one, udp(2, 3))
      a.send(frame('elsewhere'))
      expect(await far.next()).toBe('elsewhere')
      expect(right.frames).toEqual([])
    })

    it('keeps the previous connection when the new one is refused', async () => {
      await join()
      const right = mailbox()
      relay.plug(other, right.receive)
      const a = relay.plug(one, () => {})
      const unknown = { ...udp(2, 3), remoteHost: 'nowhere.invalid' }
      await expect(relay.connect(one, unknown)).rejects.toEqual(expect.toSatisfy(isRefusal))
      a.send(frame('still here'))
      expect(await right.next()).toBe('still here')
    })

    it('drops frames while a link is down or disconnected', async () => {
      await join()
      const right = mailbox()
      relay.plug(other, right.receive)
      const a = relay.plug(one, () => {})
      relay.setLinkUp(one, false)
      a.send(frame('down'))
      relay.setLinkUp(one, true)
      a.send(frame('up'))
      expect(await right.next()).toBe('up')
      await relay.disconnect(other)
      a.send(frame('gone'))
      await relay.connect(other, udp(1, 0))
      a.send(frame('back'))
      expect(await right.next()).toBe('back')
      await relay.disconnect(third)
    })

    it('connects with the given link state and impairments', async () => {
      await relay.connect(one, udp(0, 1), { linkUp: false })
      await relay.connect(other, udp(1, 0), {
        impairments: { outgoing: { ...noImpairment, lossPercent: 100 }, incoming: noImpairment },
      })
      const [left, right] = [mailbox(), mailbox()]
      const [a, b] = [relay.plug(one, left.receive), relay.plug(other, right.receive)]
      a.send(frame('down'))
      relay.setLinkUp(one, true)
      b.send(frame('lost'))
      a.send(frame('arrives'))
      expect(await right.next()).toBe('arrives')
      relay.setImpairments(other, noImpairments)
      b.send(frame('arrives too'))
      expect(await left.next()).toBe('arrives too')
      expect((await relay.counters(other)).outgoing).toEqual({ frames: 1, bytes: 20, dropped: 1 })
    })

    it('delivers no frame to an unplugged device', async () => {
      await join()
      const [before, after] = [mailbox(), mailbox()]
      const plug = relay.plug(other, before.receive)
      const a = relay.plug(one, () => {})
      plug.unplug()
      plug.unplug()
      a.send(frame('on its way'))
      relay.plug(other, after.receive)
      a.send(frame('seen'))
      // A frame that was under way may reach the new device.
      let seen = await after.next()
      if (seen === 'on its way') seen = await after.next()
      expect(seen).toBe('seen')
      expect(before.frames).toEqual([])
    })

    it('attaches a process over a pair of UDP ports', async () => {
      await join()
      const right = mailbox()
      const b = relay.plug(other, right.receive)
      const { relayPort, devicePort, unplug } = await relay.plugUdp(one)
      const socket = createSocket('udp4')
      await new Promise<void>((resolve) => socket.bind(devicePort, '127.0.0.1', resolve))
      try {
        socket.send(frame('from a process'), relayPort, '127.0.0.1')
        expect(await right.next()).toBe('from a process')
        const arrived = new Promise<Uint8Array>((resolve) => socket.once('message', resolve))
        b.send(frame('to a process'))
        expect(text(await arrived)).toBe('to a process')
      } finally {
        socket.close()
        await unplug()
      }
    })

    it('captures to a sink, and continues when the connection is replaced', async () => {
      await join()
      const right = mailbox()
      relay.plug(other, right.receive)
      const a = relay.plug(one, () => {})
      const { sink, written, isClosed } = memorySink()
      await relay.startCapture(one, { linkType: 1, direction: 'both', sink, limitBytes: 10_000 })
      a.send(frame('first'))
      await right.next()
      await relay.connect(one, udp(2, 3))
      await relay.connect(other, udp(3, 2))
      a.send(frame('second'))
      await right.next()
      await relay.stopCapture(one)
      await relay.stopCapture(one)
      expect(isClosed()).toBe(true)
      const file = Uint8Array.from(written)
      const view = new DataView(file.buffer)
      expect([view.getUint32(0, true), view.getUint16(4, true), view.getUint32(20, true)]).toEqual([0xa1b2c3d4, 2, 1])
      expect(file.length).toBe(24 + 2 * (16 + 20))
      expect(text(file.subarray(24 + 16, 24 + 36))).toBe('first')
    })

    it('ends a capture when its connection ends', async () => {
      await join()
      const { sink, isClosed } = memorySink()
      await relay.startCapture(one, { linkType: 104, direction: 'outgoing', sink, limitBytes: 10_000 })
      await relay.disconnect(one)
      expect(isClosed()).toBe(true)
    })

    it('streams frames until the signal aborts', async () => {
      await join()
      const a = relay.plug(one, () => {})
      const controller = new AbortController()
      let length = 0
      const { signal } = controller
      for await (const chunk of relay.streamCapture(one, { linkType: 1, direction: 'both', signal })) {
        length += chunk.length
        if (length === 24) a.send(frame('streamed'))
        if (length === 24 + 36) controller.abort()
      }
      expect(length).toBe(24 + 36)
    })
  })
}

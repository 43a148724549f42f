import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDatagramChannels } from '../datagrams/create-datagram-channels.ts'
import type { DatagramBatches } from '../datagrams/datagram-batches.ts'

const ADDRESS = '127.0.0.1'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Opens a socket of `node:dgram` as the other end. */
async function openPeer(port = 0) {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 })
  const received: Buffer[] = []
  let from = 0
  socket.on('message', (datagram: Buffer, { port: sender }: RemoteInfo) => {
    received.push(datagram)
    from = sender
  })
  socket.bind(port, ADDRESS)
  await once(socket, 'listening')
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= new Promise((resolve) => socket.close(() => resolve()))
    return closing
  }
  onTestFinished(close)
  return {
    port: socket.address().port,
    received,
    send: (datagram: Uint8Array) =>
      new Promise<void>((resolve, reject) => {
        socket.send(datagram, from, ADDRESS, (error) => (error ? reject(error) : resolve()))
      }),
    async until(count: number) {
      while (received.length < count) await once(socket, 'message')
    },
    close,
  }
}

/** A frame with the number in its first 4 bytes and the low byte of its length in all others. */
function numbered(number: number, length = 64 + (number % 1000)): Buffer {
  const frame = Buffer.alloc(length, length & 255)
  frame.writeUInt32BE(number)
  return frame
}

export interface DatagramsUnderTest {
  /** How the frames are sent, for the name of the suite: `by node:dgram alone`. */
  readonly label: string
  /** Absent where the channels use none. */
  readonly batches?: DatagramBatches
  /** Tests channels that do not use descriptors. @default false */
  readonly portable?: boolean
}

/** Defines the tests that every implementation of {@link OpenDatagramChannel} passes. Uses free ports of 127.0.0.1. */
export function datagramConformance({ label, batches, portable = false }: DatagramsUnderTest): void {
  const openChannels = () => createDatagramChannels({ batches, portable })

  /** Opens a channel whose peer has received a frame and can answer. */
  const open = async (receive: (frame: Uint8Array) => void, openChannel = openChannels()) => {
    const peer = await openPeer()
    const end = { local: { address: ADDRESS, port: 0 }, remote: { address: ADDRESS, port: peer.port } }
    const channel = await openChannel({ ...end, receive })
    onTestFinished(channel.close)
    channel.send(Buffer.from('here'))
    await peer.until(1)
    peer.received.length = 0
    return { channel, peer }
  }

  describe(`a channel through UDP sockets ${label}`, () => {
    it('receives frames whole, in order, in memory that stays unchanged', async () => {
      const frames: Uint8Array[] = []
      const { peer } = await open((frame) => frames.push(frame))
      for (let round = 0; round < 40; round += 1) {
        await Promise.all(Array.from({ length: 50 }, (_, index) => peer.send(numbered(round * 50 + index))))
        while (frames.length < (round + 1) * 50) await turn()
      }
      expect(frames).toHaveLength(2000)
      expect(frames.every((frame, index) => numbered(index).equals(frame))).toBe(true)
    })

    it('receives frames of every size', async () => {
      const frames: Uint8Array[] = []
      const { peer } = await open((frame) => frames.push(frame))
      for (const [index, length] of [14, 1500, 9000, 65_507, 60].entries()) {
        await peer.send(numbered(index, length))
        while (frames.length <= index) await turn()
        expect(numbered(index, length).equals(frames[index] ?? Buffer.alloc(0))).toBe(true)
      }
    })

    it.each([
      ['different sizes', (number: number) => numbered(number)],
      ['one size', (number: number) => numbered(number, 64)],
      [
        'runs of one size that end with a shorter frame',
        (number: number) => numbered(number, number % 7 === 6 ? 40 : 100),
      ],
      ['growing sizes', (number: number) => numbered(number, 20 + number)],
      ['the largest size among small frames', (number: number) => numbered(number, number % 50 === 9 ? 65_507 : 60)],
    ])('sends frames in order: %s', async (_name, frameOf) => {
      const { channel, peer } = await open(() => {})
      for (let number = 0; number < 300; number += 1) {
        expect(channel.send(frameOf(number))).toBe(true)
        // The receive buffer of the peer must not overflow.
        if (number % 50 === 49) await peer.until(number + 1)
      }
      await peer.until(300)
      expect(peer.received.every((frame, index) => frameOf(index).equals(frame))).toBe(true)
    })

    it('sends frames with the content that they had at the call', async () => {
      const { channel, peer } = await open(() => {})
      const frame = numbered(1, 60)
      channel.send(frame)
      if (!portable) frame.fill(0)
      await peer.until(1)
      expect(numbered(1, 60).equals(peer.received[0] ?? Buffer.alloc(0))).toBe(true)
    })

    it('continues after the peer was unavailable', async () => {
      let receivedCount = 0
      const { channel, peer } = await open(() => {
        receivedCount += 1
      })
      await peer.close()
      for (let number = 0; number < 5; number += 1) {
        channel.send(numbered(number))
        await turn()
      }
      const again = await openPeer(peer.port)
      while (again.received.length === 0) {
        channel.send(numbered(7))
        await turn()
      }
      await again.send(numbered(1))
      while (receivedCount === 0) await turn()
    })

    it('drops frames once it is closed, even when another file has its descriptor', async () => {
      const { channel, peer } = await open(() => {})
      channel.send(numbered(1))
      await channel.close()
      await channel.close()
      await peer.until(1)
      const descriptors = Array.from({ length: 8 }, () => openSync('/dev/null', 'r'))
      expect(channel.send(numbered(1))).toBe(false)
      for (const descriptor of descriptors) closeSync(descriptor)
    })

    it('rejects with the code of the operating system when the port is in use', async () => {
      const taken = await openPeer()
      const again = openChannels()({
        local: { address: ADDRESS, port: taken.port },
        remote: { address: ADDRESS, port: 9 },
        receive: () => {},
      })
      await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' })
    })

    it('makes the error of a receiver an uncaught exception, and loses no frame', async () => {
      const seen: unknown[] = []
      const frames: Uint8Array[] = []
      const { peer } = await open((frame) => {
        frames.push(frame)
        if (frames.length === 3) throw new Error('a fault of the receiver')
      })
      const before = process.listeners('uncaughtException')
      process.removeAllListeners('uncaughtException')
      process.on('uncaughtException', (error) => seen.push(error))
      await Promise.all(Array.from({ length: 50 }, (_, index) => peer.send(numbered(index))))
      while (frames.length < 50) await turn()
      await turn()
      process.removeAllListeners('uncaughtException')
      for (const listener of before) process.on('uncaughtException', listener)
      expect(seen).toMatchObject([{ message: 'a fault of the receiver' }])
    })

    it('leaves turns of the event loop to other work when twelve sockets are flooded', async () => {
      let [received, most, before] = [0, 0, 0]
      const openChannel = openChannels()
      const sockets = 12
      const ends = await Promise.all(
        Array.from({ length: sockets }, () =>
          open(() => {
            received += 1
          }, openChannel),
        ),
      )
      for (let round = 0; round < 5; round += 1) {
        // This code does not yield: all datagrams wait in the sockets before the first is read.
        const sent = ends.flatMap(({ peer }) =>
          Array.from({ length: 300 }, (_, index) => peer.send(numbered(index, 60))),
        )
        for (let turns = 0; turns < 50; turns += 1) {
          before = received
          await turn()
          most = Math.max(most, received - before)
        }
        await Promise.all(sent)
      }
      expect(received).toBeGreaterThan(0)
      // `node:dgram` itself reads up to 32 more datagrams of each socket in a turn.
      expect(most).toBeLessThanOrEqual(1024 + sockets * 32)
    })
  })
}

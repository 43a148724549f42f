import { connect, type Socket } from 'node:net'
import type { Promisable } from 'type-fest'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ConsoleConnection, type ConsoleListener, isRefusal } from '../ports.ts'

/** The listener and port of one test case. */
export interface ListenerUnderTest {
  readonly listener: ConsoleListener
  /** A free TCP port. */
  readonly port: number
}

const bytes = (text: string) => new TextEncoder().encode(text)

/**
 * Registers vitest cases for a `ConsoleListener`. They connect to it on 127.0.0.1.
 *
 * @param open returns a listener that is reachable on 127.0.0.1, for each test
 */
export function consoleListenerConformance(open: () => Promisable<ListenerUnderTest>): void {
  describe('ConsoleListener', () => {
    let listener: ConsoleListener
    let port: number
    beforeEach(async () => {
      const opened = await open()
      listener = opened.listener
      port = opened.port
    })

    const connectClient = () =>
      new Promise<Socket>((resolve, reject) => {
        const socket = connect({ port, host: '127.0.0.1' }, () => resolve(socket))
        socket.once('error', reject)
      })

    /** Listens, and records the events in order. */
    const listen = async () => {
      const seen: string[] = []
      const connections: ConsoleConnection[] = []
      let changed = () => {}
      const note = (entry: string) => {
        seen.push(entry)
        changed()
      }
      const opened = await listener.listen(port, (connection) => {
        connections.push(connection)
        note('accepted')
        return { data: (data) => note(new TextDecoder().decode(data)), closed: () => note('closed') }
      })
      const until = async (entry: string) => {
        while (!seen.includes(entry)) {
          await new Promise<void>((resolve) => {
            changed = resolve
          })
        }
      }
      return { opened, connections, seen, until }
    }

    const receivedText = (socket: Socket) =>
      new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))
    const ended = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))

    it('passes bytes in both directions for several connections', async () => {
      const { opened, connections, until } = await listen()
      const [one, other] = [await connectClient(), await connectClient()]
      one.write('typed')
      await until('typed')
      const shown = Promise.all([receivedText(one), receivedText(other)])
      for (const connection of connections) connection.send(bytes('shown'))
      expect(await shown).toEqual(['shown', 'shown'])
      await opened.close()
    })

    it('reports once that a client has disconnected', async () => {
      const { opened, connections, seen, until } = await listen()
      const client = await connectClient()
      await until('accepted')
      client.destroy()
      await until('closed')
      connections[0]?.send(bytes('ignored'))
      connections[0]?.close()
      await opened.close()
      expect(seen.filter((entry) => entry === 'closed')).toHaveLength(1)
    })

    it('sends queued bytes before it closes', async () => {
      const { opened, connections, until } = await listen()
      const client = await connectClient()
      await until('accepted')
      const [shown, disconnected] = [receivedText(client), ended(client)]
      connections[0]?.send(bytes('goodbye'))
      connections[0]?.close()
      expect(await shown).toBe('goodbye')
      await disconnected
      await opened.close()
    })

    it('counts bytes that a client does not read', async () => {
      const { opened, connections, until } = await listen()
      const client = await connectClient()
      client.pause()
      await until('accepted')
      const chunk = new Uint8Array(2 ** 20)
      let sent = 0
      while ((connections[0]?.bufferedBytes ?? 0) === 0 && sent < 64) {
        connections[0]?.send(chunk)
        sent += 1
      }
      expect(connections[0]?.bufferedBytes).toBeGreaterThan(0)
      client.destroy()
      await opened.close()
    })

    it('refuses a port that is taken, and frees its own port when it closes', async () => {
      const { opened, until } = await listen()
      await expect(listener.listen(port, () => ({ data: () => {}, closed: () => {} }))).rejects.toEqual(
        expect.toSatisfy((error) => isRefusal(error) && error.reason === 'unavailable'),
      )
      const client = await connectClient()
      await until('accepted')
      const disconnected = ended(client)
      await opened.close()
      await disconnected
      await expect(connectClient()).rejects.toThrow()
      const again = await listener.listen(port, () => ({ data: () => {}, closed: () => {} }))
      await again.close()
    })
  })
}

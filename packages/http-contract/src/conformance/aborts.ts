import { describe, expect, it } from 'vitest'
import type { StartHost } from './host-under-test.ts'
import type { Transport } from './transport.ts'

export function describeAborts(start: StartHost, except: Transport['except'] = {}): void {
  describe('a client that disconnects', () => {
    it('aborts the signal of a running handler', async () => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}/hang HTTP/1.1\r\nhost: a\r\n\r\n`)
      await host.probe.seen('hanging')
      connection.close()
      await host.probe.seen('hang aborted')
      expect((await host.request('GET', '/things/a')).status).toBe(200)
      expect(await host.probe.entries()).toEqual(['hanging', 'hang aborted'])
    })

    it.each(['silent', 'relay-silent'])('closes the %s source before the first byte', async (id) => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}/events/${id} HTTP/1.1\r\nhost: a\r\n\r\n`)
      await host.probe.seen('source silent')
      connection.close()
      await host.probe.seen('source closed')
    })

    it.each(['then-silent', 'relay-then-silent'])('closes the %s source after the first byte', async (id) => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}/events/${id} HTTP/1.1\r\nhost: a\r\n\r\n`)
      await connection.until('data: 1\n\n')
      connection.close()
      await Promise.all([host.probe.seen('source closed'), host.probe.seen('signal aborted')])
    })

    it.each(['endless', 'relay-endless'])('closes the %s source while it is being written', async (id) => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}/events/${id} HTTP/1.1\r\nhost: a\r\n\r\n`)
      await connection.until('x')
      connection.close()
      await host.probe.seen('source closed')
      expect(await host.probe.entries()).not.toContain('ran away')
    })

    const queued = except['queued-request-abort']
    it.skipIf(queued)(`aborts the signal of a queued request${queued ? ` (${queued})` : ''}`, async () => {
      const host = await start()
      const connection = await host.raw()
      const ask = (path: string) => connection.send(`GET ${host.prefix}${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
      ask('/gated/one')
      ask('/gated/two')
      await Promise.all([host.probe.seen('one waiting'), host.probe.seen('two waiting')])
      connection.close()
      await Promise.all([host.probe.seen('one aborted'), host.probe.seen('two aborted')])
    })

    it.skipIf(queued)('uses one listener, regardless of how many requests it has queued', async () => {
      const warnings: string[] = []
      const collect = ({ message }: Error) => warnings.push(message)
      process.on('warning', collect)
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}/gated/many HTTP/1.1\r\nhost: a\r\n\r\n`.repeat(50))
      await host.probe.seen('many waiting')
      connection.close()
      await host.probe.seen('many aborted')
      // Node emits a warning in the next turn of the event loop.
      await new Promise(setImmediate)
      process.off('warning', collect)
      expect(warnings).toEqual([])
    })

    it('aborts no signal after its answer is complete', async () => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}/gated/one HTTP/1.1\r\nhost: a\r\n\r\n`)
      host.probe.open('one')
      await connection.response()
      connection.send(`GET ${host.prefix}/events/two HTTP/1.1\r\nhost: a\r\n\r\n`)
      await connection.response()
      connection.close()
      expect((await host.request('GET', '/things/a')).status).toBe(200)
      expect(await host.probe.entries()).toEqual(['one waiting'])
    })
  })

  describe('a client that stops reading', () => {
    it.each([
      'endless',
      'relay-endless',
    ])('pauses the %s source, which continues when the client reads again', async (id) => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}/events/${id} HTTP/1.1\r\nhost: a\r\n\r\n`)
      await connection.until('x')
      connection.socket.pause()
      const produced = await settled(host.probe.produced)
      expect(await host.probe.entries()).not.toContain('ran away')
      connection.socket.resume()
      while ((await host.probe.produced()) <= produced) await connection.until('x'.repeat(1000))
      connection.close()
      await host.probe.seen('source closed')
    })
  })
}

/** Resolves with the value once it has not changed for 200 ms. */
async function settled(read: () => Promise<number>): Promise<number> {
  let last = await read()
  for (let quiet = 0; quiet < 20; quiet += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    const now = await read()
    if (now !== last) quiet = 0
    last = now
  }
  return last
}

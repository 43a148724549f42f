import { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { createQmpClient } from './qmp-client.ts'

/** Creates a control connection whose other end answers as the emulator. */
function fakeEmulator(answer: (command: string, id: number) => string | undefined) {
  const socket = new Duplex({
    read: () => {},
    write: (chunk, _encoding, done) => {
      for (const line of String(chunk).trim().split('\n')) {
        const { execute, id }: { execute: string; id: number } = JSON.parse(line)
        const reply = execute === 'qmp_capabilities' ? `{"return": {}, "id": ${id}}\r\n` : answer(execute, id)
        if (reply !== undefined) socket.push(reply)
      }
      done()
    },
  })
  return socket
}

const GREETING = '{"QMP": {"version": {}, "capabilities": []}}\r\n'

it('runs commands and receives events, regardless of how the bytes are split', async () => {
  const socket = fakeEmulator(
    (command, id) => `{"event": "STOP"}\r\n{"return": {"text": "é ${command}"}, "id": ${id}}\r\n`,
  )
  const client = createQmpClient({ socket })
  const events: string[] = []
  client.onEvent((event) => events.push(event))
  for (const byte of Buffer.from(GREETING)) socket.push(Buffer.of(byte))
  await client.ready
  expect(await client.execute('stop')).toEqual({ text: 'é stop' })
  expect(events).toEqual(['STOP'])
})

it('rejects with the message of the emulator', async () => {
  const socket = fakeEmulator(
    (_command, id) => `{"error": {"class": "GenericError", "desc": "no such thing"}, "id": ${id}}\n`,
  )
  const client = createQmpClient({ socket })
  socket.push(GREETING)
  await expect(client.execute('x')).rejects.toMatchObject({ reason: 'failed', message: 'QEMU: no such thing' })
})

it('rejects a command without an answer at the timeout and at the end of the connection', async () => {
  const socket = fakeEmulator(() => undefined)
  const client = createQmpClient({ socket, timeoutMs: 20 })
  socket.push(GREETING)
  await expect(client.execute('stop')).rejects.toThrow("did not answer 'stop' within 0.02 seconds")
  const waiting = client.execute('cont')
  socket.push(null)
  socket.destroy()
  await expect(waiting).rejects.toThrow('has ended')
  await expect(client.execute('cont')).rejects.toThrow('has ended')
})

it('rejects a connection that does not use QMP', async () => {
  for (const words of ['hello\n', '[]\n', 'x'.repeat(5 * 1024 * 1024)]) {
    const socket = fakeEmulator(() => undefined)
    const client = createQmpClient({ socket })
    socket.push(words)
    await expect(client.ready).rejects.toMatchObject({ reason: 'failed' })
  }
})

import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { freeTcpPort } from '../../tests/free-tcp-port.ts'
import { openMonitorPort } from './monitor-port.ts'

async function openMonitor(trusted = false, onRefused?: () => void) {
  const port = await freeTcpPort()
  const lines: string[] = []
  const monitor = await openMonitorPort({
    port,
    greeting: 'hello',
    run: async (line) => {
      lines.push(line)
      return `did ${line}\r\n`
    },
    trusted,
    onRefused,
  })
  onTestFinished(monitor.close)
  return { port, lines, monitor }
}

async function dial(port: number) {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
  })
  await once(socket, 'connect')
  const until = async (words: string) => {
    while (!text.includes(words)) await once(socket, 'data')
    return text
  }
  return { socket, until, text: () => text }
}

it('runs harmless commands of telnet and plain clients', async () => {
  const { port, lines } = await openMonitor()
  const client = await dial(port)
  await client.until('hello\r\n(qemu) ')
  client.socket.write('inxfo\b\b\b')
  client.socket.write('fo status\r\ninfo network\n')
  await client.until('did info network\r\n(qemu) ')
  expect(lines).toEqual(['info status', 'info network'])
})

it('refuses commands that affect the host, unless the port is trusted', async () => {
  const { port, lines } = await openMonitor()
  const client = await dial(port)
  client.socket.write('migrate exec:id\r')
  await client.until('does not allow this command: migrate exec:id\r\n(qemu) ')
  expect(lines).toEqual([])
  const trusting = await openMonitor(true)
  const other = await dial(trusting.port)
  other.socket.write('migrate exec:id\r')
  await other.until('did migrate exec:id')
})

it('closes the connection of a browser and reports it', async () => {
  const refused = vi.fn()
  const { port, lines } = await openMonitor(true, refused)
  const client = await dial(port)
  client.socket.write('POST / HTTP/1.1\r\nHost: x\r\n\r\nmigrate exec:id\r\n')
  await once(client.socket, 'close')
  expect(lines).toEqual([])
  expect(refused).toHaveBeenCalledOnce()
})

it('refuses a port that is in use, and closes its connections at the end', async () => {
  const { port, monitor } = await openMonitor()
  const options = { port, greeting: '', run: async () => '', trusted: false }
  await expect(openMonitorPort(options)).rejects.toMatchObject({ name: 'Refusal', reason: 'unavailable' })
  const client = await dial(port)
  monitor.close()
  await once(client.socket, 'close')
})

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { transportConformance } from '@trivium/http-contract/conformance'
import { afterAll } from 'vitest'
import { exceptions } from './runtime-exceptions.js'

// The suite runs in Node, its hosts in one process of Bun or Deno.

const [program, ...args] = process.env.TRIVIUM_RUNTIME_COMMAND.split(' ')
const child = spawn(program, [...args, new URL('runtime-host.js', import.meta.url).pathname], {
  stdio: ['pipe', 'pipe', 'ignore'],
})
afterAll(() => child.kill())

const listeners = new Map()
createInterface({ input: child.stdout }).on('line', (line) => {
  const [, id, text] = /^(\d+) (.*)$/.exec(line)
  listeners.get(id)?.(text)
})

let started = 0

async function serve({ prefix }) {
  started += 1
  const id = String(started)
  const send = (text) => child.stdin.write(`${id} ${text}\n`)
  const next = () => new Promise((resolve) => listeners.set(id, resolve))
  const listens = next()
  send(`start ${prefix}`)
  const [, port] = /^listens (\d+)$/.exec(await listens)
  return {
    port: Number(port),
    probe: { send, onMessage: (listener) => void listeners.set(id, listener) },
    close: async () => {
      const closed = next()
      send('close')
      await closed
    },
  }
}

transportConformance({ name: 'fetch', serve, ...exceptions[process.env.TRIVIUM_RUNTIME] })

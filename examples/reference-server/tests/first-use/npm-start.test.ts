import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../../..')

it('stops the server when npm is stopped', async () => {
  const data = mkdtempSync(join(tmpdir(), 'trivium-npm-'))
  const npm = spawn('npm', ['start', '--silent', '--', '--port', '0', '--data-dir', data], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(npm, 'exit')
  let url = ''
  // The pipe is open as long as the server runs.
  for await (const line of createInterface({ input: npm.stdout })) {
    const address = /listening on (http:\S+)/.exec(line)?.[1]
    if (address === undefined) continue
    url = address
    expect((await fetch(`${url}/health`)).status).toBe(200)
    npm.kill('SIGTERM')
  }
  await exited
  await expect(fetch(url)).rejects.toThrow()
  rmSync(data, { recursive: true })
})

it('prints the flags with --help', async () => {
  const npm = spawn('npm', ['start', '--silent', '--', '--help'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const printed = await npm.stdout.setEncoding('utf8').toArray()
  expect(printed.join('')).toMatch(/^ {2}--port NUMBER .*\[PORT\]$/m)
})

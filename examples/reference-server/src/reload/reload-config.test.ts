import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest'
import { type Configuration, readSettings } from '../read-settings.ts'
import { type Reloader, reloadConfig } from './reload-config.ts'

const directory = mkdtempSync(join(tmpdir(), 'trivium-reload-'))
const file = join(directory, 'config.yaml')
const read = vi.fn((text?: string) => readSettings(['--config', file], {}, text))
let lines: MockInstance
let started: Configuration
let reloader: Reloader | undefined

beforeEach(async () => {
  lines = vi.spyOn(console, 'log').mockReturnValue()
  writeFileSync(file, 'port: 1\n')
  const request = await read()
  if (request.kind !== 'serve') throw new Error(`the request is of kind ${request.kind}`)
  started = request.configuration
  read.mockClear()
  vi.useFakeTimers()
})
afterEach(() => {
  reloader?.close()
  vi.useRealTimers()
  vi.restoreAllMocks()
})
afterAll(() => rmSync(directory, { recursive: true }))

const printed = async (line: string): Promise<void> => {
  await vi.advanceTimersByTimeAsync(2000)
  await vi.waitFor(() => expect(lines).toHaveBeenLastCalledWith(line))
}

const start = (): Reloader => {
  reloader = reloadConfig(started, {
    read,
    reconfigure: async ({ settings }) => `The port is ${settings.PORT}, the host ${settings.HOST}.`,
  })
  return reloader
}

it('loads a changed file once for many requests, again after a pause, and not where it is the same', async () => {
  const { reload } = start()
  writeFileSync(file, 'port: 2\nhost: a\n')
  for (let count = 0; count < 60; count += 1) reload()
  await printed('The port is 2, the host a.')
  reload()
  await printed('The configuration has not changed.')
  expect(read).toHaveBeenCalledTimes(1)
})

it('waits for the rest of a file that is written in parts', async () => {
  const { reload } = start()
  writeFileSync(file, 'port: 2\n')
  reload()
  await vi.advanceTimersByTimeAsync(900)
  writeFileSync(file, 'port: 2\nhost: b\n')
  await printed('The port is 2, the host b.')
  expect(read).toHaveBeenCalledTimes(1)
})

it('loads a file that was changed after its settings were read', async () => {
  writeFileSync(file, 'port: 3\nhost: c\n')
  start()
  await printed('The port is 3, the host c.')
})

it('leaves the configuration where it is asked for one that it has', async () => {
  const { reload } = start()
  reload()
  await printed('The configuration has not changed.')
  expect(read).not.toHaveBeenCalled()
})

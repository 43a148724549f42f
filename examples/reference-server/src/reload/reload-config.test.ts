import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { readSettings } from '../read-settings.ts'
import { reloadConfig } from './reload-config.ts'

const directory = mkdtempSync(join(tmpdir(), 'trivium-reload-'))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  rmSync(directory, { recursive: true })
})

it('loads a changed file once for many requests, again after a pause, and not where it is the same', async () => {
  const lines = vi.spyOn(console, 'log').mockReturnValue()
  const file = join(directory, 'config.yaml')
  writeFileSync(file, 'port: 1\n')
  const read = vi.fn(() => readSettings(['--config', file], {}))
  const request = await read()
  if (request.kind !== 'serve') throw new Error(`the request is of kind ${request.kind}`)
  read.mockClear()
  vi.useFakeTimers()
  const reloader = reloadConfig(request.configuration, { read, reconfigure: async () => 'loaded' })
  try {
    writeFileSync(file, 'port: 2\n')
    for (let count = 0; count < 60; count += 1) reloader.reload()
    await vi.waitFor(() => expect(lines).toHaveBeenLastCalledWith('loaded'))
    expect(read).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1000)
    await vi.waitFor(() => expect(lines).toHaveBeenLastCalledWith('The configuration has not changed.'))
    expect(read).toHaveBeenCalledTimes(1)
  } finally {
    reloader.close()
  }
})

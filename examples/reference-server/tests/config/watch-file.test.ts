import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  watch as watchDirectory,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type WatchedFile, watchFile } from '../../src/reload/watch-file.ts'

describe('watchFile', () => {
  let directory: string
  let changes: number
  let watched: WatchedFile | undefined

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'trivium-watch-'))
    changes = 0
  })
  afterEach(() => {
    vi.useRealTimers()
    watched?.close()
    rmSync(directory, { recursive: true })
  })

  const watch = (file: string) => {
    const onChange = () => {
      changes += 1
    }
    watched = watchFile(file, onChange, (error) => {
      throw error
    })
  }

  it('notices a file that is written, and one that is replaced', async () => {
    const file = join(directory, 'config.yaml')
    writeFileSync(file, 'a: 1')
    watch(file)
    writeFileSync(file, 'a: 2')
    await expect.poll(() => changes).toBe(1)
    writeFileSync(`${file}.new`, 'a: 3')
    renameSync(`${file}.new`, file)
    await expect.poll(() => changes).toBe(2)
  })

  it('notices each change of the link through which Kubernetes replaces a directory', async () => {
    const file = join(directory, 'config.yaml')
    const publish = (version: string) => {
      mkdirSync(join(directory, version))
      writeFileSync(join(directory, version, 'config.yaml'), version)
      symlinkSync(version, join(directory, '..data_tmp'))
      renameSync(join(directory, '..data_tmp'), join(directory, '..data'))
    }
    publish('..v1')
    symlinkSync('..data/config.yaml', file)
    watch(file)
    publish('..v2')
    await expect.poll(() => changes).toBe(1)
    publish('..v3')
    await expect.poll(() => changes).toBe(2)
  })

  it('notices a file in another directory to which it links', async () => {
    const other = join(directory, 'other')
    mkdirSync(other)
    writeFileSync(join(other, 'real.yaml'), 'a: 1')
    const linked = join(directory, 'linked')
    mkdirSync(linked)
    symlinkSync(join(other, 'real.yaml'), join(linked, 'config.yaml'))
    watch(join(linked, 'config.yaml'))
    writeFileSync(join(other, 'real.yaml'), 'a: 2')
    await expect.poll(() => changes).toBe(1)
  })

  it('waits for a pause between changes, for at most 2 seconds', async () => {
    const file = join(directory, 'config.yaml')
    writeFileSync(file, '')
    watch(file)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const changesAfter = async (writes: number): Promise<number> => {
      for (let count = 0; count < writes; count += 1) {
        const noticed = new Promise<void>((resolve) => {
          const watcher = watchDirectory(directory, () => {
            watcher.close()
            resolve()
          })
        })
        writeFileSync(file, `${count}`)
        await noticed
        vi.advanceTimersByTime(190)
      }
      return changes
    }
    expect(await changesAfter(10)).toBe(0)
    expect(await changesAfter(1)).toBe(1)
  })
})

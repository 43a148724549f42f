import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { scratchDirectory } from '../../tests/scratch-directory.ts'
import { createProcessLog } from './process-log.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

it('writes everything to the file, keeps the last 4 KiB, and reports the written bytes', async () => {
  const path = join(await scratchDirectory(), 'a.log')
  let written = 0
  const onWritten = (bytes: number) => {
    written += bytes
  }
  const log = createProcessLog({ path, onWritten })
  log.write(bytes('first\n'))
  log.write(bytes('x'.repeat(10_000)))
  log.write(bytes('last\n'))
  await log.close()
  expect((await readFile(path, 'utf8')).length).toBe(10_011)
  expect(written).toBe(10_011)
  expect(log.excerpt().length).toBe(4095)
  expect(log.excerpt().endsWith('xlast')).toBe(true)
})

it('keeps at most two files, each within the limit', async () => {
  const directory = await scratchDirectory()
  const path = join(directory, 'a.log')
  const log = createProcessLog({ path, limitBytes: 1000 })
  const olderFiles = new Set<number>()
  // A slow disk gets fewer lines, so that their number is unknown.
  while (olderFiles.size < 3) {
    log.write(bytes(`${'.'.repeat(99)}\n`))
    const older = await stat(`${path}.1`).catch(() => undefined)
    if (older) olderFiles.add(older.ctimeMs)
  }
  log.write(bytes('last\n'))
  await log.close()
  expect((await readdir(directory)).sort()).toEqual(['a.log', 'a.log.1'])
  const [older, newer] = [await readFile(`${path}.1`, 'utf8'), await readFile(path, 'utf8')]
  expect(older.length).toBeLessThanOrEqual(1000)
  expect(newer.length).toBeLessThanOrEqual(1000)
  expect(log.excerpt()).toContain('last')
})

it('keeps the excerpt when the file cannot be written', async () => {
  const onWritten = vi.fn()
  const log = createProcessLog({ path: '/nowhere/at/all.log', onWritten })
  log.write(bytes('still here'))
  await log.close()
  expect(log.excerpt()).toBe('still here')
  expect(onWritten).not.toHaveBeenCalled()
})

it('never writes through a link', async () => {
  const [directory, outside] = [await scratchDirectory(), await scratchDirectory()]
  await writeFile(join(outside, 'kept'), 'kept')
  await symlink(join(outside, 'kept'), join(directory, 'a.log'))
  const log = createProcessLog({ path: join(directory, 'a.log') })
  log.write(bytes('said'))
  await log.close()
  expect(log.excerpt()).toBe('said')
  expect(await readFile(join(outside, 'kept'), 'utf8')).toBe('kept')
})

import { spawn } from 'node:child_process'
import { pbkdf2Sync } from 'node:crypto'
import { once } from 'node:events'
import { chmod, copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pid } from 'node:process'
import type { ProcessRecord } from '@trivium/emulation-core/ports'
import { describe, expect, it, onTestFinished } from 'vitest'
import { scratchDirectory } from '../../tests/scratch-directory.ts'
import { identify } from './process-identity.ts'
import { resourcesOf } from './process-resources.ts'

async function recordOf(number: number | undefined): Promise<ProcessRecord> {
  const record = await identify(number ?? 0, 'program')
  if (record === undefined) throw new Error('It has ended')
  return record
}

async function startSleep(program = '/bin/sleep') {
  const child = spawn(program, ['100'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  return { child, record: await recordOf(child.pid) }
}

describe('resourcesOf', () => {
  it('counts the CPU time of a process as it is used, and its resident memory', async () => {
    const own = await recordOf(pid)
    const first = await resourcesOf([own])
    const cpuSeconds = async () => {
      pbkdf2Sync('password', 'salt', 50_000, 64, 'sha512')
      return (await resourcesOf([own]))?.cpuSeconds
    }
    await expect.poll(cpuSeconds, { interval: 0, timeout: 10_000 }).toBeGreaterThan((first?.cpuSeconds ?? 0) + 0.1)
    const used = (await resourcesOf([own]))?.cpuSeconds ?? 0
    const { user, system } = process.cpuUsage()
    expect(used).toBeLessThanOrEqual((user + system) / 1e6 + 0.02)
    const { rss } = process.memoryUsage()
    expect(first?.memoryBytes).toBeGreaterThan(rss / 4)
    expect(first?.memoryBytes).toBeLessThan(rss * 4)
  })

  it('sums several processes', async () => {
    const [own, { record }] = [await recordOf(pid), await startSleep()]
    const [alone, both] = [await resourcesOf([record]), await resourcesOf([own, record])]
    expect(alone?.memoryBytes).toBeGreaterThan(0)
    expect(both?.memoryBytes).toBeGreaterThan(alone?.memoryBytes ?? 0)
    expect(both?.cpuSeconds).toBeGreaterThan(0.1)
  })

  it('omits processes that have ended, and others that have their number', async () => {
    const [own, { child, record }] = [await recordOf(pid), await startSleep()]
    const [boot, ticks] = own.startedAt.split('/')
    const earlier = { ...own, startedAt: `${boot}/${Number(ticks) - 1}` }
    const alone = await resourcesOf([record])
    expect((await resourcesOf([record, earlier, { ...own, startedAt: '' }]))?.cpuSeconds).toBe(alone?.cpuSeconds)
    expect(await resourcesOf([earlier])).toBeUndefined()
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await resourcesOf([record])).toBeUndefined()
    expect(await resourcesOf([])).toBeUndefined()
  })

  it('reads the figures of a program whose name has spaces and parentheses', async () => {
    const directory = await scratchDirectory()
    const program = join(directory, 'a) R 1 (b')
    await copyFile('/bin/sleep', program)
    await chmod(program, 0o755)
    const { record } = await startSleep(program)
    expect(await resourcesOf([record])).toEqual({ cpuSeconds: expect.any(Number), memoryBytes: expect.any(Number) })
    expect((await resourcesOf([record]))?.cpuSeconds).toBeLessThan(10)
  })
})

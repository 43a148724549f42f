import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { linuxWorker } from '../src/index.ts'

const program = join(import.meta.dirname, 'worker-process.ts')
const node = [process.execPath, '--conditions=@trivium/source', program]

/** Whether the test may create process namespaces on this machine. */
function canUnshare(): boolean {
  try {
    execFileSync('unshare', ['--pid', '--fork', '--mount-proc', 'true'], { stdio: 'pipe' })
    return true
  } catch (error) {
    const message = `no namespaces of processes here (${error}): tests of them are skipped`
    if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(message)
    console.warn(message)
    return false
  }
}

/** Starts another process. @returns the process and the id of its worker */
async function started(...[command = '', ...args]: readonly string[]): Promise<{ child: ChildProcess; id: string }> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [id] = await once(child.stdout.setEncoding('utf8'), 'data')
  return { child, id: String(id).trim() }
}

async function ended(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

describe('linuxWorker', () => {
  it('detects that another process runs, and that it was killed', async () => {
    const { child, id } = await started(...node)
    const worker = linuxWorker()
    expect(worker.id).toMatch(/^linux\/.{0,240}$/)
    expect(await worker.hasEnded(id)).toBe(false)
    child.kill('SIGSTOP')
    expect(await worker.hasEnded(id)).toBe(false)
    await ended(child)
    expect(await worker.hasEnded(id)).toBe(true)
  })

  it('detects that a process was killed whose parent does not notice', async () => {
    const parent = 'exec 3<&0; "$@" <&3 & exec sleep 1000 >/dev/null'
    const { id } = await started('sh', '-c', parent, 'sh', ...node)
    expect(await linuxWorker().hasEnded(id)).toBe(false)
    const pid = Number(id.split('/')[2])
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ')
    await expect.poll(() => linuxWorker().hasEnded(id)).toBe(true)
  })

  it('creates a different worker with each call, also in the same process', async () => {
    const [one, other] = [linuxWorker(), linuxWorker()]
    expect(one.id).not.toBe(other.id)
    expect(await one.hasEnded(other.id)).toBe(false)
    expect(await one.hasEnded(one.id)).toBe(false)
  })

  it('distinguishes a process from an earlier one with the same process id', async () => {
    const { id } = await started(...node)
    const [kind, place, pid, start = '', unique] = id.split('/')
    const earlier = [kind, place, pid, String(Number(start) - 1), unique].join('/')
    expect([await linuxWorker().hasEnded(id), await linuxWorker().hasEnded(earlier)]).toEqual([false, true])
  })

  it.each([
    [
      'of another machine, boot or namespace',
      (id: string) => id.replace(/^linux\/./, (head) => `linux/${head.endsWith('0') ? 1 : 0}`),
    ],
    ['without a process', () => crypto.randomUUID()],
    ['with the process id 0', (id: string) => id.replace(/^(linux\/[^/]+)\/\d+/, '$1/0')],
    ['with a suffix', (id: string) => `${id}/x`],
  ])('returns false for an id %s', async (_, change) => {
    const { child, id } = await started(...node)
    await ended(child)
    expect(await linuxWorker().hasEnded(id)).toBe(true)
    expect(await linuxWorker().hasEnded(change(id))).toBe(false)
  })

  it.skipIf(!canUnshare())('returns false for a process in another container', async () => {
    const { child, id } = await started('unshare', '--pid', '--fork', '--kill-child', '--mount-proc', ...node)
    expect(id).toMatch(/^linux\/[0-9a-f]+\/1\//)
    expect(await linuxWorker().hasEnded(id)).toBe(false)
    await ended(child)
    expect(await linuxWorker().hasEnded(id)).toBe(false)
  })

  it.skipIf(!canUnshare())('has a random id where /proc is that of another namespace', async () => {
    const { id } = await started('unshare', '--pid', '--fork', '--kill-child', ...node)
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
  })
})

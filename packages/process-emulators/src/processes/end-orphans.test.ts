import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { OrphanedInstance, ProcessRecord } from '@trivium/emulation-core/ports'
import { expect, it, onTestFinished, vi } from 'vitest'
import { newInstanceId, newProjectId } from '../../tests/instances.ts'
import { endOrphanedHelpers, endOrphans } from './end-orphans.ts'
import { endProcesses } from './end-processes.ts'
import { INSTANCE_VARIABLE, SERVER_VARIABLE } from './process-environment.ts'
import { findByEnvironment, identify, isAlive, parentOf } from './process-identity.ts'

/** A process with numbers of its own, as in a container. Its first one is 1, and ends with `unshare`. */
const ownNumbers = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child']
// Docker allows no namespaces in a container by default.
const lacksNamespaces = spawnSync('unshare', [...ownNumbers, 'true']).status !== 0

const id = newInstanceId()
const stray = (processes: readonly ProcessRecord[]): OrphanedInstance => ({
  id,
  projectId: newProjectId(),
  directory: '/nowhere',
  processes,
})

async function startSleep(environment: Readonly<Record<string, string>> = {}) {
  const program = '/bin/sleep'
  const child: ChildProcess = spawn(program, ['100'], { env: environment, detached: true, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  const record = await identify(child.pid ?? 0, program)
  if (record === undefined) throw new Error('It ended at once')
  return { child, record }
}

it('ends recorded processes that are still the same', async () => {
  const { child, record } = await startSleep()
  const ended = once(child, 'exit')
  await endOrphans([stray([record])])
  expect(await ended).toEqual([null, 'SIGTERM'])
})

it('keeps another process that has the number of a recorded one', async () => {
  const { record } = await startSleep()
  const [boot, ticks] = record.startedAt.split('/')
  await endOrphans([
    stray([{ ...record, startedAt: `${boot}/${Number(ticks) - 1}` }]),
    stray([{ ...record, startedAt: `another-boot/${ticks}` }]),
    stray([{ ...record, startedAt: '' }]),
  ])
  expect(await isAlive(record)).toBe(true)
})

it('ends processes of the instance that were never recorded, but none of other instances', async () => {
  const { child } = await startSleep({ [INSTANCE_VARIABLE]: id })
  const other = await startSleep({ [INSTANCE_VARIABLE]: `${id}0` })
  const ended = once(child, 'exit')
  await endOrphans([stray([])])
  await ended
  expect(await isAlive(other.record)).toBe(true)
})

it('kills a process that does not end by itself, also when it is paused', async () => {
  const script = 'trap "" TERM; echo ready; while :; do sleep 1; done'
  const child = spawn('/bin/sh', ['-c', script], { env: { PATH: '/usr/bin:/bin' }, detached: true })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  const record = await identify(child.pid ?? 0, '/bin/sh')
  const ended = once(child, 'exit')
  await endOrphans(record === undefined ? [] : [stray([record])], { graceMs: 200 })
  expect(await ended).toEqual([null, 'SIGKILL'])
})

it('ends only helpers whose server has ended', async () => {
  const script = `${SERVER_VARIABLE}=$$ sleep 100 & echo $!; wait`
  const startServer = async () => {
    const server = spawn('/bin/sh', ['-c', script], { env: { PATH: '/usr/bin:/bin' } })
    onTestFinished(() => void server.kill('SIGKILL'))
    const [pid] = await once(server.stdout, 'data')
    const helper = await identify(Number(pid), 'sleep')
    if (helper === undefined) throw new Error('It ended at once')
    await expect
      .poll(async () => (await findByEnvironment(SERVER_VARIABLE)).map(({ process }) => process.pid))
      .toContain(helper.pid)
    onTestFinished(() => endProcesses([helper], { graceMs: 0 }))
    return { server, helper }
  }
  const [crashed, live] = [await startServer(), await startServer()]
  const ended = once(crashed.server, 'exit')
  crashed.server.kill('SIGKILL')
  await ended
  expect(await isAlive(crashed.helper)).toBe(true)
  await endOrphanedHelpers()
  expect([await isAlive(crashed.helper), await isAlive(live.helper)]).toEqual([false, true])
})

it.skipIf(lacksNamespaces)(
  'keeps the helpers of a server in a container, which has other process numbers',
  async () => {
    const server = spawn('unshare', [...ownNumbers, '/bin/sh', '-c', `${SERVER_VARIABLE}=$$ sleep 100 & wait`], {
      env: { PATH: '/usr/bin:/bin' },
    })
    onTestFinished(() => void server.kill('SIGKILL'))
    const find = async () => (await findByEnvironment(SERVER_VARIABLE)).find(({ value }) => value === '1')?.process
    const helper = await vi.waitUntil(find)
    expect(await parentOf(helper)).not.toBe('1')
    await endOrphanedHelpers()
    expect(await isAlive(helper)).toBe(true)
  },
)

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newInstanceId } from '../../tests/instances.ts'
import { scratchDirectory } from '../../tests/scratch-directory.ts'
import { plainEnvironment } from './process-environment.ts'
import { identify, isAlive } from './process-identity.ts'
import { startProcess } from './start-process.ts'

const instanceId = newInstanceId()

async function startShell(
  script: string,
  options: { terminal?: 'log' | 'stream'; sockets?: number; graceMs?: number } = {},
) {
  const directory = await scratchDirectory()
  const process = await startProcess({
    program: '/bin/sh',
    parameters: ['-c', script],
    directory,
    logFile: 'shell.log',
    environment: plainEnvironment(),
    instanceId,
    terminal: 'log',
    ...options,
  })
  return { process, directory }
}

it('reports how the process ended, with the end of its log', async () => {
  const { process, directory } = await startShell('echo hello; echo oops >&2; exit 7')
  expect(await process.exited).toEqual({ exitCode: 7, log: 'hello\noops' })
  expect(await readFile(join(directory, 'shell.log'), 'utf8')).toBe('hello\noops\n')
  expect(process.hasExited()).toBe(true)
  await process.stop()
})

it('starts the process in its own session, in its directory, with the mark of its instance', async () => {
  const { process, directory } = await startShell('pwd; echo $TRIVIUM_INSTANCE; ps -o sid= -p $$; echo $$')
  const { log } = await process.exited
  const [workingDirectory, mark, session, pid] = log.split('\n').map((line) => line.trim())
  expect([workingDirectory, mark, session]).toEqual([directory, instanceId, pid])
  expect(pid).toBe(`${process.record.pid}`)
})

it('kills a process that does not end by itself, and everything in its group', async () => {
  const { process } = await startShell('trap "" TERM; sleep 100 & echo ready; while :; do sleep 100; done', {
    graceMs: 100,
    terminal: 'stream',
  })
  await new Promise((resolve) => process.terminal?.output.once('data', resolve))
  const children = await process.recordChildren()
  expect(children.length).toBeGreaterThan(0)
  await process.stop()
  expect(await process.exited).toMatchObject({ signal: 'SIGKILL' })
  for (const child of [process.record, ...children]) expect(await isAlive(child)).toBe(false)
})

it('ends recorded children that have left the session when the process ends', async () => {
  const { process } = await startShell('setsid sleep 100 & echo ready; wait', { terminal: 'stream' })
  await new Promise((resolve) => process.terminal?.output.once('data', resolve))
  const children = await process.recordChildren()
  expect(children).toHaveLength(1)
  globalThis.process.kill(process.record.pid, 'SIGKILL')
  await process.exited
  for (const child of children) expect(await isAlive(child)).toBe(false)
})

it('connects the process to sockets', async () => {
  const { process } = await startShell('read line <&3; echo "got $line" >&4', { sockets: 2 })
  const [one, other] = process.sockets
  const answer = new Promise((resolve) => other?.once('data', (bytes) => resolve(String(bytes))))
  one?.write('words\n')
  expect(await answer).toBe('got words\n')
  await process.exited
})

it.each([
  ['nothing', []],
  ['sh', ['-c', 'nul \0']],
  ['sh', ['x'.repeat(300_000)]],
])('rejects a command that cannot be run: %s', async (name, parameters) => {
  const directory = await scratchDirectory()
  const started = startProcess({
    program: join('/bin', name),
    parameters,
    directory,
    logFile: 'a.log',
    environment: {},
    instanceId,
    terminal: 'log',
  })
  await expect(started).rejects.toMatchObject({ name: 'Refusal', reason: 'failed' })
})

it('ends a process that has left its session and its parent and ignores signals', async () => {
  const { process } = await startShell(
    `(setsid sh -c 'trap "" TERM INT HUP; echo $$; while :; do sleep 100; done' &); wait; exec sleep 100`,
    { terminal: 'stream' },
  )
  const pid = await new Promise<number>((resolve) =>
    process.terminal?.output.once('data', (bytes: Buffer) => resolve(Number(bytes.toString()))),
  )
  const stray = await identify(pid, 'sh')
  if (stray === undefined) throw new Error('It did not start')
  await process.stop()
  expect(await isAlive(stray)).toBe(false)
})

it('keeps another process of the same instance', async () => {
  const { process: other } = await startShell('exec sleep 100')
  const { process } = await startShell('exit 0')
  await process.exited
  expect(await isAlive(other.record)).toBe(true)
  await other.stop()
})

it('restricts the process: high memory score, no core files, no new privileges, private files', async () => {
  const { process, directory } = await startShell(
    'cat /proc/self/oom_score_adj /proc/self/coredump_filter; grep NoNewPrivs /proc/self/status; echo x > file; mkdir made',
  )
  const { log } = await process.exited
  expect(log.split('\n')).toEqual(['500', '00000000', 'NoNewPrivs:\t1'])
  const modes = ['file', 'made'].map(async (name) => (await stat(join(directory, name))).mode & 0o777)
  expect(await Promise.all(modes)).toEqual([0o600, 0o700])
})

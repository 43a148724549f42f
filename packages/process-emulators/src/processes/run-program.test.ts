import { expect, it } from 'vitest'
import { plainEnvironment } from './process-environment.ts'
import { runProgram } from './run-program.ts'

const run = (script: string, options: { timeoutMs?: number; outputBytes?: number } = {}) =>
  runProgram({
    program: '/bin/sh',
    parameters: ['-c', script],
    environment: plainEnvironment(),
    timeoutMs: 10_000,
    ...options,
  })

it('returns the outputs and the exit code', async () => {
  expect(await run('echo out; echo err >&2; exit 3')).toEqual({ exitCode: 3, output: 'out\n', errorOutput: 'err\n' })
})

it('passes no environment variable of the server to the program', async () => {
  process.env.TRIVIUM_TEST_SECRET = 'secret'
  const { output } = await run('env')
  delete process.env.TRIVIUM_TEST_SECRET
  expect(output).not.toContain('TRIVIUM_TEST_SECRET')
  expect(output).toContain('LANG=C')
})

it('ends a program that takes too long, with the processes that it started', async () => {
  await expect(run('sleep 100 & sleep 100', { timeoutMs: 100 })).rejects.toMatchObject({
    reason: 'failed',
    message: '/bin/sh has timed out after 0.1 seconds',
  })
})

it('ends a program that prints too much', async () => {
  await expect(run('yes', { outputBytes: 100_000 })).rejects.toThrow('printed too much')
})

it('rejects when the program does not exist', async () => {
  const missing = runProgram({
    program: '/nowhere',
    parameters: [],
    environment: {},
    timeoutMs: 1000,
  })
  await expect(missing).rejects.toMatchObject({ name: 'Refusal', reason: 'failed' })
})

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, it, onTestFinished } from 'vitest'
import { newInstanceId } from '../../tests/instances.ts'
import { scratchDirectory } from '../../tests/scratch-directory.ts'
import { plainEnvironment } from './process-environment.ts'
import { startProcess } from './start-process.ts'
import { createStreamConsole } from './stream-console.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

async function startFlood() {
  const process = await startProcess({
    program: '/usr/bin/yes',
    parameters: ['x'.repeat(78)],
    directory: await scratchDirectory(),
    logFile: 'yes.log',
    environment: plainEnvironment(),
    instanceId: newInstanceId(),
    terminal: 'stream',
  })
  onTestFinished(() => process.stop())
  if (process.terminal === undefined) throw new Error('There is no terminal')
  return createStreamConsole(process.terminal)
}

it('reads one chunk in each turn of the event loop from a program that never stops printing', async () => {
  const console = await startFlood()
  let [bytes, most, before] = [0, 0, 0]
  console.onOutput((chunk) => {
    bytes += chunk.length
  })
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  while (bytes < 20_000_000) {
    await turn()
    most = Math.max(most, bytes - before)
    before = bytes
  }
  delay.disable()
  globalThis.console.log(
    `a console that floods: at most ${most} bytes a turn, event loop late by ${(delay.percentile(99) / 1e6).toFixed(1)} ms (p99)`,
  )
  expect(most).toBeLessThanOrEqual(2 * 65_536)
})

it('stops reading while it is paused', async () => {
  const console = await startFlood()
  let bytes = 0
  console.onOutput((chunk) => {
    bytes += chunk.length
  })
  while (bytes === 0) await turn()
  console.pause?.()
  const paused = bytes
  for (let turns = 0; turns < 200; turns += 1) await turn()
  expect(bytes).toBe(paused)
  console.resume?.()
  while (bytes === paused) await turn()
})

import { access } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { describeWith } from '../../tests/require-programs.ts'
import { defaultProgramDirectories, findProgram } from '../processes/find-program.ts'
import { plainEnvironment } from '../processes/process-environment.ts'
import { type BootOptions, boots, createAccelerationTest, hostArchitectures } from './acceleration.ts'

const environment = plainEnvironment()

describeWith(['qemu-system-x86_64', 'qemu-system-i386'], 'the test of acceleration', () => {
  const { signal } = new AbortController()
  const find = (program: string) => findProgram({ program, directories: defaultProgramDirectories, title: program })

  it.each(['qemu-system-x86_64', 'qemu-system-i386'])('succeeds with plain emulation of %s', async (name) => {
    const program = await find(name)
    expect(await boots({ program, accelerator: 'tcg', environment, timeoutMs: 20_000, signal })).toBe(true)
  }, 30_000)

  it('fails with an accelerator that does not start or is too slow', async () => {
    const program = await find('qemu-system-x86_64')
    expect(await boots({ program, accelerator: 'nothing', environment, timeoutMs: 20_000, signal })).toBe(false)
    expect(await boots({ program, accelerator: 'tcg', environment, timeoutMs: 1, signal })).toBe(false)
  })

  it('succeeds with an accelerator only where its device exists', async () => {
    const accelerationTest = createAccelerationTest({ environment, timeoutMs: 500 })
    const program = await find('qemu-system-x86_64')
    const accelerated = await accelerationTest.find(program)
    const hasDevice = await access('/dev/kvm').then(
      () => true,
      () => false,
    )
    if (!hasDevice) expect(accelerated).toBeUndefined()
    expect([undefined, 'kvm']).toContain(accelerated)
    expect(await accelerationTest.find('/usr/bin/qemu-system-sparc')).toBeUndefined()
  }, 20_000)
})

describe('a slow test of acceleration', () => {
  const program = '/usr/bin/qemu-system-x86_64'

  it.runIf(hostArchitectures.includes('x86_64'))('runs once, and delays a start by at most its bound', async () => {
    let calls = 0
    let ended = 0
    const runTest = ({ signal }: BootOptions) => {
      calls += 1
      signal.addEventListener('abort', () => {
        ended += 1
      })
      return new Promise<boolean>(() => {})
    }
    const accelerationTest = createAccelerationTest({ environment, maxWaitMs: 10, runTest })
    expect([accelerationTest.known(program), accelerationTest.known(program)]).toEqual([undefined, undefined])
    expect([await accelerationTest.find(program), await accelerationTest.find(program)]).toEqual([undefined, undefined])
    expect(calls).toBe(1)
    accelerationTest.close()
    expect(ended).toBe(1)
  })

  it.runIf(hostArchitectures.includes('x86_64'))('returns the accelerator once it has succeeded', async () => {
    const answer = Promise.withResolvers<boolean>()
    const accelerationTest = createAccelerationTest({ environment, maxWaitMs: 10, runTest: () => answer.promise })
    expect(await accelerationTest.find(program)).toBeUndefined()
    answer.resolve(true)
    await expect.poll(() => accelerationTest.known(program)).toBe('kvm')
    expect(await accelerationTest.find(program)).toBe('kvm')
  })
})

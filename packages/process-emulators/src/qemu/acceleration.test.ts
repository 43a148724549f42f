import { access } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { describeWith } from '../../tests/require-programs.ts'
import { findProgram, usualProgramDirectories } from '../processes/find-program.ts'
import { plainEnvironment } from '../processes/process-environment.ts'
import { type BootOptions, boots, createAccelerationProof, hostArchitectures } from './acceleration.ts'

const environment = plainEnvironment()

describeWith(['qemu-system-x86_64', 'qemu-system-i386'], 'the test of acceleration', () => {
  const { signal } = new AbortController()
  const find = (program: string) => findProgram({ program, directories: usualProgramDirectories, title: program })

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
    const proof = createAccelerationProof({ environment, timeoutMs: 500 })
    const program = await find('qemu-system-x86_64')
    const accelerated = await proof.find(program)
    const hasDevice = await access('/dev/kvm').then(
      () => true,
      () => false,
    )
    if (!hasDevice) expect(accelerated).toBeUndefined()
    expect([undefined, 'kvm']).toContain(accelerated)
    expect(await proof.find('/usr/bin/qemu-system-sparc')).toBeUndefined()
  }, 20_000)
})

describe('a slow test of acceleration', () => {
  const program = '/usr/bin/qemu-system-x86_64'

  it.runIf(hostArchitectures.includes('x86_64'))('runs once, and delays a start by at most its bound', async () => {
    let asked = 0
    let ended = 0
    const prove = ({ signal }: BootOptions) => {
      asked += 1
      signal.addEventListener('abort', () => {
        ended += 1
      })
      return new Promise<boolean>(() => {})
    }
    const proof = createAccelerationProof({ environment, patienceMs: 10, prove })
    expect([proof.known(program), proof.known(program)]).toEqual([undefined, undefined])
    expect([await proof.find(program), await proof.find(program)]).toEqual([undefined, undefined])
    expect(asked).toBe(1)
    proof.close()
    expect(ended).toBe(1)
  })

  it.runIf(hostArchitectures.includes('x86_64'))('returns the accelerator once it has succeeded', async () => {
    const answer = Promise.withResolvers<boolean>()
    const proof = createAccelerationProof({ environment, patienceMs: 10, prove: () => answer.promise })
    expect(await proof.find(program)).toBeUndefined()
    answer.resolve(true)
    await expect.poll(() => proof.known(program)).toBe('kvm')
    expect(await proof.find(program)).toBe('kvm')
  })
})

import { access } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { describeWith } from '../../tests/require-programs.ts'
import { findProgram, usualProgramDirectories } from '../processes/find-program.ts'
import { plainEnvironment } from '../processes/process-environment.ts'
import { boots, createAccelerationProof } from './acceleration.ts'

describeWith(['qemu-system-x86_64', 'qemu-system-i386'], 'the proof of acceleration', () => {
  const environment = plainEnvironment()
  const find = (program: string) => findProgram({ program, directories: usualProgramDirectories, title: program })

  it.each(['qemu-system-x86_64', 'qemu-system-i386'])('is given by plain emulation of %s', async (name) => {
    const program = await find(name)
    expect(await boots({ program, accelerator: 'tcg', environment, timeoutMs: 20_000 })).toBe(true)
  }, 30_000)

  it('is not given by an accelerator that does not start, nor by one that is out of time', async () => {
    const program = await find('qemu-system-x86_64')
    expect(await boots({ program, accelerator: 'nothing', environment, timeoutMs: 20_000 })).toBe(false)
    expect(await boots({ program, accelerator: 'tcg', environment, timeoutMs: 1 })).toBe(false)
  })

  it('is asked for once a program', async () => {
    const proof = createAccelerationProof({ environment, timeoutMs: 500 })
    const program = await find('qemu-system-x86_64')
    const first = proof.find(program)
    expect(proof.find(program)).toBe(first)
    const accelerated = await first
    const hasDevice = await access('/dev/kvm').then(
      () => true,
      () => false,
    )
    if (!hasDevice) expect(accelerated).toBeUndefined()
    expect([undefined, 'kvm']).toContain(accelerated)
    expect(await proof.find('/usr/bin/qemu-system-sparc')).toBeUndefined()
  }, 20_000)
})

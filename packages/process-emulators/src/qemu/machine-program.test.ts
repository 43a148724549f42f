import { describe, expect, it } from 'vitest'
import { allowedProgram, architectureOf, packageOf } from './machine-program.ts'

const rules = { directories: ['/usr/bin'], programs: ['/opt/lab/my-qemu'] }

describe('allowedProgram', () => {
  it.each([
    ['qemu-system-x86_64', 'qemu-system-x86_64'],
    ['qemu', 'qemu'],
    ['/usr/bin/qemu-system-arm', '/usr/bin/qemu-system-arm'],
    ['/usr/lib/../bin/qemu-system-arm', '/usr/bin/qemu-system-arm'],
    ['/opt/lab/my-qemu', '/opt/lab/my-qemu'],
  ])('accepts %s', (program, expected) => {
    expect(allowedProgram(program, rules)).toBe(expected)
  })

  it.each([
    'sh',
    '/bin/sh',
    '/usr/bin/sh',
    '/usr/bin/../bin/sh',
    '/tmp/qemu-system-x86_64',
    '/usr/bin/x/qemu-system-x86_64',
    './qemu-system-x86_64',
    '../usr/bin/qemu-system-x86_64',
    'qemu-system-x86_64;id',
    'qemu-system-x86_64 -S',
    'qemu-img',
    'qemu-system-\0',
    '',
  ])('refuses %j', (program) => {
    expect(() => allowedProgram(program, rules)).toThrow(expect.objectContaining({ reason: 'not-allowed' }))
  })
})

it.each([
  ['/usr/bin/qemu-system-x86_64', 'x86_64', 'qemu-system-x86'],
  ['qemu-system-aarch64', 'aarch64', 'qemu-system-arm'],
  ['qemu-system-mipsel', 'mipsel', 'qemu-system-mips'],
  ['qemu-system-s390x', 's390x', 'qemu-system-s390x'],
  ['qemu-system-riscv64', 'riscv64', 'qemu-system-misc'],
  ['kvm', undefined, 'qemu-system-x86'],
])('the program %s emulates %s and is in the package %s', (program, architecture, debianPackage) => {
  expect(architectureOf(program)).toBe(architecture)
  expect(packageOf(program)).toBe(debianPackage)
})

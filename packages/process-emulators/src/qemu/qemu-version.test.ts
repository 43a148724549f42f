import { expect, it } from 'vitest'
import { isAtLeast, parseQemuVersion } from './qemu-version.ts'

it.each([
  ['QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18+b3)\nCopyright', '7.2.22', 7, 2],
  ['QEMU emulator version 2.0.0, Copyright (c) 2003-2008 Fabrice Bellard', '2.0.0', 2, 0],
  ['QEMU emulator version 10.0.0-rc1', '10.0.0-rc1', 10, 0],
])('reads the version in %j', (output, text, major, minor) => {
  expect(parseQemuVersion(output)).toEqual({ text, major, minor })
})

it('returns undefined for an output without a version', () => {
  for (const output of ['', 'bash: not found', 'version x']) expect(parseQemuVersion(output)).toBeUndefined()
})

it('compares versions by their numbers', () => {
  const version = { text: '2.9.1', major: 2, minor: 9 }
  expect([
    isAtLeast(version, 2, 9),
    isAtLeast(version, 2, 10),
    isAtLeast(version, 1, 12),
    isAtLeast(version, 3, 0),
  ]).toEqual([true, false, true, false])
})

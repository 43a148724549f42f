import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { architectures, binaryOf, sourceDigest } from '../native/build.ts'

it.each(architectures)('the binary for %s is that of the source, and needs no library', (architecture) => {
  const binary = readFileSync(binaryOf(architecture), 'latin1')
  expect(binary).toContain(sourceDigest())
  expect(binary).not.toMatch(/lib[\w+-]+\.so/)
})

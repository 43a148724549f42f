import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { fileArchive } from './file-archive.ts'

it.each([0, 1, 512, 100_000])('writes an archive that tar reads, with a file of %i bytes', (size) => {
  const content = Buffer.alloc(size, 'ab\n')
  const input = fileArchive('router.conf', content)
  expect(input.length % 512).toBe(0)
  expect(execFileSync('tar', ['-xOf', '-'], { input })).toEqual(content)
  const listed = execFileSync('tar', ['--numeric-owner', '-tvf', '-'], { input, encoding: 'utf8' })
  expect(listed).toMatch(new RegExp(`^-rw-r--r-- 0/0 +${size} .* router\\.conf\n$`))
})

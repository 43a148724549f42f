import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { parse } from 'yaml'
import { FILES, fileNames, readBack, translated } from './translated.ts'

const files = fileNames.map((name): unknown =>
  parse(readFileSync(join(FILES, name), 'utf8'), { merge: true, uniqueKeys: false, logLevel: 'error' }),
)

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    '*',
    '**',
    'a/*',
    '$NAME',
    'os.environ/NAME',
    'os.environ/',
    '__proto__',
    'x'.repeat(600),
  ),
  fc.constantFrom<unknown>(0, -1, 1.5, 1e300, true, [], {}, [[]], [null], { a: { b: [1] } }, [{ '*': ['*'] }]),
)

/** Returns the value with one part of it replaced, the one that a number selects. */
function replaced(value: unknown, part: number, by: unknown): unknown {
  let left = part
  const visit = (node: unknown): unknown => {
    left -= 1
    if (left === 0) return by
    if (Array.isArray(node)) return node.map(visit)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, visit(inner)]))
  }
  return visit(value)
}

describe('a file with an odd value in any place', () => {
  it('becomes a file that the server accepts', () => {
    fc.assert(
      fc.property(fc.constantFrom(...files), fc.integer({ min: 2, max: 160 }), odd, (file, part, value) => {
        const changed = replaced(file, part, value)
        if (typeof changed !== 'object' || changed === null || JSON.stringify(changed).includes('"include"')) return
        readBack(translated(JSON.stringify(changed)).text)
      }),
      { numRuns: 300, seed: 19 },
    )
  })
})

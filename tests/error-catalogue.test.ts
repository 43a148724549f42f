import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { errorPages } from '../scripts/errors/pages.ts'

const pages = await errorPages()

/** Clients of ONTAP compare these messages. */
const wordedByOntap = new Set(['User is not authorized', 'API not found', "entry doesn't exist"])

describe('the error catalogue', () => {
  it.each(Object.entries(pages))('%s matches the code: else run `npm run docs:errors`', (file, text) => {
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it("lists every code in the gateway's sources", () => {
    const sources = globSync('packages/gateway-core/src/{http,providers}/**/*.ts', { exclude: ['**/*.test.ts'] })
    const written = sources.flatMap((file) => {
      const text = readFileSync(file, 'utf8')
      return [...text.matchAll(/\bcode: '([a-z_]+)'/g), ...text.matchAll(/upstreamError\([^)]*'([a-z_]+)'\)/g)].map(
        ([, code = '']) => code,
      )
    })
    expect(written.length).toBeGreaterThan(20)
    expect([...new Set(written)].filter((code) => !pages['docs/errors/gateway.md']?.includes(`\`${code}\``))).toEqual(
      [],
    )
  })

  it.each(Object.entries(pages))('%s has whole sentences as messages, except what ONTAP words itself', (_, text) => {
    const rows = [...text.matchAll(/^\| `?[\w-]+`? \| \d+ \| `(.+?)` \|/gm)].map(([, message = '']) => message)
    expect(rows.length).toBeGreaterThan(30)
    const unfinished = rows.filter((message) => !/(?:\.|^\{[^{}]*\}|\{[^{}]*\}\.?)$/.test(message))
    expect(unfinished.filter((message) => !wordedByOntap.has(message))).toEqual([])
  })
})

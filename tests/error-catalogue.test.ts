import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { errorPages } from '../scripts/errors/pages.ts'

const pages = await errorPages()

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
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readBack, translated } from './translated.ts'

const document = (name: string) => readFileSync(join(import.meta.dirname, '../../../../docs', name), 'utf8')

const blocksOf = (markdown: string, language: string): readonly string[] =>
  [...markdown.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block)

describe('the guide from LiteLLM', () => {
  it('has the translation of its example', () => {
    const [before = '', after] = blocksOf(document('migrating-from-litellm.md'), 'yaml')
    expect(translated(before).text).toBe(after)
    expect(Object.keys(readBack(translated(before).text).sections.models ?? {})).toContain('gpt-4o')
  })
})

describe('the guide from Portkey', () => {
  const guide = document('migrating-from-portkey.md')

  it('has configs in JSON, each with a file that follows it', () => {
    const before = blocksOf(guide, 'json').map((block): unknown => JSON.parse(block))
    expect(before).toHaveLength(blocksOf(guide, 'yaml').length)
  })

  it.each(blocksOf(guide, 'yaml'))('has a file that the server accepts: %#', (text) => {
    expect(Object.keys(readBack(text).sections)).not.toEqual([])
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clients } from './clients.ts'
import { withTables } from './clients-table.ts'
import { readResults } from './recorded-results.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/clients.md'), 'utf8')
const projects = join(import.meta.dirname, 'projects')

describe('the document of clients', () => {
  it('has the recorded results and the locked versions of every client', () => {
    expect(withTables(page, readResults())).toBe(page)
  })

  it('has one row for a feature, with a column for each upstream', () => {
    const [before, after] = [
      'several tool calls over a chat-only upstream',
      'several tool calls over an Anthropic upstream',
    ]
    const written = withTables(page, { ...readResults(), codex: { works: [before], fails: [after, 'its version'] } })
    expect(written).toContain('| feature | chat completions only | Anthropic |')
    expect(written).toContain('| several tool calls | works | **fails** |\n\nFails: its version.')
  })

  it('has results of every project', () => {
    const names = readdirSync(projects, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(names.map(({ name }) => name).toSorted()).toEqual(clients.map(({ name }) => name).toSorted())
    expect(Object.keys(readResults())).toEqual(clients.map(({ name }) => name))
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clients } from './clients.ts'
import { withTable } from './clients-table.ts'
import { readResults } from './recorded-results.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/clients.md'), 'utf8')
const projects = join(import.meta.dirname, 'projects')

describe('the document of clients', () => {
  it('has the recorded results and the locked versions of every client', () => {
    expect(withTable(page, readResults())).toBe(page)
  })

  it('has results of every project', () => {
    const names = readdirSync(projects, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(names.map(({ name }) => name).toSorted()).toEqual(clients.map(({ name }) => name).toSorted())
    expect(Object.keys(readResults())).toEqual(clients.map(({ name }) => name))
  })
})

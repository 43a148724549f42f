import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { clients } from './clients.ts'
import type { RecordedResults } from './recorded-results.ts'

const START = '<!-- The table of `npm run clients -- --write` -->'
const END = '<!-- The end of the table -->'

const lockSchema = v.object({ packages: v.record(v.string(), v.object({ version: v.optional(v.string()) })) })

/** Returns the document with the table of all clients between its marks. */
export function withTable(text: string, results: RecordedResults): string {
  const [before, rest] = text.split(START)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error('The document has no marks of the table.')
  return `${before}${START}\n${tableOf(results)}\n${END}${after}`
}

function tableOf(results: RecordedResults): string {
  const rows = clients.flatMap(({ name, title, packages, pointing }) => {
    const { works = [], fails = [] } = results[name] ?? {}
    const cells = [title, versionsOf(name, packages), pointing, works.join('; '), fails.join('; ') || '–']
    return [`| ${cells.join(' | ')} |`]
  })
  return [
    '| client | versions | how it is pointed here | works | does not work |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

/** The versions in the lock file of a client. */
function versionsOf(name: string, packages: readonly string[]): string {
  const lock = readFileSync(join(import.meta.dirname, 'projects', name, 'package-lock.json'), 'utf8')
  const { packages: locked } = v.parse(lockSchema, JSON.parse(lock))
  return packages.map((one) => `\`${one}\` ${locked[`node_modules/${one}`]?.version}`).join(', ')
}

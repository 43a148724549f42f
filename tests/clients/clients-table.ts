import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Client } from './client.ts'
import { clients } from './clients.ts'
import type { RecordedResults } from './recorded-results.ts'

const START = '<!-- The tables of `npm run clients -- --write` -->'
const END = '<!-- The end of the tables -->'

/** The columns of a table by what checks call the upstreams. */
const upstreams = new Map([
  ['a chat-only upstream', 'chat completions only'],
  ['an Anthropic upstream', 'Anthropic'],
  ['an upstream with responses', 'OpenAI'],
])
const OVER = new RegExp(`^(.*?),? ?over (${[...upstreams.keys()].join('|')})(?:: )?(.*)$`)

const lockSchema = v.object({ packages: v.record(v.string(), v.object({ version: v.optional(v.string()) })) })

/** Returns the document with the tables of all clients between their marks. */
export function withTables(text: string, results: RecordedResults): string {
  const [before, rest] = text.split(START)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error('The document has no marks of the tables.')
  const sections = clients.map((client) => sectionOf(client, results[client.name] ?? { works: [], fails: [] }))
  return [before + START, overview(), ...sections, END + after].join('\n\n')
}

/** Which versions were checked, and what points them at the gateway. */
const overview = (): string =>
  markdownTable(
    ['client', 'versions', 'how it is pointed here'],
    clients.map(({ name, title, packages, pointing }) => [title, versionsOf(name, packages), pointing]),
  )

const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

interface Row {
  /** What was checked. */
  readonly feature: string
  /** Whether it works, by the upstream. */
  readonly works: Map<string, boolean>
}

function sectionOf({ title }: Client, { works, fails }: RecordedResults[string]): string {
  const rows = new Map<string, Row>()
  for (const [checks, result] of [[works, true] as const, [fails, false] as const]) {
    for (const check of checks) {
      const [, subject = check, upstream = '', detail = ''] = OVER.exec(check) ?? []
      const feature = [subject, detail].filter((part) => part !== '').join(': ')
      const row = rows.get(feature) ?? { feature, works: new Map<string, boolean>() }
      row.works.set(upstream, result)
      rows.set(feature, row)
    }
  }
  return [`### Results of ${title}`, ...tableOf([...rows.values()]), ...furtherOf([...rows.values()])].join('\n\n')
}

/** The checks that name an upstream, each with its results over all of them. */
function tableOf(rows: readonly Row[]): readonly string[] {
  const columns = [...upstreams].filter(([upstream]) => rows.some(({ works }) => works.has(upstream)))
  const listed = rows.filter(({ works }) => columns.some(([upstream]) => works.has(upstream)))
  if (listed.length === 0) return []
  const lines = listed.map(({ feature, works }) => [
    feature,
    ...columns.map(([upstream]) => cellOf(works.get(upstream))),
  ])
  return [markdownTable(['feature', ...columns.map(([, column]) => column)], lines)]
}

function cellOf(works: boolean | undefined): string {
  if (works === undefined) return ''
  return works ? 'works' : '**fails**'
}

/** The checks that name no upstream. */
function furtherOf(rows: readonly Row[]): readonly string[] {
  const among = (result: boolean) => rows.filter(({ works }) => works.get('') === result).map(({ feature }) => feature)
  const listed = (label: string, features: readonly string[]) =>
    features.length === 0 ? [] : [`${label}: ${features.join('; ')}.`]
  return [...listed('Also works', among(true)), ...listed('Fails', among(false))]
}

/** The versions in the lock file of a client. */
function versionsOf(name: string, packages: readonly string[]): string {
  const lock = readFileSync(join(import.meta.dirname, 'projects', name, 'package-lock.json'), 'utf8')
  const { packages: locked } = v.parse(lockSchema, JSON.parse(lock))
  return packages.map((one) => `\`${one}\` ${locked[`node_modules/${one}`]?.version}`).join(', ')
}

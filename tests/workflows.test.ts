import { globSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { describe, expect, it } from 'vitest'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { parse } from 'yaml'

// The service imports its schema as bundlers take it, without the attribute that Node requires.
registerHooks({
  load: (url, context, nextLoad) =>
    nextLoad(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { validate } = await import('@actions/languageservice')

const workflows = globSync('.github/workflows/*.yml').sort()
const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(readFileSync('package.json', 'utf8'))

interface Job {
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps?: readonly { readonly run?: string }[]
}

describe.each(workflows)('the workflow %s', (file) => {
  const text = readFileSync(file, 'utf8')

  it("fits GitHub's own schema with all of its expressions", async () => {
    const document = TextDocument.create(`file:///${file}`, 'yaml', 1, text)
    expect(await validate(document)).toEqual([])
  })

  it('pins every foreign action to a commit, and names its version', () => {
    const foreign = [...text.matchAll(/\buses: (\S+)(.*)$/gm)].filter(([, action = '']) => !action.startsWith('./'))
    const loose = foreign.filter(([line]) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))
    expect(loose.map(([line]) => line)).toEqual([])
  })

  it('gives no job more rights than it names', () => {
    const { permissions }: { permissions: unknown } = parse(text)
    expect(permissions).toEqual({})
  })

  it('runs no script in a job that can publish', () => {
    const { jobs }: { jobs: Readonly<Record<string, Job>> } = parse(text)
    const publishing = Object.values(jobs).filter(({ permissions }) => permissions?.['id-token'] === 'write')
    const commands = publishing
      .flatMap(({ steps = [] }) => steps.map(({ run }) => run))
      .filter((run) => run !== undefined)
    expect(commands.filter((run) => run !== 'npm ci --ignore-scripts')).toEqual([])
  })

  it('runs scripts that exist', () => {
    const named = [...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})

it('runs every part of .ci/run', () => {
  const { jobs }: { jobs: { part: { strategy: { matrix: { include: readonly { part: string }[] } } } } } = parse(
    readFileSync('.github/workflows/ci.yml', 'utf8'),
  )
  const defaults = /set -- (.*)$/m.exec(readFileSync('.ci/run', 'utf8'))?.[1]
  expect(jobs.part.strategy.matrix.include.map(({ part }) => part).join(' ')).toBe(defaults)
})

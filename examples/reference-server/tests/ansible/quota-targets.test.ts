import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireProgram } from '../require-program.ts'
import { type OpenAnsible, openAnsible, resultsOf, type TaskResult } from './open-ansible.ts'

const installed = await requireProgram('ansible-playbook', 'ansible python3-requests')

const TARGETS = 13

describe.skipIf(!installed)('na_ontap_quotas with names and ids', () => {
  let ansible: OpenAnsible
  let results: ReadonlyMap<string, TaskResult>

  beforeAll(async () => {
    ansible = await openAnsible()
    results = resultsOf(await ansible.play(join(import.meta.dirname, 'quota-targets.yml')))
  }, 300_000)
  afterAll(() => ansible?.server[Symbol.asyncDispose]())

  const changes = (task: string) => results.get(task)?.results?.map(({ item, changed, msg }) => [item, changed, msg])

  it('runs every task', () => {
    const expected = [...results].filter(([name]) => name !== 'part present')
    const failed = expected.flatMap(([name, result]) =>
      [result, ...(result.results ?? [])].flatMap((one) => (one.failed ? `${name}: ${one.msg}` : [])),
    )
    expect(failed).toEqual([])
    expect([...results.keys()].at(-1)).toBe('shared again')
  })

  it.each([
    ['present', true],
    ['present again', false],
    ['modified', true],
    ['modified again', false],
    ['absent', true],
    ['absent again', false],
  ])('reports for the task "%s" of each target that a change is %s', (task, changed) => {
    const all = changes(task)
    expect(all).toHaveLength(TARGETS)
    expect(all?.filter((one) => one[1] !== changed)).toEqual([])
  })

  it('has a rule of its own for each target', () => {
    const { records = [] } = results.get('rules')?.response ?? {}
    const changed = records.filter((rule) => JSON.stringify(rule.space) === '{"hard_limit":5242880}')
    expect(changed).toHaveLength(TARGETS)
    expect(changed.filter((rule) => 'files' in rule)).toEqual([])
  })

  it('leaves a rule of several users alone when one of them is named', () => {
    expect(changes('part absent')?.map((one) => one[1])).toEqual([false, false, false])
    for (const { failed, msg } of results.get('part present')?.results ?? []) {
      expect([failed, msg]).toEqual([true, expect.stringContaining('A quota rule for the same target exists')])
    }
    expect(changes('shared again')?.map((one) => one[1])).toEqual([false, false])
  })

  it('finds an SVM that exists', () => {
    expect(results.get('svm')).toMatchObject({ changed: false })
  })
})

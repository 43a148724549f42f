import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireProgram } from '../require-program.ts'
import { type OpenAnsible, openAnsible, resultsOf, type TaskResult } from './open-ansible.ts'

const installed = await requireProgram('ansible-playbook', 'ansible python3-requests')

describe.skipIf(!installed)('na_ontap_volume_clone', () => {
  let ansible: OpenAnsible
  let results: ReadonlyMap<string, TaskResult>

  beforeAll(async () => {
    ansible = await openAnsible()
    results = resultsOf(await ansible.play(join(import.meta.dirname, 'volume-clones.yml')))
  }, 180_000)
  afterAll(() => ansible?.server[Symbol.asyncDispose]())

  it.each([
    ['clone created', true],
    ['clone created again', false],
    ['clone kept shared', false],
    ['qtree of the clone', false],
    ['quota of the clone', true],
    ['clone deleted', true],
    ['clone deleted again', false],
  ])('reports for the task "%s" that a change is %s', (task, changed) => {
    expect(results.get(task)).toMatchObject({ changed })
    expect(results.get(task)?.failed).not.toBe(true)
  })

  it.each([
    ['clone split', 'A clone of a volume cannot be split.'],
    ['clone from another SVM', 'The parent is not in the SVM "svm2". A clone is in the SVM of its parent.'],
    ['clone of a snapshot', 'Unexpected argument "clone.parent_snapshot".'],
    ['clone of a clone', 'The volume "copy" cannot be cloned here.'],
    ['volume of the host deleted', 'The volume "vol1" is not a clone. Only clones are deleted.'],
  ])('reports why the task "%s" is refused', (task, reason) => {
    expect(results.get(task)).toMatchObject({ failed: true, msg: expect.stringContaining(reason) })
  })

  it('leaves no volume of a refused clone', () => {
    expect(results.get('volumes listed')?.response).toMatchObject({
      num_records: 1,
      records: [{ name: 'copy', clone: { is_flexclone: true, parent_volume: { name: 'vol1' } } }],
    })
  })
})

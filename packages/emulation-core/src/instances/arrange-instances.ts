import { err, ok, type Result } from 'neverthrow'
import { afterCalls } from '../calls-in-turn.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { ProjectId } from '../projects/project.ts'
import type { Arrangement } from './arrangement.ts'
import type { ArrangementChange } from './arrangement-change.ts'
import { withInstance } from './find-instance.ts'
import type { InstanceRecord, LabNode } from './instance.ts'
import { storeInstance } from './store-instance.ts'
import { toLabNode } from './to-lab-node.ts'

/**
 * Changes where instances of a project are shown, one after the other. Every id is checked before the first change.
 */
export async function arrangeInstances(
  context: Context,
  projectId: ProjectId,
  changes: readonly ArrangementChange[],
): Promise<Result<readonly LabNode[], EmulationError>> {
  await context.recovered()
  if (!(await context.repositories.projects.find(projectId))) return err({ type: 'project-not-found', projectId })
  const records: InstanceRecord[] = []
  for (const [index, { id }] of changes.entries()) {
    await afterCalls(index)
    const record = await context.repositories.instances.find(id)
    if (record?.projectId !== projectId) return err({ type: 'node-not-found', id })
    records.push(record)
  }
  const arranged: LabNode[] = []
  for (const [index, before] of records.entries()) {
    await afterCalls(index)
    const change = changes[index]
    const done = await withInstance(context, before, 'change', async (record) =>
      change ? arrange(context, record, change) : ok(record),
    )
    if (done.isErr()) return err(done.error)
    const node = toLabNode(context, done.value)
    if (done.value.revision > before.revision) context.emit('instance.arranged', node)
    arranged.push(node)
  }
  return ok(arranged)
}

async function arrange(
  context: Context,
  record: InstanceRecord,
  { id: _same, ...change }: ArrangementChange,
): Promise<Result<InstanceRecord, EmulationError>> {
  const arrangement: Arrangement = Object.fromEntries(
    Object.entries({ ...record.arrangement, ...withoutUndefined(change) }).filter(([, value]) => value !== null),
  )
  if (JSON.stringify(arrangement) === JSON.stringify(record.arrangement ?? {})) return ok(record)
  return storeInstance(context, record, { arrangement })
}

const withoutUndefined = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

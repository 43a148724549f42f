import type { InstanceId, ProjectId } from '@trivium/emulation-core'
import type { EmulationRepositories, InstanceRecord } from '@trivium/emulation-core/ports'
import type { BareDriver } from './bare-driver.ts'
import type { Operation } from './figures.ts'

const INSTANCES = 2_000
const start = Date.UTC(2026, 0, 2)

/** Returns the operations on instances. The repository changes one half of them, the driver alone the other one. */
export async function emulationOperations(
  { instances }: EmulationRepositories,
  bare: BareDriver | undefined,
): Promise<readonly Operation[]> {
  for (let index = 0; index < 2 * INSTANCES; index += 1) await instances.add(anInstance(index, 0))
  const updated = (index: number, first: number) =>
    anInstance(first + (index % INSTANCES), 1 + Math.floor(index / INSTANCES))
  return [
    {
      name: `instance read, of ${2 * INSTANCES}`,
      count: 500,
      run: (index) => instances.find(anInstance(index % INSTANCES, 0).id),
      ...(bare && {
        floor: (index) =>
          bare.query('select * from emulation_instances where id = ?', [anInstance(index % INSTANCES, 0).id]),
      }),
    },
    {
      name: 'instance update',
      count: 500,
      run: (index) => instances.replace(updated(index, 0)),
      ...(bare && {
        floor: (index) => {
          const { id, projectId, kind, createdAt, revision, ...rest } = updated(index, INSTANCES)
          return bare.query(
            `update emulation_instances set project_id = ?, kind = ?, created_at = ?, revision = ?, document = ?
             where id = ? and revision = ?`,
            [projectId, kind, createdAt.getTime(), revision, JSON.stringify(rest), id, revision - 1],
          )
        },
      }),
    },
    { name: `list of ${2 * INSTANCES}`, count: 5, run: () => instances.list() },
  ]
}

const anInstance = (index: number, revision: number): InstanceRecord<'virtual-pc'> => ({
  id: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}` as InstanceId, // ids are opaque here
  projectId: '00000000-0000-4000-8000-000000000000' as ProjectId,
  kind: 'virtual-pc',
  name: `PC${index}`,
  settings: { console: 2000 + index },
  connections: [],
  processes: [],
  createdAt: new Date(start + index),
  revision,
})

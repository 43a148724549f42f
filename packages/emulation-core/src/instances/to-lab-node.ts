import type { Context } from '../context.ts'
import type { InstanceRecord, LabNode } from './instance.ts'

/** Adds its state to a stored instance. */
export const toLabNode = ({ live }: Pick<Context, 'live'>, record: InstanceRecord): LabNode => ({
  ...record,
  state: live.get(record.id)?.state ?? 'stopped',
})

import type { Context } from '../context.ts'
import type { InstanceRecord, InstanceState } from './instance.ts'

/** An instance of any kind with its state, without its text, which can have 1 MiB. */
export interface LabNode extends InstanceRecord {
  readonly state: InstanceState
}

/** Adds its state to a stored instance. */
export const toLabNode = ({ live }: Pick<Context, 'live'>, record: InstanceRecord): LabNode => ({
  ...record,
  state: live.get(record.id)?.state ?? 'stopped',
})

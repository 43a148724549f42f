import * as v from 'valibot'
import type { InstanceId, ProjectId } from '../../index.ts'
import { uuid } from './fields.ts'

// Only a checked text gets a tag.
const asProjectId = v.transform((id: string) => id as ProjectId)
const asInstanceId = v.transform((id: string) => id as InstanceId)

export const projectId: v.GenericSchema<string, ProjectId> = v.pipe(uuid('Project ID'), asProjectId)
export const vmId: v.GenericSchema<string, InstanceId> = v.pipe(uuid('VM ID'), asInstanceId)
export const nodeId: v.GenericSchema<string, InstanceId> = v.pipe(uuid('Node ID'), asInstanceId)
export const deviceId: v.GenericSchema<string, InstanceId> = v.pipe(uuid('Device ID'), asInstanceId)

const digits = (what: string) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, (issue) => `${what} ${issue.input.slice(0, 100)} is not a number of at most 9 digits.`),
    v.transform(Number),
  )

export const adapterNumber = digits('Adapter number')
export const portNumber = digits('Port number')

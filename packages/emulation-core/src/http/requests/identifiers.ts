import * as v from 'valibot'
import type { InstanceId, ProjectId } from '../../index.ts'
import { uuid } from './fields.ts'

// Tags have no other source than a checked text.
const asProjectId = v.transform((id: string) => id as ProjectId)
const asInstanceId = v.transform((id: string) => id as InstanceId)

export const projectId: v.GenericSchema<string, ProjectId> = v.pipe(uuid('Project ID'), asProjectId)
export const vmId: v.GenericSchema<string, InstanceId> = v.pipe(uuid('VM ID'), asInstanceId)
export const deviceId: v.GenericSchema<string, InstanceId> = v.pipe(uuid('Device ID'), asInstanceId)

const digits = (what: string) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, (issue) => `${what} ${issue.input.slice(0, 100)} is not a number`),
    v.transform(Number),
  )

export const adapterNumber = digits('Adapter number')
export const portNumber = digits('Port number')

import * as v from 'valibot'
import type { DrawingId, InstanceId, ProjectId } from '../../index.ts'
import { describeValue } from '../errors/describe-value.ts'
import { integer, uuid } from './fields.ts'

const MAX_LEGACY_NUMBER = 2 ** 31 - 1

// Only a checked text gets a tag.
const asProjectId = v.transform((id: string) => id as ProjectId)
const asDrawingId = v.transform((id: string) => id as DrawingId)
const asInstanceId = v.transform((id: string) => id as InstanceId)

export const projectId: v.GenericSchema<string, ProjectId> = v.pipe(uuid('Project ID'), asProjectId)
export const drawingId: v.GenericSchema<string, DrawingId> = v.pipe(uuid('Drawing ID'), asDrawingId)
export const vmId: v.GenericSchema<string, InstanceId> = v.pipe(uuid('VM ID'), asInstanceId)
export const nodeId: v.GenericSchema<string, InstanceId> = v.pipe(uuid('Node ID'), asInstanceId)
export const deviceId: v.GenericSchema<string, InstanceId> = v.pipe(uuid('Device ID'), asInstanceId)

/** The number of an instance in a topology from before 1.3. */
const legacyNumber = integer(0, MAX_LEGACY_NUMBER)

/** The id of a new instance: a UUID, or a number of an old topology, from which the id is made. */
const newId = (
  what: string,
  id: v.GenericSchema<string, InstanceId>,
): v.GenericSchema<string | number, InstanceId | number> =>
  v.union([id, legacyNumber], ({ input }) => {
    const value = describeValue(input)
    return typeof input === 'string'
      ? `${what} ${value.replace(/^'|'$/g, '')} is not a valid UUID`
      : `${value} is not of type 'string'`
  })

export const newVmId = newId('VM ID', vmId)
export const newDeviceId = newId('Device ID', deviceId)

const digits = (what: string) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, (issue) => `${what} ${issue.input.slice(0, 100)} is not a number of at most 9 digits.`),
    v.transform(Number),
  )

export const adapterNumber = digits('Adapter number')
export const portNumber = digits('Port number')

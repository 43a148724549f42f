import * as v from 'valibot'
import type { InstanceReference, Kind, ProjectId } from '../../index.ts'
import type { NicAddress } from '../../ports.ts'
import { wireKinds } from '../kinds/kind-names.ts'
import { adapterNumber, deviceId, nodeId, portNumber, projectId, vmId } from './identifiers.ts'

/** The path of a project. */
export const PROJECT = '/v1/projects/{project_id}'

export interface InProject {
  readonly projectId: ProjectId
}

// Types rather than interfaces, as the contract's declarations write them out.
type InInstance = Omit<InstanceReference, 'kind'>
type InNic = InInstance & { readonly nic: NicAddress }

export const inProject: v.GenericSchema<{ readonly project_id: string }, InProject> = v.pipe(
  v.object({ project_id: projectId }),
  v.transform((params) => ({ projectId: params.project_id })),
)

/** The paths of a kind's instances, and the schemas of their parameters. */
export interface Place {
  readonly collection: `/${string}`
  readonly instance: `/${string}`
  readonly nic: `/${string}`
  readonly inInstance: v.GenericSchema<unknown, InInstance>
  readonly inNic: v.GenericSchema<unknown, InNic>
  readonly tag: string
}

const vmParams = { project_id: projectId, vm_id: vmId }
const nodeParams = { project_id: projectId, node_id: nodeId }
const deviceParams = { project_id: projectId, device_id: deviceId }

export function placeOf(kind: Kind): Place {
  const tag = wireKinds[kind]
  if (kind === 'ethernet-switch') {
    const collection = `${PROJECT}/${tag}/devices` as const
    return {
      tag,
      collection,
      instance: `${collection}/{device_id}`,
      nic: `${collection}/{device_id}/ports/{port_number}`,
      inInstance: v.pipe(
        v.object(deviceParams),
        v.transform((params) => ({ projectId: params.project_id, id: params.device_id })),
      ),
      inNic: v.pipe(
        v.object({ ...deviceParams, port_number: portNumber }),
        v.transform((params) => ({
          projectId: params.project_id,
          id: params.device_id,
          nic: { adapter: 0, port: params.port_number },
        })),
      ),
    }
  }
  if (kind === 'nat' || kind === 'cloud' || kind === 'container') {
    const collection = `${PROJECT}/${kind === 'container' ? 'containers' : kind}/nodes` as const
    return {
      tag,
      collection,
      instance: `${collection}/{node_id}`,
      nic: `${collection}/{node_id}/adapters/{adapter_number}/ports/{port_number}`,
      inInstance: v.pipe(
        v.object(nodeParams),
        v.transform((params) => ({ projectId: params.project_id, id: params.node_id })),
      ),
      inNic: v.pipe(
        v.object({ ...nodeParams, adapter_number: adapterNumber, port_number: portNumber }),
        v.transform((params) => ({
          projectId: params.project_id,
          id: params.node_id,
          nic: { adapter: params.adapter_number, port: params.port_number },
        })),
      ),
    }
  }
  const collection = `${PROJECT}/${tag}/vms` as const
  return {
    tag,
    collection,
    instance: `${collection}/{vm_id}`,
    nic: `${collection}/{vm_id}/adapters/{adapter_number}/ports/{port_number}`,
    inInstance: v.pipe(
      v.object(vmParams),
      v.transform((params) => ({ projectId: params.project_id, id: params.vm_id })),
    ),
    inNic: v.pipe(
      v.object({ ...vmParams, adapter_number: adapterNumber, port_number: portNumber }),
      v.transform((params) => ({
        projectId: params.project_id,
        id: params.vm_id,
        nic: { adapter: params.adapter_number, port: params.port_number },
      })),
    ),
  }
}

import type { Handlers } from '@trivium/http-contract'
import { ok } from 'neverthrow'
import { defineFields } from '../../query/field-catalogue.ts'
import type { Caller } from '../access/caller.ts'
import { asResult, showRecord } from '../collections/list-records.ts'
import { constant, type WireRecords } from '../collections/wire-field.ts'
import type { HandlerOptions } from '../handler-options.ts'
import type { clusterOperations } from './cluster-operations.ts'

/** The release whose interface is served. Clients select their requests by it. */
const version = { full: 'NetApp Release 9.14.1: Trivium', generation: 9, major: 14, minor: 1 }

const text = { type: 'string' } as const
const integer = { type: 'integer' } as const

const records: WireRecords<{ readonly uuid: string | undefined }, never> = {
  path: '/api/cluster',
  catalogue: defineFields()({}, []),
  fields: {
    name: constant(undefined, text),
    uuid: constant(undefined, text),
    'version.full': constant(version.full, text),
    'version.generation': constant(version.generation, integer),
    'version.major': constant(version.major, integer),
    'version.minor': constant(version.minor, integer),
  },
  absent: new Set([
    ...['_tags', 'certificate', 'contact', 'dns_domains', 'location', 'management_interfaces', 'metric'],
    ...['name_servers', 'nodes', 'ntp_servers', 'peering_policy', 'san_optimized', 'statistics', 'timezone'],
    ...['active_directory', 'auto_enable_activity_tracking', 'auto_enable_analytics', 'configuration_backup'],
    ...['disaggregated', 'hosts', 'license', 'password'],
  ]),
}

export function clusterHandlers({ storage, clusterName }: HandlerOptions): Handlers<typeof clusterOperations, Caller> {
  return {
    getCluster: (call) =>
      showRecord(
        call,
        {
          records,
          toWire: ({ uuid }, { links }) => ({
            name: clusterName,
            ...(uuid !== undefined && { uuid }),
            version,
            ...(links && { _links: links('/api/cluster') }),
          }),
        },
        // The UUID of the first node, because it is stored and the same in every process.
        () => asResult(storage.nodes.list()).andThen(([first]) => ok({ uuid: first?.uuid })),
      ),
  }
}

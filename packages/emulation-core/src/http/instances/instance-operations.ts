import { type Contract, noBody } from '@trivium/http-contract'
import * as v from 'valibot'
import type { Kind } from '../../index.ts'
import { failureResponses } from '../errors/failure.ts'
import type { KindWire } from '../kinds/kind-wire.ts'
import { inProject, placeOf } from '../requests/places.ts'

const instanceStatus = v.object({ status: v.picklist(['stopped', 'started', 'suspended']) })

/** The operations that every kind has. The fields of its instances come from `wire`. */
export function instanceOperations<K extends Kind, Create, Update, Wire>(wire: KindWire<K, Create, Update, Wire>) {
  const { collection, instance, inInstance, tag } = placeOf(wire.kind)
  const tags = [tag]
  return {
    create: {
      method: 'POST',
      path: collection,
      summary: `Creates an ${tag} instance, or returns the one that already has the id`,
      tags,
      params: inProject,
      body: wire.create,
      bodyLimit: 2 ** 21,
      responses: { 201: wire.object, ...failureResponses },
    },
    list: {
      method: 'GET',
      path: collection,
      summary: `Lists the ${tag} instances of the project, oldest first`,
      tags,
      params: inProject,
      responses: { 200: v.array(wire.object), ...failureResponses },
    },
    get: {
      method: 'GET',
      path: instance,
      summary: `Reads an ${tag} instance`,
      tags,
      params: inInstance,
      responses: { 200: wire.object, ...failureResponses },
    },
    update: {
      method: 'PUT',
      path: instance,
      summary: `Updates the fields of an ${tag} instance that are set and not null`,
      tags,
      params: inInstance,
      body: wire.update,
      bodyLimit: 2 ** 21,
      responses: { 200: wire.object, ...failureResponses },
    },
    delete: {
      method: 'DELETE',
      path: instance,
      summary: `Deletes an ${tag} instance, and keeps its files until the project is committed`,
      tags,
      params: inInstance,
      responses: { 204: noBody, ...failureResponses },
    },
    getStatus: {
      method: 'GET',
      path: `${instance}/status`,
      summary: 'Reads whether the instance is stopped, started or suspended',
      tags,
      params: inInstance,
      responses: { 200: instanceStatus, ...failureResponses },
    },
  } as const satisfies Contract
}

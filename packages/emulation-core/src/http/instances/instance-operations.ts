import { type Contract, noBody } from '@trivium/http-contract'
import * as v from 'valibot'
import type { Kind } from '../../index.ts'
import { failureResponses } from '../errors/failure.ts'
import type { KindWire } from '../kinds/kind-wire.ts'
import { inProject, placeOf } from '../requests/places.ts'

const instanceStatus = v.object({ status: v.picklist(['stopped', 'started', 'suspended']) })

/** What every kind offers, its instances' own fields apart. */
export function instanceOperations<K extends Kind, Create, Update, Wire>(wire: KindWire<K, Create, Update, Wire>) {
  const { collection, instance, inInstance, tag } = placeOf(wire.kind)
  const tags = [tag]
  return {
    create: {
      method: 'POST',
      path: collection,
      summary: `Create an ${tag} instance, or answer with the one that has the id already`,
      tags,
      params: inProject,
      body: wire.create,
      bodyLimit: 2 ** 21,
      responses: { 201: wire.object, ...failureResponses },
    },
    list: {
      method: 'GET',
      path: collection,
      summary: `List the project's ${tag} instances, oldest first`,
      tags,
      params: inProject,
      responses: { 200: v.array(wire.object), ...failureResponses },
    },
    get: {
      method: 'GET',
      path: instance,
      summary: `Get an ${tag} instance`,
      tags,
      params: inInstance,
      responses: { 200: wire.object, ...failureResponses },
    },
    update: {
      method: 'PUT',
      path: instance,
      summary: `Update an ${tag} instance; what is left out or null stays as it is`,
      tags,
      params: inInstance,
      body: wire.update,
      bodyLimit: 2 ** 21,
      responses: { 200: wire.object, ...failureResponses },
    },
    delete: {
      method: 'DELETE',
      path: instance,
      summary: `Delete an ${tag} instance; its files stay until the project is committed`,
      tags,
      params: inInstance,
      responses: { 204: noBody, ...failureResponses },
    },
    getStatus: {
      method: 'GET',
      path: `${instance}/status`,
      summary: 'Get whether the instance runs',
      tags,
      params: inInstance,
      responses: { 200: instanceStatus, ...failureResponses },
    },
  } as const satisfies Contract
}

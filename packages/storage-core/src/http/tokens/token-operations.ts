import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import {
  changeManyParameters,
  changeParameters,
  listParameters,
  showParameters,
} from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { changedMany, createdAnswer, links, listOf, named, reference, size } from '../wire-schemas.ts'
import { parseDuration } from './duration.ts'

const token = v.pipe(
  v.partial(
    v.object({
      node: reference,
      uuid: v.string(),
      reserve_size: v.pipe(v.number(), v.description('The rest of the reservation, in bytes.')),
      expiry_time: v.partial(
        v.object({
          limit: v.pipe(v.string(), v.description('The lifetime, as an ISO 8601 duration.')),
          left: v.pipe(v.string(), v.description('The rest of the lifetime, as an ISO 8601 duration.')),
        }),
      ),
      _links: links,
    }),
  ),
  v.title('CloneToken'),
)

const lifetime = v.pipe(
  v.union([
    v.number(),
    v.pipe(
      v.string(),
      v.check(
        (text) => parseDuration(text) !== undefined,
        'a number of seconds or a duration such as PT1H10M is expected.',
      ),
    ),
  ]),
  v.transform((value) => (typeof value === 'number' ? value : (parseDuration(value) ?? 0))),
  v.description('In seconds, as a number or a text, or an ISO 8601 duration.'),
)

const filters = ['node.uuid', 'node.name', 'uuid', 'reserve_size', 'expiry_time.limit', 'expiry_time.left']
const tags = ['clone tokens']
const PATH = '/api/storage/file/clone/tokens'
const instance = `${PATH}/{node_uuid}/{uuid}` as const
const params = v.object({ node_uuid: v.string(), uuid: v.string() })
const expiry = v.strictObject({ expiry_time: v.strictObject({ limit: lifetime }) })

export const tokenOperations = defineContract({
  listCloneTokens: {
    method: 'GET',
    path: PATH,
    tags,
    summary: 'Lists clone tokens',
    query: listParameters(filters),
    responses: { 200: listOf(token), ...failureResponses },
  },
  createCloneToken: {
    method: 'POST',
    path: PATH,
    tags,
    summary: 'Creates a clone token, which reserves split load for clones',
    query: changeParameters,
    body: v.strictObject({
      node: named,
      reserve_size: size,
      expiry_time: v.optional(v.strictObject({ limit: v.optional(lifetime) })),
    }),
    responses: { 201: createdAnswer(token), ...failureResponses },
  },
  updateCloneTokens: {
    method: 'PATCH',
    path: PATH,
    tags,
    summary: 'Changes the expiry of every clone token that matches a query',
    query: changeManyParameters(filters),
    body: expiry,
    responses: { 200: changedMany, 202: changedMany, ...failureResponses },
  },
  deleteCloneTokens: {
    method: 'DELETE',
    path: PATH,
    tags,
    summary: 'Deletes every clone token that matches a query',
    query: changeManyParameters(filters),
    responses: { 200: changedMany, 202: changedMany, ...failureResponses },
  },
  getCloneToken: {
    method: 'GET',
    path: instance,
    tags,
    summary: 'Reads a clone token',
    params,
    query: showParameters,
    responses: { 200: token, ...failureResponses },
  },
  updateCloneToken: {
    method: 'PATCH',
    path: instance,
    tags,
    summary: 'Changes the expiry of a clone token, counted from now',
    params,
    query: changeParameters,
    body: expiry,
    responses: { 200: v.object({}), ...failureResponses },
  },
  deleteCloneToken: {
    method: 'DELETE',
    path: instance,
    tags,
    summary: 'Deletes a clone token, which frees the rest of its reservation',
    params,
    query: changeParameters,
    responses: { 200: v.object({}), ...failureResponses },
  },
})

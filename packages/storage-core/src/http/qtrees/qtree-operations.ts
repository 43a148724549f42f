import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { PERMISSIONS, securityStyles } from '../../qtrees/qtree.ts'
import {
  changeManyParameters,
  changeParameters,
  listParameters,
  showParameters,
} from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { changedMany, createdAnswer, jobAnswer, links, listOf, named, reference } from '../wire-schemas.ts'
import { qtreeWireFields } from './qtree-fields.ts'

const qtree = v.pipe(
  v.partial(
    v.object({
      svm: reference,
      volume: reference,
      id: v.pipe(v.number(), v.description('Unique in the volume. 0 is the volume itself.')),
      name: v.string(),
      path: v.string(),
      security_style: v.picklist(securityStyles),
      unix_permissions: v.number(),
      export_policy: v.object({ name: v.string() }),
      _links: links,
    }),
  ),
  v.title('Qtree'),
)

/** Octal digits as a number or a text: `755`, `"0755"`. */
const permissions = v.pipe(
  v.union([v.number(), v.string()]),
  v.transform((value) => String(value).replace(/^0+(?=\d)/, '')),
  v.regex(PERMISSIONS, 'octal digits such as 755 are expected.'),
  v.transform(Number),
)

const settings = {
  security_style: v.optional(v.picklist(securityStyles)),
  unix_permissions: v.optional(permissions),
  export_policy: v.optional(v.strictObject({ name: v.string() })),
}

const filters = Object.keys(qtreeWireFields)
const tags = ['qtrees']
const PATH = '/api/storage/qtrees'
const instance = `${PATH}/{volume_uuid}/{id}` as const
const params = v.object({ volume_uuid: v.string(), id: v.string() })

export const qtreeOperations = defineContract({
  listQtrees: {
    method: 'GET',
    path: PATH,
    tags,
    summary: 'Lists qtrees',
    query: listParameters(filters),
    responses: { 200: listOf(qtree), ...failureResponses },
  },
  createQtree: {
    method: 'POST',
    path: PATH,
    tags,
    summary: 'Creates a qtree',
    query: changeParameters,
    body: v.strictObject({
      svm: v.optional(named),
      volume: v.optional(named),
      name: v.optional(v.string()),
      ...settings,
    }),
    responses: { 201: createdAnswer(qtree), 202: createdAnswer(qtree), ...failureResponses },
  },
  deleteQtrees: {
    method: 'DELETE',
    path: PATH,
    tags,
    summary: 'Deletes every qtree that matches a query, with its files',
    query: changeManyParameters(filters),
    responses: { 200: changedMany, 202: changedMany, ...failureResponses },
  },
  getQtree: {
    method: 'GET',
    path: instance,
    tags,
    summary: 'Reads a qtree',
    params,
    query: showParameters,
    responses: { 200: qtree, ...failureResponses },
  },
  updateQtree: {
    method: 'PATCH',
    path: instance,
    tags,
    summary: 'Changes or renames a qtree, and renames it in its rules',
    params,
    query: changeParameters,
    body: v.strictObject({ name: v.optional(v.string()), ...settings }),
    responses: { 200: jobAnswer, 202: jobAnswer, ...failureResponses },
  },
  deleteQtree: {
    method: 'DELETE',
    path: instance,
    tags,
    summary: 'Deletes a qtree with its files and its rules',
    params,
    query: changeParameters,
    responses: { 200: jobAnswer, 202: jobAnswer, ...failureResponses },
  },
})

import * as v from 'valibot'
import { defineContract } from '../operation.ts'
import { bytes, eventStream, jsonLines, noBody } from '../response-body.ts'
import { defineSockets } from '../socket.ts'

const id = v.object({ id: v.string() })
const anything = v.unknown()

/** Operations for each behaviour of a transport. */
export const probeContract = defineContract({
  echo: {
    method: 'POST',
    path: '/echo/{id}',
    params: id,
    query: v.record(v.string(), v.unknown()),
    headers: v.looseObject({ 'x-probe': v.optional(v.string()) }),
    body: v.unknown(),
    responses: { 200: anything },
  },
  bare: { method: 'GET', path: '/bare', responses: { 200: anything } },
  read: { method: 'GET', path: '/things/{id}', params: id, responses: { 200: anything } },
  mine: { method: 'GET', path: '/things/mine', responses: { 200: anything } },
  drop: {
    method: 'DELETE',
    path: '/things/{thing_id}',
    params: v.object({ thing_id: v.string() }),
    responses: { 204: noBody },
  },
  bodiless: { method: 'POST', path: '/bodiless', responses: { 200: anything } },
  dropWith: { method: 'DELETE', path: '/bodies/{id}', params: id, body: v.unknown(), responses: { 200: anything } },
  file: { method: 'GET', path: '/files/{path+}', params: v.object({ path: v.string() }), responses: { 200: anything } },
  limited: { method: 'POST', path: '/limited', body: v.unknown(), bodyLimit: 1000, responses: { 200: anything } },
  large: { method: 'POST', path: '/large', body: v.unknown(), bodyLimit: 2 ** 25, responses: { 200: anything } },
  strict: { method: 'POST', path: '/strict', body: v.object({ n: v.number() }), responses: { 201: anything } },
  answer: {
    method: 'GET',
    path: '/answers/{id}',
    params: id,
    responses: { 200: anything, 202: noBody, 404: anything },
  },
  picture: { method: 'GET', path: '/pictures/{id}', params: id, responses: { 200: bytes('image/png') } },
  hang: { method: 'GET', path: '/hang', responses: { 200: anything } },
  gated: { method: 'GET', path: '/gated/{id}', params: id, responses: { 200: anything } },
  events: {
    method: 'GET',
    path: '/events/{id}',
    params: id,
    responses: { 200: eventStream(v.unknown(), { sentinel: '[DONE]' }) },
  },
  compressible: { method: 'GET', path: '/compressible/{id}', params: id, responses: { 200: eventStream(v.unknown()) } },
  unsendable: { method: 'GET', path: '/unsendable/{id}', params: id, responses: { 200: eventStream(v.unknown()) } },
  announced: { method: 'GET', path: '/announced', responses: { 200: eventStream(v.unknown(), { commit: 'at-once' }) } },
  commented: {
    method: 'GET',
    path: '/commented',
    responses: { 200: eventStream(v.unknown(), { keepAliveSeconds: 0.01 }) },
  },
  watch: { method: 'GET', path: '/watched/{id}', params: id, responses: { 200: eventStream(v.unknown()) } },
  poll: { method: 'GET', path: '/polled', responses: { 200: anything } },
  upload: {
    method: 'POST',
    path: '/uploads/{id}',
    params: id,
    upload: v.object({ file: v.string() }),
    bodyLimit: 2 ** 27,
    responses: { 200: anything },
  },
  limitedUpload: {
    method: 'POST',
    path: '/limited-uploads',
    upload: v.object({ file: v.string() }),
    bodyLimit: 1000,
    responses: { 200: anything },
  },
  lines: { method: 'GET', path: '/lines/{id}', params: id, responses: { 200: jsonLines(v.unknown()) } },
})

export const lenientContract = defineContract({
  record: { method: 'GET', path: '/lenient/records/{id}', params: id, responses: { 200: anything } },
  records: { method: 'GET', path: '/lenient/records', responses: { 200: anything } },
})

/** A contract whose requests have ids, and whose bodies the probe parses. */
export const ownContract = defineContract({
  take: {
    method: 'POST',
    path: '/own/{id}',
    params: id,
    body: v.object({ n: v.number() }),
    responses: { 200: anything },
  },
  show: { method: 'GET', path: '/own/{id}', params: id, responses: { 200: anything } },
  peer: { method: 'GET', path: '/peer', responses: { 200: anything } },
  place: { method: 'GET', path: '/place', responses: { 200: anything } },
})

export const probeSockets = defineSockets({
  echo: {
    path: '/sockets/echo/{id}',
    params: id,
    query: v.object({ mode: v.optional(v.string()) }),
    messageLimit: 2 ** 20,
  },
  refused: { path: '/sockets/refused' },
  peer: { path: '/sockets/peer' },
  flood: { path: '/sockets/flood' },
})

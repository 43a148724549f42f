import { bytes, defineContract } from '@trivium/http-contract'
import * as v from 'valibot'

export const pagesContract = defineContract({
  openApiDocument: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'Reads the OpenAPI 3.1 document of all services',
    tags: ['Server'],
    responses: { 200: v.record(v.string(), v.unknown()) },
  },
  apiReference: {
    method: 'GET',
    path: '/docs',
    summary: 'Reads the API reference as one page',
    tags: ['Server'],
    responses: { 200: bytes('text/html; charset=utf-8') },
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'Reads the metrics in the Prometheus text format',
    tags: ['Server'],
    responses: { 200: bytes('text/plain; version=0.0.4; charset=utf-8') },
  },
})

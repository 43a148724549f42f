import { bytes, defineContract, eventStream, jsonOr, noBody } from '@trivium/http-contract'
import * as v from 'valibot'
import { activitySchema } from '../activity/activity.ts'

const failure = v.pipe(v.object({ error: v.object({ message: v.string() }) }), v.title('ConsoleFailure'))

const service = v.object({
  /** Where browsers reach its routes, resolved against the directory that contains the console. */
  base_url: v.string(),
  /** What the service runs on, for people. */
  description: v.string(),
})

const host = v.pipe(
  v.object({
    version: v.string(),
    started_at: v.string(),
    /** Resident memory of the process, in bytes. */
    memory: v.number(),
    /** The number of the last activity; 0 before the first. */
    last_activity: v.number(),
    /** Where the host stores its state, for people. */
    state: v.array(v.object({ name: v.string(), place: v.string() })),
    services: v.object({
      gateway: v.exactOptional(service),
      emulation: v.exactOptional(service),
      storage: v.exactOptional(service),
    }),
  }),
  v.title('ConsoleHost'),
)

const tags = ['Console']

/** The operations that serve the page, and those that the page calls on the host in addition to the services. */
export const consoleContract = defineContract({
  findConsole: {
    method: 'GET',
    path: '/console',
    summary: 'Redirects to the console',
    tags,
    responses: { 308: noBody },
  },
  getConsole: {
    method: 'GET',
    path: '/console/',
    summary: 'Serves the page of the console',
    tags,
    headers: v.looseObject({ 'accept-encoding': v.optional(v.string()) }),
    responses: {
      200: bytes('text/html; charset=utf-8'),
      500: failure,
      503: bytes('text/html; charset=utf-8'),
    },
  },
  getConsoleFile: {
    method: 'GET',
    path: '/console/{file+}',
    summary: 'Serves a file of the console',
    tags,
    params: v.object({ file: v.string() }),
    headers: v.looseObject({ 'accept-encoding': v.optional(v.string()) }),
    responses: {
      200: bytes('application/octet-stream'),
      404: failure,
      500: failure,
      503: jsonOr(failure, bytes('text/html; charset=utf-8')),
    },
  },
  getOwnQuotasPlace: {
    method: 'GET',
    path: '/console/api/quotas',
    summary: 'Reports where the page of own quotas reaches the storage service',
    tags,
    responses: {
      200: v.pipe(
        v.object({
          /** Where browsers reach its routes, resolved against the directory that contains the console. */
          base_url: v.string(),
        }),
        v.title('ConsoleOwnQuotasPlace'),
      ),
      404: failure,
      500: failure,
    },
  },
  getHost: {
    method: 'GET',
    path: '/console/api/host',
    summary: 'Describes the host, its services and where it stores its state',
    tags,
    responses: { 200: host, 401: failure, 429: failure, 500: failure },
  },
  watchActivities: {
    method: 'GET',
    path: '/console/api/activities',
    summary: 'Streams the last activities of the services, then each new one',
    tags,
    query: v.object({
      after: v.pipe(
        v.exactOptional(v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'must be a whole number'), v.transform(Number)), '0'),
        v.description('Selects activities with a greater number.'),
      ),
    }),
    responses: {
      200: eventStream(activitySchema, { commit: 'at-once', keepAliveSeconds: 15 }),
      400: failure,
      401: failure,
      429: failure,
      500: failure,
    },
  },
})

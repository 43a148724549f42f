import { bytes, defineContract, eventStream, noBody } from '@trivium/http-contract'
import * as v from 'valibot'
import { activitySchema } from '../activity/activity.ts'

const failure = v.pipe(v.object({ error: v.object({ message: v.string() }) }), v.title('ConsoleFailure'))

const service = v.object({
  /** Where browsers reach its routes, resolved against the directory in which the console lies. */
  base_url: v.string(),
  /** What it runs on, for people. */
  description: v.string(),
})

const host = v.pipe(
  v.object({
    version: v.string(),
    started_at: v.string(),
    /** Resident, in bytes. */
    memory: v.number(),
    /** The number of the last activity; 0 before the first. */
    last_activity: v.number(),
    /** Where the host keeps what, for people. */
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

/** How the page is served, and what it asks the host beside the services. */
export const consoleContract = defineContract({
  findConsole: {
    method: 'GET',
    path: '/console',
    summary: 'Leads to the console',
    tags,
    responses: { 308: noBody },
  },
  getConsole: {
    method: 'GET',
    path: '/console/',
    summary: 'The console: a page that shows and drives the services',
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
    summary: 'A file of the console',
    tags,
    params: v.object({ file: v.string() }),
    headers: v.looseObject({ 'accept-encoding': v.optional(v.string()) }),
    responses: { 200: bytes('application/octet-stream'), 404: failure, 500: failure, 503: failure },
  },
  getHost: {
    method: 'GET',
    path: '/console/api/host',
    summary: 'What the host runs, and where it keeps its state',
    tags,
    responses: { 200: host, 401: failure, 429: failure, 500: failure },
  },
  watchActivities: {
    method: 'GET',
    path: '/console/api/activities',
    summary: 'What happens in the services: the last that is kept, and then everything as it comes',
    tags,
    query: v.object({
      after: v.pipe(
        v.exactOptional(v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'must be a whole number'), v.transform(Number)), '0'),
        v.description('Only activities with a greater number'),
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

import { defineContract, eventStream, type Failures, implement, type Reply, relay } from '@trivium/http-contract'
import { event, events, pushEvents, readThing, thing, thingBody, thingParams } from './workload.ts'

const contract = defineContract({
  read: { method: 'GET', path: '/things/{id}', params: thingParams, responses: { 200: thing } },
  create: { method: 'POST', path: '/things', body: thingBody, responses: { 201: thing } },
  watch: { method: 'GET', path: '/events', responses: { 200: eventStream(event) } },
  relayed: { method: 'GET', path: '/relayed', responses: { 200: eventStream(event) } },
})

const refuse = (status: number) => (): Reply => ({ kind: 'json', status, headers: {}, value: { status } })

const failures: Failures = {
  malformed: refuse(400),
  invalid: refuse(400),
  tooLarge: refuse(413),
  methodNotAllowed: refuse(405),
  unexpected: refuse(500),
  interrupted: () => ({}),
}

export const routes = implement(
  contract,
  {
    read: ({ params }) => ({ status: 200, body: readThing(params.id) }),
    create: ({ body }) => ({ status: 201, body: { id: 'a', ...body } }),
    watch: () => ({ status: 200, body: events() }),
    relayed: () => ({
      status: 200,
      body: relay(
        (sink) => {
          pushEvents(sink.write, sink.end)
          return { resume: () => undefined, close: () => undefined }
        },
        () => undefined,
      ),
    }),
  },
  { failures },
)

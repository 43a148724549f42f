import { defineContract, eventStream, implement, relay } from '@trivium/http-contract'
import { plainFailures } from '../plain-failures.ts'
import { event, events, pushEvents, readThing, thing, thingBody, thingParams } from './workload.ts'

const contract = defineContract({
  read: { method: 'GET', path: '/things/{id}', params: thingParams, responses: { 200: thing } },
  create: { method: 'POST', path: '/things', body: thingBody, responses: { 201: thing } },
  watch: { method: 'GET', path: '/events', responses: { 200: eventStream(event) } },
  relayed: { method: 'GET', path: '/relayed', responses: { 200: eventStream(event) } },
})

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
  { failures: plainFailures },
)

import * as v from 'valibot'

/** What a page shows of each service: a change of any of it names its topics, and pages read those again. */
export const topics = {
  gateway: ['health', 'keys', 'models', 'usage'],
  emulation: ['captures', 'instances', 'links', 'log', 'projects'],
  storage: ['jobs', 'nodes', 'qtrees', 'reports', 'rules', 'splits', 'tokens', 'volumes'],
} as const

export type ServiceName = keyof typeof topics
export type Topic<Service extends ServiceName> = (typeof topics)[Service][number]

const activityOf = <const Service extends ServiceName>(service: Service) =>
  v.object({
    /** Grows by one with each; starts anew with the process. */
    number: v.number(),
    at: v.string(),
    service: v.literal(service),
    /** The name of the core's event. */
    type: v.string(),
    /** For people. */
    summary: v.string(),
    topics: v.array(v.picklist(topics[service])),
    /** Ids of what it is about, by noun: `project`, `instance`, `key`, `volume`, `job`. */
    ids: v.record(v.string(), v.string()),
  })

/** Something that happened in a service. */
export const activitySchema = v.pipe(
  v.variant('service', [activityOf('gateway'), activityOf('emulation'), activityOf('storage')]),
  v.title('Activity'),
)

export type Activity = v.InferOutput<typeof activitySchema>

/** An activity before it has its place in the log. */
export type NewActivity<Service extends ServiceName = ServiceName> = {
  [Name in Service]: Omit<Extract<Activity, { readonly service: Name }>, 'number' | 'at'>
}[Service]

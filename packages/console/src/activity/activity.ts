import * as v from 'valibot'

/** The topics of each service. An activity names the topics that it changed, and pages read those again. */
export const topics = {
  gateway: ['health', 'keys', 'models', 'usage'],
  emulation: ['captures', 'disk-images', 'instances', 'links', 'log', 'places', 'projects'],
  storage: ['jobs', 'nodes', 'qtrees', 'reports', 'rules', 'splits', 'tokens', 'volumes', 'webhooks'],
} as const

/** The services that a console can show. */
export type ServiceName = keyof typeof topics
/** A topic of one service, as `keys` of the gateway. */
export type Topic<Service extends ServiceName> = (typeof topics)[Service][number]

const activityOf = <const Service extends ServiceName>(service: Service) =>
  v.object({
    /** Grows by 1 with each activity. Starts at 1 with each process. */
    number: v.number(),
    /** The time in ISO 8601. */
    at: v.string(),
    service: v.literal(service),
    /** The name of the event of the core. A log line of the emulation has `log.` and its level. */
    type: v.string(),
    /** One line for people. */
    summary: v.string(),
    topics: v.array(v.picklist(topics[service])),
    /** Ids of the objects concerned, by noun: `project`, `instance`, `key`, `volume`, `job`. */
    ids: v.record(v.string(), v.string()),
  })

/** Something that happened in a service. */
export const activitySchema = v.pipe(
  v.variant('service', [activityOf('gateway'), activityOf('emulation'), activityOf('storage')]),
  v.title('Activity'),
)

export type Activity = v.InferOutput<typeof activitySchema>

/** An activity before the log numbers and dates it. */
export type NewActivity<Service extends ServiceName = ServiceName> = {
  [Name in Service]: Omit<Extract<Activity, { readonly service: Name }>, 'number' | 'at'>
}[Service]

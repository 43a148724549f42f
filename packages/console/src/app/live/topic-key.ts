import type { ServiceName, Topic } from '../../activity/activity.ts'

/**
 * The key of a query. It is read again whenever an activity names its service and topic; what follows tells queries of
 * one topic apart.
 */
export const topicKey = <Service extends ServiceName>(
  service: Service,
  topic: Topic<Service>,
  ...rest: readonly unknown[]
): readonly unknown[] => [service, topic, ...rest]

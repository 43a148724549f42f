import type { ServiceName, Topic } from '../../activity/activity.ts'

/**
 * Returns the key of a query. The query is read again when an activity names its service and topic. `rest` distinguishes
 * queries of one topic.
 */
export const topicKey = <Service extends ServiceName>(
  service: Service,
  topic: Topic<Service>,
  ...rest: readonly unknown[]
): readonly unknown[] => [service, topic, ...rest]

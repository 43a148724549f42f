import { principalName } from '../views/storage/target-name.ts'
import type { OwnQuota } from './read-own-quotas.ts'

type Titled = Pick<OwnQuota, 'svm' | 'volume' | 'type' | 'qtree' | 'shared_with'>

/** Names a quota among the others: `vol1, qtree thesis: all users`. The SVM is named where there are several. */
export function quotaTitle(
  { svm, volume, type, qtree, shared_with: shared }: Titled,
  among: readonly Titled[],
): string {
  const isAmbiguous = among.some((other) => other.svm?.uuid !== svm?.uuid)
  const volumeName = isAmbiguous ? `${volume?.name} of ${svm?.name}` : volume?.name
  const place = qtree?.name ? `qtree ${qtree.name}` : 'whole volume'
  const others = type === 'user' ? (shared?.num_users ?? 0) : 0
  const [other] = shared?.users ?? []
  const who =
    type === 'user'
      ? others === 0
        ? 'you'
        : others === 1 && other
          ? `you and ${principalName(other)}`
          : `you and ${others} others`
      : 'all users'
  return `${volumeName}, ${place}: ${who}`
}

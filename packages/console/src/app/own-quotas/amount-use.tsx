import { formatTime } from '../components/format.ts'
import { formatIsoDuration } from '../components/format-iso-duration.ts'
import { Meter } from '../components/meter.tsx'
import { StatusMark } from '../components/status-mark.tsx'
import { describeUse } from './describe-use.ts'
import type { OwnAmount } from './read-own-quotas.ts'

export interface AmountUseProps {
  readonly name: 'Space' | 'Files'
  readonly amount: OwnAmount
  readonly format: (value: number | bigint) => string
}

/** Shows the use of space or of files, and the state of its limits. Nothing where neither is known. */
export function AmountUse({ name, amount, format }: AmountUseProps) {
  const { hard_limit: hard, soft_limit: soft, used, soft_limit_exceeded_time: exceededAt, grace } = amount
  const { thresholds = [], exceeded_thresholds: reached = [] } = amount
  if (used?.total === undefined && hard === undefined && soft === undefined) return null
  return (
    <div className="own-quotas-amount">
      <Meter
        label={name}
        value={used?.total ?? 0}
        max={hard === undefined ? undefined : Number(hard)}
        text={describeUse(amount, format)}
        {...(soft !== undefined && hard !== undefined && Number(hard) > 0 && { warnFrom: Number(soft) / Number(hard) })}
      />
      <ul>
        {soft !== undefined && (
          <li>
            Soft limit {format(soft)}
            {used?.soft_limit_percent !== undefined && `, ${used.soft_limit_percent} % used`}
          </li>
        )}
        {exceededAt !== undefined && (
          <li>
            <StatusMark tone={grace?.expired ? 'bad' : 'warn'}>Above the soft limit</StatusMark> since{' '}
            {formatTime(exceededAt)}
          </li>
        )}
        {soft !== undefined && <GraceState grace={grace} isExceeded={exceededAt !== undefined} />}
        {thresholds.length > 0 && (
          <li>
            Thresholds:{' '}
            {thresholds.map((percent) => `${percent} %${reached.includes(percent) ? ' (reached)' : ''}`).join(', ')}
          </li>
        )}
      </ul>
    </div>
  )
}

interface GraceStateProps {
  readonly grace: OwnAmount['grace']
  readonly isExceeded: boolean
}

function GraceState({ grace, isExceeded }: GraceStateProps) {
  if (!grace || grace.enforced_by === 'none') return <li>The soft limit only notifies</li>
  if (grace.expired)
    return (
      <li>
        <StatusMark tone="bad">Enforced as hard</StatusMark>
        {grace.end_time !== undefined && ` since ${formatTime(grace.end_time)}`}: writing is possible again when the use
        is at most the soft limit
      </li>
    )
  if (!isExceeded || grace.end_time === undefined)
    return <li>It can be exceeded for {formatIsoDuration(grace.period)}, and is enforced as hard afterwards</li>
  return (
    <li>
      {formatIsoDuration(grace.left)} left: enforced as hard from {formatTime(grace.end_time)} on
    </li>
  )
}

import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { ErrorNote } from '../../../components/error-note.tsx'
import { formatBytes } from '../../../components/format.ts'
import { Meter } from '../../../components/meter.tsx'
import { Progress } from '../../../components/progress.tsx'
import { StatusMark, type Tone } from '../../../components/status-mark.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { hasEnded, useJob } from '../../../hooks/use-job.ts'
import { useStorage } from '../../../hooks/use-storage.ts'
import { Section } from '../../../shell/view.tsx'
import type { Volume } from '../use-volumes.ts'

const tones: Readonly<Record<string, Tone>> = { on: 'good', off: 'quiet', corrupt: 'bad' }

export function VolumeCard({ volume: { uuid = '', name = '', svm, node, space, quota } }: { readonly volume: Volume }) {
  const storage = useStorage()
  const [job, setJob] = useState<string>()
  const { used = 0, size } = space ?? {}
  const state = quota?.state ?? 'off'
  const enabled = state !== 'off'
  const change = useAction((enable: boolean) =>
    expectOk(storage.updateVolume({ params: { uuid }, body: { quota: { enabled: enable } } })),
  )
  const start = () => change.mutate(!enabled, { onSuccess: ({ job: started }) => setJob(started?.uuid) })
  return (
    <Section title={name} actions={<StatusMark tone={tones[state] ?? 'warn'}>{`quotas ${state}`}</StatusMark>}>
      <p className="quiet">
        {svm?.name} on {node?.name}
      </p>
      {size === undefined ? (
        <p className="quiet">The file system is unavailable in this process.</p>
      ) : (
        <Meter label="Used" value={used} max={size} text={`${formatBytes(used)} of ${formatBytes(size)}`} />
      )}
      <VolumeJob uuid={job} label={`Quotas of ${name}`} />
      <p>
        <Button
          onClick={start}
          busy={change.isPending}
          aria-label={`Turn quotas ${enabled ? 'off' : 'on'} for ${name}`}
        >
          Turn quotas {enabled ? 'off' : 'on'}
        </Button>
      </p>
    </Section>
  )
}

function VolumeJob({ uuid, label }: { readonly uuid: string | undefined; readonly label: string }) {
  const { data: job } = useJob(uuid)
  if (!uuid) return null
  if (!hasEnded(job)) {
    const [, done, total] = /^(\d+) of (\d+)$/.exec(job?.message ?? '') ?? []
    return <Progress label={label} {...(total !== undefined && { done: Number(done), total: Number(total) })} />
  }
  if (job?.state === 'failure') return <ErrorNote>{job.error?.message ?? job.message}</ErrorNote>
  return (
    <p role="status">
      <StatusMark tone="good">{`${label}: the job has succeeded`}</StatusMark>
    </p>
  )
}

import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useRef } from 'react'
import { EmptyState } from '../../../components/empty-state.tsx'
import { formatBytes } from '../../../components/format.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { Progress } from '../../../components/progress.tsx'
import { type StorageClient, useStorage } from '../../../hooks/use-storage.ts'
import { topicKey } from '../../../live/topic-key.ts'
import { Section } from '../../../shell/view.tsx'

const readStatus = async (storage: StorageClient, signal: AbortSignal) =>
  (await expectOk(storage.listSplitStatus({ query: { fields: '*', pending_splits: '>0' }, signal }))).records ?? []

type Status = Awaited<ReturnType<typeof readStatus>>[number]

export function SplitStatus() {
  const storage = useStorage()
  const status = useQuery({
    queryKey: topicKey('storage', 'splits', 'status'),
    queryFn: ({ signal }) => readStatus(storage, signal),
  })
  return (
    <Section title="Splits">
      <Loaded query={status}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title="No splits are running">
              A clone shares its blocks with its source until it is split from it.
            </EmptyState>
          ) : (
            all.map((one) => <VolumeSplits key={one.volume?.uuid} status={one} />)
          )
        }
      </Loaded>
    </Section>
  )
}

/** Shows the progress of a volume. The API reports only what is left, so the total is the largest value seen here. */
function VolumeSplits({
  status: { volume, pending_splits: pending = 0, unsplit_size: left = 0 },
}: {
  readonly status: Status
}) {
  const largest = useRef(left)
  largest.current = Math.max(largest.current, left)
  return (
    <div>
      <Progress
        label={`${volume?.name}: ${pending} unfinished`}
        done={largest.current - left}
        total={largest.current}
      />
      <p className="quiet">{formatBytes(left)} still shared</p>
    </div>
  )
}

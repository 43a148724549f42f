import { expectOk } from '@trivium/http-client'
import { Button } from '../../../components/button.tsx'
import { useConfirm } from '../../../components/confirm.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { formatBytes } from '../../../components/format.ts'
import { formatIsoDuration } from '../../../components/format-iso-duration.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { Progress } from '../../../components/progress.tsx'
import { Table } from '../../../components/table.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useStorage } from '../../../hooks/use-storage.ts'
import { Section } from '../../../shell/view.tsx'
import { SplitFile } from './split-file.tsx'
import { type FileSplit, useSplits } from './use-splits.ts'

interface Change {
  readonly split: FileSplit
  readonly body: { readonly state?: 'waiting' | 'paused'; readonly order?: number }
}

/** Lists the unfinished splits, which can be paused, moved and cancelled, and asks for the split of a file. */
export function SplitsSection() {
  const storage = useStorage()
  const confirm = useConfirm()
  const splits = useSplits()
  const change = useAction(({ split: { uuid = '' }, body }: Change) =>
    expectOk(storage.updateSplit({ params: { uuid }, body })),
  )
  const cancel = useAction(({ uuid = '' }: FileSplit) => expectOk(storage.deleteSplit({ params: { uuid } })), {
    done: 'The split is cancelled.',
  })
  const confirmCancel = async (split: FileSplit) => {
    const body = 'What is not split yet stays shared. Its load becomes free.'
    if (await confirm({ title: `Cancel the split of ${split.path}?`, body, action: 'Cancel the split' })) {
      cancel.mutate(split)
    }
  }
  return (
    <Section title="Splits of files">
      <Loaded query={splits}>
        {(all) => (
          <Table
            caption="All splits"
            rows={all}
            rowKey={({ uuid = '' }) => uuid}
            empty={
              <EmptyState title="No splits">
                A split gives a file blocks of its own, which takes space. Ask for one below.
              </EmptyState>
            }
            columns={[
              { header: 'File', isName: true, cell: ({ volume, path }) => `${path} on ${volume?.name}` },
              { header: 'State', cell: (split) => stateOf(split) },
              {
                header: 'Progress',
                cell: ({ path, bytes }) => (
                  <Progress
                    label={`${formatBytes(bytes?.left ?? 0)} of ${path} left`}
                    done={bytes?.done}
                    total={bytes?.total}
                  />
                ),
              },
              {
                header: 'Time left',
                align: 'end',
                cell: ({ time_left: time }) => (time === undefined ? '–' : formatIsoDuration(time)),
              },
              {
                header: 'Actions',
                cell: (split) => (
                  <div className="storage-actions">
                    {split.state === 'paused' ? (
                      <Button
                        onClick={() => change.mutate({ split, body: { state: 'waiting' } })}
                        aria-label={`Resume ${split.path}`}
                      >
                        Resume
                      </Button>
                    ) : (
                      <Button
                        onClick={() => change.mutate({ split, body: { state: 'paused' } })}
                        aria-label={`Pause ${split.path}`}
                      >
                        Pause
                      </Button>
                    )}
                    {(split.order ?? 1) > 1 && (
                      <Button
                        // No activity reports a new order.
                        onClick={() =>
                          change.mutate({ split, body: { order: 1 } }, { onSuccess: () => splits.refetch() })
                        }
                        aria-label={`Split ${split.path} first`}
                      >
                        First
                      </Button>
                    )}
                    <Button
                      kind="danger"
                      onClick={() => void confirmCancel(split)}
                      aria-label={`Cancel the split of ${split.path}`}
                    >
                      Cancel
                    </Button>
                  </div>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <SplitFile />
    </Section>
  )
}

/** The state for people: with the place in the order, or with the reason of the wait. */
function stateOf({ state = 'waiting', order, reason }: FileSplit): string {
  if (state !== 'waiting') return state
  return reason ?? (order === undefined ? state : `waiting, place ${order}`)
}

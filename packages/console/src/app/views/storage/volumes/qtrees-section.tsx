import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { useConfirm } from '../../../components/confirm.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { errorMessage } from '../../../components/error-note.tsx'
import { TextField } from '../../../components/field.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Table } from '../../../components/table.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { type StorageClient, useStorage } from '../../../hooks/use-storage.ts'
import { topicKey } from '../../../live/topic-key.ts'
import { Section } from '../../../shell/view.tsx'
import { useChosenVolume, VolumeField } from '../volume-field.tsx'
import { waitForJob, waitQuery } from '../wait-for-job.ts'

const MAX_RECORDS = 1000

const readQtrees = async (storage: StorageClient, signal: AbortSignal) =>
  (await expectOk(storage.listQtrees({ query: { id: '>0', fields: '*', max_records: MAX_RECORDS }, signal })))
    .records ?? []

type Qtree = Awaited<ReturnType<typeof readQtrees>>[number]

export function QtreesSection() {
  const storage = useStorage()
  const confirm = useConfirm()
  const qtrees = useQuery({
    queryKey: topicKey('storage', 'qtrees', 'all'),
    queryFn: ({ signal }) => readQtrees(storage, signal),
  })
  const remove = useAction(
    async ({ volume, id = 0 }: Qtree) =>
      waitForJob(
        storage,
        await expectOk(storage.deleteQtree({ params: { volume_uuid: volume?.uuid ?? '', id }, query: waitQuery })),
      ),
    { done: (_nothing, { name }) => `Qtree ${name} is deleted.` },
  )
  const confirmDelete = async (qtree: Qtree) => {
    const body = 'Its files and its quota rules are deleted.'
    if (await confirm({ title: `Delete qtree ${qtree.name}?`, body, action: 'Delete' })) remove.mutate(qtree)
  }
  return (
    <Section title="Qtrees">
      <Loaded query={qtrees}>
        {(all) => (
          <Table
            caption="All qtrees"
            rows={all}
            rowKey={({ volume, id }) => `${volume?.uuid}/${id}`}
            empty={
              <EmptyState title="No qtrees yet">
                A qtree is a directory that a tree rule can limit. Create one below.
              </EmptyState>
            }
            columns={[
              { header: 'Qtree', isName: true, cell: ({ name }) => name },
              { header: 'Volume', cell: ({ volume }) => volume?.name },
              { header: 'Permissions', cell: ({ unix_permissions: permissions }) => <code>{permissions}</code> },
              { header: 'Security style', cell: ({ security_style: style }) => style },
              {
                header: 'Actions',
                cell: (qtree) => (
                  <Button
                    kind="danger"
                    onClick={() => void confirmDelete(qtree)}
                    aria-label={`Delete qtree ${qtree.name}`}
                  >
                    Delete
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <CreateQtree />
    </Section>
  )
}

function CreateQtree() {
  const storage = useStorage()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState('')
  const volume = useChosenVolume(chosen)
  const create = useAction(
    async () => {
      const body = { svm: { uuid: volume?.svm?.uuid ?? '' }, volume: { uuid: volume?.uuid ?? '' }, name }
      await waitForJob(storage, await expectOk(storage.createQtree({ query: waitQuery, body })))
    },
    { done: () => `Qtree ${name} is created.`, quiet: true },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined, { onSuccess: () => setName('') })
  }
  return (
    <form className="storage-filter" aria-label="New qtree" onSubmit={submit}>
      <VolumeField value={chosen} onChange={setChosen} />
      <TextField
        label="Name of a new qtree"
        value={name}
        onChange={setName}
        required
        error={create.error ? errorMessage(create.error) : undefined}
      />
      <Button type="submit" kind="primary" busy={create.isPending || volume === undefined}>
        Create qtree
      </Button>
    </form>
  )
}

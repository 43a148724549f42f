import { expectOk } from '@trivium/http-client'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { useConfirm } from '../../../components/confirm.tsx'
import { formatBytes, formatNumber } from '../../../components/format.ts'
import { Table } from '../../../components/table.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useStorage } from '../../../hooks/use-storage.ts'
import { targetName } from '../target-name.ts'
import { waitForJob, waitQuery } from '../wait-for-job.ts'
import { EditRule } from './edit-rule.tsx'
import type { Rule } from './use-rules.ts'

export function RulesTable({ rules, empty }: { readonly rules: readonly Rule[]; readonly empty: ReactNode }) {
  const storage = useStorage()
  const confirm = useConfirm()
  const [edited, setEdited] = useState<Rule>()
  const remove = useAction(
    async ({ uuid = '' }: Rule) =>
      waitForJob(storage, await expectOk(storage.deleteQuotaRule({ params: { uuid }, query: waitQuery }))),
    { done: 'The rule is deleted.' },
  )
  const confirmDelete = async (rule: Rule) => {
    const body = 'While quotas are on, its limits are no longer enforced.'
    if (await confirm({ title: `Delete the rule of ${targetName(rule)}?`, body, action: 'Delete' })) remove.mutate(rule)
  }
  return (
    <>
      <Table
        caption="Rules"
        rows={rules}
        rowKey={({ uuid = '' }) => uuid}
        empty={empty}
        columns={[
          { header: 'Target', isName: true, cell: targetName },
          { header: 'Volume', cell: ({ volume }) => volume?.name },
          { header: 'Space, hard', align: 'end', cell: ({ space }) => limitText(space?.hard_limit, formatBytes) },
          { header: 'Space, soft', align: 'end', cell: ({ space }) => limitText(space?.soft_limit, formatBytes) },
          { header: 'Files, hard', align: 'end', cell: ({ files }) => limitText(files?.hard_limit, formatNumber) },
          { header: 'Files, soft', align: 'end', cell: ({ files }) => limitText(files?.soft_limit, formatNumber) },
          {
            header: 'Actions',
            cell: (rule) => (
              <div className="storage-actions">
                <Button onClick={() => setEdited(rule)} aria-label={`Edit the rule of ${targetName(rule)}`}>
                  Edit
                </Button>
                <Button
                  kind="danger"
                  onClick={() => void confirmDelete(rule)}
                  aria-label={`Delete the rule of ${targetName(rule)}`}
                >
                  Delete
                </Button>
              </div>
            ),
          },
        ]}
      />
      {edited && <EditRule rule={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}

const limitText = (limit: number | bigint | undefined, format: (value: number | bigint) => string): ReactNode =>
  limit === undefined ? <span className="quiet">none</span> : format(limit)

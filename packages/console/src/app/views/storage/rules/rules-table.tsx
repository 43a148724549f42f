import { expectOk } from '@trivium/http-client'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { useConfirm } from '../../../components/confirm.tsx'
import { formatBytes, formatNumber } from '../../../components/format.ts'
import { Table } from '../../../components/table.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useStorage } from '../../../hooks/use-storage.ts'
import { finished, wait } from '../finished.ts'
import { targetWords } from '../target-words.ts'
import { EditRule } from './edit-rule.tsx'
import type { Rule } from './use-rules.ts'

export function RulesTable({ rules, empty }: { readonly rules: readonly Rule[]; readonly empty: ReactNode }) {
  const storage = useStorage()
  const confirm = useConfirm()
  const [edited, setEdited] = useState<Rule>()
  const remove = useAction(
    async ({ uuid = '' }: Rule) =>
      finished(storage, await expectOk(storage.deleteQuotaRule({ params: { uuid }, query: wait }))),
    { done: 'The rule is deleted.' },
  )
  const ask = async (rule: Rule) => {
    const body = 'While quotas are on, its limits are no longer enforced.'
    if (await confirm({ title: `Delete the rule of ${targetWords(rule)}?`, body, action: 'Delete' }))
      remove.mutate(rule)
  }
  return (
    <>
      <Table
        caption="Rules"
        rows={rules}
        rowKey={({ uuid = '' }) => uuid}
        empty={empty}
        columns={[
          { header: 'Target', isName: true, cell: targetWords },
          { header: 'Volume', cell: ({ volume }) => volume?.name },
          { header: 'Space, hard', align: 'end', cell: ({ space }) => limitWords(space?.hard_limit, formatBytes) },
          { header: 'Space, soft', align: 'end', cell: ({ space }) => limitWords(space?.soft_limit, formatBytes) },
          { header: 'Files, hard', align: 'end', cell: ({ files }) => limitWords(files?.hard_limit, formatNumber) },
          { header: 'Files, soft', align: 'end', cell: ({ files }) => limitWords(files?.soft_limit, formatNumber) },
          {
            header: 'Actions',
            cell: (rule) => (
              <div className="storage-actions">
                <Button onClick={() => setEdited(rule)} aria-label={`Edit the rule of ${targetWords(rule)}`}>
                  Edit
                </Button>
                <Button
                  kind="danger"
                  onClick={() => void ask(rule)}
                  aria-label={`Delete the rule of ${targetWords(rule)}`}
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

const limitWords = (limit: number | undefined, format: (value: number) => string): ReactNode =>
  limit === undefined ? <span className="quiet">none</span> : format(limit)

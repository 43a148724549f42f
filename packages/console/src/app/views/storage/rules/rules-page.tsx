import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { SelectField } from '../../../components/field.tsx'
import { formatNumber } from '../../../components/format.ts'
import { Section } from '../../../shell/view.tsx'
import { CreateRule } from './create-rule.tsx'
import { FilterBox } from './filter-box.tsx'
import { FilterError } from './filter-error.tsx'
import type { RuleQuery } from './read-filter.ts'
import { RulesTable } from './rules-table.tsx'
import { useRuleCount, useRules } from './use-rules.ts'

const orders = [
  { value: 'uuid', label: 'Id' },
  { value: 'volume.name,type', label: 'Volume and type' },
  { value: 'space.hard_limit desc', label: 'Space limit, largest first' },
  { value: 'space.hard_limit', label: 'Space limit, smallest first' },
  { value: 'files.hard_limit desc', label: 'Files limit, largest first' },
] as const

export function RulesPage() {
  const [filter, setFilter] = useState('')
  const [order, setOrder] = useState<(typeof orders)[number]['value']>('uuid')
  const [pageQueries, setPageQueries] = useState<readonly RuleQuery[]>([])
  const [isCreating, setIsCreating] = useState(false)
  const rules = useRules(filter, order, pageQueries.at(-1))
  const count = useRuleCount(filter)
  const next = rules.data?.next
  const apply = (text: string) => {
    setPageQueries([])
    setFilter(text)
  }
  return (
    <Section
      title="Quota rules"
      actions={
        <Button kind="primary" onClick={() => setIsCreating(true)}>
          New rule
        </Button>
      }
    >
      <FilterBox applied={filter} onApply={apply} />
      {rules.error && <FilterError filter={filter} error={rules.error} />}
      {rules.data && !rules.error && (
        <>
          <div className="row storage-order">
            <p role="status">{count.data === undefined ? '' : countText(count.data, filter)}</p>
            <SelectField
              label="Order"
              value={order}
              options={orders}
              onChange={(value) => {
                setPageQueries([])
                setOrder(value)
              }}
            />
          </div>
          <RulesTable
            rules={rules.data.records}
            empty={
              filter === '' ? (
                <EmptyState
                  title="No rules yet"
                  action={<Button onClick={() => setIsCreating(true)}>Create the first rule</Button>}
                >
                  A rule limits the space and the files of a user, a group or a qtree on a volume.
                </EmptyState>
              ) : (
                <EmptyState title="No rule matches" action={<Button onClick={() => apply('')}>Show all rules</Button>}>
                  Change or remove a condition.
                </EmptyState>
              )
            }
          />
          <div className="row">
            <Button onClick={() => setPageQueries(pageQueries.slice(0, -1))} disabled={pageQueries.length === 0}>
              Previous page
            </Button>
            <span className="quiet">Page {pageQueries.length + 1}</span>
            <Button onClick={() => next && setPageQueries([...pageQueries, next])} disabled={!next}>
              Next page
            </Button>
          </div>
        </>
      )}
      {isCreating && <CreateRule onClose={() => setIsCreating(false)} />}
    </Section>
  )
}

const countText = (count: number, filter: string): string =>
  `${formatNumber(count)} ${count === 1 ? 'rule' : 'rules'}${filter === '' ? '' : count === 1 ? ' matches' : ' match'}`

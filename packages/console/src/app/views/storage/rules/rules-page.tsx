import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { SelectField } from '../../../components/field.tsx'
import { formatNumber } from '../../../components/format.ts'
import { Section } from '../../../shell/view.tsx'
import { CreateRule } from './create-rule.tsx'
import { FilterBox } from './filter-box.tsx'
import { FilterMistake } from './filter-mistake.tsx'
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
  const [places, setPlaces] = useState<readonly RuleQuery[]>([])
  const [creates, setCreates] = useState(false)
  const rules = useRules(filter, order, places.at(-1))
  const count = useRuleCount(filter)
  const next = rules.data?.next
  const apply = (text: string) => {
    setPlaces([])
    setFilter(text)
  }
  return (
    <Section
      title="Quota rules"
      actions={
        <Button kind="primary" onClick={() => setCreates(true)}>
          New rule
        </Button>
      }
    >
      <FilterBox applied={filter} onApply={apply} />
      {rules.error && <FilterMistake filter={filter} error={rules.error} />}
      {rules.data && !rules.error && (
        <>
          <div className="row storage-order">
            <p role="status">{count.data === undefined ? '' : countWords(count.data, filter)}</p>
            <SelectField
              label="Order"
              value={order}
              options={orders}
              onChange={(value) => {
                setPlaces([])
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
                  action={<Button onClick={() => setCreates(true)}>Create the first rule</Button>}
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
            <Button onClick={() => setPlaces(places.slice(0, -1))} disabled={places.length === 0}>
              Previous page
            </Button>
            <span className="quiet">Page {places.length + 1}</span>
            <Button onClick={() => next && setPlaces([...places, next])} disabled={!next}>
              Next page
            </Button>
          </div>
        </>
      )}
      {creates && <CreateRule onClose={() => setCreates(false)} />}
    </Section>
  )
}

const countWords = (count: number, filter: string): string =>
  `${formatNumber(count)} ${count === 1 ? 'rule' : 'rules'}${filter === '' ? '' : count === 1 ? ' matches' : ' match'}`

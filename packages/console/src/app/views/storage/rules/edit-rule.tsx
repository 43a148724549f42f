import { expectOk } from '@trivium/http-client'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorNote, errorWords } from '../../../components/error-note.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useStorage } from '../../../hooks/use-storage.ts'
import { finished, WAIT } from '../finished.ts'
import { targetWords } from '../target-words.ts'
import { isLimitError, LimitFields, type LimitTexts, limitsBody } from './limit-fields.tsx'
import type { Rule } from './use-rules.ts'

export function EditRule({ rule, onClose }: { readonly rule: Rule; readonly onClose: () => void }) {
  const storage = useStorage()
  const [limits, setLimits] = useState<LimitTexts>({
    spaceHard: textOf(rule.space?.hard_limit),
    spaceSoft: textOf(rule.space?.soft_limit),
    filesHard: textOf(rule.files?.hard_limit),
    filesSoft: textOf(rule.files?.soft_limit),
  })
  const save = useAction(
    async () => {
      const request = { params: { uuid: rule.uuid ?? '' }, query: WAIT, body: limitsBody(limits) }
      await finished(storage, await expectOk(storage.updateQuotaRule(request)))
    },
    { done: 'The limits are changed', quiet: true },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(undefined, { onSuccess: onClose })
  }
  return (
    <Dialog title={`Limits of ${targetWords(rule)} on ${rule.volume?.name}`} onClose={onClose}>
      <form className="storage-form" onSubmit={submit}>
        <LimitFields values={limits} onChange={setLimits} error={save.error} />
        {save.error && !isLimitError(save.error) && (
          <div className="whole">
            <ErrorNote>{errorWords(save.error)}</ErrorNote>
          </div>
        )}
        <div className="whole">
          <Button type="submit" kind="primary" busy={save.isPending}>
            Save limits
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const textOf = (limit: number | undefined): string => (limit === undefined ? '' : String(limit))

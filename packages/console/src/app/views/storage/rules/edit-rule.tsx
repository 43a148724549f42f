import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useStorage } from '../../../hooks/use-storage.ts'
import { targetName } from '../target-name.ts'
import { waitForJob, waitQuery } from '../wait-for-job.ts'
import { isLimitError, LimitFields, type LimitTexts, limitsBody } from './limit-fields.tsx'
import type { Rule } from './use-rules.ts'

export function EditRule({ rule, onClose }: { readonly rule: Rule; readonly onClose: () => void }) {
  const storage = useStorage()
  const [limits, setLimits] = useState<LimitTexts>({
    spaceHard: textOf(rule.space?.hard_limit),
    spaceSoft: textOf(rule.space?.soft_limit),
    filesHard: textOf(rule.files?.hard_limit),
    filesSoft: textOf(rule.files?.soft_limit),
    gracePeriod: rule.grace_period ?? '',
    thresholds: rule.thresholds?.join(', ') ?? '',
  })
  const save = useAction(
    async () => {
      const request = { params: { uuid: rule.uuid ?? '' }, query: waitQuery, body: limitsBody(limits) }
      await waitForJob(storage, await expectOk(storage.updateQuotaRule(request)))
    },
    { done: 'The limits are changed.', quiet: true },
  )
  return (
    <FormDialog
      title={`Limits of ${targetName(rule)} on ${rule.volume?.name}`}
      onClose={onClose}
      className="storage-form"
      submitLabel="Save limits"
      onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
      busy={save.isPending}
      error={isLimitError(save.error) ? null : save.error}
    >
      <LimitFields values={limits} onChange={setLimits} error={save.error} />
    </FormDialog>
  )
}

const textOf = (limit: number | bigint | undefined): string => (limit === undefined ? '' : String(limit))

import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Form, type FormProps } from './form.tsx'

export interface FormDialogProps extends Omit<FormProps, 'otherActions'> {
  readonly title: string
  readonly onClose: () => void
}

/** A form over the page. It has a Cancel button, except with a `className` of its own. */
export function FormDialog({ title, onClose, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form {...form} otherActions={form.className === undefined && <Button onClick={onClose}>Cancel</Button>} />
    </Dialog>
  )
}

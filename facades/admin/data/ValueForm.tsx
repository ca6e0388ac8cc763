import { Alert, Button, Input } from '@mantine/core'
import { IconForms } from '@tabler/icons-react'
import { lazy, Suspense, useMemo } from 'react'
import { Loading } from '../feedback/Loading.tsx'
import { readForm } from '../form/json-form.ts'
import css from './data.module.css'
import { pointerOf } from './json-pointer.ts'

const RecordForm = lazy(() => import('../form/RecordForm.tsx'))

interface ValueFormProps {
  text: string
  onChange: (text: string) => void
  /** Shows the value at a JSON Pointer in the JSON view. */
  onGoTo: (pointer: string) => void
  error?: string | undefined
}

/** A record's value as a form, or the reason why it can't be shown as one. */
export const ValueForm = ({ text, onChange, onGoTo, error }: ValueFormProps) => {
  const form = useMemo(() => readForm(text), [text])
  if (typeof form === 'string')
    return (
      <Alert color="gray" icon={<IconForms aria-hidden />} title={form} role="status">
        <Button size="compact-sm" variant="default" onClick={() => onGoTo('')}>
          Edit as JSON
        </Button>
      </Alert>
    )
  return (
    <div className={css.form}>
      <Suspense fallback={<Loading rows={3} height={56} />}>
        <RecordForm
          form={form}
          text={text}
          onChange={onChange}
          onOpenJson={path => onGoTo(pointerOf(path))}
        />
      </Suspense>
      {error && (
        <Input.Error mt={4} role="alert">
          {error}
        </Input.Error>
      )}
    </div>
  )
}

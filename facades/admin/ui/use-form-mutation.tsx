import { useForm } from '@mantine/form'
import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { FormFailure } from './FormFailure.tsx'
import { failureOf, fieldErrors } from './failure.ts'

interface FormOptions<Values> {
  initialValues: Values
  /** The fields that show their own errors; by default, all. */
  fields?: readonly (keyof Values & string)[]
  /** Messages for error codes that belong to one field. */
  codes?: Readonly<Record<string, { field: keyof Values & string; message: string }>>
}

/**
 * A form whose submission is a mutation. If the service refuses the values, their fields say why, and the first of
 * them gets the focus.
 *
 * @param useSubmission the hook that creates the mutation; `useMutation` by default
 * @returns the form; the mutation; `props`, which returns the props of the `form` element, given the input to send; and
 * `failure`, a notice of what no field says
 */
export const useFormMutation = <Values extends Record<string, unknown>, Data, Failure, Input>(
  { initialValues, fields = Object.keys(initialValues), codes = {} }: FormOptions<Values>,
  { onError, ...options }: UseMutationOptions<Data, Failure, Input>,
  useSubmission: (
    options: UseMutationOptions<Data, Failure, Input>,
  ) => UseMutationResult<Data, Failure, Input> = useMutation,
) => {
  const form = useForm<Values>({ initialValues })
  const mutation = useSubmission({
    ...options,
    onError: (error, ...about) => {
      const known = codes[failureOf(error).code ?? '']
      const errors = known ? { [known.field]: known.message } : fieldErrors(failureOf(error), fields)
      form.setErrors(errors)
      const first = fields.find(name => errors[name])
      if (first) form.getInputNode(first)?.focus()
      return onError?.(error, ...about)
    },
  })
  const { error } = mutation
  const isKnown = error !== null && codes[failureOf(error).code ?? ''] !== undefined
  return {
    form,
    mutation,
    props: (toInput: (values: Values) => Input) => ({
      onSubmit: form.onSubmit(values => mutation.mutate(toInput(values))),
      noValidate: true,
    }),
    failure: !isKnown && <FormFailure error={error} names={fields} />,
  }
}

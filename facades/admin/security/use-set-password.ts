import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { api, client, type Inputs, queries } from '../api.ts'
import { showErrors } from '../feedback/form-errors.ts'
import { sessionOptions } from '../session.ts'
import { unlessCancelled, useConfirmation } from './confirmation.tsx'

/**
 * Sets the password of the signed-in account, after a confirmation if the service requires one, and refetches what this changes: the account, its sessions and its
 * tokens.
 */
export const useSetPassword = <Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  names: readonly (keyof Values & string)[],
  onSaved: (endsTokens: boolean) => void,
) => {
  const withConfirmation = useConfirmation()
  return useMutation({
    mutationFn: (input: Inputs['accounts']['setPassword']) =>
      withConfirmation(() => client.accounts.setPassword.mutate(input)),
    onSuccess: (_, { end_tokens }) => {
      onSaved(end_tokens === true)
      return Promise.all([
        queries.invalidateQueries({ queryKey: sessionOptions.queryKey }),
        queries.invalidateQueries(api.sessions.list.pathFilter()),
        queries.invalidateQueries(api.tokens.pathFilter()),
      ])
    },
    onError: error => {
      const shown = unlessCancelled(error)
      if (shown !== null) showErrors(form, shown, names)
    },
  })
}

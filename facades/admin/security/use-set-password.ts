import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { api, queries } from '../api.ts'
import { showErrors } from '../feedback/form-errors.ts'
import { sessionOptions } from '../session.ts'

/**
 * Sets the password of the signed-in account, and refetches what this changes: the account, its sessions and its
 * tokens.
 */
export const useSetPassword = <Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  names: readonly (keyof Values & string)[],
  onSaved: (endsTokens: boolean) => void,
) =>
  useMutation(
    api.accounts.setPassword.mutationOptions({
      onSuccess: (_, { end_tokens }) => {
        onSaved(end_tokens === true)
        return Promise.all([
          queries.invalidateQueries({ queryKey: sessionOptions.queryKey }),
          queries.invalidateQueries(api.sessions.list.pathFilter()),
          queries.invalidateQueries(api.tokens.pathFilter()),
        ])
      },
      onError: error => showErrors(form, error, names),
    }),
  )
